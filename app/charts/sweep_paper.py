"""The paper a width sweep is drawn on: its four panels, and axes that the setting fixes.

Nothing here depends on the measured values, so that a partial result and the whole one lie on the
same paper; only a handful of scores, which may fall anywhere, stretch the axis of the spread.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import words

from charts.base import Palette, axis
from core.sweep_result import Sweep

UNIT = (0.0, 1.02)


@dataclass(frozen=True)
class Panel:
    """One quantity: its name in core, its title, the title of its axis."""

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
PAIRS = {"spread": (SPREAD, ENTROPY), "weights": (LARGEST, SATURATED)}


@dataclass(frozen=True)
class Frame:
    """What the axes are made for: widths, number of keys, and the kind of spread."""

    widths: tuple[int, ...]
    n_keys: int
    mean_removed: bool

    @property
    def span(self) -> tuple[float, float]:
        """Range of the width axis, in powers of two, with room for the outermost markers."""
        low, high = math.log2(self.widths[0]), math.log2(self.widths[-1])
        room = 0.04 * (high - low) + 0.15
        return low - room, high + room

    @property
    def ticks(self) -> dict[str, Any]:
        """At most eight powers of two, as plain numbers where those are short."""
        first, last = (int(math.log2(width)) for width in (self.widths[0], self.widths[-1]))
        exponents = list(range(first, last + 1, 1 + (last - first) // 7))
        write = power if last > 13 else lambda e: words.count(2**e)
        return {"tickvals": exponents, "ticktext": [write(e) for e in exponents]}


def power(exponent: int) -> str:
    """Write a power of two."""
    return "2" + str(exponent).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def span(panel: Panel, frame: Frame, sweep: Sweep | None) -> tuple[float, float]:
    """Return the range of a panel's values, in decades where its axis is logarithmic."""
    if not panel.logarithmic:
        return UNIT
    low, high = 0.5, math.sqrt(frame.widths[-1])
    if sweep is not None:
        # A handful of scores may lie far from what is expected; the axis follows them.
        lowest = float(sweep.scaled.score_std.value.min())
        low = min(low, 0.7 * lowest if lowest > 0 else low)
        high = max(high, float(sweep.raw.score_std.value.max()))
    room = 0.12 * math.log10(high / low)
    return math.log10(low), math.log10(high) + room


def vertical(
    panel: Panel, frame: Frame, colours: Palette, y_span: tuple[float, float]
) -> dict[str, Any]:
    """Describe the axis of a panel's values."""
    title = "root mean square" if panel is SPREAD and not frame.mean_removed else panel.axis
    described: dict[str, Any] = axis(colours, title, y_span)
    return described | (_decades(y_span) if panel.logarithmic else _QUARTERS)


_QUARTERS: dict[str, Any] = {
    "tickvals": [0, 0.25, 0.5, 0.75, 1],
    "ticktext": ["0", "", "0.5", "", "1"],
}


def _decades(y_span: tuple[float, float]) -> dict[str, Any]:
    step = 1 if y_span[1] - y_span[0] < 3 else 2
    decades = range(math.ceil(y_span[0]), math.floor(y_span[1]) + 1, step)
    return {
        "type": "log",
        "tickvals": [10.0**d for d in decades],
        "ticktext": [words.short(10.0**d) for d in decades],
    }
