"""What a benchmark hands in: measured values beside their budgets, and how to time fairly."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

PAIRS = 5
"""Times that two things are timed one after the other; the median ratio counts."""


@dataclass(frozen=True, slots=True)
class Row:
    """One measured value.

    Parameters
    ----------
    name
        What was measured.
    measured
        The value, in `unit`.
    at_most, at_least
        The budget; a row without any is for information.
    unit
        Printed after the value and the budget.
    """

    name: str
    measured: float
    at_most: float | None = None
    at_least: float | None = None
    unit: str = ""

    @property
    def ok(self) -> bool:
        """Whether the value keeps to its budget."""
        return (self.at_least is None or self.measured >= self.at_least) and (
            self.at_most is None or self.measured <= self.at_most
        )

    @property
    def budget(self) -> str:
        """The budget in words."""
        if self.at_least is not None and self.at_most is not None:
            return f"{self.at_least:g} to {self.at_most:g}{self.unit}"
        if self.at_least is not None:
            return f"≥ {self.at_least:g}{self.unit}"
        return "" if self.at_most is None else f"≤ {self.at_most:g}{self.unit}"

    def cells(self) -> tuple[str, str, str, str]:
        """Return name, measured value, budget and verdict as printed."""
        verdict = ("ok" if self.ok else "OVER") if self.budget else ""
        return self.name, f"{self.measured:.4g}{self.unit}", self.budget, verdict


def seconds(work: Callable[[], object], /, *, runs: int = 1) -> float:
    """Return the median time of some runs, the garbage collector kept out."""
    times = []
    gc.collect()
    gc.disable()
    try:
        for _ in range(runs):
            start = time.perf_counter()
            work()
            times.append(time.perf_counter() - start)
    finally:
        gc.enable()
    return statistics.median(times)


def median_ratio(
    ours: Callable[[], object],
    baseline: Callable[[], object],
    /,
    *,
    runs: int = 1,
    baseline_runs: int = 1,
) -> float:
    """Return ours ÷ baseline, the median of `PAIRS` pairs timed in turn after a warm-up."""
    ours()
    baseline()
    return statistics.median(
        seconds(ours, runs=runs) / seconds(baseline, runs=baseline_runs) for _ in range(PAIRS)
    )
