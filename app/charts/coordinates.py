"""One score taken apart: the vectors, coordinate by coordinate, and the sum of their products.

A score is a sum of d_k products. For random signs such a sum is a random walk, and its usual size
is the square root of the number of steps: the √d_k of the rule.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from math import sqrt

import words

from charts.base import Palette
from charts.head_width import MOST
from charts.svg import NARROW, WIDE, line, picture, polyline, rect, tag, text
from core.examples import Example, ScalingComparison

#: Left of the tiles the names of the rows; a row's height; the middle of the running sum.
NAMES, ROW, LEVEL = 64, 22, 352
#: Pixels for one step of the running sum up or down.
STEP = 4.4


def describe(seen: ScalingComparison, query: int, key: int) -> str:
    """Say in words what the products are and what they sum to."""
    signs = ["+1" if x > 0 else f"{words.MINUS}1" for x in seen.products[key]]
    return (
        f"Four queries and four keys of 32 signs; the first {len(signs)} of Q{query} and of the "
        f"keys are in use. Products of Q{query} and K{key}: {words.listing(signs)}. "
        f"They sum to the score {words.short(seen.raw.scores[key])}."
    )


@lru_cache(maxsize=64)
def tiles(
    example: Example, seen: ScalingComparison, colours: Palette, *, query: int, key: int
) -> str:
    """Draw every vector, the products that make up one score, and their running sum."""
    pictures = []
    for size, layout in ((916, WIDE), (328, NARROW)):
        wide = (size - NAMES - 8) / example.query.shape[1]
        parts = [
            *_legend(colours),
            *_rows(example, seen, colours, wide, query, key),
            *_sum(seen.products[key].tolist(), example.query.shape[1], colours, wide),
        ]
        pictures.append(picture(size, 462, parts, layout=layout))
    return "".join(pictures)


def _legend(colours: Palette) -> Iterable[str]:
    for x, colour, name in (
        (NAMES, colours.keys[0], "+1"),
        (NAMES + 52, colours.keys[2], f"{words.MINUS}1"),
        (NAMES + 104, colours.grid, "unused"),
    ):
        yield rect(x, 5, 14, 14, colour)
        yield text(x + 19, 17, name, colours.text)


def _rows(
    example: Example, seen: ScalingComparison, colours: Palette, wide: float, query: int, key: int
) -> Iterable[str]:
    """Lay out one tile a coordinate; those that take no part are pale."""
    used = len(seen.query)
    rows = [
        (f"Q{i}", 32 + ROW * i, v, used if i == query else 0)
        for i, v in enumerate(example.query.tolist())
    ]
    rows += [(f"K{j}", 130 + ROW * j, v, used) for j, v in enumerate(example.key.tolist())]
    product = f"Q{query} × K{key}"
    rows.append((product, 228, seen.products[key].tolist(), used))
    for name, top, vector, part in rows:
        bold = 700 if name in {f"Q{query}", f"K{key}", product} else None
        yield text(NAMES - 6, top + 15, name, colours.text, text_anchor="end", font_weight=bold)
        yield _fill(vector[:part], 0, top, wide, colours.keys[0], 1)
        yield _fill(vector[:part], 0, top, wide, colours.keys[2], -1)
        yield _fill(vector[part:], part, top, wide, colours.grid)
        yield _signs(vector[:part], 0, top, wide, colours.background)
        yield _signs(vector[part:], part, top, wide, colours.muted)


def _fill(
    vector: Sequence[float], start: int, top: int, wide: float, colour: str, only: int = 0
) -> str:
    """Draw the tiles of one colour as one path."""
    squares = "".join(
        f"M{NAMES + c * wide + 0.5:.6g} {top}h{wide - 1:.6g}v{ROW - 2}h{1 - wide:.6g}z"
        for c, x in enumerate(vector, start)
        if not only or x == only
    )
    return tag("path", d=squares, fill=colour) if squares else ""


def _signs(vector: Sequence[float], start: int, top: int, wide: float, colour: str) -> str:
    """Write the sign on each tile; one text, in which every letter has a place of its own."""
    if not vector:
        return ""
    places = " ".join(f"{NAMES + (c + 0.5) * wide:.6g}" for c in range(start, start + len(vector)))
    signs = "".join("+" if x > 0 else words.MINUS for x in vector)
    # Smaller where 32 tiles share a narrow screen: signs that touch merge into a line.
    size = min(13.0, 1.15 * wide)
    return tag(
        "text", signs, x=places, y=top + 14, fill=colour, text_anchor="middle", font_size=size
    )


def _sum(products: Sequence[float], most: int, colours: Palette, wide: float) -> Iterable[str]:
    """Draw the running sum, and how far a sum of random signs usually gets."""
    sums = list(accumulate(products, initial=0.0))

    def place(step: float, total: float) -> tuple[float, float]:
        return NAMES + step * wide, LEVEL - STEP * total

    small = {"font_size": 13, "fill": colours.muted}
    for level in (-14, -7, 0, 7, 14):
        (left, y), (right, _) = place(0, level), place(most, level)
        yield line((left, y), (right, y), colours.grid)
        yield tag("text", words.short(level), x=left - 6, y=y + 4, text_anchor="end", **small)
    for step in (1, most // 2, most):
        x, y = place(step - 0.5, -MOST - 2)
        yield tag("text", str(step), x=x, y=y + 12, text_anchor="middle", **small)
    x, y = place(most / 2, -MOST - 2)
    yield tag("text", "coordinate c", x=x, y=y + 32, text_anchor="middle", **small)
    turned = f"translate(14 {LEVEL}) rotate(-90)"
    yield tag("text", "sum so far", transform=turned, text_anchor="middle", **small)
    yield text(
        NAMES,
        LEVEL - STEP * MOST - 14,
        f"Running sum, up to the score {words.short(sums[-1])}",
        colours.text,
        font_size=15,
    )
    for side in (1, -1):
        guide = [place(c / 4, side * sqrt(c / 4)) for c in range(4 * most + 1)]
        yield polyline(guide, colours.exact, stroke_width=1.5, stroke_dasharray="2 3")
    # The guide is named on the side that the sum does not end on.
    side = -1 if sums[-1] >= 0 else 1
    x, y = place(most, side * sqrt(most))
    yield tag(
        "text",
        "±√c: usual size for random signs",
        x=x,
        y=y + (16 if side < 0 else -6),
        text_anchor="end",
        **small,
    )
    walk = [place(c, total) for c, total in enumerate(sums)]
    yield polyline(walk, colours.raw, stroke_width=2, stroke_dasharray="7 4")
    for c, (x, y) in enumerate(walk[1:], start=1):
        yield tag("circle", cx=x, cy=y, r=6 if c == len(products) else 2.5, fill=colours.raw)
