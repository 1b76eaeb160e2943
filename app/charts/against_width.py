"""Thin exact curves with measured points against width, each series named at its right end."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
import words
from numpy.typing import NDArray

from charts.base import Palette, axis, figure, label
from core.intervals import Estimate

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

APART = 0.065
"""Least distance of two names, as a share of the axis."""


@dataclass(frozen=True)
class Series:
    """A thin exact curve over all widths, with measured points and a name at its end."""

    name: str
    colour: str
    curve: FloatArray
    symbol: str = ""
    points: Estimate | None = None
    dash: str = "solid"


def width_figure(
    colours: Palette,
    widths: IntArray,
    measured: IntArray,
    series: Sequence[Series],
    *,
    y_title: str,
    span: tuple[float, float],
    ticks: Sequence[float] | None = None,
    height: int,
    title: str = "",
) -> go.Figure:
    """Draw series over widths from 4 to 4,096: curves, points over them, names at the right."""
    powers = range(2, 13, 2)
    names = end_labels(
        [
            (f"<b>{one.name}</b>" if one.symbol else one.name, one.colour, float(one.curve[-1]))
            for one in series
        ],
        span,
    )
    if title:
        names.append(label(title, 0, 1.02, colours.text, size=15))
    return figure(
        colours,
        height=height,
        margin={"l": 56, "r": 100, "t": 34 if title else 12, "b": 48},
        data=[_curve(one, widths, colours) for one in series]
        + [_points(one, one.points, measured) for one in series if one.points is not None],
        annotations=names,
        xaxis=axis(
            colours,
            "head width dₖ (log₂ scale)",
            (1.8, 12.2),
            tickvals=list(powers),
            ticktext=[words.count(2**power) for power in powers],
        ),
        yaxis=axis(colours, y_title, span, nticks=6, tickvals=ticks),
    )


def _curve(one: Series, widths: IntArray, colours: Palette) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": np.log2(widths),
        "y": one.curve,
        "mode": "lines",
        "line": {"color": colours.exact, "width": 1.3, "dash": one.dash},
        "text": [
            f"{one.name}, width {words.count(int(width))}: {words.significant(y, 4)} (exact)"
            for width, y in zip(widths, one.curve, strict=True)
        ],
        "hoverinfo": "text",
    }


def _points(one: Series, points: Estimate, measured: IntArray) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": np.log2(measured),
        "y": points.value,
        "mode": "markers",
        "marker": {"symbol": one.symbol, "size": 9, "color": one.colour},
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": points.high - points.value,
            "arrayminus": points.value - points.low,
            "color": one.colour,
            "thickness": 1.5,
            "width": 4,
        },
        "text": [
            f"{one.name}, width {words.count(int(width))}: {words.significant(y, 4)}<br>"
            f"95 % interval {words.significant(low)} to {words.significant(high)}"
            for width, y, low, high in zip(
                measured, points.value, points.low, points.high, strict=True
            )
        ],
        "hoverinfo": "text",
        "cliponaxis": False,
    }


def end_labels(
    ends: Sequence[tuple[str, str, float]], span: tuple[float, float]
) -> list[dict[str, Any]]:
    """Write (text, colour, value) right of the axes at each value, apart where they are close."""
    length = span[1] - span[0]
    places = spread_out([(value - span[0]) / length for _, _, value in ends], APART)
    return [
        label(
            text,
            1.0,
            span[0] + place * length,
            colour,
            paper=False,
            xref="x domain",
            yref="y",
            yanchor="middle",
            xshift=7,
        )
        for (text, colour, _), place in zip(ends, places, strict=True)
    ]


def spread_out(places: Sequence[float], apart: float) -> list[float]:
    """Move labels at ``places`` (0 to 1) so far that any two are ``apart``, in the same order."""
    downwards = sorted(range(len(places)), key=lambda i: -places[i])
    moved = list(places)
    highest = 1.0
    for i in downwards:
        moved[i] = min(moved[i], highest)
        highest = moved[i] - apart
    lowest = 0.0
    for i in reversed(downwards):
        moved[i] = max(moved[i], lowest)
        lowest = moved[i] + apart
    return moved


def nice_top(highest: float) -> float:
    """Return the end of a linear axis: one of a few values, so that it rarely moves."""
    step = 10.0 ** math.floor(math.log10(highest))
    return next(top for top in (2 * step, 5 * step, 10 * step, 20 * step) if top > 1.04 * highest)
