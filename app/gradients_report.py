"""The gradients page in words, charts and tables, and the norms behind it.

Norms are sampled and charts drawn once a setting, and played back to whoever comes to it later.
"""

from __future__ import annotations

import math

import formulas
import pandas as pd
import streamlit as st
import words
from charts.base import palette
from charts.gradient_curve import DIVISORS, describe_divisor, divisor_figure
from charts.gradients import (
    describe_norms,
    describe_saturated,
    norm,
    norms_figure,
    saturated_figure,
)
from components import chart
from controls_prove import GRADIENT_WIDTHS
from live import SCORES

from core.divisor import divide
from core.gradients import QUANTILES, GradientNorms, NormQuantiles, gradient_norms
from core.jacobian import GradientCurve, gradient_curve, softmax_jacobian

ROWS, MOST_SCORES = 10_000, 2**19
SHOWN = "With 64 keys the chart shows it already: read it off, or guess with fewer."
LOW, QUARTER, HALF, THREE_QUARTERS, HIGH = range(len(QUANTILES))


@st.cache_resource(max_entries=200, show_spinner=False)
def norms(n_keys: int, seed: int) -> GradientNorms:
    """Sample the norms of a setting, of fewer rows where a row is long."""
    n_rows = min(ROWS, MOST_SCORES // n_keys)
    return gradient_norms(GRADIENT_WIDTHS, n_keys=n_keys, n_rows=n_rows, seed=seed)


@st.cache_resource(show_spinner=False)
def curve() -> GradientCurve:
    """Return the fixed row's curve, which no control changes."""
    return gradient_curve(SCORES, divisors=DIVISORS)


@st.cache_resource(max_entries=200, show_spinner=False)
def marked(divisor: float) -> GradientCurve:
    """Return the fixed row's norms at the divisors 1, √3 and the reader's."""
    return gradient_curve(SCORES, divisors=[1.0, math.sqrt(3.0), divisor])


@st.cache_resource(max_entries=200, show_spinner=False)
def norms_chart(n_keys: int, seed: int, by_raw_score: bool, width: int, dark: bool) -> None:
    """Draw the norms across widths."""
    found = norms(n_keys, seed)
    figure = norms_figure(palette(dark), found, by_raw_score=by_raw_score, width=width)
    chart(figure, key="gradient_norms", alt=describe_norms(found, by_raw_score=by_raw_score))


@st.cache_resource(max_entries=200, show_spinner=False)
def saturated_chart(n_keys: int, seed: int, width: int, dark: bool) -> None:
    """Draw the share of saturated rows across widths."""
    found = norms(n_keys, seed)
    figure = saturated_figure(palette(dark), found, width=width)
    chart(figure, key="gradient_saturated", alt=describe_saturated(found))


@st.cache_resource(max_entries=200, show_spinner=False)
def curve_chart(divisor: float, dark: bool) -> None:
    """Draw the fixed row's norms against the divisor."""
    figure = divisor_figure(palette(dark), curve(), marked(divisor))
    chart(figure, key="gradient_curve", alt=describe_divisor(curve(), marked(divisor)))


def at(values: NormQuantiles, width: int, quantile: int = HALF) -> str:
    """Write a quantile of the norms at a width, the median if none is named."""
    return norm(float(values.quantiles[quantile, GRADIENT_WIDTHS.index(width)]))


def ratio(found: GradientNorms, width: int) -> float:
    """Return the raw median over the scaled one."""
    i = GRADIENT_WIDTHS.index(width)
    return float(found.raw.median[i] / found.scaled.median[i])


def sentences(found: GradientNorms, width: int, many: GradientNorms | None = None) -> str:
    """Say what the headline chart shows; ``many``, of 64 keys, is for after the guess."""
    i = GRADIENT_WIDTHS.index(width)
    shares = [_share(float(s.value[i])) for s in (found.raw_saturated, found.scaled_saturated)]
    lines = [
        f"The median ‖J‖ is {_median(found.raw, i)} raw and {_median(found.scaled, i)} scaled. J "
        "is the derivative by what softmax is given.",
        "By the raw scores it is J/τ. Raw rows have τ = 1: nothing changes. Scaled rows have "
        f"τ = √dₖ = {words.short(math.sqrt(width))}: their median ‖J/τ‖ is "
        f"{at(found.scaled_gradient, width)}.",
        f"Half of the raw rows lie between {at(found.raw, width, QUARTER)} and "
        f"{at(found.raw, width, THREE_QUARTERS)}, nine tenths between "
        f"{at(found.raw, width, LOW)} and {at(found.raw, width, HIGH)}.{_breadth(found.raw, i)}",
        f"Rows with a weight above 0.9: {shares[0]} raw, {shares[1]} scaled.",
        "Raw gradients do not explode. ‖J‖ is at most ½, whatever the scores. On a saturated row "
        "it is far less.",
        f"Nor do they always vanish. {_not_vanishing(found, many, width)}",
        "**Scaling moderates saturation; it guarantees no healthy gradients.** They depend on the "
        "loss too, on the values, and on how far training moves the scores.",
    ]
    return "\n".join(f"- {line}" for line in lines)


def row_sentences(divisor: float) -> str:
    """Say what the divisor does to the fixed row."""
    whole, chosen = curve(), marked(divisor)
    half, one, eight = (marked(tau) for tau in (0.5, 1.0, 8.0))
    lines = [
        "The curves are the norms of J and of J/τ; the matrix written out is J/τ. At τ = "
        f"{words.short(chosen.divisors[2])}, ‖J‖ is {norm(chosen.jacobian[2])} and ‖J/τ‖ is "
        f"{norm(chosen.gradient[2])}.",
        f"‖J/τ‖ peaks at τ = {words.significant(whole.peak_divisor)} with "
        f"{words.significant(whole.peak_gradient)}. With no scaling, τ = 1, it is "
        f"{norm(one.gradient[2])}.",
        f"Smaller divisors saturate the row: ‖J/τ‖ is {norm(half.gradient[2])} at τ = 0.5.",
        f"Larger divisors do not saturate. At τ = 8, ‖J‖ is {norm(eight.jacobian[2])}, near its "
        f"most. It is the factor 1/τ that brings ‖J/τ‖ down to {norm(eight.gradient[2])}.",
    ]
    return "\n".join(f"- {line}" for line in lines)


def formula(divisor: float) -> str:
    """Write weights, matrix and norms of the fixed row as KaTeX."""
    chosen = marked(divisor)
    tau = formulas.number(divisor)
    weights = divide(SCORES, divisor).weights
    matrix = r" \\ ".join(
        " & ".join(_entry(x) for x in line.tolist())
        for line in softmax_jacobian(weights, divisor=divisor)
    )
    jacobian, gradient = (_entry(float(values[2])) for values in (chosen.jacobian, chosen.gradient))
    above = formulas.aligned(
        rf"w &= \operatorname{{softmax}}(s/{tau})",
        "&= " + formulas.row(weights, words.soft_probability),
        r"J &= \operatorname{diag}(w) - w\,w^\top",
        rf"\tfrac{{\partial w}}{{\partial s}} &= J/{tau} =",
    )
    below = formulas.aligned(
        rf"\lVert J \rVert_F &= {jacobian}", rf"\lVert J/\tau \rVert_F &= {gradient}"
    )
    # The matrix has a line to itself and small type: entries with powers of ten are long.
    return (
        rf"\begin{{gathered}} {above} \\ {{\footnotesize\begin{{pmatrix}} {matrix} "
        rf"\end{{pmatrix}}}} \\[0.4em] {below} \end{{gathered}}"
    )


def table(found: GradientNorms) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Tabulate every width: as printed, and in full."""
    printed: dict[str, list[str]] = {"dₖ": [words.count(d_k) for d_k in GRADIENT_WIDTHS]}
    full: dict[str, object] = {"d_k": GRADIENT_WIDTHS}
    for name, values in (
        ("raw ‖J‖", found.raw),
        ("scaled ‖J‖", found.scaled),
        ("scaled ‖J/τ‖", found.scaled_gradient),
    ):
        printed[name] = [at(values, d_k) for d_k in GRADIENT_WIDTHS]
        printed[f"{name}, 5 to 95 %"] = [
            f"{at(values, d_k, LOW)} to {at(values, d_k, HIGH)}" for d_k in GRADIENT_WIDTHS
        ]
        full |= {f"{name} q{q}": values.quantiles[j] for j, q in enumerate(QUANTILES)}
        full |= {f"{name} median low": values.median_low, f"{name} median high": values.median_high}
    for name, share in (("raw", found.raw_saturated), ("scaled", found.scaled_saturated)):
        printed[f"{name} above 0.9"] = [_share(float(x)) for x in share.value]
        full |= {f"{name} share above 0.9": share.value}
        full |= {f"{name} share low": share.low, f"{name} share high": share.high}
    return pd.DataFrame(printed), pd.DataFrame(full)


DERIVATION = (
    "With z = s/τ, w_i is e^{z_i} over their sum. Its derivative by z_j is w_i(δ_ij − w_j): "
    "that is J. By the chain rule ∂w/∂s = J/τ. Rows and columns of J sum to 0, for the weights "
    "always sum to 1.\n\n"
    "‖J‖² = Σw² − 2Σw³ + (Σw²)². Since Σw³ ≥ (Σw²)², that is at most Σw² − (Σw²)², and this at "
    "most ¼. Two equal weights reach it.\n\n"
    "Near saturation, with w₁ = 1 − ε, every entry of J is of order ε. For raw rows ε falls like "
    "e^(−gap), and the gap between the two largest scores grows like √dₖ. With many keys it is "
    "smaller to begin with, so raw gradients die later."
)
SOURCES = (
    "Attention Is All You Need, arXiv:1706.03762, section 3.2.1: large dot products push softmax "
    "“into regions where it has extremely small gradients”.",
    "Rows are sampled from the exact law of their scores: ‖q‖ times standard normals, ‖q‖² being "
    "chi-squared with dₖ degrees of freedom.",
)


def _median(values: NormQuantiles, i: int) -> str:
    low, high = (norm(float(end[i])) for end in (values.median_low, values.median_high))
    return f"{norm(float(values.median[i]))} (95 % interval {low} to {high})"


def _breadth(values: NormQuantiles, i: int) -> str:
    """Add what follows from how far apart the ends of nine tenths are: nothing if they are near."""
    low, high = (float(values.quantiles[q, i]) for q in (LOW, HIGH))
    if high < 100 * low:
        return ""
    powers = int(math.log10(high / max(low, 1e-300)))
    return f" That spans {powers} powers of ten: no mean describes it."


def _not_vanishing(found: GradientNorms, many: GradientNorms | None, width: int) -> str:
    """Give the case in which raw gradients live, or tell where it is to be seen."""
    if many:
        return (
            f"With 64 keys, width 64 and seed {many.seed} the medians are {at(many.raw, 64)} raw "
            f"and {at(many.scaled, 64)} scaled; at width 256, {at(many.raw, 256)} and "
            f"{at(many.scaled, 256)}."
        )
    here = ratio(found, width)
    if here > 0.5:
        return f"Here the raw median is {words.significant(here)} times the scaled one."
    away = ["64 keys"] * (found.n_keys != 64) + ["width 64"] * (width != 64)
    return f"Choose {words.listing(away)} to see it."


def _entry(x: float) -> str:
    """Write a number of the matrix: four decimals, or three digits where those would be zeros."""
    text = formulas.math_text(words.fixed(x, 4) if abs(x) >= 1e-3 else words.significant(x))
    return text.replace(r" \times ", r"{\times}")


def _share(of_rows: float) -> str:
    """Write a sampled share of rows, which may well be none of them or all."""
    return {0.0: "none", 1.0: "all"}.get(of_rows) or words.percent(of_rows)
