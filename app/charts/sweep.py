"""The width sweep as two figures of two panels each: measured points, exact curves under them.

Four panels in one figure could not stack on a narrow screen, so they come in two pairs that stand
side by side or one above the other. Axes are fixed by the setting, not by the data, so that a
partial result and the whole one are drawn on the same paper.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
import words
from numpy.typing import NDArray
from runs import Curves

from charts.base import RAW, SCALED, Palette, axis, figure, note, panel_titles
from core.intervals import Estimate
from core.sweep_result import Sweep

HEIGHT = 400
TOP, BOTTOM = (0.58, 1.0), (0.0, 0.42)
UNIT = (0.0, 1.02)


@dataclass(frozen=True)
class Panel:
    """One quantity: its name in core, its title, the short title of its axis."""

    field: str
    title: str
    axis: str
    logarithmic: bool = False


SPREAD = Panel(
    "score_std", "Spread of the scores (log scale)", "standard deviation", logarithmic=True
)
ENTROPY = Panel("normalized_entropy", "Mean entropy", "H / ln n")
LARGEST = Panel("max_weight", "Mean largest weight of a row", "weight")
SATURATED = Panel("saturated_share", "Share of rows with a weight above 0.9", "share of rows")
PAIRS = ((SPREAD, ENTROPY), (LARGEST, SATURATED))


@dataclass(frozen=True)
class Frame:
    """What the axes are made for: the ends of the widths and the number of keys."""

    low: int
    high: int
    n_keys: int
    mean_removed: bool

    @property
    def span(self) -> tuple[float, float]:
        """Range of the width axis, in powers of two, with room for the outermost markers."""
        ends = math.log2(self.low), math.log2(self.high)
        room = 0.04 * (ends[1] - ends[0]) + 0.15
        return ends[0] - room, ends[1] + room

    @property
    def ticks(self) -> dict[str, list[float] | list[str]]:
        """At most seven powers of two, as numbers where they are short."""
        first, last = self.low.bit_length() - 1, self.high.bit_length() - 1
        step = 1 + (last - first) // 7
        exponents = list(range(first, last + 1, step))
        write = power if last > 13 else lambda e: words.count(2**e)
        return {
            "tickvals": [float(e) for e in exponents],
            "ticktext": [write(e) for e in exponents],
        }


def power(exponent: int) -> str:
    """Write a power of two."""
    return "2" + str(exponent).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def sweep_figure(
    pair: Sequence[Panel],
    frame: Frame,
    colours: Palette,
    *,
    curves: Curves,
    sweep: Sweep | None,
    of: int,
) -> go.Figure:
    """Draw two panels; ``sweep`` may hold fewer than ``of`` widths, or be None before the first.

    A partial result says so in its titles.
    """
    fig = figure(colours, height=HEIGHT, margin={"l": 58, "r": 58, "t": 26, "b": 46})
    for number, panel in enumerate(pair, start=1):
        suffix = "" if number == 1 else "2"
        y_span = _span(panel, frame, sweep)
        x = axis(colours, "head width dₖ (log₂ scale)" if number == 2 else "", frame.span)
        y = axis(colours, _axis_title(panel, frame), y_span)
        if panel.logarithmic:
            y |= _decades(y_span)
        else:
            y |= {"tickvals": [0, 0.25, 0.5, 0.75, 1], "ticktext": ["0", "", "0.5", "", "1"]}
        domain = TOP if number == 1 else BOTTOM
        fig.layout[f"xaxis{suffix}"] = x | frame.ticks | {"anchor": f"y{suffix}"}
        fig.layout[f"yaxis{suffix}"] = y | {"domain": domain, "anchor": f"x{suffix}"}
        _draw(fig, panel, frame, colours, suffix, y_span, curves, sweep)
    measured = 0 if sweep is None else len(sweep.widths)
    partial = "" if measured == of else f" (partial: {measured} of {of} widths)"
    panel_titles(fig, colours, [panel.title + partial for panel in pair])
    return fig


def _draw(
    fig: go.Figure,
    panel: Panel,
    frame: Frame,
    colours: Palette,
    suffix: str,
    y_span: tuple[float, float],
    curves: Curves,
    sweep: Sweep | None,
) -> None:
    axes = {"xaxis": f"x{suffix}", "yaxis": f"y{suffix}"}
    ends: list[float | None] = []
    for style, colour, expectation, statistics in (
        (RAW, colours.raw, curves.raw, sweep and sweep.raw),
        (SCALED, colours.scaled, curves.scaled, sweep and sweep.scaled),
    ):
        end = None
        curve = getattr(expectation, panel.field, None)
        if curve is not None:
            dash = "dot" if panel.logarithmic else style["dash"]
            line = {"color": colours.exact, "width": 1.3, "dash": dash}
            fig.add_scatter(
                x=np.log2(curves.widths),
                y=curve,
                mode="lines",
                line=line,
                hoverinfo="skip",
                **axes,
            )
            end = float(curve[-1])
        if sweep is not None and statistics is not None:
            estimate: Estimate = getattr(statistics, panel.field)
            fig.add_scatter(
                x=np.log2(sweep.widths),
                y=estimate.value,
                mode="markers" if curve is not None else "markers+lines",
                marker={"symbol": style["symbol"], "size": 8, "color": colour},
                line={"color": colour, "width": 1.5, "dash": style["dash"]},
                error_y=_bars(estimate, y_span, colour, panel.logarithmic),
                text=_hover(style["name"], sweep.widths, estimate),
                hoverinfo="text",
                cliponaxis=False,
                **axes,
            )
            end = float(estimate.value[-1]) if end is None else end
        ends.append(end)
    _name_lines(fig, panel, frame, colours, suffix, y_span, ends)
    if panel is ENTROPY:
        fig.add_shape(
            type="line",
            x0=frame.span[0],
            x1=frame.span[1],
            y0=1,
            y1=1,
            line={"color": colours.muted, "width": 1, "dash": "dot"},
            xref=axes["xaxis"],
            yref=axes["yaxis"],
        )
        note(
            fig,
            f"1 = ln {words.count(frame.n_keys)} ≈ {words.nats(math.log(frame.n_keys))}",
            1.0,
            1.0,
            colours.muted,
            xref=f"{axes['xaxis']} domain",
            yref=f"{axes['yaxis']} domain",
            xanchor="right",
            xshift=52,
        )


def _name_lines(
    fig: go.Figure,
    panel: Panel,
    frame: Frame,
    colours: Palette,
    suffix: str,
    y_span: tuple[float, float],
    ends: Sequence[float | None],
) -> None:
    """Write the name of each series at its right end, apart where the ends are close."""
    low, high = y_span
    places = [
        None
        if end is None
        else ((math.log10(end) if panel.logarithmic else end) - low) / (high - low)
        for end in ends
    ]
    raw, scaled = places
    if raw is not None and scaled is not None:
        gap, apart = raw - scaled, 0.14
        if abs(gap) < apart:
            push = (apart - abs(gap)) / 2 * (1 if gap >= 0 else -1)
            lift = max(0.04 - min(raw + push, scaled - push), 0.0)  # keep both on the panel
            places = [raw + push + lift, scaled - push + lift]
    texts = ("raw √dₖ", "scaled 1") if panel.logarithmic else ("raw", "scaled")
    for place, text, colour in zip(places, texts, (colours.raw, colours.scaled), strict=True):
        if place is not None:
            first, _, reference = text.partition(" ")
            label = f"<b>{first}</b>" + (f"<br>{reference}" if reference else "")
            note(
                fig,
                label,
                1.0,
                low + place * (high - low),
                colour,
                paper=False,
                xref=f"x{suffix} domain",
                yref=f"y{suffix}",
                xanchor="left",
                yanchor="middle",
                align="left",
                xshift=6,
            )


def _span(panel: Panel, frame: Frame, sweep: Sweep | None) -> tuple[float, float]:
    """Return the range of a panel's values, in decades where its axis is logarithmic."""
    if not panel.logarithmic:
        return UNIT
    low, high = 0.5, 2.0 * max(math.sqrt(frame.high), 1.0)
    if sweep is not None:
        # A handful of scores may lie far from what is expected; the axis follows them.
        low = min(low, 0.7 * float(sweep.scaled.score_std.value.min()) or low)
        high = max(high, 1.4 * float(sweep.raw.score_std.value.max()))
    return math.log10(low), math.log10(high)


def _axis_title(panel: Panel, frame: Frame) -> str:
    return "root mean square" if panel.logarithmic and not frame.mean_removed else panel.axis


def _decades(y_span: tuple[float, float]) -> dict[str, object]:
    step = 1 if y_span[1] - y_span[0] < 3 else 2
    decades = range(math.ceil(y_span[0]), math.floor(y_span[1]) + 1, step)
    return {
        "type": "log",
        "tickvals": [10.0**d for d in decades],
        "ticktext": [words.short(10.0**d) for d in decades],
    }


def _bars(
    estimate: Estimate, y_span: tuple[float, float], colour: str, logarithmic: bool
) -> dict[str, object]:
    """Return the interval as Plotly wants it: lengths, ending at the edge of the panel."""
    low, high = (10.0 ** y_span[0], 10.0 ** y_span[1]) if logarithmic else y_span
    return {
        "type": "data",
        "symmetric": False,
        "array": np.minimum(estimate.high, high) - estimate.value,
        "arrayminus": estimate.value - np.maximum(estimate.low, low),
        "color": colour,
        "thickness": 1.5,
        "width": 4,
    }


def _hover(name: str, widths: NDArray[np.int64], estimate: Estimate) -> list[str]:
    return [
        f"{name}, width {words.count(int(width))}: {words.significant(value, 4)}<br>"
        f"95 % interval {words.significant(low)} to {words.significant(high)}"
        for width, value, low, high in zip(
            widths, estimate.value, estimate.low, estimate.high, strict=True
        )
    ]


def describe(pair: Sequence[Panel], sweep: Sweep | None) -> str:
    """Say in words what a figure shows: its alternative text."""
    if sweep is None:
        return "Axes with the exact curves; no width is measured yet."
    first, last = (words.count(int(width)) for width in sweep.widths[[0, -1]])
    parts = []
    for panel in pair:
        values = {
            name: [words.significant(v) for v in getattr(statistics, panel.field).value[[0, -1]]]
            for name, statistics in (("raw", sweep.raw), ("scaled", sweep.scaled))
        }
        parts.append(
            f"{panel.title}: "
            + ", ".join(f"{name} {ends[0]} to {ends[1]}" for name, ends in values.items())
        )
    return f"From width {first} to {last}. " + ". ".join(parts) + "."
