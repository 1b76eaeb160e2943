"""The numbers of the masks page in words and tables; core computes them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np
import pandas as pd
import words
from controls import MASK_POLICIES
from numpy.typing import NDArray

from core.examples import Example
from core.mask_pitfalls import bias_order, mask_after_softmax, poison
from core.mask_policies import MASK_CONVENTIONS, compare_policies
from core.masking import MASKING_EXAMPLE, MaskComparison, build_mask
from core.masks import additive_mask
from core.sentinels import compare_sentinels, mask_with_sentinel

Mask = NDArray[np.bool_]

KEYS = tuple(f"k{j}" for j in range(1, 6))
FINITE_BIAS = -2.0

#: What became of a fully masked row, for the guess.
OUTCOMES = {"zero": "zeros", "nan": "NaN", "mean": "the mean of V", "raise": "an error"}

OTHER_DOERS = {
    "raise": "core.attention of this project, unless told otherwise",
    "nan": "softmax as commonly written, in NumPy or by hand",
    "mean": "any code that fills with a finite number",
}


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


def with_an_empty_row(mask: Mask) -> Mask:
    """Return the mask, its last query left without keys if every query has some."""
    if (~mask.any(axis=-1)).any():
        return mask
    emptied = mask.copy()
    emptied[-1] = False
    return emptied


def entry(w: float) -> str:
    """Write a weight that may be no number."""
    return "NaN" if w != w else words.probability(w)


def row(values: Iterable[float]) -> str:
    """Write weights or outputs that may be no numbers."""
    return "[" + ", ".join("NaN" if x != x else words.fixed(x, 3) for x in values) + "]"


def nats(h: float) -> str:
    """Write an entropy that may be no number, without its unit."""
    return "NaN" if h != h else words.fixed(h, 3)


def sentences(kind: str, seen: MaskComparison, policy: str) -> str:
    """Say what is seen."""
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
    lines += [
        f"No row's entropy can pass ln(allowed): "
        f"{words.listing([nats(h) for h in scaled.ceiling])} nats.",
        f"Scaled, the entropies are {words.listing([nats(h) for h in scaled.entropy])} nats; "
        f"raw, {words.listing([nats(h) for h in raw.entropy])}.",
    ]
    if empty.size:
        who = words.listing([str(i) for i in empty])
        lines.append(
            f"No key is left for {'query' if empty.size == 1 else 'queries'} {who}. "
            f"By your choice it gets {MASK_POLICIES[policy]}."
        )
    lines.append(KIND_NOTES[kind] if n_q == n_k or "causal" not in kind else FEWER_QUERIES)
    return "\n".join(f"- {line}" for line in lines)


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
    "custom": "Your own cells. Take every key from a query to see the policy at work.",
}


def numbers(seen: MaskComparison) -> pd.DataFrame:
    """Tabulate weights, entropies and ceilings row by row."""
    table: dict[str, list[str]] = {"row": []}
    for name, side in (("scaled", seen.scaled), ("raw", seen.raw)):
        for i, weights in enumerate(side.stages.weights):
            cells = {
                "row": f"q{i + 1}, {name}",
                **dict(zip(KEYS, map(entry, weights), strict=True)),
                "sum": nats(side.row_sums[i]),
                "entropy (nats)": nats(side.entropy[i]),
                "ceiling (nats)": nats(side.ceiling[i]),
                "output": row(side.stages.output[i]),
            }
            for column, cell in cells.items():
                table.setdefault(column, []).append(cell)
    return pd.DataFrame(table)


def forms(mask: Mask) -> pd.DataFrame:
    """Put the boolean and the additive form beside each other."""
    return pd.DataFrame(
        {
            "query": [f"q{i + 1}" for i in range(len(mask))],
            "boolean, True takes part": [", ".join(map(str, cells)) for cells in mask.tolist()],
            "additive": [", ".join(words.short(x) for x in cells) for cells in additive_mask(mask)],
        }
    )


def conventions() -> pd.DataFrame:
    """Tabulate what libraries mean by a mask."""
    return pd.DataFrame(
        {
            "function": [f"{one.library}: {one.function}" for one in MASK_CONVENTIONS],
            "argument": [one.argument for one in MASK_CONVENTIONS],
            "True": [one.true_means for one in MASK_CONVENTIONS],
            "additive form": [one.additive for one in MASK_CONVENTIONS],
            "blocks by": [one.blocks_by for one in MASK_CONVENTIONS],
            "a query without keys gets": [OUTCOMES[one.fully_masked] for one in MASK_CONVENTIONS],
        }
    )


def policies(some: Example, mask: Mask) -> pd.DataFrame:
    """Tabulate what each policy gives a query without keys, and who does it."""
    emptied = with_an_empty_row(mask)
    at = int(np.flatnonzero(~emptied.any(axis=-1))[0])
    table = []
    for result in compare_policies(some.query, some.key, some.value, mask=emptied):
        doers = [
            f"{one.library} {one.function.rsplit('.', 1)[-1]}"
            for one in MASK_CONVENTIONS
            if one.fully_masked == result.policy
        ]
        doers += [OTHER_DOERS[result.policy]] if result.policy in OTHER_DOERS else []
        shown = result.weights is not None and result.output is not None
        table.append(
            {
                "policy": MASK_POLICIES[result.policy],
                f"weights of q{at + 1}": row(result.weights[at]) if shown else "none",  # type: ignore[index]
                f"output of q{at + 1}": row(result.output[at]) if shown else result.error,  # type: ignore[index]
                "who does it": "; ".join(doers),
            }
        )
    return pd.DataFrame(table)


def poisoned_position(mask: Mask) -> int | None:
    """Return the last key that some query with keys may not attend."""
    blocked = np.flatnonzero((~mask[mask.any(axis=-1)]).any(axis=0))
    return int(blocked[-1]) if blocked.size else None


def leaks(some: Example, mask: Mask, position: int) -> pd.DataFrame:
    """Tabulate whether NaN in a blocked key or value comes through."""
    able = mask.any(axis=-1)
    by_key, by_value = (
        poison(
            some.query[able],
            some.key,
            some.value,
            mask=mask[able],
            poisoned=what,
            position=position,
        )
        for what in ("key", "value")
    )
    said = {True: "leaks", False: "stays behind the mask"}
    return pd.DataFrame(
        {
            "how the mask is applied": [leak.method for leak in by_key],
            f"NaN in key {position + 1}": [said[leak.leaks] for leak in by_key],
            f"NaN in value {position + 1}": [said[leak.leaks] for leak in by_value],
        }
    )


def after_softmax(some: Example, mask: Mask) -> pd.DataFrame:
    """Tabulate a mask before softmax, after it, and after it with renormalizing."""
    seen = mask_after_softmax(some.query, some.key, some.value, mask=mask)
    return pd.DataFrame(
        {
            "query": [f"q{i + 1}" for i in range(len(mask))],
            "masked before softmax": [row(w) for w in seen.before],
            "set to 0 after it": [row(w) for w in seen.after],
            "row sum then": [words.fixed(x, 3) for x in seen.row_sums],
            "divided by that sum": [row(w) for w in seen.renormalized],
        }
    )


def sentinels(some: Example, mask: Mask) -> pd.DataFrame:
    """Tabulate finite stand-ins for −∞ in every format."""
    seen = compare_sentinels(some.query, some.key, some.value, mask=with_an_empty_row(mask))
    return pd.DataFrame(
        {
            "sentinel": [one.sentinel.replace("-inf", "−∞").replace("-", "−") for one in seen],
            "format": [one.format for one in seen],
            "by": [{"add": "adding", "fill": "filling"}[one.blocking] for one in seen],
            "stored as": [words.significant(one.stored) for one in seen],
            "largest blocked weight, rows with keys": [entry(one.leaked) for one in seen],
            "a query without keys gets": [OUTCOMES.get(one.outcome, one.outcome) for one in seen],
        }
    )


def orders(some: Example, mask: Mask) -> pd.DataFrame:
    """Tabulate a mask added after dividing by √d_k and before: −∞, and a finite bias."""
    able = mask.any(axis=-1)
    rows = []
    for name, bias in (
        ("−∞", additive_mask(mask[able])),
        (words.short(FINITE_BIAS), np.where(mask[able], 0.0, FINITE_BIAS)),
    ):
        seen = bias_order(some.query[able], some.key, bias=bias)
        rows += [
            {
                "added to blocked keys": name,
                "query": f"q{i + 1}",
                "after dividing": row(seen.after[k]),
                "before dividing": row(seen.before[k]),
                "same": "yes" if seen.same[k] else "no",
            }
            for k, i in enumerate(np.flatnonzero(able))
        ]
    return pd.DataFrame(rows)
