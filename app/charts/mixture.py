"""The value mixture in the plane: weights of at least 0 that sum to 1 keep it inside the hull.

Sharp weights put it close to one value, even weights in the middle of all.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import SupportsFloat

import words

from charts.base import RAW, SCALED, Palette
from charts.svg import line, mark, picture, sides, tag, text
from core.examples import ScalingComparison

#: The plane reaches from −EDGE to EDGE, in a square of SIZE pixels whose middle is MIDDLE.
EDGE, SIZE, MIDDLE = 2.7, 288, (182, 198)


def coordinate(x: SupportsFloat) -> str:
    """Write a mixture's coordinate to four places, or to as many as keep it off a corner."""
    x = float(x)
    if x == 0:
        return "0"
    places = next(p for p in range(4, 16) if abs(round(x, p)) != 2)
    return words.fixed(x, places)


def point(output: Iterable[SupportsFloat]) -> str:
    """Write a mixture as a point of the plane."""
    return f"({', '.join(map(coordinate, output))})"


def describe(seen: ScalingComparison) -> str:
    """Say in words where the mixtures lie."""
    corners = words.listing(f"({', '.join(map(words.short, v))})" for v in seen.value)
    return (
        f"The plane of the values: a square with corners {corners}. Inside it the mixture: "
        f"raw {point(seen.raw.output)}, scaled {point(seen.scaled.output)}."
    )


def place(vector: Iterable[SupportsFloat], stretch: float = 1) -> tuple[float, float]:
    """Return where a point of the plane is drawn."""
    x, y = (stretch * float(v) * SIZE / (2 * EDGE) for v in vector)
    return MIDDLE[0] + x, MIDDLE[1] - y


@lru_cache(maxsize=64)
def plane(seen: ScalingComparison, colours: Palette) -> str:
    """Draw the value mixture, raw and scaled, inside the hull of the four values."""
    parts = [*_axes(colours), *_hull(seen.value.tolist(), colours)]
    centre = place((0, 0))
    # Named on the side that the mixtures do not lie on.
    below = seen.raw.output[1] >= 0
    x, y = centre[0], centre[1] + (18 if below else -9)
    parts.append(text(x, y, "even mix", colours.muted, font_size=13, text_anchor="middle"))
    # The ring first, the square in it: where both fall on one point, both are seen.
    for (style, colour), row, y in zip(
        sides(colours), (seen.raw, seen.scaled), (16, 38), strict=True
    ):
        end = place(row.output)
        dashes = "7 4" if style is RAW else None
        parts += [
            line(centre, end, colour, stroke_width=2, stroke_dasharray=dashes),
            tag("circle", cx=end[0], cy=end[1], r=9, fill="none", stroke=colour, stroke_width=3)
            if style is RAW
            else mark(SCALED, *end, colour, 10),
            mark(style, 44, y, colour),
            text(54, y + 5, f"{style['name']} mixture {point(row.output)}", colour),
        ]
    return picture(328, 390, parts)


def _axes(colours: Palette) -> Iterable[str]:
    left, bottom = place((-EDGE, -EDGE))
    right, top = place((EDGE, EDGE))
    small = {"font_size": 13, "fill": colours.muted}
    for tick in (-2, -1, 0, 1, 2):
        x, y = place((tick, tick))
        yield line((x, top), (x, bottom), colours.grid)
        yield line((left, y), (right, y), colours.grid)
        yield tag("text", words.short(tick), x=x, y=bottom + 15, text_anchor="middle", **small)
        yield tag("text", words.short(tick), x=left - 5, y=y + 4, text_anchor="end", **small)
    yield line((left, bottom), (right, bottom), colours.muted)
    yield line((left, top), (left, bottom), colours.muted)
    middle = {"text_anchor": "middle", **small}
    yield tag("text", "first value coordinate", x=MIDDLE[0], y=bottom + 35, **middle)
    turned = f"translate(12 {MIDDLE[1]}) rotate(-90)"
    yield tag("text", "second value coordinate", transform=turned, **middle)


def _hull(corners: list[list[float]], colours: Palette) -> Iterable[str]:
    outline = " ".join(f"{x:.6g},{y:.6g}" for x, y in map(place, corners))
    yield tag("polygon", points=outline, fill=colours.muted, fill_opacity=0.1, stroke=colours.exact)
    for j, corner in enumerate(corners):
        x, y = place(corner)
        yield tag("circle", cx=x, cy=y, r=3.5, fill=colours.exact)
        # Beyond its corner, clear of the ring that a saturated row puts there.
        x, y = place(corner, 1.18)
        yield text(x, y + 5, f"v{'₀₁₂₃'[j]}", colours.text, font_size=15, text_anchor="middle")
    x, y = place((0, 0))
    yield line((x - 4, y), (x + 4, y), colours.muted)
    yield line((x, y - 4), (x, y + 4), colours.muted)
