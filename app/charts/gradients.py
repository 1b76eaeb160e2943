"""Gradient norms across widths, and the share of saturated rows beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import plotly.graph_objects as go
import words
from numpy.typing import NDArray

from charts.against_width import end_labels
from charts.base import RAW, SCALED, Palette, axis, figure, label
from core.gradients import GradientNorms, NormQuantiles
from core.intervals import Estimate

FloatArray = NDArray[np.float64]

FLOOR = 1e-6
"""End of the logarithmic axis: what lies below, zero included, is drawn on it."""

_NORM_SPAN = (-6.15, 0.12)
_SHARE_SPAN = (0.0, 1.02)
_TICKS = {"tickvals": list(range(2, 13, 2)), "ticktext": ["4", "16", "64", "256", "1,024", "4,096"]}


def norm(x: float) -> str:
    """Write a norm; 0 stands for one too small for a float."""
    return words.significant(x) if x else "<10⁻³⁰⁰"


def norms_figure(
    colours: Palette, found: GradientNorms, *, by_raw_score: bool, width: int
) -> go.Figure:
    """Draw medians with the ranges that hold half and nine tenths of the rows."""
    scaled = found.scaled_gradient if by_raw_score else found.scaled
    pairs = ((found.raw, RAW, colours.raw), (scaled, SCALED, colours.scaled))
    what = "‖J/τ‖" if by_raw_score else "‖J‖"
    x = np.log2(found.widths)
    ends = [
        (f"<b>{style['name']}</b>", colour, float(np.log10(max(norms.median[-1], FLOOR))))
        for norms, style, colour in pairs
    ]
    by = "the raw scores" if by_raw_score else "softmax’s input"
    return figure(
        colours,
        height=380,
        margin={"l": 62, "r": 62, "t": 30, "b": 46},
        data=[_band(x, *band) for band in _bands(pairs)]
        + [_median(x, found.widths, *pair) for pair in pairs],
        annotations=[
            label(f"{what}: derivative by {by}", 0, 1.02, colours.text, size=15),
            *end_labels(ends, _NORM_SPAN),
            label(
                "the floor: 10⁻⁶ or less",
                0,
                -6,
                colours.muted,
                paper=False,
                xref="x domain",
                yref="y",
                xshift=4,
                yshift=1,
            ),
        ],
        shapes=[
            rule(colours, y0=FLOOR, y1=FLOOR, x0=0, x1=1, xref="x domain"),
            _at(colours, width),
        ],
        xaxis=axis(colours, "head width dₖ (log₂ scale)", (1.8, 12.2), **_TICKS),
        yaxis=axis(
            colours,
            f"{what}, Frobenius norm (log scale)",
            _NORM_SPAN,
            type="log",
            tickvals=[10.0**e for e in range(-6, 1)],
            ticktext=["10⁻⁶", "10⁻⁵", "10⁻⁴", "0.001", "0.01", "0.1", "1"],
        ),
    )


def saturated_figure(colours: Palette, found: GradientNorms, *, width: int) -> go.Figure:
    """Draw the share of rows whose largest weight passes 0.9."""
    pairs = (
        (found.raw_saturated, RAW, colours.raw),
        (found.scaled_saturated, SCALED, colours.scaled),
    )
    ends = [
        (f"<b>{style['name']}</b>", colour, float(share.value[-1]))
        for share, style, colour in pairs
    ]
    return figure(
        colours,
        height=380,
        margin={"l": 50, "r": 62, "t": 30, "b": 46},
        data=[_share(found, *pair) for pair in pairs],
        annotations=[
            label("Rows with a weight above 0.9", 0, 1.02, colours.text, size=15),
            *end_labels(ends, _SHARE_SPAN),
        ],
        shapes=[_at(colours, width)],
        xaxis=axis(colours, "head width dₖ (log₂ scale)", (1.8, 12.2), **_TICKS),
        yaxis=axis(colours, "share of rows", _SHARE_SPAN, tickvals=[0, 0.25, 0.5, 0.75, 1]),
    )


def _bands(
    pairs: Iterable[tuple[NormQuantiles, dict[str, str], str]],
) -> Iterator[tuple[FloatArray, FloatArray, float, str]]:
    for norms, _, colour in pairs:
        low, quarter, _, three_quarters, high = np.maximum(norms.quantiles, FLOOR)
        yield low, high, 0.13, colour
        yield quarter, three_quarters, 0.22, colour


def _band(
    x: FloatArray, low: FloatArray, high: FloatArray, opacity: float, colour: str
) -> dict[str, Any]:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return {
        "type": "scatter",
        "x": np.concatenate([x, x[::-1]]),
        "y": np.concatenate([low, high[::-1]]),
        "mode": "lines",
        "line": {"width": 0},
        "fill": "toself",
        "fillcolor": f"rgba({red},{green},{blue},{opacity})",
        "hoverinfo": "skip",
    }


def _median(
    x: FloatArray,
    widths: NDArray[np.int64],
    norms: NormQuantiles,
    style: dict[str, str],
    colour: str,
) -> dict[str, Any]:
    shown, low, high = (
        np.maximum(y, FLOOR) for y in (norms.median, norms.median_low, norms.median_high)
    )
    return {
        **_line(x, shown, low, high, style, colour),
        "text": [
            f"{style['name']}, width {words.count(int(width))}: median {norm(median)}<br>95 % "
            f"interval {norm(below)} to {norm(above)}<br>nine tenths of rows: {norm(q[0])} to "
            f"{norm(q[-1])}"
            for width, median, below, above, q in zip(
                widths,
                norms.median,
                norms.median_low,
                norms.median_high,
                norms.quantiles.T,
                strict=True,
            )
        ],
    }


def _share(
    found: GradientNorms, share: Estimate, style: dict[str, str], colour: str
) -> dict[str, Any]:
    return {
        **_line(np.log2(found.widths), share.value, share.low, share.high, style, colour),
        "text": [
            f"{style['name']}, width {words.count(int(width))}: {words.percent(value)} of rows<br>"
            f"95 % interval {words.percent(low)} to {words.percent(high)}"
            for width, value, low, high in zip(
                found.widths, share.value, share.low, share.high, strict=True
            )
        ],
    }


def _line(
    x: FloatArray,
    y: FloatArray,
    low: FloatArray,
    high: FloatArray,
    style: dict[str, str],
    colour: str,
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": x,
        "y": y,
        "mode": "lines+markers",
        "line": {"color": colour, "width": 2, "dash": style["dash"]},
        "marker": {"symbol": style["symbol"], "size": 8, "color": colour},
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": high - y,
            "arrayminus": y - low,
            "color": colour,
            "thickness": 1.5,
            "width": 4,
        },
        "hoverinfo": "text",
        "cliponaxis": False,
    }


def rule(colours: Palette, *, dash: str = "dot", **ends: Any) -> dict[str, Any]:
    """Describe a thin line between two points."""
    return {"type": "line", "line": {"color": colours.muted, "width": 1, "dash": dash}, **ends}


def _at(colours: Palette, width: int) -> dict[str, Any]:
    """Mark the width that is read."""
    x = float(np.log2(width))
    return rule(colours, x0=x, x1=x, y0=0, y1=1, yref="y domain")


def describe_norms(found: GradientNorms, *, by_raw_score: bool) -> str:
    """Say in words what the headline chart shows."""
    scaled = found.scaled_gradient if by_raw_score else found.scaled
    return (
        f"Median {'‖J/τ‖' if by_raw_score else '‖J‖'} over rows of {words.count(found.n_keys)} "
        f"keys, by head width. {_series('Raw', found, found.raw.median, norm)} "
        f"{_series('Scaled', found, scaled.median, norm)}"
    )


def describe_saturated(found: GradientNorms) -> str:
    """Say in words how many rows are saturated."""
    return (
        "Share of rows whose largest weight passes 0.9, by head width. "
        f"{_series('Raw', found, found.raw_saturated.value, words.percent)} "
        f"{_series('Scaled', found, found.scaled_saturated.value, words.percent)}"
    )


def _series(
    name: str, found: GradientNorms, values: FloatArray, write: Callable[[float], str]
) -> str:
    every_other = list(zip(found.widths, values, strict=True))[::2]
    parts = [f"{write(value)} at {words.count(int(width))}" for width, value in every_other]
    return f"{name}: {words.listing(parts)}."
