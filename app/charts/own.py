"""A reader's own head: its raw scores against the random model, and what each divisor makes."""

import plotly.graph_objects as go
import words

from charts.base import Palette, axis, figure, label
from core.head_diagnosis import HeadDiagnosis

NAMES = {"none": "none", "sqrt_d_k": "√dₖ", "d_k": "dₖ", "matched": "matched", "chosen": "yours"}
MEASURES = {
    "mean_normalized_entropy": "entropy<br>÷ ln n",
    "mean_max_weight": "largest<br>weight",
    "saturated_share": "rows<br>over 0.9",
    "near_tie_share": "near-<br>ties",
}
HEIGHT = 320
_BAR = 0.8


def _title(text: str, colours: Palette) -> dict[str, object]:
    font = {"size": 15, "color": colours.text}
    return {"text": text, "x": 0, "xref": "paper", "y": 0.98, "yanchor": "top", "font": font}


def distribution(head: HeadDiagnosis, colours: Palette) -> go.Figure:
    """Draw the counted raw scores as bars, and the counts that N(0, d_k) would give as a line."""
    shown = head.histogram
    centres = (shown.edges[1:] + shown.edges[:-1]) / 2
    top = 1.25 * max(float(shown.counts.max()), float(shown.expected.max()), 1.0)
    return figure(
        colours,
        height=HEIGHT,
        margin={"l": 60, "r": 8, "t": 36, "b": 48},
        data=[
            {
                "type": "bar",
                "x": centres,
                "y": shown.counts,
                "marker": {"color": colours.raw},
                "opacity": 0.75,
                "hovertemplate": "scores near %{x:.3~g}: %{y}<extra></extra>",
            },
            {
                "type": "scatter",
                "mode": "lines",
                "x": centres,
                "y": shown.expected,
                "line": {"color": colours.exact, "width": 1.8, "shape": "spline"},
                "hovertemplate": f"N(0, {head.d_k}): %{{y:.1f}}<extra></extra>",
            },
        ],
        title=_title(f"Raw scores, {head.label}", colours),
        bargap=0.05,
        annotations=[
            label(
                f"line: N(0, {head.d_k}), the random model",
                1,
                1,
                colours.muted,
                xanchor="right",
                yanchor="top",
            )
        ],
        xaxis=axis(
            colours, "raw score q·k", (float(shown.edges[0]), float(shown.edges[-1])), nticks=7
        ),
        yaxis=axis(colours, "number of scores", (0, top), dtick=1 if top < 6 else None, nticks=6),
    )


def comparison(head: HeadDiagnosis, colours: Palette) -> go.Figure:
    """Draw a table of bars: a row for each divisor, a column for each measure, all from 0 to 1."""
    entries = head.divisors
    tints = {"none": colours.raw, "sqrt_d_k": colours.scaled}
    others = {"d_k": colours.keys[0], "matched": colours.keys[1], "chosen": colours.keys[2]}
    rows = list(range(len(entries)))
    traces: list[dict[str, object]] = []
    for column, (measure, title) in enumerate(MEASURES.items()):
        values = [getattr(entry, measure) for entry in entries]
        printed = ["–" if v is None else words.probability(v) for v in values]
        traces += [
            {
                "type": "bar",
                "orientation": "h",
                "base": column,
                "x": [_BAR * (value or 0.0) for value in values],
                "y": [row + 0.2 for row in rows],
                "width": 0.2,
                "marker": {"color": [(tints | others)[entry.name] for entry in entries]},
                "customdata": printed,
                "hovertemplate": title.replace("<br>", " ") + ": %{customdata}<extra></extra>",
            },
            {
                "type": "scatter",
                "mode": "text",
                "x": [column] * len(rows),
                "y": [row - 0.15 for row in rows],
                "text": printed,
                "textposition": "middle right",
                "textfont": {"size": 13, "color": colours.text},
                "cliponaxis": False,
                "hoverinfo": "skip",
            },
        ]
    return figure(
        colours,
        height=HEIGHT,
        margin={"l": 104, "r": 4, "t": 74, "b": 8},
        data=traces,
        title=_title("What each divisor makes of it", colours),
        barmode="overlay",
        annotations=[
            label(
                title, column, 1, colours.muted, yref="paper", xref="x", align="left", paper=False
            )
            for column, title in enumerate(MEASURES.values())
        ],
        shapes=[
            {
                "type": "line",
                "x0": column + end,
                "x1": column + end,
                "y0": 0,
                "y1": 1,
                "yref": "paper",
                "line": {"color": colours.grid, "width": 1},
                "layer": "below",
            }
            for column in range(len(MEASURES))
            for end in (0, _BAR)
        ],
        xaxis=axis(colours, "", (-0.03, len(MEASURES)), visible=False),
        yaxis=axis(
            colours,
            "",
            (len(rows) - 0.5, -0.5),
            tickvals=rows,
            ticktext=[f"{NAMES[e.name]} ({words.short(e.divisor)})" for e in entries],
            showgrid=False,
        ),
    )
