"""The planted key's weight against width, and the spread and entropy that other components give."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
import words
from numpy.typing import NDArray

from charts.against_width import Series, nice_top, width_figure
from charts.base import RAW, SCALED, Palette
from core.assumption_sample import ComponentSample
from core.assumptions import ScoreSpread
from core.expectation import Expectation
from core.planted_sample import PlantedSample

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True)
class Divisor:
    """How a divisor is written, and the look of its points and curve."""

    label: str
    symbol: str
    dash: str


#: √dₖ looks as "scaled" does everywhere.
DIVISORS = {
    "sqrt_d_k": Divisor("√dₖ", SCALED["symbol"], SCALED["dash"]),
    "d_k/8": Divisor("dₖ/8", "diamond", "dashdot"),
    "d_k": Divisor("dₖ", "triangle-up", "longdash"),
}


def planted_figure(
    colours: Palette,
    widths: IntArray,
    weights: Mapping[str, FloatArray],
    lead: FloatArray,
    sample: PlantedSample,
    *,
    n_keys: int,
) -> go.Figure:
    """Draw the planted key's mean weight for the divisors in ``weights``."""
    colour = {"sqrt_d_k": colours.scaled, "d_k/8": colours.keys[0], "d_k": colours.keys[3]}
    by_divisor = [
        Series(
            DIVISORS[name].label,
            colour[name],
            curve,
            symbol=DIVISORS[name].symbol,
            points=sample.weight[name],
            dash=DIVISORS[name].dash,
        )
        for name, curve in weights.items()
    ]
    equal = np.full(widths.shape, 1.0 / n_keys)
    return width_figure(
        colours,
        widths,
        sample.widths,
        [
            Series("leads the row", colours.muted, lead, dash="dot"),
            *by_divisor,
            Series(f"1/{n_keys}", colours.muted, equal, dash="dot"),
        ],
        y_title="mean weight of the planted key",
        span=(0.0, 1.03),
        ticks=[0, 0.25, 0.5, 0.75, 1],
        height=340,
    )


def spread_figure(
    colours: Palette, widths: IntArray, spread: ScoreSpread, sample: ComponentSample
) -> go.Figure:
    """Draw the scaled scores' standard deviation, over all of them and within a row."""
    return width_figure(
        colours,
        widths,
        sample.widths,
        [
            Series(
                "all scores",
                colours.keys[0],
                spread.scaled_total,
                symbol="diamond",
                points=sample.total,
                dash="dashdot",
            ),
            Series(
                "within a row",
                colours.scaled,
                spread.scaled_within,
                symbol=SCALED["symbol"],
                points=sample.within,
            ),
            Series("1, as assumed", colours.muted, np.ones(widths.shape), dash="dot"),
        ],
        y_title="standard deviation / √dₖ",
        span=(0.0, nice_top(float(spread.scaled_total.max()))),
        height=320,
        title="Spread of the scaled scores",
    )


def entropy_figure(
    colours: Palette,
    widths: IntArray,
    means: Mapping[str, Expectation],
    sample: ComponentSample,
    *,
    n_keys: int,
) -> go.Figure:
    """Draw the mean entropy of raw and of scaled rows below its ceiling, in nats."""
    ceiling = math.log(n_keys)
    return width_figure(
        colours,
        widths,
        sample.widths,
        [
            Series(f"ln {n_keys}", colours.muted, np.full(widths.shape, ceiling), dash="longdash"),
            Series("as assumed", colours.muted, means["assumed"].entropy, dash="dot"),
            Series(
                "scaled",
                colours.scaled,
                means["scaled"].entropy,
                symbol=SCALED["symbol"],
                points=sample.scaled_entropy,
            ),
            Series(
                "raw",
                colours.raw,
                means["raw"].entropy,
                symbol=RAW["symbol"],
                points=sample.raw_entropy,
                dash=RAW["dash"],
            ),
        ],
        y_title="mean entropy (nats)",
        span=(0.0, 1.06 * ceiling),
        height=320,
        title="What softmax makes of them",
    )


def describe_planted(widths: IntArray, weights: Mapping[str, FloatArray], lead: FloatArray) -> str:
    """Say in words what the headline chart shows."""
    ends = f"from width {words.count(int(widths[0]))} to {words.count(int(widths[-1]))}"
    parts = [
        f"divided by {DIVISORS[name].label} {words.soft_probability(curve[0])} to "
        f"{words.soft_probability(curve[-1])}"
        for name, curve in weights.items()
    ]
    return (
        f"Mean weight of the planted key {ends}: {words.listing(parts)}. It has the largest score "
        f"in a share of {words.soft_probability(lead[0])} to {words.soft_probability(lead[-1])} "
        "of the rows."
    )


def describe_components(
    widths: IntArray, spread: ScoreSpread, raw: Expectation, scaled: Expectation
) -> tuple[str, str]:
    """Say in words what the two lower charts show."""
    return (
        _describe(
            "Standard deviation of the scores divided by √dₖ",
            widths,
            {"over all scores": spread.scaled_total, "within a row": spread.scaled_within},
        ),
        _describe(
            "Mean entropy of the weights in nats",
            widths,
            {"raw": raw.entropy, "scaled": scaled.entropy},
        ),
    )


def _describe(what: str, widths: IntArray, curves: Mapping[str, FloatArray]) -> str:
    ends = f"from width {words.count(int(widths[0]))} to {words.count(int(widths[-1]))}"
    parts = [
        f"{name} {words.significant(curve[0])} to {words.significant(curve[-1])}"
        for name, curve in curves.items()
    ]
    return f"{what} {ends}: {words.listing(parts)}."
