"""The numbers of the masks page in words, maps and a table; core computes them.

There are few masks, and each is computed once for all readers.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
import streamlit as st
import words
from charts.base import palette
from charts.weights import weight_map
from components import chart
from frames import Frame, frame
from numpy.typing import NDArray

from core.attention import FullyMasked
from core.examples import Example
from core.masking import MASKING_EXAMPLE, MaskComparison, build_mask, compare_masked
from core.sentinels import mask_with_sentinel

Mask = NDArray[np.bool_]

KEYS = tuple(f"k{j}" for j in range(1, 6))

#: What became of a fully masked row, for the guess.
OUTCOMES = {"zero": "zeros", "nan": "NaN", "mean": "the mean of V", "raise": "an error"}


def vectors(n_queries: int) -> Example:
    """Return the example with its first queries only."""
    some = MASKING_EXAMPLE
    return Example(query=some.query[:n_queries], key=some.key, value=some.value)


def mask_of(
    kind: str, n_queries: int, length: int, window: int, rows: Collection[Collection[int]]
) -> Mask:
    """Build the reader's mask."""
    n_keys = len(KEYS)
    if kind == "custom":
        cells = [[j in row for j in range(1, n_keys + 1)] for row in rows]
        return build_mask(n_queries, n_keys, custom=cells)
    if kind == "window":
        return build_mask(n_queries, n_keys, left=window, right=window)
    return build_mask(
        n_queries,
        n_keys,
        causal="lower-right"
        if kind == "causal lower-right"
        else ("upper-left" if kind.startswith("causal") else "none"),
        length=length if kind.endswith("padding") else None,
    )


class Setting(NamedTuple):
    """All that the maps depend on."""

    kind: str
    n_queries: int
    length: int
    window: int
    policy: FullyMasked
    rows: tuple[tuple[int, ...], ...]
    """Keys of each query, where the reader picks cells."""

    @property
    def mask(self) -> Mask:
        """Which key each query may attend."""
        return mask_of(self.kind, self.n_queries, self.length, self.window, self.rows)

    @property
    def has_empty_row(self) -> bool:
        """Whether a query may attend no key."""
        return not self.mask.any(axis=-1).all()

    @property
    def refused(self) -> bool:
        """Whether the reader's choice is an error, and it strikes."""
        return self.policy == "raise" and self.has_empty_row


@lru_cache(maxsize=256)
def masked(setting: Setting) -> MaskComparison:
    """Compute both sides."""
    some = vectors(setting.n_queries)
    return compare_masked(
        some.query,
        some.key,
        some.value,
        mask=setting.mask,
        fully_masked="nan" if setting.refused else setting.policy,
    )


@st.cache_resource(max_entries=256, show_spinner=False)
def map_chart(*, name: str, setting: Setting, dark: bool) -> None:
    """Draw the weights, raw or scaled, with blocked cells crossed."""
    seen, colours = masked(setting), palette(dark)
    side = {"raw": seen.raw, "scaled": seen.scaled}[name]
    queries = [f"q{i + 1}" for i in range(len(seen.mask))]
    rows = "; ".join(
        f"{query} {row(weights)}, "
        + (f"entropy {nats(h)} of at most {nats(most)} nats" if most >= 0 else "no key left")
        for query, weights, h, most in zip(
            queries, side.stages.weights, side.entropy, side.ceiling, strict=True
        )
    )
    chart(
        weight_map(
            side.stages.weights,
            colours,
            title={"raw": "raw: softmax of s", "scaled": "scaled: softmax of s/√dₖ"}[name],
            colour={"raw": colours.raw, "scaled": colours.scaled}[name],
            queries=queries,
            keys=KEYS,
            blocked=~seen.mask,
        ),
        key=f"masks_{name}",
        alt=f"Weights, {name}, one row a query: {rows}.",
    )


@cache
def plain_outcome() -> str:
    """Compute what softmax of nothing but −∞ gives, as it is commonly written."""
    some = vectors(1)
    nothing = np.zeros((1, len(KEYS)), dtype=bool)
    seen = mask_with_sentinel(
        some.query,
        some.key,
        some.value,
        mask=nothing,
        sentinel="-inf",
        format="float32",
        blocking="add",
    )
    return OUTCOMES[seen.outcome]


def entry(w: float) -> str:
    """Write a weight that may be no number."""
    return "NaN" if w != w else words.probability(w)


def number(x: float) -> str:
    """Write a sum or an output that may be no number."""
    return "NaN" if x != x else words.fixed(x, 3)


def row(values: Iterable[float]) -> str:
    """Write weights or outputs that may be no numbers."""
    return "[" + ", ".join(map(number, values)) + "]"


def nats(h: float) -> str:
    """Write an entropy or its ceiling without the unit; a row without keys may have neither."""
    return words.fixed(h, 3) if math.isfinite(h) else "undefined"


def all_nats(entropies: Iterable[float]) -> str:
    """Write the entropies, or the ceilings, of all rows."""
    return words.listing([nats(h) for h in entropies])


@lru_cache(maxsize=256)
def sentences(setting: Setting) -> str:
    """Say what is seen."""
    seen, kind = masked(setting), setting.kind
    n_q, n_k = seen.mask.shape
    scaled, raw = seen.scaled, seen.raw
    empty = np.flatnonzero(seen.fully_masked) + 1
    partly = ~seen.mask & ~seen.fully_masked[:, None]
    lines = [f"The queries may attend {words.listing(map(str, scaled.allowed))} of {n_k} keys."]
    if partly.any():
        least = max(side.stages.weights[partly].max() for side in (scaled, raw))
        lines.append(
            f"A cross is a blocked key: its weight is exactly {words.probability(least)}, "
            "raw and scaled. The allowed keys share the rest in their old proportions."
        )
    if empty.size < n_q:
        lines += [
            f"No row's entropy can pass ln(allowed): {all_nats(scaled.ceiling)} nats.",
            f"Scaled, the entropies are {all_nats(scaled.entropy)} nats; "
            f"raw, {all_nats(raw.entropy)}.",
        ]
    if empty.size:
        lines += left_empty(empty.tolist(), setting.policy, scaled.entropy[empty[0] - 1])
    lines.append(KIND_NOTES[kind] if n_q == n_k or "causal" not in kind else FEWER_QUERIES)
    if kind == "custom" and not empty.size:
        lines.append("Take every key from a query to see what it gets then.")
    said = "\n".join(f"- {line}" for line in lines)
    return f"{REFUSAL}\n\n{said}" if setting.refused else said


def left_empty(empty: Sequence[int], policy: FullyMasked, entropy: float) -> list[str]:
    """Say what queries without keys get, and what that makes of their entropy."""
    who, gets = ("query", "it gets") if len(empty) == 1 else ("queries", "they get")
    verb = "that is" if policy == "raise" else gets
    return [
        f"No key is left for {who} {words.listing(map(str, empty))}. "
        f"By your choice {verb} {OUTCOMES[policy]}.",
        "A row without keys has no ceiling, for ln 0 is −∞"
        + (
            f". Its weights are equal over all keys, blocked ones too: {nats(entropy)} nats."
            if policy == "mean"
            else f", and no entropy: {'zeros are' if policy == 'zero' else 'NaN is'} no "
            "distribution."
        ),
    ]


REFUSAL = (
    "You chose an error. The maps show NaN where it strikes; the call itself "
    "returns nothing and says why, under “A query without keys”."
)
FEWER_QUERIES = (
    "With fewer queries than keys, “causal” is ambiguous. Upper-left puts query 1 at key 1, "
    "lower-right puts the last query at the last key."
)
KIND_NOTES = {
    "none": "Without a mask every key takes part, however badly it matches.",
    "causal upper-left": "A causal mask orders positions: a query sees no later key. "
    "Padding removes absent keys; the two combine by “and”.",
    "causal lower-right": "With as many queries as keys, both corners give the same causal mask. "
    "Choose three queries to see them differ.",
    "padding": "Padding hides the same absent keys from every query. It knows no order.",
    "window": "A sliding window keeps the neighbours before and after a query's own position.",
    "causal and padding": "A key takes part if both masks allow it: not later, and not padding.",
    "custom": "Your own cells: any key may be taken from any query.",
}


def numbers(seen: MaskComparison) -> Frame:
    """Tabulate weights, entropies and ceilings row by row."""
    table: dict[str, list[str]] = {"row": []}
    for name, side in (("scaled", seen.scaled), ("raw", seen.raw)):
        for i, weights in enumerate(side.stages.weights):
            cells = {
                "row": f"q{i + 1}, {name}",
                **dict(zip(KEYS, map(entry, weights), strict=True)),
                "sum": number(side.row_sums[i]),
                "entropy (nats)": nats(side.entropy[i]),
                "ceiling (nats)": nats(side.ceiling[i]),
                "output": row(side.stages.output[i]),
            }
            for column, cell in cells.items():
                table.setdefault(column, []).append(cell)
    return frame(table)
