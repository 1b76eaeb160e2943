"""What a sweep may cost, and what a given one does.

A sweep is run while somebody waits, perhaps thirty people on one machine. These bounds keep every
allowed setting to some seconds and to less than 200 MB; they are stated in random numbers and
scores, which are the same on every machine.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass

MAX_WIDTH = 2**20
"""Largest head width d_k."""

MAX_WIDTHS = 64
"""Most widths in one sweep."""

MIN_KEYS, MAX_KEYS = 2, 4096
"""Keys a query has; a row of one key always has weight 1."""

MAX_QUERIES = 1024
"""Most queries that share keys."""

MAX_TRIALS = 2**20
"""Most trials."""

MAX_NORMALS = 2**28
"""Random numbers of a drawn-vectors sweep, all widths together."""

MAX_SCORES = 2**24
"""Scores of an exact-law sweep, at each width."""

ENGINES = ("drawn-vectors", "exact-law")
"""Names of the two ways to get scores."""


@dataclass(frozen=True, slots=True)
class SweepCost:
    """Random numbers drawn and scores measured, one entry a width."""

    normals: tuple[int, ...]
    scores: tuple[int, ...]

    @property
    def total(self) -> int:
        """Numbers of both kinds at all widths: what progress is counted in."""
        return sum(self.normals) + sum(self.scores)


def sweep_cost(
    widths: Sequence[int],
    /,
    *,
    n_keys: int,
    n_queries: int = 1,
    n_trials: int,
    engine: str = "exact-law",
) -> SweepCost:
    """Return what a sweep would draw and measure, whether it is allowed or not.

    Parameters are those of `core.sweep`.

    Raises
    ------
    ValueError, TypeError
        If an argument by itself is out of its bounds or of the wrong kind.

    Examples
    --------
    >>> sweep_cost([4, 1024], n_keys=12, n_trials=4000, engine="drawn-vectors").normals
    (208000, 53248000)
    >>> sweep_cost([4, 1024], n_keys=12, n_trials=4000, engine="exact-law").normals
    (52000, 52000)
    """
    widths = checked_widths(widths)
    n_keys, n_queries, n_trials = checked_counts(n_keys, n_queries, n_trials)
    per_trial = [_normals_per_trial(d, n_keys, n_queries, checked_engine(engine)) for d in widths]
    scores = n_trials * n_queries * n_keys
    return SweepCost(tuple(n_trials * n for n in per_trial), (scores,) * len(widths))


def largest_trials(
    widths: Sequence[int], /, *, n_keys: int, n_queries: int = 1, engine: str = "exact-law"
) -> int:
    """Return the most trials that the bounds allow, 0 if not even one fits.

    Examples
    --------
    >>> largest_trials([4, 16, 64], n_keys=12, engine="exact-law")
    1048576
    >>> largest_trials([2**20], n_keys=12, engine="drawn-vectors")
    19
    """
    one = sweep_cost(widths, n_keys=n_keys, n_queries=n_queries, n_trials=1, engine=engine)
    if engine == "exact-law":
        return min(MAX_TRIALS, MAX_SCORES // one.scores[0])
    return min(MAX_TRIALS, MAX_NORMALS // sum(one.normals), MAX_NORMALS // sum(one.scores))


def checked_cost(
    widths: Sequence[int], /, *, n_keys: int, n_queries: int, n_trials: int, engine: str
) -> SweepCost:
    """Return the cost of a sweep, or raise a ValueError that names the bound it is over."""
    cost = sweep_cost(widths, n_keys=n_keys, n_queries=n_queries, n_trials=n_trials, engine=engine)
    if n_trials > (
        most := largest_trials(widths, n_keys=n_keys, n_queries=n_queries, engine=engine)
    ):
        if engine == "exact-law":
            found = f"{cost.scores[0]:,} scores a width, more than MAX_SCORES = {MAX_SCORES:,}"
        else:
            found = (
                f"{sum(cost.normals):,} random numbers and {sum(cost.scores):,} scores, more "
                f"than MAX_NORMALS = {MAX_NORMALS:,}"
            )
        remedy = f"at most {most:,} trials fit" if most else "not even one trial fits"
        raise ValueError(f"this {engine} sweep has {found}: {remedy} at these widths and keys")
    return cost


def checked_widths(widths: Sequence[int], /) -> tuple[int, ...]:
    """Return the widths as integers, or say which bound one is beyond."""
    checked = tuple(_checked("widths", d, 1, MAX_WIDTH, "MAX_WIDTH") for d in widths)
    if not 1 <= len(checked) <= MAX_WIDTHS:
        raise ValueError(f"a sweep takes 1 to MAX_WIDTHS = {MAX_WIDTHS} widths, not {len(checked)}")
    return checked


def checked_counts(n_keys: int, n_queries: int, n_trials: int, /) -> tuple[int, int, int]:
    """Return the three counts as integers, or say which bound one is beyond."""
    return (
        _checked("n_keys", n_keys, MIN_KEYS, MAX_KEYS, "MAX_KEYS"),
        _checked("n_queries", n_queries, 1, MAX_QUERIES, "MAX_QUERIES"),
        _checked("n_trials", n_trials, 1, MAX_TRIALS, "MAX_TRIALS"),
    )


def checked_engine(engine: str, /) -> str:
    """Return the engine's name if there is one of that name."""
    if engine not in ENGINES:
        raise ValueError(f"engine must be one of {', '.join(map(repr, ENGINES))}, not {engine!r}")
    return engine


def checked_seed(seed: int, /) -> int:
    """Return the seed as an integer, 0 or more."""
    return _checked("seed", seed, 0, None, "")


def _checked(name: str, value: int, least: int, most: int | None, bound: str) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be whole numbers, not {value!r}")
    number = operator.index(value)
    if number < least:
        raise ValueError(f"{name} must be at least {least}, not {number:,}")
    if most is not None and number > most:
        raise ValueError(f"{name} must be at most {bound} = {most:,}, not {number:,}")
    return number


def _normals_per_trial(d_k: int, n_keys: int, n_queries: int, engine: str) -> int:
    if engine == "drawn-vectors":
        return (n_queries + n_keys) * d_k
    if n_queries == 1:
        return n_keys + 1
    few, many = min(n_queries, n_keys), max(n_queries, n_keys)
    rank = min(few, d_k)
    return rank * few - rank * (rank - 1) // 2 + rank * many
