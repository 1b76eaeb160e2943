"""The numbers of the page on number formats in words and tables; core computes them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import formulas
import numpy as np
import streamlit as st
import words
from charts.base import palette
from charts.formats import chance_figure, limits_figure
from components import Guess, chart
from controls_break import FORMAT_WIDTH
from frames import Frame, frame
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
GUESS = Guess(
    key="formats_guess",
    question="Guess: at width 64, what does ÷ √64 leave of the chance to overflow float16?",
    options=LESS,
)


@dataclass(frozen=True, eq=False)
class Seen:
    """The reader's scores, raw and scaled, and what softmax makes of them."""

    raw: list[float]
    scaled: list[float]
    formats: tuple[FormatComparison, ...]
    largest_scaled: float


@lru_cache(maxsize=400)
def seen(scale: float, width: int) -> Seen:
    """Divide the scores, and compute softmax of the raw ones in every format."""
    raw, scaled = divide(SCORES, 1.0 / scale), divide(SCORES, math.sqrt(width) / scale)
    return Seen(
        raw.scores.tolist(),
        scaled.scores.tolist(),
        compare_formats(raw.scores),
        float(scaled.weights.max()),
    )


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


@lru_cache(maxsize=64)
def chance(width: int, name: str, *, scaled: bool = False) -> float:
    """Compute one exact chance."""
    boundary = FORMATS[name].exp_overflow
    return float(overflow_chance([width], boundary=boundary, scaled=scaled)[0])


def right_guess() -> str:
    """Tell what scaling leaves of the chance at width 64 in float16."""
    scaled = chance(64, "float16", scaled=True)
    return LESS[2] if scaled < 1e-6 else LESS[int(scaled < 0.2 * chance(64, "float16"))]


@st.cache_resource(max_entries=400, show_spinner=False)
def limits_chart(*, scale: float, width: int, name: str, dark: bool) -> None:
    """Draw the score axis with each format's ends and the reader's scores."""
    of = seen(scale, width)
    chart(
        limits_figure(palette(dark), of.raw, of.scaled, chosen=name),
        key="formats_limits",
        alt="Range of scores whose exponential each format holds. Your raw scores "
        f"{words.vector(of.raw)}, scaled {words.vector(of.scaled)}.",
    )


@st.cache_resource(max_entries=200, show_spinner=False)
def chance_chart(*, name: str, seed: int, width: int, revealed: bool, dark: bool) -> None:
    """Draw the chance to pass a format's end."""
    exact, exact_scaled = chances(name=name)
    chart(
        chance_figure(
            palette(dark),
            CURVE,
            exact,
            exact_scaled if revealed else None,
            WIDTHS,
            drawn(name=name, seed=seed),
            name=name,
            width=width,
        ),
        key="formats_chance",
        alt=f"Chance that a raw score passes the end of {name}: "
        + ", ".join(f"{share(chance(w, name))} at {w}" for w in WIDTHS),
    )


def share(p: float) -> str:
    """Write a chance in percent, in full where it is small; none is exactly 0."""
    small = words.significant(100 * p) if p else "<10⁻³⁰⁰"
    return words.percent(p, places=2) if p >= 1e-4 else f"{small}{words.SPACE}%"


def row(weights: Iterable[float]) -> str:
    """Write weights that may be no numbers."""
    return "[" + ", ".join("NaN" if w != w else words.probability(w) for w in weights) + "]"


def softmax_table(formats: Sequence[FormatComparison]) -> str:
    """Write naive beside stable in every format, as Markdown."""
    lines = ["| format | naive eˢ/Σeˢ | maximum subtracted |", "|---|---|---|"]
    lines += [
        f"| {one.naive.format.name} | {row(one.naive.weights)} | {row(one.stable.weights)} |"
        for one in formats
    ]
    return "\n".join(lines)


def sentences(of: Seen, name: str, width: int, revealed: bool) -> str:
    """Say what is seen."""
    kind = FORMATS[name]
    one = next(c for c in of.formats if c.naive.format.name == name)
    peak = float(one.naive.scores.max())  # as the format holds it: rounding may lift it past
    passes = peak >= kind.exp_overflow
    largest, d_k = float(one.exact.max()), words.count(width)
    undefined = one.naive.n_undefined
    lines = [
        f"In {name} an exponential becomes ∞ from a score of "
        f"{words.significant(kind.exp_overflow, 4)} and 0 from "
        f"{words.significant(kind.exp_underflow, 4)} down.",
        f"Your largest raw score is {words.short(peak)} in {name} and "
        f"{'passes' if passes else 'stays below'} the upper end. In the naive form "
        f"{undefined or 'none'} of the 3 weights {'is' if undefined == 1 else 'are'} NaN.",
        "Subtracting the maximum removes the overflow in every format. The largest exponent "
        "is then 0.",
        f"It {'mends no saturation' if largest > 0.9 else 'softens no weights'}: the largest "
        f"weight stays {words.soft_percent(largest)}. "
        f"Divided by √{d_k}, it is {words.soft_percent(of.largest_scaled)}.",
        "So subtracting does not replace scaling, nor scaling subtracting: use both.",
        f"At dₖ = {d_k} the exact chance that a random raw score passes {name}’s end is "
        f"{share(chance(width, name))}.",
    ]
    if revealed:
        lines.append(
            f"Scaled, it is {share(chance(width, name, scaled=True))}. Rare, under this model; "
            "a trained head need not follow it."
        )
    return "\n".join(f"- {line}" for line in lines)


def formula(of: Seen) -> str:
    """Write both forms of softmax, with the reader's scores."""
    return formulas.aligned(
        r"w_j &= \frac{e^{s_j}}{\sum_i e^{s_i}} = \frac{e^{s_j-m}}{\sum_i e^{s_i-m}}",
        r"s &= " + formulas.row(of.raw) + r",\ m = " + formulas.number(max(of.raw)),
    )


def numbers(formats: Sequence[FormatComparison]) -> tuple[Frame, Frame]:
    """Tabulate both forms in every format: as printed, and in full."""
    printed = frame(
        {
            "format": [c.naive.format.name for c in formats],
            "naive": [row(c.naive.weights) for c in formats],
            "stable": [row(c.stable.weights) for c in formats],
            "exact": [row(c.exact) for c in formats],
            "of 3 eˢ and their sum ∞, naive": [str(c.naive.n_overflowed) for c in formats],
            "became 0, stable": [str(c.stable.n_underflowed) for c in formats],
            "error, stable": [words.significant(c.stable_error) for c in formats],
        }
    )
    full: dict[str, list[object]] = {"format": [c.naive.format.name for c in formats]}
    for k in range(len(SCORES)):
        full[f"naive {k + 1}"] = [float(c.naive.weights[k]) for c in formats]
        full[f"stable {k + 1}"] = [float(c.stable.weights[k]) for c in formats]
        full[f"exact {k + 1}"] = [float(c.exact[k]) for c in formats]
    return printed, frame(full)


def limits() -> Frame:
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
    return frame(table)


def chance_table(name: str, seed: int) -> Frame:
    """Tabulate the chances at the sampled widths."""
    seen = drawn(name, seed)
    return frame(
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


def query_first() -> Frame:
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
    return frame(rows)
