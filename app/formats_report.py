"""The numbers of the page on number formats in words and tables; core computes them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
import streamlit as st
import words
from controls import FORMAT_WIDTH
from numpy.typing import NDArray

from core.attention import attention
from core.divisor import divide
from core.examples import DIVISOR_EXAMPLE
from core.format_softmax import FormatComparison, compare_formats
from core.formats import FORMATS, round_to_format
from core.intervals import Estimate
from core.overflow import overflow_chance, overflow_sample
from core.sentinels import SENTINELS, sentinel_value

SCORES = (3.0, 1.0, -1.0)
WIDTHS: tuple[int, ...] = tuple(FORMAT_WIDTH.options)
CURVE = tuple(sorted({round(2 ** (i / 4)) for i in range(8, 41)}))
N_SCORES = 2000

LESS = ("about half", "about a tenth", "below one in a million")


@st.cache_resource(max_entries=64, show_spinner=False)
def chances(name: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Compute the exact chances to pass a format's end, raw and scaled, at the curve's widths."""
    boundary = FORMATS[name].exp_overflow
    raw, scaled = (overflow_chance(CURVE, boundary=boundary, scaled=s) for s in (False, True))
    return raw, scaled


@st.cache_resource(max_entries=64, show_spinner=False)
def drawn(name: str, seed: int) -> Estimate:
    """Draw scores and count those that pass a format's end."""
    boundary = FORMATS[name].exp_overflow
    return overflow_sample(WIDTHS, boundary=boundary, n_scores=N_SCORES, seed=seed)


def chance(width: int, name: str, *, scaled: bool = False) -> float:
    """Compute one exact chance."""
    boundary = FORMATS[name].exp_overflow
    return float(overflow_chance([width], boundary=boundary, scaled=scaled)[0])


def right_guess() -> str:
    """Tell what scaling leaves of the chance at width 64 in float16."""
    scaled = chance(64, "float16", scaled=True)
    if scaled < 1e-6:
        return LESS[2]
    return LESS[1] if scaled < 0.2 * chance(64, "float16") else LESS[0]


def share(p: float) -> str:
    """Write a chance that is never exactly 0."""
    return words.percent(p, places=2) if p >= 1e-4 else words.significant(max(p, 1e-300))


def row(weights: Iterable[float]) -> str:
    """Write weights that may be no numbers."""
    return "[" + ", ".join("NaN" if w != w else words.probability(w) for w in weights) + "]"


def scores(scale: float, divisor: float) -> list[float]:
    """Return the reader's scores, divided."""
    return [float(s) for s in divide(SCORES, divisor / scale).scores]


def softmax_table(seen: Sequence[FormatComparison]) -> str:
    """Write naive beside stable in every format, as Markdown."""
    lines = ["| format | naive eˢ/Σeˢ | maximum subtracted |", "|---|---|---|"]
    lines += [
        f"| {one.naive.format.name} | {row(one.naive.weights)} | {row(one.stable.weights)} |"
        for one in seen
    ]
    return "\n".join(lines)


def sentences(
    scale: float, name: str, width: int, seen: Sequence[FormatComparison], revealed: bool
) -> str:
    """Say what is seen."""
    kind = FORMATS[name]
    one = next(c for c in seen if c.naive.format.name == name)
    peak = max(scores(scale, 1.0))
    passes = peak >= kind.exp_overflow
    largest = float(one.exact.max())
    soft = float(compare_formats(scores(scale, math.sqrt(width)))[-1].exact.max())
    undefined = one.naive.n_undefined
    lines = [
        f"In {name} an exponential becomes ∞ from a score of "
        f"{words.significant(kind.exp_overflow, 4)} and 0 from "
        f"{words.significant(kind.exp_underflow, 4)} down.",
        f"Your largest raw score, {words.short(peak)}, {'passes' if passes else 'stays below'} "
        f"the upper end. In the naive form {undefined or 'none'} of the 3 weights "
        f"{'is' if undefined == 1 else 'are'} NaN.",
        "Subtracting the maximum removes the overflow in every format. The largest exponent "
        "is then 0.",
        f"It does not touch saturation: the largest weight stays {words.soft_percent(largest)}. "
        f"Divided by √{width}, it is {words.soft_percent(soft)}.",
        "So subtracting does not replace scaling, nor scaling subtracting: use both.",
        f"At dₖ = {width} the exact chance that a random raw score passes {name}’s end is "
        f"{share(chance(width, name))}.",
    ]
    if revealed:
        lines.append(
            f"Scaled, it is {share(chance(width, name, scaled=True))}. Rare, under this model; "
            "a trained head need not follow it."
        )
    return "\n".join(f"- {line}" for line in lines)


def numbers(seen: Sequence[FormatComparison]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Tabulate both forms in every format: as printed, and in full."""
    printed = pd.DataFrame(
        {
            "format": [c.naive.format.name for c in seen],
            "naive": [row(c.naive.weights) for c in seen],
            "stable": [row(c.stable.weights) for c in seen],
            "exact": [row(c.exact) for c in seen],
            "became ∞, naive": [str(c.naive.n_overflowed) for c in seen],
            "became 0, stable": [str(c.stable.n_underflowed) for c in seen],
            "error, stable": [words.significant(c.stable_error) for c in seen],
        }
    )
    full: dict[str, list[object]] = {"format": [c.naive.format.name for c in seen]}
    for k in range(len(SCORES)):
        full[f"naive {k + 1}"] = [float(c.naive.weights[k]) for c in seen]
        full[f"stable {k + 1}"] = [float(c.stable.weights[k]) for c in seen]
        full[f"exact {k + 1}"] = [float(c.exact[k]) for c in seen]
    return printed, pd.DataFrame(full)


def limits() -> pd.DataFrame:
    """Tabulate each format's limits, and what sentinels become in it."""
    kinds = list(FORMATS.values())
    table = {
        "format": [k.name for k in kinds],
        "bits": [str(k.bits) for k in kinds],
        "largest number": [words.significant(k.largest, 4) for k in kinds],
        "eˢ is ∞ from": [words.fixed(k.exp_overflow, 2) for k in kinds],
        "loses digits below": [words.fixed(k.exp_subnormal, 2) for k in kinds],
        "is 0 from": [words.fixed(k.exp_underflow, 2) for k in kinds],
    }
    for sentinel in SENTINELS[:-1]:
        stored = [words.significant(sentinel_value(sentinel, k.name), 4) for k in kinds]
        table[f"{sentinel.replace('-', words.MINUS)} becomes"] = stored
    return pd.DataFrame(table)


def chance_table(name: str, seed: int) -> pd.DataFrame:
    """Tabulate the chances at the sampled widths."""
    seen = drawn(name, seed)
    return pd.DataFrame(
        {
            "dₖ": [words.count(w) for w in WIDTHS],
            "raw, exact": [share(chance(w, name)) for w in WIDTHS],
            f"raw, {words.count(N_SCORES)} drawn": [words.percent(v, places=2) for v in seen.value],
            "95 % interval": [
                f"{words.percent(low, places=2)} to {words.percent(high, places=2)}"
                for low, high in zip(seen.low, seen.high, strict=True)
            ],
            "scaled, exact": [share(chance(w, name, scaled=True)) for w in WIDTHS],
        }
    )


def query_first() -> pd.DataFrame:
    """Tabulate how far weights differ if q is divided by √d_k in place of the scores."""
    some, rows = DIVISOR_EXAMPLE, []
    root = math.sqrt(some.query.shape[-1])
    for name, kind in FORMATS.items():
        query, key, value = (round_to_format(a, name) for a in (some.query, some.key, some.value))
        after = attention(query, key, value).weights
        before = attention(round_to_format(query / root, name), key, value, scale=1.0).weights
        gap = float(np.abs(after.astype(float) - before.astype(float)).max())
        rows.append(
            {
                "format": name,
                "scores divided": row(after[0]),
                "query divided first": row(before[0]),
                "largest difference": words.significant(gap),
                "the format’s step at 1": words.significant(kind.epsilon),
            }
        )
    return pd.DataFrame(rows)
