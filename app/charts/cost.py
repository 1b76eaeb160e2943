"""Working memory against the number of tokens, and what linear attention misses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
import words

from charts.base import Palette, axis, figure, label
from core.cost import AttentionCost
from core.linear import LinearError

_SPAN = (10.0, 46.0)
_UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")


def size(n_bytes: float) -> str:
    """Write a number of bytes in its binary unit."""
    unit = 0
    while n_bytes >= 1024 and unit < len(_UNITS) - 1:
        n_bytes, unit = n_bytes / 1024, unit + 1
    return f"{words.short(n_bytes)}{words.SPACE}{_UNITS[unit]}"


def memory_figure(
    colours: Palette, tokens: Sequence[int], costs: Sequence[AttentionCost], *, n: int
) -> go.Figure:
    """Draw the table of scores and one tile against the number of tokens."""
    rows = (
        (
            "all scores:<br>n²",
            [one.dense_bytes for one in costs],
            colours.keys[0],
            "solid",
            "circle",
        ),
        ("Q, K, V: n", [one.input_bytes for one in costs], colours.keys[2], "dot", "diamond"),
        ("one tile", [one.tile_bytes for one in costs], colours.keys[1], "dash", "square"),
    )
    x = np.log2(tokens)
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "x": x,
            "y": np.log2(sizes),
            "line": {"color": colour, "width": 2, "dash": dash},
            "marker": {"symbol": symbol, "size": 7, "color": colour},
            "text": [
                f"{name.replace('<br>', ' ')}, n = {words.count(m)}: {size(b)}"
                for m, b in zip(tokens, sizes, strict=True)
            ],
            "hoverinfo": "text",
        }
        for name, sizes, colour, dash, symbol in rows
    ]  # fmt: skip
    # Right of the axes, where no line and no mark can run through a name.
    names = [
        label(
            f"<b>{name}</b>",
            1.0,
            float(np.log2(sizes[-1])),
            colour,
            paper=False,
            xref="x domain",
            yref="y",
            yanchor="middle",
            xshift=7,
            align="left",
        )
        for name, sizes, colour, *_ in rows
    ]
    return figure(
        colours,
        height=340,
        margin={"l": 70, "r": 84, "t": 30, "b": 46},
        data=traces,
        annotations=[
            label("Memory, all heads (a tile: one head)", 0, 1.02, colours.text, size=15),
            *names,
        ],
        shapes=[
            {
                "type": "line",
                "x0": np.log2(n),
                "x1": np.log2(n),
                "y0": 0,
                "y1": 1,
                "yref": "paper",
                "layer": "below",
                "line": {"color": colours.grid, "width": 8},
            }
        ],
        xaxis=axis(
            colours,
            "tokens n (log₂ scale)",
            (6.8, 17.2),
            tickvals=[7, 10, 13, 16],
            ticktext=["128", "1,024", "8,192", "65,536"],
        ),
        yaxis=axis(
            colours,
            "bytes (log₂ scale)",
            _SPAN,
            tickvals=[10, 20, 30, 40],
            ticktext=["1 KiB", "1 MiB", "1 GiB", "1 TiB"],
        ),
    )


def linear_figure(colours: Palette, error: LinearError) -> go.Figure:
    """Draw the relative error of linear attention and of the mean of the values."""
    x = np.log2(error.widths)
    rows = (
        ("linear attention", error.linear, colours.keys[3], "solid", "diamond", "top", -8),
        ("the mean of V for all", error.mean, colours.keys[1], "dash", "square", "bottom", 8),
    )
    return figure(
        colours,
        height=340,
        margin={"l": 56, "r": 16, "t": 30, "b": 46},
        data=[
            {
                "type": "scatter",
                "mode": "lines+markers",
                "x": x,
                "y": one.value,
                "error_y": {
                    "type": "data",
                    "symmetric": False,
                    "array": one.high - one.value,
                    "arrayminus": one.value - one.low,
                    "color": colour,
                    "width": 3,
                },
                "line": {"color": colour, "width": 2, "dash": dash},
                "marker": {"symbol": symbol, "size": 7, "color": colour},
                "hovertemplate": f"{name}: %{{y:.3f}}<extra></extra>",
            }
            for name, one, colour, dash, symbol, _, _ in rows
        ],
        annotations=[
            label("Linear attention: error against softmax", 0, 1.02, colours.text, size=15),
            *(
                label(
                    f"<b>{name}</b>",
                    x[-1],
                    float(one.value[-1]),
                    colour,
                    paper=False,
                    xanchor="right",
                    yanchor=anchor,
                    yshift=shift,
                )
                for name, one, colour, _, _, anchor, shift in rows
            ),
        ],
        xaxis=axis(
            colours,
            "head width dₖ (log₂ scale)",
            (float(x[0]) - 0.2, float(x[-1]) + 0.2),
            tickvals=x.tolist(),
            ticktext=[words.count(int(w)) for w in error.widths],
        ),
        yaxis=axis(colours, "‖approximate − exact‖ / ‖exact‖", (0, 1.05)),
    )
