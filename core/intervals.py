r"""A 95 % interval says how far a sampled statistic may be from what it estimates.

A statistic of a sweep is a mean over *trials*. Trials are independent; the scores inside one are
not, because they share a query, and the rows of one are not, because they share keys. So the
spread between trials tells the precision, and the number of trials, not the number of scores, is
how much is known. Means get Student's t; shares get Wilson's interval with as many independent
rows as the spread between trials supports; a standard deviation gets Student's t on the scale of
logarithms, where it can't leave the positive numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from core._student import student_t_quantile

FloatArray = NDArray[np.float64]

UPPER = 0.975
"""Where the upper end of a two-sided 95 % interval lies."""

Z = NormalDist().inv_cdf(UPPER)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A statistic with its 95 % interval; arrays of shape (n_widths,) in the statistic's unit.

    A single trial tells nothing about precision: the interval is then all that is possible and
    the standard error infinite.
    """

    value: FloatArray
    low: FloatArray
    high: FloatArray
    standard_error: FloatArray


@dataclass(frozen=True, slots=True)
class Point:
    """An estimate at one width."""

    value: float
    low: float
    high: float
    standard_error: float


def stack(points: list[Point], /) -> Estimate:
    """Gather the estimates of several widths."""
    return Estimate(
        np.array([p.value for p in points]),
        np.array([p.low for p in points]),
        np.array([p.high for p in points]),
        np.array([p.standard_error for p in points]),
    )


def mean_interval(
    mean: float, variance: float, n_trials: int, /, *, bounds: tuple[float, float]
) -> Point:
    """Return the interval of a mean of independent trials, clipped to its possible range."""
    if n_trials < 2:
        return Point(mean, *bounds, math.inf)
    error = math.sqrt(variance / n_trials)
    reach = student_t_quantile(UPPER, n_trials - 1) * error
    return Point(mean, max(mean - reach, bounds[0]), min(mean + reach, bounds[1]), error)


def share_interval(share: float, variance: float, n_trials: int, n_rows: int, /) -> Point:
    """Return Wilson's interval of a share of rows, clustered by trial."""
    if n_trials < 2:
        return Point(share, 0.0, 1.0, math.inf)
    independent = float(n_trials)
    if n_rows > 1 and variance > 0.0:
        independent = min(
            max(share * (1 - share) * n_trials / variance, n_trials), n_trials * n_rows
        )
    z2 = Z * Z / independent
    centre = (share + z2 / 2) / (1 + z2)
    reach = math.sqrt(z2 * share * (1 - share) + z2 * z2 / 4) / (1 + z2)
    return Point(share, max(centre - reach, 0.0), min(centre + reach, 1.0), reach / Z)


def spread_interval(mean_square: float, variance: float, n_trials: int, /) -> Point:
    """Return the interval of a standard deviation from that of its square."""
    value = math.sqrt(mean_square)
    if n_trials < 2 or value == 0.0:
        return Point(value, 0.0, math.inf, math.inf)
    relative = math.sqrt(variance / n_trials) / (2 * mean_square)
    factor = math.exp(student_t_quantile(UPPER, n_trials - 1) * relative)
    return Point(value, value / factor, value * factor, value * relative)
