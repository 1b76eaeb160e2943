"""The width sweep as two figures of two panels each: measured points, exact curves under them.

Four panels in one figure could not stack on a narrow screen, so they come in two pairs that stand
side by side or one above the other. Axes are fixed by the setting, not by the data, so that a
partial result and the whole one are drawn on the same paper. A figure is put together as plain
data and handed to Plotly once: a class that sweeps thirty settings at a time waits for this.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
import words
from runs import Curves

from charts.base import RAW, SCALED, Palette, axis, figure, label
from charts.sweep_paper import ENTROPY, Frame, Panel, span, vertical
from core.intervals import Estimate
from core.sweep_result import Sweep

HEIGHT = 386
TOP, BOTTOM = (0.55, 1.0), (0.0, 0.45)
ASIDE = 0.006
"""Raw points stand this share of the axis left of their width, scaled ones right: bars show."""

APART = 0.14
"""Names of two lines stand at least this share of the panel's height apart."""


def sweep_figure(
    pair: Sequence[Panel], frame: Frame, colours: Palette, *, curves: Curves, sweep: Sweep | None
) -> go.Figure:
    """Draw two panels, one above the other, on one width axis.

    ``sweep`` may lack the last widths of the frame, or be None while it runs; the titles say so.
    """
    aside = ""
    if sweep is None:
        aside = " (running)"
    elif len(sweep.widths) < len(frame.widths):
        aside = f" (partial: {len(sweep.widths)} of {len(frame.widths)} widths)"
    x_axis = axis(colours, "head width dₖ (log₂ scale)", frame.span) | frame.ticks
    layout: dict[str, Any] = {"xaxis": x_axis | {"anchor": "y2"}}
    data: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    for suffix, domain, panel in zip(("", "2"), (TOP, BOTTOM), pair, strict=True):
        y, y_span = f"y{suffix}", span(panel, frame, sweep)
        layout[f"yaxis{suffix}"] = vertical(panel, frame, colours, y_span) | {"domain": domain}
        series, ends = _series(panel, frame, colours, y_span, curves, sweep)
        data += [trace | {"yaxis": y} for trace in series]
        annotations.append(label(panel.title + aside, 0.0, domain[1], colours.text, size=15))
        annotations += _names(panel, colours, y, y_span, ends)
        if panel is ENTROPY:
            ceiling = math.log(frame.n_keys)
            layout["shapes"] = [_ceiling_line(colours, y, frame)]
            annotations.append(
                label(
                    f"1 = ln {words.count(frame.n_keys)} ≈ {words.nats(ceiling)}",
                    1.0,
                    domain[1],
                    colours.muted,
                    xanchor="right",
                    xshift=52,
                )
            )
    return figure(
        colours,
        height=HEIGHT,
        margin={"l": 58, "r": 58, "t": 26, "b": 46},
        data=data,
        annotations=annotations,
        **layout,
    )


def _series(
    panel: Panel,
    frame: Frame,
    colours: Palette,
    y_span: tuple[float, float],
    curves: Curves,
    sweep: Sweep | None,
) -> tuple[list[dict[str, Any]], list[float | None]]:
    """Return the traces of a panel, and where its raw and its scaled line end."""
    traces: list[dict[str, Any]] = []
    ends: list[float | None] = []
    for style, colour, expectation, aside in (
        (RAW, colours.raw, curves.raw, -ASIDE * (frame.span[1] - frame.span[0])),
        (SCALED, colours.scaled, curves.scaled, ASIDE * (frame.span[1] - frame.span[0])),
    ):
        curve = getattr(expectation, panel.field, None)
        if curve is not None:
            dash = "dot" if panel.logarithmic else style["dash"]
            traces.append(
                {
                    "type": "scatter",
                    "x": np.log2(curves.widths).tolist(),
                    "y": curve.tolist(),
                    "mode": "lines",
                    "line": {"color": colours.exact, "width": 1.3, "dash": dash},
                    "hoverinfo": "skip",
                }
            )
        end = None if curve is None else float(curve[-1])
        if sweep is not None:
            estimate: Estimate = getattr(getattr(sweep, style["name"]), panel.field)
            traces.append(
                {
                    "type": "scatter",
                    "x": (np.log2(sweep.widths) + aside).tolist(),
                    "y": estimate.value.tolist(),
                    "mode": "markers" if curve is not None else "markers+lines",
                    "marker": {"symbol": style["symbol"], "size": 8, "color": colour},
                    "line": {"color": colour, "width": 1.5, "dash": style["dash"]},
                    "error_y": _bars(estimate, y_span, colour, panel.logarithmic),
                    "text": _hover(style["name"], sweep, estimate),
                    "hoverinfo": "text",
                    "cliponaxis": False,
                }
            )
            end = float(estimate.value[-1]) if end is None else end
        ends.append(end)
    return traces, ends


def _names(
    panel: Panel,
    colours: Palette,
    y: str,
    y_span: tuple[float, float],
    ends: Sequence[float | None],
) -> list[dict[str, Any]]:
    """Write the name of each line, and its reference, at its right end."""
    low, high = y_span
    heights = [
        None
        if end is None
        else ((math.log10(end) if panel.logarithmic else end) - low) / (high - low)
        for end in ends
    ]
    texts = ("<b>raw</b>", "<b>scaled</b>")
    if panel.logarithmic:
        texts = ("<b>raw</b><br>√dₖ", "<b>scaled</b><br>1")
    return [
        label(
            text,
            1.0,
            low + height * (high - low),
            colour,
            paper=False,
            yanchor="middle",
            xref="paper",
            yref=y,
            align="left",
            xshift=6,
        )
        for text, height, colour in zip(
            texts, spread_apart(heights), (colours.raw, colours.scaled), strict=True
        )
        if height is not None
    ]


def spread_apart(heights: Sequence[float | None]) -> list[float | None]:
    """Move two labels apart where they would touch, and keep both on the panel."""
    raw, scaled = heights
    if raw is None or scaled is None or abs(raw - scaled) >= APART:
        return [raw, scaled]
    push = (APART - abs(raw - scaled)) / 2 * (1 if raw >= scaled else -1)
    lift = max(0.04 - min(raw + push, scaled - push), 0.0)
    return [raw + push + lift, scaled - push + lift]


def _ceiling_line(colours: Palette, y: str, frame: Frame) -> dict[str, Any]:
    left, right = frame.span
    line = {"color": colours.muted, "width": 1, "dash": "dot"}
    ends = {"x0": left, "x1": right, "y0": 1, "y1": 1}
    return {"type": "line", **ends, "line": line, "xref": "x", "yref": y}


def _bars(
    estimate: Estimate, y_span: tuple[float, float], colour: str, logarithmic: bool
) -> dict[str, Any]:
    """Return the interval as Plotly wants it: lengths, ending at the edge of the panel."""
    low, high = (10.0 ** y_span[0], 10.0 ** y_span[1]) if logarithmic else y_span
    return {
        "type": "data",
        "symmetric": False,
        "array": (np.minimum(estimate.high, high) - estimate.value).tolist(),
        "arrayminus": (estimate.value - np.maximum(estimate.low, low)).tolist(),
        "color": colour,
        "thickness": 1.5,
        "width": 4,
    }


def _hover(name: str, sweep: Sweep, estimate: Estimate) -> list[str]:
    return [
        f"{name}, width {words.count(int(width))}: {words.significant(value, 4)}<br>"
        f"95 % interval {words.significant(low)} to {words.significant(high)}"
        for width, value, low, high in zip(
            sweep.widths, estimate.value, estimate.low, estimate.high, strict=True
        )
    ]


def describe(pair: Sequence[Panel], sweep: Sweep | None) -> str:
    """Say in words what a figure shows: its alternative text."""
    if sweep is None:
        return "Axes with the exact curves; no width is measured yet."
    first, last = (words.count(int(width)) for width in sweep.widths[[0, -1]])
    parts = []
    for panel in pair:
        ends = [
            f"{name} {words.significant(values[0])} to {words.significant(values[-1])}"
            for name in ("raw", "scaled")
            for values in [getattr(getattr(sweep, name), panel.field).value]
        ]
        parts.append(f"{panel.title}: {', '.join(ends)}.")
    return f"From width {first} to {last}. {' '.join(parts)}"
