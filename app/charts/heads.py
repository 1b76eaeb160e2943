"""Trained heads: all 72 at a glance, and one head's scores against the random model."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from charts.base import Palette, axis, figure, label
from core.histogram import ScoreHistogram


def head_grid(
    values: NDArray[np.floating],
    picked: tuple[int, int],
    colours: Palette,
    *,
    title: str,
    span: tuple[float, float],
) -> go.Figure:
    """Draw one number a head, layers down and heads across; the picked head is framed."""
    layer, head = picked
    layers, heads = values.shape
    ticks = [span[0] + i * (span[1] - span[0]) / 4 for i in range(5)]
    return figure(
        colours,
        height=310,
        margin={"l": 52, "r": 64, "t": 40, "b": 44},
        data=[
            {
                "type": "heatmap",
                "z": values,
                "x": [str(h) for h in range(heads)],
                "y": [str(i) for i in range(layers)],
                "zmin": span[0],
                "zmax": span[1],
                "colorscale": "Cividis",
                "xgap": 2,
                "ygap": 2,
                "colorbar": {
                    "thickness": 12,
                    "tickfont": {"color": colours.muted},
                    "tickvals": ticks,
                    "ticktext": [f"{tick:g}" for tick in ticks[:-1]]
                    + [f"{ticks[-1]:g}" + ("+" if values.max() > span[1] else "")],
                },
                "hovertemplate": "layer %{y}, head %{x}: %{z:.3f}<extra></extra>",
            }
        ],
        title={"text": title, "x": 0.02, "font": {"size": 15, "color": colours.text}},
        shapes=[
            {
                "type": "rect",
                "x0": head - 0.5,
                "x1": head + 0.5,
                "y0": layer - 0.5,
                "y1": layer + 0.5,
                "line": {"color": colours.raw, "width": 3},
            }
        ],
        xaxis=axis(colours, "head", type="category", showgrid=False),
        yaxis=axis(colours, "layer", type="category", autorange="reversed", showgrid=False),
    )


def score_distribution(histogram: ScoreHistogram, d_k: int, colours: Palette) -> go.Figure:
    """Draw a head's raw scores as counts, and the counts that N(0, d_k) would give."""
    centres = (histogram.edges[1:] + histogram.edges[:-1]) / 2
    top = 1.25 * max(float(histogram.counts.max()), float(histogram.expected.max()))
    return figure(
        colours,
        height=310,
        margin={"l": 56, "r": 16, "t": 40, "b": 44},
        data=[
            {
                "type": "bar",
                "x": centres,
                "y": histogram.counts,
                "marker": {"color": colours.raw},
                "opacity": 0.75,
                "hovertemplate": "scores near %{x:.1f}: %{y}<extra></extra>",
            },
            {
                "type": "scatter",
                "mode": "lines",
                "x": centres,
                "y": histogram.expected,
                "line": {"color": colours.exact, "width": 1.8, "shape": "spline"},
                "hovertemplate": f"N(0, {d_k}): %{{y:.1f}}<extra></extra>",
            },
        ],
        title={
            "text": "Raw scores of this head",
            "x": 0.02,
            "font": {"size": 15, "color": colours.text},
        },
        bargap=0.05,
        annotations=[
            label(
                f"line: N(0, {d_k}), the random model",
                1,
                1,
                colours.muted,
                xanchor="right",
                yanchor="top",
            )
        ],
        xaxis=axis(
            colours, "raw score", (float(histogram.edges[0]), float(histogram.edges[-1])), nticks=7
        ),
        yaxis=axis(colours, "number of scores", (0, top)),
    )


def token_map(
    weights: NDArray[np.floating],
    tokens: Sequence[str],
    colours: Palette,
    *,
    title: str,
    colour: str,
) -> go.Figure:
    """Draw a head's weights from each token (rows) to each token (columns)."""
    n = len(tokens)
    places = list(range(n))
    ticks = {"tickvals": places, "ticktext": list(tokens), "tickangle": -60}
    few = n <= 20
    small = {"tickfont": {"size": 12 if few else 9, "color": colours.muted}}
    return figure(
        colours,
        height=420,
        plot_bgcolor=colours.grid,
        margin={"l": 84, "r": 46, "t": 40, "b": 96},
        data=[
            {
                "type": "heatmap",
                "z": weights.round(6),
                "zmin": 0,
                "zmax": 1,
                "colorscale": [[0, colours.background], [1, colour]],
                # Lines between cells: weights that are all alike would be one dark panel.
                "xgap": int(few),
                "ygap": int(few),
                "colorbar": {
                    "thickness": 10,
                    "xpad": 6,
                    "tickvals": [0, 0.5, 1],
                    "tickfont": {"size": 12, "color": colours.muted},
                },
                "hovertemplate": "%{y} to %{x}: %{z:.4f}<extra></extra>",
            }
        ],
        title={"text": title, "x": 0.02, "font": {"size": 15, "color": colours.text}},
        xaxis={**axis(colours, "key token", showgrid=False), **ticks, **small},
        yaxis={
            **axis(colours, "query token", autorange="reversed", showgrid=False),
            **ticks,
            **small,
            "tickangle": 0,
        },
    )
