"""Pictures drawn as SVG, for charts that must answer a key press at once.

Plotly takes 50 ms in the browser for the least of charts. What has no axis to zoom and its numbers
in plain sight is drawn here as text: a picture is a string, made from the colours of the theme.
"""

from collections.abc import Iterable
from html import escape
from typing import Any

from charts.base import FONT, RAW, SCALED, Palette, ink

#: Widths of the two layouts of a picture; the browser shows the one that fits.
WIDE, NARROW = "wide", "narrow"


def tag(name: str, *content: str, **attributes: Any) -> str:
    """Write an element; ``stroke_width=2`` becomes ``stroke-width="2"``, None is left out."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{''.join(content)}</{name}>"


def _value(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else escape(str(value))


def picture(width: int, height: int, parts: Iterable[str], *, layout: str = "both") -> str:
    """Frame the parts of a picture; ``layout`` says on which screens it is shown."""
    return tag(
        "svg",
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        class_=layout,
        font_family=FONT,
        font_size=14,
    )


def text(x: float, y: float, words: str, colour: str, **more: Any) -> str:
    """Write words, their baseline starting at (x, y)."""
    return tag("text", escape(words), x=x, y=y, fill=ink(colour), **more)


def line(start: tuple[float, float], end: tuple[float, float], colour: str, **more: Any) -> str:
    """Draw a straight line."""
    return tag("line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], stroke=colour, **more)


def polyline(points: Iterable[tuple[float, float]], colour: str, **more: Any) -> str:
    """Draw a line through points."""
    path = " ".join(f"{x:.6g},{y:.6g}" for x, y in points)
    return tag("polyline", points=path, fill="none", stroke=colour, **more)


def rect(x: float, y: float, width: float, height: float, fill: str, **more: Any) -> str:
    """Draw a rectangle."""
    return tag("rect", x=x, y=y, width=width, height=height, fill=fill, **more)


def mark(style: dict[str, str], x: float, y: float, colour: str, size: float = 8) -> str:
    """Draw the mark of raw (a circle) or scaled (a square), centred at (x, y)."""
    if style is RAW:
        return tag("circle", cx=x, cy=y, r=size / 2, fill=colour)
    return rect(x - size / 2, y - size / 2, size, size, colour)


def sides(colours: Palette) -> tuple[tuple[dict[str, str], str], tuple[dict[str, str], str]]:
    """Return style and colour of raw, then of scaled."""
    return (RAW, colours.raw), (SCALED, colours.scaled)
