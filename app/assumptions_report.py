"""The numbers of the assumptions page, computed once a setting for all, its charts and tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import streamlit as st
import words
from charts.assumptions import (
    DIVISORS,
    describe_components,
    describe_planted,
    entropy_figure,
    planted_figure,
    spread_figure,
)
from charts.base import palette
from components import chart
from frames import Frame, frame
from numpy.typing import NDArray

from core.assumption_sample import ComponentSample, component_sample
from core.assumptions import Components, ScoreSpread, expected_given, score_spread
from core.expectation import Expectation
from core.intervals import Estimate
from core.planted import planted_lead, planted_weight
from core.planted_rows import OtherKeys, other_keys
from core.planted_sample import PlantedSample, planted_among

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


@st.cache_resource(max_entries=8, show_spinner=False)
def sampled(*, n_keys: int, seed: int) -> list[OtherKeys]:
    """Sample the keys that a planted one stands among, whatever its lean."""
    return [other_keys(d_k, n_keys=n_keys, n_rows=ROWS, seed=seed) for d_k in MEASURED]


@st.cache_resource(max_entries=200, show_spinner=False)
def planted(rho: float, n_keys: int, seed: int) -> Planted:
    """Compute all that the page says of a planted key."""
    return Planted(
        {name: planted_weight(WIDTHS, rho=rho, n_keys=n_keys, divisor=name) for name in DIVISORS},
        planted_lead(WIDTHS, rho=rho, n_keys=n_keys),
        planted_among(sampled(n_keys=n_keys, seed=seed), rho=rho),
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


def shown(revealed: bool) -> tuple[str, ...]:
    """Name the divisors that may be seen: the guess is about the last."""
    return tuple(name for name in DIVISORS if revealed or name != "d_k")


@st.cache_resource(max_entries=200, show_spinner=False)
def planted_chart(*, rho: float, n_keys: int, seed: int, revealed: bool, dark: bool) -> None:
    """Draw the planted key's weight across widths."""
    found = planted(rho=rho, n_keys=n_keys, seed=seed)
    weights = {name: found.weights[name] for name in shown(revealed)}
    chart(
        planted_figure(palette(dark), WIDTHS, weights, found.lead, found.sample, n_keys=n_keys),
        key="planted",
        alt=describe_planted(WIDTHS, weights, found.lead),
    )


@st.cache_resource(max_entries=200, show_spinner=False)
def score_charts(*, components: Components, n_keys: int, seed: int, dark: bool) -> None:
    """Draw the spread of the scores and their entropy across widths."""
    found = scores(components=components, n_keys=n_keys, seed=seed)
    assumed = scores(components=Components(), n_keys=n_keys, seed=seed)
    of_spread, of_entropy = describe_components(WIDTHS, found.spread, found.raw, found.scaled)
    spread = spread_figure(palette(dark), WIDTHS, found.spread, found.sample)
    means = {"raw": found.raw, "scaled": found.scaled, "assumed": assumed.scaled}
    entropy = entropy_figure(palette(dark), WIDTHS, means, found.sample, n_keys=n_keys)
    chart(spread, key="component_spread", alt=of_spread)
    chart(entropy, key="component_entropy", alt=of_entropy)


def planted_tables(*, rho: float, n_keys: int, seed: int) -> tuple[Frame, Frame]:
    """Tabulate the planted key's weight: as printed, and in full."""
    found = planted(rho=rho, n_keys=n_keys, seed=seed)
    return planted_table(found), planted_file(found, rho=rho, n_keys=n_keys, seed=seed)


def score_tables(*, mu: float, s: float, r: float, n_keys: int, seed: int) -> tuple[Frame, Frame]:
    """Tabulate the scores of such components: as printed, and in full."""
    found = scores(components=Components(mu, s, r), n_keys=n_keys, seed=seed)
    return score_table(found), score_file(found, mu=mu, s=s, r=r, n_keys=n_keys, seed=seed)


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
