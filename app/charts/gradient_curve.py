"""The gradient of one fixed row of scores at every divisor: two norms, a peak between two ends."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go
import words
from numpy.typing import NDArray

from charts.against_width import end_labels
from charts.base import RAW, SCALED, Palette, axis, figure, label
from charts.gradients import norm, rule
from core.jacobian import GradientCurve

FloatArray = NDArray[np.float64]

DIVISORS = np.geomspace(0.1, 100.0, 181)
"""Divisors of the curve: those that the page offers."""

_SPAN = (0.0, 0.52)


def divisor_figure(colours: Palette, curve: GradientCurve, marked: GradientCurve) -> go.Figure:
    """Draw both norms of the fixed row; ``marked`` holds the divisors 1, √3 and the reader's."""
    marks = (
        (RAW["symbol"], colours.raw, 10),
        (SCALED["symbol"], colours.scaled, 10),
        ("diamond-open", colours.text, 15),
    )
    peak = curve.peak_divisor, curve.peak_gradient
    return figure(
        colours,
        height=330,
        margin={"l": 56, "r": 62, "t": 30, "b": 46},
        data=[
            _curve(curve.divisors, curve.jacobian, "‖J‖", colours, "dot"),
            _curve(curve.divisors, curve.gradient, "‖J/τ‖", colours, "solid"),
            {
                "type": "scatter",
                "x": marked.divisors,
                "y": marked.gradient,
                "mode": "markers",
                "marker": {
                    "symbol": [symbol for symbol, _, _ in marks],
                    "color": [colour for _, colour, _ in marks],
                    "size": [size for _, _, size in marks],
                    "line": {"width": 2},
                },
                "text": [
                    f"τ = {words.short(tau)}: ‖J/τ‖ = {norm(y)}"
                    for tau, y in zip(marked.divisors, marked.gradient, strict=True)
                ],
                "hoverinfo": "text",
                # At an end of the axis half a diamond would pass for a bump of the curve.
                "cliponaxis": False,
            },
        ],
        annotations=[
            label("Scores 3, 1, −1 divided by τ", 0, 1.02, colours.text, size=15),
            *end_labels(
                [
                    ("‖J‖", colours.exact, float(curve.jacobian[-1])),
                    # Above its curve's end, where the reader's mark may stand.
                    ("<b>‖J/τ‖</b>", colours.exact, float(curve.gradient[-1]) + 0.04),
                ],
                _SPAN,
            ),
            label(
                f"peak {words.significant(peak[1])} at τ = {words.significant(peak[0])}",
                float(np.log10(peak[0])),
                peak[1],
                colours.text,
                paper=False,
                xref="x",
                yref="y",
                xshift=40,
                yshift=-4,
            ),
            *(
                label(
                    text,
                    float(np.log10(tau)),
                    0.48,
                    colour,
                    paper=False,
                    xref="x",
                    yref="y",
                    xanchor=anchor,
                    xshift=shift,
                    yshift=2,
                )
                for text, tau, colour, anchor, shift in (
                    ("raw: 1", marked.divisors[0], colours.raw, "right", -4),
                    ("scaled: √3", marked.divisors[1], colours.scaled, "left", 4),
                )
            ),
        ],
        shapes=[
            rule(colours, x0=tau, x1=tau, y0=0, y1=1, yref="y domain", dash=dash)
            for tau, dash in zip(marked.divisors.tolist(), ("dot", "dot", "solid"), strict=True)
        ],
        xaxis=axis(
            colours,
            "divisor τ (log scale)",
            (-1.03, 2.03),
            type="log",
            tickvals=[0.1, 0.25, 0.5, 1, 2, 4, 8, 20, 100],
            ticktext=["0.1", "", "0.5", "1", "2", "4", "8", "20", "100"],
        ),
        yaxis=axis(colours, "Frobenius norm", _SPAN, tickvals=[0, 0.1, 0.2, 0.3, 0.4, 0.5]),
    )


def describe_divisor(curve: GradientCurve, marked: GradientCurve) -> str:
    """Say in words what the divisor does to the fixed row's gradient."""
    values = words.listing(
        f"{norm(y)} at τ = {words.short(tau)}"
        for tau, y in zip(marked.divisors, marked.gradient, strict=True)
    )
    return (
        f"‖J/τ‖ of the scores 3, 1, −1 against the divisor τ: {values}. It peaks at "
        f"{words.significant(curve.peak_gradient)} for τ = {words.significant(curve.peak_divisor)}."
    )


def _curve(x: FloatArray, y: FloatArray, name: str, colours: Palette, dash: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": x,
        "y": y,
        "mode": "lines",
        "line": {"color": colours.exact, "width": 1.8, "dash": dash},
        "hovertemplate": f"τ = %{{x:.3g}}: {name} = %{{y:.3g}}<extra></extra>",
    }
