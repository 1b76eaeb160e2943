"""An exact curve has to cost far less than the sampled run that it is drawn under."""

import time

import numpy as np

import core
from core import expectation

WIDTHS = np.unique(np.geomspace(1, 2**20, 42).round().astype(int))[-40:]
BUDGET = 0.1
REPEATS = 5


def seconds(run) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def exact_curve() -> None:
    """40 widths, raw and scaled; every statistic, since they come from one table."""
    expectation._table.cache_clear()
    for scaled in (False, True):
        core.expected(WIDTHS, n_keys=12, scaled=scaled)


def rows():
    """(what was timed, ratio, largest ratio allowed), pairs timed in turn and medians of ratios."""
    assert WIDTHS.size == 40
    exact_curve()
    ratios = []
    for _ in range(REPEATS):
        curve = seconds(exact_curve)
        ratios.append(curve / seconds(lambda: core.published("independent-keys")))
    what = "exact curve, 40 widths, raw and scaled, no cache ÷ independent-keys preset"
    return [(what, float(np.median(ratios)), BUDGET)]


if __name__ == "__main__":
    for what, ratio, budget in rows():
        print(f"{what}: {ratio:.4f} (at most {budget})")
