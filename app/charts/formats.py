"""Where exponentials end on the score axis, and how often random scores pass that end."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
import words
from numpy.typing import NDArray

from charts.base import RAW, SCALED, Palette, axis, figure, label
from core.formats import FORMATS
from core.intervals import Estimate

FloatArray = NDArray[np.float64]

SPAN = (-125.0, 125.0)
"""Scores drawn: float64 reaches beyond both ends."""

_GUTTER = 8.0
"""Room beyond both ends, for arrows to scores that are off the axis and beyond the format too."""

FLOOR = 1e-6
"""End of the logarithmic axis of chances."""

_NAMES = tuple(reversed(FORMATS))
_TICKS = (4, 16, 64, 256, 1024)


def limits_figure(
    colours: Palette, raw: Sequence[float], scaled: Sequence[float], *, chosen: str
) -> go.Figure:
    """Draw the scores whose exponential each format can hold, with the reader's scores on top."""
    bars: list[dict[str, Any]] = []
    ends: list[dict[str, Any]] = []
    for i, name in enumerate(_NAMES):
        kind, colour = FORMATS[name], colours.keys[i]
        low, full, high = kind.exp_underflow, kind.exp_subnormal, kind.exp_overflow
        for start, end, opacity in ((low, full, 0.25), (full, high, 0.55)):
            bars.append(
                {
                    "type": "rect",
                    "x0": max(start, SPAN[0]),
                    "x1": min(max(end, SPAN[0]), SPAN[1]),
                    "y0": i - 0.22,
                    "y1": i + 0.22,
                    "fillcolor": colour,
                    "opacity": opacity,
                    "line": {"width": 2 if name == chosen else 0, "color": colours.text},
                    "layer": "below",
                }
            )
        inside = high < SPAN[1]
        ends += [
            label(
                f"{'<b>' * (name == chosen)}{name}{'</b>' * (name == chosen)}: "
                f"0 from {words.significant(low, 4)}, ∞ from {words.significant(high, 4)}"
                + ("" if inside else " (beyond the axis)"),
                SPAN[0] + 2,
                i + 0.22,
                colours.text,
                paper=False,
            )
        ]
    points = [
        {
            "type": "scatter",
            "mode": "markers",
            "x": [_place(s, name) for name in _NAMES for s in scores],
            "y": [i + dy for i in range(len(_NAMES)) for _ in scores],
            "marker": {
                "symbol": [_symbol(s, style["symbol"]) for s in scores] * len(_NAMES),
                "size": [8 if abs(s) <= SPAN[1] else 11 for s in scores] * len(_NAMES),
                "color": colour,
                "line": {"width": 1, "color": colours.background},
            },
            "text": [f"{style['name']} score {words.significant(s)}" for s in scores] * len(_NAMES),
            "hoverinfo": "text",
            "cliponaxis": False,
        }
        for scores, style, colour, dy in (
            (raw, RAW, colours.raw, 0.09),
            (scaled, SCALED, colours.scaled, -0.09),
        )
    ]
    away = any(abs(s) > SPAN[1] for s in (*raw, *scaled))
    return figure(
        colours,
        height=350,
        margin={"l": 14, "r": 14, "t": 30, "b": 46},
        data=points,
        shapes=bars,
        annotations=[
            label("Scores whose exponential fits", 0, 1.02, colours.text, size=15),
            *ends,
        ],
        xaxis=axis(
            colours,
            f"score, ● raw and ■ scaled{'; ◀ ▶ further out' * away}",
            (SPAN[0] - _GUTTER, SPAN[1] + _GUTTER),
            tickvals=[-100, -50, 0, 50, 100],
        ),
        yaxis=axis(colours, "", (-0.5, len(_NAMES) - 0.3), visible=False),
    )


def _place(score: float, name: str) -> float:
    """Return where a score is drawn in a format's row.

    Off the axis that is inside the end of the format's bar if its exponential fits, else past it.
    """
    kind = FORMATS[name]
    held = kind.exp_underflow < score < kind.exp_overflow
    end = SPAN[1] - _GUTTER / 2 if held else SPAN[1] + _GUTTER / 2
    return math.copysign(end, score) if abs(score) > SPAN[1] else score


def _symbol(score: float, symbol: str) -> str:
    """Return an arrow for a score that is off the axis."""
    if abs(score) <= SPAN[1]:
        return symbol
    return "triangle-right" if score > 0 else "triangle-left"


def chance_figure(
    colours: Palette,
    widths: Sequence[int],
    exact: FloatArray,
    exact_scaled: FloatArray | None,
    sampled_widths: Sequence[int],
    sampled: Estimate,
    *,
    name: str,
    width: int,
) -> go.Figure:
    """Draw the chance that a random score passes a format's end, exact and sampled."""
    traces = [_curve(widths, exact, colours.exact, "raw")]
    if exact_scaled is not None:
        traces.append(_curve(widths, exact_scaled, colours.scaled, "scaled"))
    seen = sampled.value > 0
    values = sampled.value[seen]
    traces.append(
        {
            "type": "scatter",
            "mode": "markers",
            "x": np.log2(np.asarray(sampled_widths)[seen]),
            "y": values,
            "error_y": {
                "type": "data",
                "symmetric": False,
                "array": sampled.high[seen] - values,
                "arrayminus": values - sampled.low[seen],
                "color": colours.raw,
                "thickness": 1.5,
                "width": 3,
            },
            "marker": {"symbol": RAW["symbol"], "size": 8, "color": colours.raw},
            "text": [
                f"raw, dₖ = {words.count(w)}: {words.percent(v)} of drawn scores"
                for w, v in zip(np.asarray(sampled_widths)[seen], values, strict=True)
            ],
            "hoverinfo": "text",
        }
    )
    notes = [
        label(f"Chance to pass {name}’s end", 0, 1.02, colours.text, size=15),
        label(_legend(exact, seen), 0.03, 0.95, colours.raw, yanchor="top"),
    ]
    if exact_scaled is not None:
        low = bool((exact_scaled < FLOOR).all())
        notes.append(
            label(
                f"<b>scaled</b>, exact{': below 0.0001 % at all widths' if low else ''}",
                0.03,
                0.02,
                colours.scaled,
            )
        )
    return figure(
        colours,
        height=350,
        margin={"l": 76, "r": 16, "t": 30, "b": 46},
        data=traces,
        annotations=notes,
        shapes=[
            {
                "type": "line",
                "x0": np.log2(width),
                "x1": np.log2(width),
                "y0": 0,
                "y1": 1,
                "yref": "paper",
                "layer": "below",
                "line": {"color": colours.grid, "width": 8},
            }
        ],
        xaxis=axis(
            colours,
            "head width dₖ (log₂ scale)",
            (1.8, 10.2),
            tickvals=np.log2(_TICKS).tolist(),
            ticktext=[words.count(w) for w in _TICKS],
        ),
        yaxis=axis(
            colours,
            "share of scores (log scale)",
            (-6.1, 0.1),
            type="log",
            tickvals=[1e-6, 1e-4, 0.01, 0.1, 1],
            ticktext=["0.0001 %", "0.01 %", "1 %", "10 %", "100 %"],
        ),
    )


def _legend(exact: FloatArray, seen: NDArray[np.bool_]) -> str:
    """Name what is drawn of the raw scores, which in a wide format may be nothing at all."""
    if seen.any():
        return "<b>● raw</b>, drawn; line: exact"
    if (exact < FLOOR).all():
        return "<b>raw</b>: below 0.0001 % at all widths"
    return "<b>raw</b>, exact; none drawn"


def _curve(widths: Sequence[int], chance: FloatArray, colour: str, name: str) -> dict[str, Any]:
    seen = chance >= FLOOR
    return {
        "type": "scatter",
        "mode": "lines",
        "x": np.log2(np.asarray(widths)[seen]),
        "y": chance[seen],
        "line": {"color": colour, "width": 1.5},
        "hovertemplate": f"{name}, exact: %{{y:.3g}}<extra></extra>",
    }
