"""The assumptions page in words and tables, and the numbers behind it, computed once a setting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import formulas
import numpy as np
import streamlit as st
import words
from charts.assumptions import DIVISORS
from frames import Frame, frame
from numpy.typing import NDArray

from core.assumption_sample import ComponentSample, component_sample
from core.assumptions import Components, ScoreSpread, expected_given, score_spread
from core.expectation import Expectation
from core.intervals import Estimate
from core.planted import planted_lead, planted_moments, planted_weight
from core.planted_sample import PlantedSample, planted_sample

FloatArray = NDArray[np.float64]

WIDTHS = np.array(sorted({2**i for i in range(2, 13)} | {3 * 2**i for i in range(1, 11)}))
"""Widths of the exact curves, two to an octave from 4 to 4,096."""

MEASURED = (4, 16, 64, 256, 1024, 4096)
ROWS = 2000
PROVENANCE = {"rows": ROWS, "engine": "exact law", "numpy": np.__version__}
AT = {d_k: WIDTHS.tolist().index(d_k) for d_k in MEASURED}


@dataclass(frozen=True)
class Planted:
    """A row with one planted key: exact weights by divisor and leads by width, and a sample."""

    weights: Mapping[str, FloatArray]
    lead: FloatArray
    sample: PlantedSample


@dataclass(frozen=True)
class Scores:
    """Scores of given components: exact spreads, exact means of softmax, and a sample."""

    spread: ScoreSpread
    raw: Expectation
    scaled: Expectation
    sample: ComponentSample


@st.cache_resource(max_entries=200, show_spinner=False)
def planted(rho: float, n_keys: int, seed: int) -> Planted:
    """Compute all that the page says of a planted key."""
    return Planted(
        {name: planted_weight(WIDTHS, rho=rho, n_keys=n_keys, divisor=name) for name in DIVISORS},
        planted_lead(WIDTHS, rho=rho, n_keys=n_keys),
        planted_sample(MEASURED, rho=rho, n_keys=n_keys, n_rows=ROWS, seed=seed),
    )


@st.cache_resource(max_entries=200, show_spinner=False)
def scores(components: Components, n_keys: int, seed: int) -> Scores:
    """Compute all that the page says of scores of such components."""
    return Scores(
        score_spread(WIDTHS, components),
        expected_given(WIDTHS, components, n_keys=n_keys, scaled=False),
        expected_given(WIDTHS, components, n_keys=n_keys, scaled=True),
        component_sample(MEASURED, components, n_keys=n_keys, n_rows=ROWS, seed=seed),
    )


def planted_sentences(found: Planted, rho: float, shown: Sequence[str]) -> list[str]:
    """Say what the headline chart shows at width 1,024."""
    at, moments = AT[1024], planted_moments(1024, rho=rho)
    weights = words.listing(
        f"{words.soft_probability(found.weights[name][at])} with {DIVISORS[name].label}"
        for name in shown
    )
    entropy = max(float(found.sample.entropy["sqrt_d_k"].value[MEASURED.index(1024)]), 1e-300)
    return [
        f"At width 1,024 the planted key gets {weights}. It has the largest score in "
        f"{words.soft_percent(found.lead[at])} of rows, whatever the divisor: dividing never "
        "changes the order.",
        f"Its mean score is ρdₖ = {words.significant(moments.mean)} there. The other keys' scores "
        "have mean 0 and standard deviation √dₖ = 32.",
        "Softmax sees spread. The spread of that noise is √dₖ, its variance dₖ: hence a square "
        "root.",
        f"Divided by √dₖ the noise keeps a spread of 1, and the mean is ρ√dₖ = "
        f"{words.significant(moments.scaled_mean)}. Divided by dₖ the noise fades and the mean "
        f"stays at ρ = {words.short(rho)}.",
        f"√dₖ does not make weights uniform. The sampled rows keep {words.nats(entropy)} of "
        f"entropy, of at most {words.nats(found.sample.ceiling)}.",
        "Dividing by dₖ is right where training aligns queries and keys, so that scores grow like "
        "dₖ. That is μP's choice; dₖ/8 agrees with √dₖ at width 64.",
    ]


def planted_formula(rho: float) -> str:
    """Write the planted key's moments with the reader's numbers."""
    moments = planted_moments(1024, rho=rho)
    return formulas.aligned(
        r"k^* &= \rho\,q + \sqrt{1-\rho^2}\;e",
        r"E[q \cdot k^*] &= \rho\,d_k = "
        + rf"{formulas.number(rho)} \cdot 1024 = {_number(moments.mean)}",
        rf"\operatorname{{std}}(q \cdot k^*) &= \sqrt{{d_k(1+\rho^2)}} = {_number(moments.std)}",
    )


def score_sentences(found: Scores, assumed: Scores, components: Components) -> list[str]:
    """Say what the two lower charts show at width 64."""
    at, sampled = AT[64], MEASURED.index(64)
    total, within = found.spread.scaled_total, found.spread.scaled_within
    inside = (
        f"{words.significant(within[at], 4)}, sampled {_interval(found.sample.within, sampled)}"
    )
    if components.mean:
        common = (
            "Part of that comes from the query alone. It is common to a row, and softmax ignores "
            f"it. Within a row the spread is {inside}."
        )
    else:
        common = f"With μ = 0 no part of that is common to a row. Within a row it is {inside}."
    widest = (
        f"At width 4,096 it is {words.significant(within[-1], 4)}: no fixed multiple of √dₖ will do"
        if components.correlation
        else "It is the same multiple of √dₖ at every width"
    )
    return [
        f"At width 64 the scaled scores have standard deviation {words.significant(total[at], 4)}, "
        f"sampled {_interval(found.sample.total, sampled)}. The assumptions promise 1.",
        common,
        f"{widest}. At width 64 a divisor of {words.significant(found.spread.within[at], 4)} "
        "instead of 8 would bring it to 1.",
        f"Scaled rows of width 64 keep {words.nats(found.scaled.entropy[at])} of entropy. As "
        f"assumed they would keep {words.nats(assumed.scaled.entropy[at])}.",
        "Layer norm does not guarantee the assumptions. It acts on a token's features, before the "
        "projections to queries and keys.",
        "After random initialisation they hold roughly. Training can move all three: a bias gives "
        "μ, larger weights s, fewer directions in use r.",
    ]


def score_formula(found: Scores, components: Components) -> str:
    """Write the variance of the scores with the reader's numbers, at width 64."""
    mu, s, r = map(formulas.number, (components.mean, components.std, components.correlation))
    return formulas.aligned(
        r"\tfrac{1}{d_k}\operatorname{Var}(q \cdot k) &= s^4\left(1+(d_k-1)\,r^2\right)",
        r"&\quad + 2\,\mu^2 s^2\left(1+(d_k-1)\,r\right)",
        r"&= (s^2+\mu^2)^2-\mu^4 \quad\text{if } r = 0",
        r"\sqrt{\operatorname{Var}/d_k} &= "
        + _number(found.spread.scaled_total[AT[64]])
        + rf"\quad\text{{for }} \mu = {mu},\ s = {s},\ r = {r}",
    )


DERIVATION = (
    "Given the query, the planted key's score is ρ‖q‖² + √(1 − ρ²)‖q‖z, with z standard normal. "
    "‖q‖² has mean dₖ and variance 2dₖ, so the variance is 2ρ²dₖ + (1 − ρ²)dₖ = dₖ(1 + ρ²).\n\n"
    "For the components, split a vector into its part along (1, …, 1)/√dₖ and the rest. That part "
    "has mean μ√dₖ and variance λ₁ = s²(1 + (dₖ − 1)r); each of the dₖ − 1 other directions has "
    "variance λ₂ = s²(1 − r). Hence Var(q·k) = λ₁² + (dₖ − 1)λ₂² + 2μ²dₖλ₁. One of the two μ²dₖλ₁ "
    "comes from the query alone and is common to its row. Without it, and with r = 0, the spread "
    "within a row is s√(s² + μ²)·√dₖ."
)
SOURCES = (
    "Tensor Programs V (μP), arXiv:2203.03466: attention divided by dₖ instead of √dₖ, because "
    "queries and keys become aligned.",
    "Attention Is All You Need, arXiv:1706.03762, section 3.2.1: the assumption of independent "
    "components with mean 0 and variance 1.",
)


def planted_table(found: Planted) -> Frame:
    """Print the planted key's weight at the measured widths."""
    return frame(
        {"dₖ": [words.count(d_k) for d_k in MEASURED]}
        | {
            f"{DIVISORS[name].label} {how}": [words.soft_probability(w) for w in values]
            for name in DIVISORS
            for how, values in (
                ("exact", found.weights[name][list(AT.values())]),
                ("sampled", found.sample.weight[name].value),
            )
        }
        | {"leads": [words.soft_probability(p) for p in found.lead[list(AT.values())]]}
    )


def planted_file(found: Planted, **settings: float) -> Frame:
    """Give the same at full precision, with intervals and what it takes to sample it again."""
    columns: dict[str, object] = {"d_k": MEASURED}
    for name in DIVISORS:
        columns[f"{name} exact weight"] = found.weights[name][list(AT.values())]
        columns |= _columns(f"{name} sampled weight", found.sample.weight[name])
        columns |= _columns(f"{name} sampled entropy_nats", found.sample.entropy[name])
    columns["exact lead"] = found.lead[list(AT.values())]
    columns |= _columns("sampled lead", found.sample.lead)
    return frame(columns | settings | PROVENANCE)


def score_table(found: Scores) -> Frame:
    """Print spreads and entropies at the measured widths."""
    return frame(
        {"dₖ": [words.count(d_k) for d_k in MEASURED]}
        | {
            f"{name} {how}": [words.significant(x, 4) for x in values]
            for name, exact, estimate in _pairs(found)
            for how, values in (("exact", exact), ("sampled", estimate.value))
        }
    )


def score_file(found: Scores, **settings: float) -> Frame:
    """Give the same at full precision, with intervals and what it takes to sample it again."""
    columns: dict[str, object] = {"d_k": MEASURED}
    for name, exact, estimate in _pairs(found):
        columns[f"{name} exact"] = exact
        columns |= _columns(f"{name} sampled", estimate)
    return frame(columns | settings | PROVENANCE)


def _pairs(found: Scores) -> list[tuple[str, FloatArray, Estimate]]:
    sample, at = found.sample, list(AT.values())
    return [
        ("std/√dₖ, all", found.spread.scaled_total[at], sample.total),
        ("std/√dₖ, in a row", found.spread.scaled_within[at], sample.within),
        ("entropy, raw", found.raw.entropy[at], sample.raw_entropy),
        ("entropy, scaled", found.scaled.entropy[at], sample.scaled_entropy),
    ]


def _columns(name: str, estimate: Estimate) -> dict[str, FloatArray]:
    return {name: estimate.value, f"{name} low": estimate.low, f"{name} high": estimate.high}


def _interval(estimate: Estimate, i: int) -> str:
    value, low, high = (float(x[i]) for x in (estimate.value, estimate.low, estimate.high))
    return f"{words.significant(value)} ({words.significant(low)} to {words.significant(high)})"


def _number(x: FloatArray) -> str:
    return formulas.math_text(words.significant(float(x), 4))
