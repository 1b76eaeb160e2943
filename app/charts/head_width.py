"""Raw beside scaled for one query: scores, weights and entropy as paired bars.

Raw stands above scaled on one axis, so both have the same scale; numbers stand in a column of
their own beside the bars, where nothing can cover them.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log
from typing import SupportsFloat

import words

from charts.base import RAW, Palette
from charts.svg import NARROW, WIDE, line, mark, picture, rect, sides, tag, text
from core.examples import HEAD_WIDTH_EXAMPLE, ScalingComparison, compare_scaling

CEILING = log(4)
#: Largest score, and largest partial sum of one, at any query and width of the ±1 example.
MOST = 14
#: Room for the names of rows, left of the bars, and for their numbers, right of them.
NAMES, NUMBERS = 44, 60


@lru_cache(maxsize=32)
def compared(query: int, width: int) -> ScalingComparison:
    """Compare raw and scaled in the ±1 example; each of its 24 states is computed once."""
    return compare_scaling(HEAD_WIDTH_EXAMPLE, query=query, width=width)


def weight(w: SupportsFloat) -> str:
    """Write a weight to four places, never as 0 or 1."""
    return words.soft_probability(w, places=4)


def nats(h: SupportsFloat) -> str:
    """Write an entropy to four places."""
    return words.fixed(h, 4)


def describe(seen: ScalingComparison, query: int) -> str:
    """Say in words what the bars show."""
    raw, scaled = seen.raw, seen.scaled
    return (
        f"Q{query} at width {len(seen.query)} against K0 to K3. "
        f"Scores: raw {words.vector(raw.scores)}, scaled {words.vector(scaled.scores)}. "
        f"Weights: raw {words.listing(map(weight, raw.weights))}; "
        f"scaled {words.listing(map(weight, scaled.weights))}. "
        f"Entropy: raw {nats(raw.entropy)}, scaled {nats(scaled.entropy)} nats "
        f"of at most {nats(CEILING)}."
    )


@lru_cache(maxsize=64)
def bars(seen: ScalingComparison, colours: Palette) -> str:
    """Draw scores, weights and entropy, raw above scaled for each key."""
    return _layout(seen, colours, 540, WIDE) + _layout(seen, colours, 328, NARROW)


@dataclass(frozen=True, kw_only=True)
class _Panel:
    """Pairs of bars on one axis, and a column of numbers beside them."""

    title: str
    left: float
    right: float
    span: tuple[float, float]
    ticks: Sequence[float]
    tops: Sequence[int]
    write: Callable[[SupportsFloat], str]

    def x(self, value: float) -> float:
        """Return where a value lies."""
        low, high = self.span
        return self.left + (value - low) / (high - low) * (self.right - NUMBERS - self.left)

    def draw(
        self,
        raw: Iterable[SupportsFloat],
        scaled: Iterable[SupportsFloat],
        colours: Palette,
        layout: str,
    ) -> list[str]:
        """Draw frame, bars and numbers."""
        top, bottom = self.tops[0] - 6, self.tops[-1] + 46
        parts = [text(self.left, top - 6, self.title, colours.text, font_size=15)]
        for tick in self.ticks:
            x = self.x(tick)
            parts.append(line((x, top), (x, bottom), colours.grid))
            label = words.short(tick)
            parts.append(
                text(x, bottom + 15, label, colours.muted, font_size=13, text_anchor="middle")
            )
        parts.append(line((self.left, bottom), (self.right, bottom), colours.muted))
        for (style, colour), values, down in zip(
            sides(colours), (raw, scaled), (0, 22), strict=True
        ):
            fill = f"url(#{layout})" if style is RAW else colour
            for top, value in zip(self.tops, values, strict=True):
                start, end = sorted((self.x(0), self.x(float(value))))
                y = top + down
                parts.append(rect(start, y, end - start, 16, fill, stroke=colour))
                parts.append(text(self.right, y + 13, self.write(value), colour, text_anchor="end"))
        return parts


def _layout(seen: ScalingComparison, colours: Palette, width: int, layout: str) -> str:
    raw, scaled = seen.raw, seen.scaled
    middle = NAMES + round(0.47 * (width - NAMES))
    tops = [60 + 51 * j for j in range(len(raw.scores))]
    scores = _Panel(
        title="Scores",
        left=NAMES,
        right=middle - 14,
        span=(-MOST, MOST),
        ticks=(-10, 0, 10),
        tops=tops,
        write=words.short,
    )
    weights = _Panel(
        title="Weights, 0 to 1",
        left=middle,
        right=width,
        span=(0, 1),
        ticks=(0, 0.5, 1),
        tops=tops,
        write=weight,
    )
    entropy = _Panel(
        title="Entropy, nats",
        left=NAMES,
        right=width,
        span=(0, CEILING),
        ticks=(0, 0.5, 1),
        tops=[322],
        write=nats,
    )
    ceiling = entropy.x(CEILING)
    return picture(
        width,
        390,
        [
            _hatch(colours, layout),
            *_names(colours, len(seen.query), tops, entropy.tops),
            *scores.draw(raw.scores, scaled.scores, colours, layout),
            *weights.draw(raw.weights, scaled.weights, colours, layout),
            *entropy.draw([raw.entropy], [scaled.entropy], colours, layout),
            line((ceiling, 314), (ceiling, 368), colours.exact, stroke_width=2, stroke_dasharray=3),
            text(
                ceiling + 4,
                310,
                f"ceiling ln 4 = {nats(CEILING)}",
                colours.muted,
                font_size=13,
                text_anchor="end",
            ),
        ],
        layout=layout,
    )


def _hatch(colours: Palette, layout: str) -> str:
    """Define the filling of raw bars: what dashes are to a line."""
    stripe = line((0, 0), (0, 5), colours.raw, stroke_width=4.5)
    pattern = tag(
        "pattern",
        stripe,
        id=layout,
        width=5,
        height=5,
        patternUnits="userSpaceOnUse",
        patternTransform="rotate(45)",
    )
    return tag("defs", pattern)


def _names(
    colours: Palette, width: int, tops: Sequence[int], below: Sequence[int]
) -> Iterable[str]:
    """Name the two sides once, and mark every row with its side."""
    for (style, colour), x, name in zip(
        sides(colours), (8, 84), ("raw: S", f"scaled: S ÷ √{width}"), strict=True
    ):
        yield mark(style, x, 16, colour)
        yield text(x + 10, 21, name, colour)
        for top in (*tops, *below):
            yield mark(style, 34, top + (8 if x == 8 else 30), colour)
    for j, top in enumerate(tops):
        yield text(0, top + 13, f"K{j}", colours.text)
