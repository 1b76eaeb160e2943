"""Entropy over width and number of keys: a map for raw, one for scaled, and one column of both."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import plotly.graph_objects as go
import words
from numpy.typing import NDArray

from charts.against_width import end_labels
from charts.base import RAW, SCALED, Palette, axis, figure, label
from core.freezing import freezing_width
from core.key_count import EntropyMap, Reading

FloatArray = NDArray[np.float64]

#: Perceptually uniform, and the same to readers with any colour vision.
COLOURS = "Cividis"
ON_DARK, ON_LIGHT = "#FFFFFF", "#101820"
WIDTH_TICKS = (1, 4, 16, 64, 256, 1024)
KEY_TICKS = (2, 16, 128, 1024, 8192, 65536)
FEW_KEY_TICKS = (2, 32, 1024, 32768)
ROOM = 0.12
"""Octaves around the map, for the frame of a cell at its edge."""


def map_figure(
    colours: Palette, cells: EntropyMap, *, scaled: bool, width: int, n_keys: int
) -> go.Figure:
    """Draw one map; both have the same axes and colours, so that they can be compared."""
    x, y = _edges(np.log2(cells.widths)), _edges(np.log2(cells.n_keys))
    column, row = cells.widths.tolist().index(width), cells.n_keys.tolist().index(n_keys)
    style, colour = (SCALED, colours.scaled) if scaled else (RAW, colours.raw)
    sigma = "σ = 1 at every width" if scaled else "σ = √dₖ"
    words_on_map = _no_freezing() if scaled else _freezing()
    return figure(
        colours,
        height=370,
        margin={"l": 62, "r": 70, "t": 30, "b": 46},
        data=[
            _heatmap(colours, cells, scaled=scaled),
            *([] if scaled else _freezing_line(y)),
        ],
        xaxis=axis(
            colours,
            "head width dₖ (log₂ scale)",
            (x[0] - ROOM, x[-1] + ROOM),
            showgrid=False,
            **_ticks(WIDTH_TICKS),
        ),
        yaxis=axis(
            colours,
            "number of keys n (log₂ scale)",
            (y[0] - ROOM, y[-1] + ROOM),
            showgrid=False,
            **_ticks(KEY_TICKS),
        ),
        annotations=[
            label(f"<b>{style['name']}</b>: {sigma}", 0, 1.02, colour, size=15),
            words_on_map,
        ],
        # The cell that is read, framed in dark and light so that it shows on every colour.
        shapes=[
            {
                "type": "rect",
                "x0": x[column],
                "x1": x[column + 1],
                "y0": y[row],
                "y1": y[row + 1],
                "line": {"color": frame, "width": thick},
            }
            for frame, thick in ((ON_LIGHT, 5), (ON_DARK, 2))
        ],
    )


def column_figure(
    colours: Palette,
    n_keys: Sequence[int],
    raw: Sequence[Reading],
    scaled: Sequence[Reading],
    *,
    chosen: int,
) -> go.Figure:
    """Draw entropy in nats against the number of keys at one width, with guides and ceiling."""
    span = (0.0, 12.2)
    x = np.log2(n_keys)
    ceiling = [one.ceiling for one in scaled]
    traces: list[dict[str, Any]] = [
        _line(np.log2([chosen, chosen]), span, color=colours.grid, width=8),
        _line(x, ceiling, color=colours.muted, width=1, dash="dot"),
    ]
    # At width 1 √dₖ is 1: the lines are one, and so are their names.
    alike = raw[-1].entropy == scaled[-1].entropy
    ends = [("ln n", colours.muted, ceiling[-1])]
    for style, colour, column in ((RAW, colours.raw, raw), (SCALED, colours.scaled, scaled)):
        guide, entropy = [one.guide for one in column], [one.entropy for one in column]
        traces.append(_line(x, guide, color=colours.exact, width=1.3, dash="dashdot"))
        traces.append(
            _line(x, entropy, color=colour, width=2, dash=style["dash"])
            | {
                "mode": "lines+markers",
                "marker": {"symbol": style["symbol"], "size": 7, "color": colour},
                "text": [
                    f"{style['name']}, {words.count(n)} keys: {words.nats(one.entropy)}<br>"
                    f"large-n guide {words.nats(one.guide)}"
                    for n, one in zip(n_keys, column, strict=True)
                ],
                "hoverinfo": "text",
                "cliponaxis": False,
            }
        )
        if alike and style is RAW:
            continue
        name = "raw = scaled" if alike else style["name"]
        ends += [
            (f"<b>{name}</b>", colour, entropy[-1]),
            ("guide", colours.exact, guide[-1]),
        ]
    return figure(
        colours,
        height=330,
        margin={"l": 56, "r": 78, "t": 12, "b": 48},
        data=traces,
        annotations=end_labels(ends, span),
        xaxis=axis(
            colours,
            "number of keys n (log₂ scale)",
            (0.8, 16.8),
            tickangle=0,
            **_ticks(FEW_KEY_TICKS),
        ),
        yaxis=axis(colours, "mean entropy (nats)", span, tickvals=list(range(0, 13, 2))),
    )


def describe_map(name: str, cells: EntropyMap, values: FloatArray) -> str:
    """Say in words what a map shows at its corners."""
    few, many = (words.count(int(n)) for n in cells.n_keys[[0, -1]])
    narrow, wide = (words.count(int(d)) for d in cells.widths[[0, -1]])
    corner = [[words.significant(v) for v in row] for row in values[[0, -1]][:, [0, -1]]]
    return (
        f"Map of mean entropy over ln n, {name}. Width {narrow}: {corner[0][0]} with {few} keys, "
        f"{corner[1][0]} with {many}. Width {wide}: {corner[0][1]} and {corner[1][1]}."
    )


def describe_column(width: int, raw: Sequence[Reading], scaled: Sequence[Reading]) -> str:
    """Say in words what the chart against the number of keys shows."""
    return (
        f"Mean entropy at width {words.count(width)} from 2 to 100,000 keys: raw "
        f"{words.nats(raw[0].entropy)} to {words.nats(raw[-1].entropy)}, scaled "
        f"{words.nats(scaled[0].entropy)} to {words.nats(scaled[-1].entropy)}."
    )


@lru_cache(maxsize=8)
def _heatmap(colours: Palette, cells: EntropyMap, *, scaled: bool) -> dict[str, Any]:
    values = cells.scaled if scaled else cells.raw
    return {
        "type": "heatmap",
        "x": _edges(np.log2(cells.widths)),
        "y": _edges(np.log2(cells.n_keys)),
        "z": values.round(4),
        "zmin": 0,
        "zmax": 1,
        "colorscale": COLOURS,
        "colorbar": {
            "title": {
                "text": "mean entropy / ln n",
                "side": "right",
                "font": {"size": 13, "color": colours.muted},
            },
            "tickvals": [0, 0.25, 0.5, 0.75, 1],
            "tickfont": {"size": 13, "color": colours.muted},
            "thickness": 14,
            "outlinewidth": 0,
            "xpad": 6,
            "ypad": 0,
        },
        "text": [
            [
                f"dₖ = {words.count(d_k)}, {words.count(n)} keys: {words.significant(value)}"
                for d_k, value in zip(cells.widths.tolist(), row, strict=True)
            ]
            for n, row in zip(cells.n_keys.tolist(), values, strict=True)
        ],
        "hoverinfo": "text",
    }


def _freezing_line(y: FloatArray) -> list[dict[str, Any]]:
    n = np.geomspace(2.0 ** y[0], 2.0 ** y[-1], 60)
    width = np.log2(freezing_width(n))
    return [
        _line(width, np.log2(n), color=ON_LIGHT, width=4),
        _line(width, np.log2(n), color=ON_DARK, width=2, dash="dot"),
    ]


def _freezing() -> dict[str, Any]:
    text = "freezing guide<br>(large n):<br>dₖ = 2 ln n"
    return label(text, 4.9, 13.3, ON_DARK, paper=False, align="left")


def _no_freezing() -> dict[str, Any]:
    text = "below √(2 ln n) everywhere:<br>no freezing"
    return label(text, 9.8, 14.3, ON_LIGHT, paper=False, xanchor="right", align="right")


def _line(x: Any, y: Any, **line: Any) -> dict[str, Any]:
    return {"type": "scatter", "x": x, "y": y, "mode": "lines", "line": line, "hoverinfo": "skip"}


def _ticks(values: Sequence[int]) -> dict[str, Any]:
    return {
        "tickvals": [float(np.log2(value)) for value in values],
        "ticktext": [words.count(value) for value in values],
    }


def _edges(centres: FloatArray) -> FloatArray:
    """Give the borders of cells around their centres, half way to the next."""
    between = (centres[1:] + centres[:-1]) / 2
    first, last = 2 * centres[0] - between[0], 2 * centres[-1] - between[-1]
    return np.concatenate([[first], between, [last]])
