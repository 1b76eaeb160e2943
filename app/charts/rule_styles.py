"""How the rules are told apart: "none" looks as raw does everywhere and √dₖ as scaled."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import words
from numpy.typing import NDArray

from charts.base import RAW, SCALED, Palette, axis
from core.alternatives import Alternatives

FloatArray = NDArray[np.float64]


class Style(NamedTuple):
    """How a rule is written and drawn; ``hue`` is an index into the palette's keys."""

    name: str
    symbol: str
    dash: str
    hue: int | None = None
    size: int = 8

    def colour(self, colours: Palette) -> str:
        """Return the rule's colour in a theme."""
        if self.hue is not None:
            return colours.keys[self.hue]
        return colours.raw if self.symbol == RAW["symbol"] else colours.scaled


STYLES = {
    "none": Style("none", RAW["symbol"], RAW["dash"]),
    "sqrt_d_k": Style("√dₖ", SCALED["symbol"], SCALED["dash"]),
    "d_k/8": Style("dₖ/8", "diamond", "solid", 0),
    "d_k": Style("dₖ", "triangle-up", "solid", 3),
    "cosine": Style("cosine", "x", "dashdot", 1),
    "softcap": Style("soft cap", "star", "longdash", 2),
    "sink": Style("+1", "triangle-down-open", "dot", 4, 13),
}


class Line(NamedTuple):
    """What is drawn of a rule in a panel: values with the ends of their intervals."""

    value: FloatArray
    low: FloatArray
    high: FloatArray


def width_axis(colours: Palette, found: Alternatives, *, last: bool) -> Any:
    """Describe the axis of the measured widths; only the ``last`` below another is named."""
    powers = np.log2(found.widths)
    return axis(
        colours,
        "head width dₖ (log₂ scale)" if last else "",
        (powers[0] - 0.3, powers[-1] + 0.3),
        tickvals=powers,
        ticktext=[words.count(int(width)) for width in found.widths],
    )


def line_of(x: FloatArray, line: Line, name: str, colours: Palette, dash: str) -> dict[str, Any]:
    """Describe a line with markers and intervals, in the colours of a rule."""
    style = STYLES[name]
    colour = style.colour(colours)
    return {
        "type": "scatter",
        "x": x,
        "y": line.value,
        "mode": "lines+markers",
        "line": {"color": colour, "width": 1.8, "dash": dash},
        "marker": {"symbol": style.symbol, "size": style.size, "color": colour},
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": line.high - line.value,
            "arrayminus": line.value - line.low,
            "color": colour,
            "thickness": 1.3,
            "width": 3,
        },
        "hoverinfo": "text",
        "cliponaxis": False,
    }
