"""How often a rule dethrones the key with the largest raw score, or has it share the lead."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
import words

from charts.against_width import spread_out
from charts.base import Palette, axis, figure, label
from charts.rule_styles import STYLES, Line, line_of, width_axis
from core.alternatives import Alternatives
from core.intervals import Estimate


def order_figure(
    colours: Palette, found: Alternatives, shown: Sequence[str], *, revealed: bool
) -> go.Figure:
    """Draw how often the raw leader no longer leads, or not alone; the cosine after the guess."""
    span = (-0.02, 1.04)
    cap, cosine = found.rules["softcap"], found.rules["cosine"]
    series: list[tuple[str, str, Estimate, str]] = []
    if "cosine" in shown and revealed:
        series.append(("cosine", "cosine", cosine.changed, "dashdot"))
    if "softcap" in shown:
        series.append(("cap, float32", "softcap", cap.tied_float32, "dot"))
        series.append(("cap, float64", "softcap", cap.tied, "longdash"))
    apart = spread_out([(float(e.value[-1]) - span[0]) / 1.06 for _, _, e, _ in series], 0.08)
    return figure(
        colours,
        height=270,
        margin={"l": 56, "r": 100, "t": 30, "b": 46},
        data=[
            {
                **line_of(np.log2(found.widths), Line(e.value, e.low, e.high), name, colours, dash),
                "text": [
                    f"{title}, width {words.count(int(width))}: {words.percent(y)} of rows"
                    for width, y in zip(found.widths, e.value, strict=True)
                ],
            }
            for title, name, e, dash in series
        ],
        annotations=[
            label("Raw leader overtaken, or tied", 0, 1.02, colours.text, size=15),
            *(
                label(
                    f"<b>{title}</b>",
                    1.0,
                    span[0] + 1.06 * place,
                    STYLES[name].colour(colours),
                    paper=False,
                    xref="x domain",
                    yref="y",
                    yanchor="middle",
                    xshift=7,
                )
                for (title, name, _, _), place in zip(series, apart, strict=True)
            ),
        ],
        xaxis=width_axis(colours, found, last=True),
        yaxis=axis(colours, "share of rows", span, tickvals=[0, 0.25, 0.5, 0.75, 1]),
    )


def describe_order(found: Alternatives, *, revealed: bool) -> str:
    """Say in words how often the order changes."""
    cap = found.rules["softcap"]
    ties = (
        f"The soft cap ties the leaders in {words.percent(cap.tied_float32.value[-1])} of rows of "
        f"width {words.count(int(found.widths[-1]))} in float32, in "
        f"{words.percent(cap.tied.value[-1])} in float64."
    )
    if not revealed:
        return ties
    changed = words.listing(
        f"{words.percent(share)} at {words.count(int(width))}"
        for width, share in zip(found.widths, found.rules["cosine"].changed.value, strict=True)
    )
    return f"Share of rows in which the cosine has another leader, by width: {changed}. {ties}"
