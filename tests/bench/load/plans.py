"""Who does what: for each page, how many readers at once, and which control they change to what."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

from core.divisor import DIVISORS


@dataclass(frozen=True)
class Plan:
    """Readers of one page who all change one control, each in turn through its values."""

    name: str
    page: str
    readers: int
    control: str
    values: Sequence[Any] = ()

    def changes(self, reader: int) -> Iterator[Any]:
        """Yield the values that one reader sets; without a list, values nobody has set before."""
        if not self.values:
            yield from count(1_000_000 * (reader + 1))
        for step in count(7 * reader):
            yield self.values[step % len(self.values)]


SEEDS = range(1, 21)
KEYS = ["4", "8", "12", "16", "32", "64", "128", "256"]

PLANS = (
    Plan(
        "home, slider released",
        "",
        200,
        "home_live",
        [{"position": i} for i in range(0, len(DIVISORS), 5)],
    ),
    Plan("divisor", "divisor", 200, "divisor", np.geomspace(0.25, 10, 60).round(3).tolist()),
    Plan("head width", "head-width", 200, "width", [["1"], ["2"], ["8"], ["16"], ["32"], ["4"]]),
    Plan("sweep, 20 settings", "sweep", 200, "seed", SEEDS),
    Plan("sweep, all new", "sweep", 30, "seed"),
    Plan("assumptions", "assumptions", 100, "planted_rho", np.linspace(0, 1, 21).round(2).tolist()),
    Plan("more keys", "more-keys", 100, "map_width", [["4"], ["16"], ["64"], ["256"], ["1024"]]),
    Plan("other ways", "other-ways", 100, "gain", range(1, 31)),
    Plan("masks", "masks", 100, "mask_kind", ["none", "padding", "window", "causal upper-left"]),
    Plan(
        "mistakes",
        "mistakes",
        100,
        "mistake_example",
        ["five tokens", "one query", "±1 vectors", "fractions"],
    ),
    Plan("formats", "formats", 100, "format_scale", range(1, 41)),
    Plan("gradients", "gradients", 100, "gradient_divisor", np.geomspace(0.5, 8, 30).tolist()),
    Plan("trained heads", "heads", 100, "head", [str(head) for head in range(12)]),
    Plan("own Q, K, V", "own", 100, "own_head", range(12)),
    Plan("cost", "cost", 100, "cost_heads", ["1", "2", "4", "8", "12", "16", "32", "64"]),
    Plan("lessons", "teach", 100, "minutes", [["25"], ["50"], ["10"]]),
    Plan("quiz", "quiz", 100, "question", range(1, 23)),
)
