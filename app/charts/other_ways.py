"""Every rule on the same rows: four quantities against width.

The four panels come as two figures of two, so that they can stand one above the other on a narrow
screen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
import words

from charts.against_width import spread_out
from charts.base import Palette, axis, figure, label
from charts.gradients import FLOOR, norm, rule
from charts.rule_styles import STYLES, Line, line_of, width_axis
from core.alternatives import Alternatives, RuleStatistics
from core.intervals import Estimate

TOP, BOTTOM = (0.58, 1.0), (0.0, 0.42)
APART = 0.11
"""Least distance of two names, as a share of a panel."""


@dataclass(frozen=True)
class Panel:
    """One quantity: its titles, how it is read off the statistics, and how it is written."""

    title: str
    axis: str
    read: Callable[[RuleStatistics], Line]
    write: Callable[[float], str] = words.significant
    logarithmic: bool = False


def _estimate(name: str) -> Callable[[RuleStatistics], Line]:
    def read(of_rule: RuleStatistics) -> Line:
        estimate: Estimate = getattr(of_rule, name)
        return Line(estimate.value, estimate.low, estimate.high)

    return read


def _median(of_rule: RuleStatistics) -> Line:
    gradient = of_rule.gradient
    return Line(gradient.median, gradient.median_low, gradient.median_high)


SPREAD = Panel(
    "Spread of softmax’s input (log scale)",
    "standard deviation",
    _estimate("logit_std"),
    logarithmic=True,
)
ENTROPY = Panel("Mean entropy", "nats", _estimate("entropy"), words.nats)
LARGEST = Panel("Mean largest weight of a key", "weight", _estimate("max_weight"))
GRADIENT = Panel("Median gradient (log scale)", "‖∂w/∂s‖", _median, norm, logarithmic=True)
PAIRS = {"weights": (ENTROPY, LARGEST), "scores": (SPREAD, GRADIENT)}


def rules_figure(
    colours: Palette, pair: Sequence[Panel], found: Alternatives, shown: Sequence[str]
) -> go.Figure:
    """Draw two panels, one above the other."""
    data: list[dict[str, Any]] = []
    notes: list[dict[str, Any]] = []
    layout: dict[str, Any] = {"shapes": []}
    for number, panel in enumerate(pair, start=1):
        suffix = "" if number == 1 else "2"
        domain = TOP if number == 1 else BOTTOM
        lines = {name: panel.read(found.rules[name]) for name in shown}
        span = _span(panel, found, lines)
        # Raw and scaled last: where a rule comes to the same, they lie on top.
        data += [
            _trace(colours, panel, found, name, lines[name], span, suffix) for name in shown[::-1]
        ]
        title = panel.title
        if panel is ENTROPY:
            title += f" (dotted: ln {found.n_keys}"
            title += f", for +1 ln {found.n_keys + 1})" if "sink" in shown else ")"
            layout["shapes"] += [_ceiling(colours, found, name) for name in shown]
        notes.append(label(title, 0, domain[1], colours.text, size=14))
        notes += _names(colours, lines, span, suffix, logarithmic=panel.logarithmic)
        layout[f"xaxis{suffix}"] = width_axis(colours, found, last=number == 2) | {
            "anchor": f"y{suffix}"
        }
        layout[f"yaxis{suffix}"] = axis(
            colours, panel.axis, span, domain=domain, anchor=f"x{suffix}", **_ticks(panel, span)
        )
    return figure(
        colours,
        height=375,
        margin={"l": 62, "r": 70, "t": 26, "b": 46},
        data=data,
        annotations=notes,
        **layout,
    )


def _span(panel: Panel, found: Alternatives, lines: dict[str, Line]) -> tuple[float, float]:
    """Return the range of a panel, in decades where its axis is logarithmic."""
    if panel is ENTROPY:
        return 0.0, 1.08 * found.ceiling("sink")
    if not panel.logarithmic:
        return 0.0, 1.04
    low = min(float(line.value.min()) for line in lines.values())
    high = max(float(line.value.max()) for line in lines.values())
    floor = math.log10(FLOOR)
    return (
        max(math.floor(math.log10(max(low, FLOOR))), floor) - 0.1,
        max(math.ceil(math.log10(max(high, FLOOR))), floor + 1) + 0.1,
    )


def _ticks(panel: Panel, span: tuple[float, float]) -> dict[str, Any]:
    if panel is LARGEST:
        return {"tickvals": [0, 0.25, 0.5, 0.75, 1], "ticktext": ["0", "", "0.5", "", "1"]}
    if not panel.logarithmic:
        return {"nticks": 5}
    exponents = range(math.ceil(span[0]), math.floor(span[1]) + 1, 1 + (span[1] - span[0] > 4))
    return {
        "type": "log",
        "tickvals": [10.0**e for e in exponents],
        "ticktext": [words.short(10.0**e) if e > -4 else _power(e) for e in exponents],
    }


def _power(exponent: int) -> str:
    return "10" + str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def _trace(
    colours: Palette,
    panel: Panel,
    found: Alternatives,
    name: str,
    line: Line,
    span: tuple[float, float],
    suffix: str,
) -> dict[str, Any]:
    drawn = line
    if panel.logarithmic:
        bottom = 10.0 ** (span[0] + 0.1)
        drawn = Line(*(np.maximum(values, bottom) for values in line))
    title = STYLES[name].name
    return {
        **line_of(np.log2(found.widths), drawn, name, colours, STYLES[name].dash),
        "xaxis": f"x{suffix}",
        "yaxis": f"y{suffix}",
        "text": [
            f"{title}, width {words.count(int(width))}: {panel.write(value)}<br>95 % interval "
            f"{panel.write(low)} to {panel.write(high)}"
            for width, value, low, high in zip(found.widths, *line, strict=True)
        ],
    }


def _names(
    colours: Palette,
    lines: dict[str, Line],
    span: tuple[float, float],
    suffix: str,
    *,
    logarithmic: bool,
) -> list[dict[str, Any]]:
    """Write the name of each rule at the right end of its line."""
    length = span[1] - span[0]
    ends = [float(line.value[-1]) for line in lines.values()]
    if logarithmic:
        ends = [math.log10(max(end, 10.0 ** span[0])) for end in ends]
    places = spread_out([(end - span[0]) / length for end in ends], APART)
    return [
        label(
            STYLES[name].name,
            1.0,
            span[0] + place * length,
            STYLES[name].colour(colours),
            paper=False,
            xref=f"x{suffix} domain",
            yref=f"y{suffix}",
            yanchor="middle",
            xshift=7,
        )
        for name, place in zip(lines, places, strict=True)
    ]


def _ceiling(colours: Palette, found: Alternatives, name: str) -> dict[str, Any]:
    y = found.ceiling(name)
    return rule(colours, x0=0, x1=1, xref="x domain", y0=y, y1=y)


def describe_rules(pair: Sequence[Panel], found: Alternatives, shown: Sequence[str]) -> str:
    """Say in words what a figure shows: each rule from the least width to the greatest."""
    first, last = (words.count(int(width)) for width in found.widths[[0, -1]])
    parts = []
    for panel in pair:
        ends = ", ".join(
            f"{STYLES[name].name} {panel.write(line.value[0])} to {panel.write(line.value[-1])}"
            for name in shown
            for line in (panel.read(found.rules[name]),)
        )
        parts.append(f"{panel.title}: {ends}")
    return f"From width {first} to {last}. " + ". ".join(parts) + "."
