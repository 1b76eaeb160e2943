"""Matrices of weights as numbered cells: a query a row, a key a column, ink for weight."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
import words
from numpy.typing import NDArray

from charts.base import Palette, axis, figure
from charts.contrast import between, readable_on


def weight_map(
    weights: NDArray[np.floating],
    colours: Palette,
    *,
    title: str,
    colour: str,
    queries: Sequence[str],
    keys: Sequence[str],
    blocked: NDArray[np.bool_] | None = None,
) -> go.Figure:
    """Draw one matrix of weights, from the page's ground at 0 to ``colour`` at 1.

    ``blocked`` cells carry a cross; a weight that is not a number is written as such. Each is
    written in black or white, as its own cell asks for: Plotly would write dark grey on the light
    ones, which is too little in the middle of the scale.
    """
    known = np.nan_to_num(np.asarray(weights, dtype=float), nan=0.0, posinf=1.0)
    labels = [
        [
            _written(
                "×"
                if blocked is not None and blocked[i, j] and w == 0
                else ("NaN" if w != w else words.probability(float(w), places=2)),
                readable_on(between(colours.background, colour, min(float(known[i, j]), 1.0))),
            )
            for j, w in enumerate(row)
        ]
        for i, row in enumerate(np.asarray(weights, dtype=float))
    ]
    return figure(
        colours,
        height=300,
        margin={"l": 56, "r": 8, "t": 40, "b": 44},
        data=[
            {
                "type": "heatmap",
                "z": known,
                "x": list(keys),
                "y": list(queries),
                "zmin": 0,
                "zmax": 1,
                "colorscale": [[0, colours.background], [1, colour]],
                "showscale": False,
                "xgap": 2,
                "ygap": 2,
                "text": labels,
                "texttemplate": "%{text}",
                # Left to itself Plotly makes the markup fit the cell too, which is no size at all.
                "textfont": {"size": 13},
                "hovertemplate": "%{y} to %{x}: %{z:.4f}<extra></extra>",
            }
        ],
        title={"text": title, "x": 0.02, "font": {"size": 15, "color": colours.text}},
        xaxis=axis(colours, "key", type="category", showgrid=False),
        yaxis=axis(colours, "query", type="category", autorange="reversed", showgrid=False),
    )


def _written(text: str, colour: str) -> str:
    return f'<span style="color:{colour}">{text}</span>'
