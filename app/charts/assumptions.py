"""The planted key's weight against width, and the spread and entropy that other components give."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
import words
from numpy.typing import NDArray

from charts.base import RAW, SCALED, Palette, axis, figure, note
from core.intervals import Estimate

FloatArray = NDArray[np.float64]

#: How each divisor is written and drawn; √dₖ looks as "scaled" does everywhere.
DIVISORS = {
    "sqrt_d_k": ("√dₖ", SCALED["symbol"]),
    "d_k/8": ("dₖ/8", "diamond"),
    "d_k": ("dₖ", "triangle-up"),
}
TICKS = {
    "tickvals": [2, 4, 6, 8, 10, 12],
    "ticktext": ["4", "16", "64", "256", "1,024", "4,096"],
}
SPAN = (1.8, 12.2)
APART = 0.065
"""Least distance of two labels, as a share of the axis."""


@dataclass(frozen=True)
class Series:
    """A thin exact curve over all widths, with measured points and a name at its end."""

    label: str
    colour: str
    symbol: str
    curve: FloatArray
    points: Estimate | None = None
    dash: str = "solid"


def planted_figure(
    colours: Palette,
    *,
    widths: NDArray[np.int64],
    weights: Mapping[str, FloatArray],
    lead: FloatArray,
    measured: NDArray[np.int64],
    points: Mapping[str, Estimate],
    n_keys: int,
) -> go.Figure:
    """Draw the planted key's mean weight for the divisors in ``weights``."""
    fig = figure(colours, height=340, margin={"l": 56, "r": 104, "t": 12, "b": 48})
    fig.layout.xaxis = axis(colours, "head width dₖ (log₂ scale)", SPAN) | TICKS
    fig.layout.yaxis = axis(
        colours, "mean weight of the planted key", (0, 1.03), tickvals=[0, 0.25, 0.5, 0.75, 1]
    )
    colour = {"sqrt_d_k": colours.scaled, "d_k/8": colours.keys[0], "d_k": colours.keys[3]}
    series = [
        Series("leads the row", colours.muted, "", lead, dash="dot"),
        *(
            Series(DIVISORS[name][0], colour[name], DIVISORS[name][1], curve, points[name])
            for name, curve in weights.items()
        ),
        Series(f"1/{n_keys}: no lean", colours.muted, "", np.full(widths.shape, 1 / n_keys)),
    ]
    _draw(fig, colours, widths, measured, series, (0, 1.03))
    return fig


def spread_figure(
    colours: Palette,
    *,
    widths: NDArray[np.int64],
    total: FloatArray,
    within: FloatArray,
    measured: NDArray[np.int64],
    points: Sequence[Estimate],
) -> go.Figure:
    """Draw the scaled scores' standard deviation, over all of them and within a row."""
    top = nice_top(float(max(total.max(), within.max())))
    fig = figure(colours, height=320, margin={"l": 56, "r": 92, "t": 34, "b": 48})
    fig.layout.xaxis = axis(colours, "head width dₖ (log₂ scale)", SPAN) | TICKS
    fig.layout.yaxis = axis(colours, "standard deviation / √dₖ", (0, top), nticks=6)
    note(fig, "Spread of the scaled scores", 0, 1.02, colours.text, size=15)
    series = [
        Series("all scores", colours.keys[0], "diamond", total, points[0]),
        Series("within a row", colours.scaled, SCALED["symbol"], within, points[1]),
        Series("1: assumed", colours.muted, "", np.ones(widths.shape), dash="dot"),
    ]
    _draw(fig, colours, widths, measured, series, (0, top))
    return fig


def entropy_figure(
    colours: Palette,
    *,
    widths: NDArray[np.int64],
    curves: Sequence[FloatArray],
    assumed: FloatArray,
    measured: NDArray[np.int64],
    points: Sequence[Estimate],
    n_keys: int,
) -> go.Figure:
    """Draw the mean entropy of raw and of scaled rows, in nats, below its ceiling."""
    ceiling = math.log(n_keys)
    span = (0.0, 1.06 * ceiling)
    fig = figure(colours, height=320, margin={"l": 56, "r": 92, "t": 34, "b": 48})
    fig.layout.xaxis = axis(colours, "head width dₖ (log₂ scale)", SPAN) | TICKS
    fig.layout.yaxis = axis(colours, "mean entropy (nats)", span, nticks=6)
    note(fig, "What softmax makes of them", 0, 1.02, colours.text, size=15)
    series = [
        Series(f"ln {n_keys}", colours.muted, "", np.full(widths.shape, ceiling)),
        Series("scaled, as assumed", colours.muted, "", assumed, dash="dot"),
        Series("scaled", colours.scaled, SCALED["symbol"], curves[1], points[1]),
        Series("raw", colours.raw, RAW["symbol"], curves[0], points[0]),
    ]
    _draw(fig, colours, widths, measured, series, span)
    return fig


def nice_top(highest: float) -> float:
    """Return the end of a linear axis: one of a few values, so that it rarely moves."""
    step = 10.0 ** math.floor(math.log10(highest))
    return next(top for top in (2 * step, 5 * step, 10 * step, 20 * step) if top > 1.04 * highest)


def _draw(
    fig: go.Figure,
    colours: Palette,
    widths: NDArray[np.int64],
    measured: NDArray[np.int64],
    series: Sequence[Series],
    span: tuple[float, float],
) -> None:
    for one in series:
        fig.add_scatter(
            x=np.log2(widths),
            y=one.curve,
            mode="lines",
            line={"color": colours.exact, "width": 1.3, "dash": one.dash},
            text=[
                f"{one.label}, width {words.count(int(width))}: {words.significant(y, 4)} (exact)"
                for width, y in zip(widths, one.curve, strict=True)
            ],
            hoverinfo="text",
        )
    for one in series:
        if one.points is None:
            continue
        fig.add_scatter(
            x=np.log2(measured),
            y=one.points.value,
            mode="markers",
            marker={"symbol": one.symbol, "size": 9, "color": one.colour},
            error_y={
                "type": "data",
                "symmetric": False,
                "array": one.points.high - one.points.value,
                "arrayminus": one.points.value - one.points.low,
                "color": one.colour,
                "thickness": 1.5,
                "width": 4,
            },
            text=[
                f"{one.label}, width {words.count(int(width))}: {words.significant(y, 4)}<br>"
                f"95 % interval {words.significant(low)} to {words.significant(high)}"
                for width, y, low, high in zip(
                    measured, one.points.value, one.points.low, one.points.high, strict=True
                )
            ],
            hoverinfo="text",
            cliponaxis=False,
        )
    length = span[1] - span[0]
    ends = [(float(one.curve[-1]) - span[0]) / length for one in series]
    for one, place in zip(series, spread_out(ends, APART), strict=True):
        note(
            fig,
            f"<b>{one.label}</b>" if one.symbol else one.label,
            1.0,
            span[0] + place * length,
            one.colour,
            paper=False,
            xref="x domain",
            yref="y",
            yanchor="middle",
            xshift=6,
        )


def spread_out(places: Sequence[float], apart: float) -> list[float]:
    """Move labels at ``places`` (0 to 1) so far that any two are ``apart``, in the same order."""
    order = sorted(range(len(places)), key=lambda i: -places[i])
    moved = list(places)
    highest = 1.0
    for i in order:
        moved[i] = min(moved[i], highest)
        highest = moved[i] - apart
    lowest = 0.0
    for i in reversed(order):
        moved[i] = max(moved[i], lowest)
        lowest = moved[i] + apart
    return moved


def describe_planted(
    widths: NDArray[np.int64], weights: Mapping[str, FloatArray], lead: FloatArray
) -> str:
    """Say in words what the headline chart shows."""
    ends = f"from width {words.count(int(widths[0]))} to {words.count(int(widths[-1]))}"
    parts = [
        f"divided by {DIVISORS[name][0]} {words.soft_probability(curve[0])} to "
        f"{words.soft_probability(curve[-1])}"
        for name, curve in weights.items()
    ]
    return (
        f"Mean weight of the planted key {ends}: {words.listing(parts)}. It has the largest score "
        f"in a share of {words.soft_probability(lead[0])} to {words.soft_probability(lead[-1])} "
        "of the rows."
    )


def describe_pair(
    what: str, widths: NDArray[np.int64], names: Sequence[str], curves: Sequence[FloatArray]
) -> str:
    """Say in words what one of the two lower charts shows."""
    ends = f"from width {words.count(int(widths[0]))} to {words.count(int(widths[-1]))}"
    parts = [
        f"{name} {words.significant(curve[0])} to {words.significant(curve[-1])}"
        for name, curve in zip(names, curves, strict=True)
    ]
    return f"{what} {ends}: {words.listing(parts)}."
