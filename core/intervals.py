r"""A 95 % interval says how far a sampled statistic may be from what it estimates.

A statistic of a sweep is a mean over *trials*. Trials are independent; the scores inside one are
not, because they share a query, and the rows of one are not, because they share keys. So the
spread between trials tells the precision, and the number of trials, not the number of scores, is
how much is known. Means get Student's t. Shares get Wilson's interval, with as many independent
rows as the spread between trials supports. A standard deviation gets Student's t on the scale of
logarithms, where it can't leave the positive numbers; a few trials that agree by chance don't
make it precise where the law of the scores says how far they vary. How often such intervals cover
the exact value is measured in the benchmarks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._student import student_t_quantile

FloatArray = NDArray[np.float64]

UPPER = 0.975
"""Where the upper end of a two-sided 95 % interval lies."""

FEW_TRIALS = 30
"""Below this many trials the skewness of a bounded statistic matters, see `mean_interval`."""

_Z = NormalDist().inv_cdf(UPPER)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A statistic with its 95 % interval: arrays of shape (n_widths,), in the statistic's unit.

    A single trial tells nothing about precision: its interval is all that is possible and its
    standard error infinite.
    """

    value: FloatArray
    low: FloatArray
    high: FloatArray
    standard_error: FloatArray


class Point(NamedTuple):
    """The same for one width: numbers."""

    value: float
    low: float
    high: float
    standard_error: float

    def divided(self, unit: float, /) -> Point:
        """Return the point in another unit."""
        return Point(*(number / unit for number in self))


def mean_interval(
    mean: float, variance: float, n_trials: int, /, *, bounds: tuple[float, float]
) -> Point:
    r"""Return the interval of the mean of a bounded statistic, by Student's t.

    .. math:: \bar x \pm t_{n-1}\, s / \sqrt n

    clipped to the bounds. With fewer than `FEW_TRIALS` trials the same t is used on the scale of
    ln(u / (1 − u)), u being the position between the bounds: a mean near a bound has a skewed
    distribution, which a symmetric interval misses on one side. With r the standard error on that
    scale its centre is moved by (1 − 2u) r², twice the bias of the logarithms: once for that
    bias and once because skewed samples that miss the truth also underrate their spread. Trials
    that all agree (as they do where every weight rounds to 1) are given Wilson's interval.

    Parameters
    ----------
    mean, variance
        Of the trials; the variance with n − 1 in its denominator.
    n_trials
        Independent trials n, 1 or more.
    bounds
        Least and greatest possible value.

    Examples
    --------
    >>> mean_interval(0.5, 0.04, 100, bounds=(0, 1)).standard_error
    0.02
    """
    low, high = bounds
    if n_trials < 2:
        return Point(mean, low, high, math.inf)
    span = high - low
    u = min(max((mean - low) / span, 0.0), 1.0)
    error = math.sqrt(max(variance, 0.0) / n_trials)
    if error == 0.0 or u * (1.0 - u) == 0.0:
        _, below, above, error = _wilson(u, float(n_trials))
        return Point(mean, low + span * below, low + span * above, span * error)
    t = student_t_quantile(UPPER, n_trials - 1)
    if n_trials >= FEW_TRIALS:
        return Point(mean, max(mean - t * error, low), min(mean + t * error, high), error)
    relative = min(error / (span * u * (1.0 - u)), 1e150)  # a number that has a square
    reach = t * relative
    moved = min(max((1.0 - 2.0 * u) * relative * relative, -reach), reach)
    # Odds are multiplied where their logarithm is moved; e⁷⁰⁰ times any odds is a bound.
    less, more = math.exp(max(moved - reach, -700.0)), math.exp(min(moved + reach, 700.0))
    below, above = u * less / (u * less + 1.0 - u), u * more / (u * more + 1.0 - u)
    return Point(mean, low + span * below, low + span * above, error)


def share_interval(share: float, variance: float, n_trials: int, rows: int, /) -> Point:
    r"""Return Wilson's interval of a share of rows, clustered by trial.

    .. math:: \frac{p + z^2/2m \pm z\sqrt{p(1-p)/m + z^2/4m^2}}{1 + z^2/m}, \qquad
        m = n\,\frac{p(1-p)}{s^2}

    m is the number of independent rows that would vary as much as the trials' own shares do, at
    least the number of trials and at most that of rows. Where all trials agree nothing is known
    of it, and the trials are counted. The standard error is half the interval's length over
    1.96, which is not zero at a share of zero.

    Parameters
    ----------
    share, variance
        Mean p and variance s² of the trials' shares.
    n_trials, rows
        Independent trials n, and rows in each.

    References
    ----------
    Wilson, "Probable inference, the law of succession, and statistical inference",
    doi:10.1080/01621459.1927.10502953. Korn and Graubard, "Confidence intervals for proportions
    with small expected number of positive counts", for the effective sample size.

    Examples
    --------
    >>> point = share_interval(0.0, 0.0, 4000, 1)
    >>> point.low, round(point.high, 5)
    (0.0, 0.00096)
    """
    if n_trials < 2:
        return Point(share, 0.0, 1.0, math.inf)
    independent = float(n_trials)
    if rows > 1 and variance > 0.0:
        supported = n_trials * share * (1.0 - share) / variance
        independent = min(max(supported, independent), independent * rows)
    return _wilson(share, independent)


def spread_interval(
    std: float, square: float, variance: float, n_trials: int, /, *, known: float = 0.0
) -> Point:
    r"""Return the interval of a standard deviation, by Student's t on the scale of logarithms.

    .. math:: \ln \sigma^2 \in \ln v + r^2 \pm t_{n-1}\, r, \qquad r = \frac{s}{v \sqrt n}

    The trials' mean squares have mean v and variance s²; r² is twice the bias of the logarithm,
    for the two reasons given at `mean_interval`. Where the law of the scores says what r is, the
    interval reaches at least from ln v − 1.96 r to ln v + r² + 1.96 r with that r: two trials
    about their common mean are mirror images, and would look precise.

    Parameters
    ----------
    std
        The value to report.
    square, variance
        Unbiased estimate v of the squared standard deviation, and variance s² of the trials'
        contributions to it.
    n_trials
        Independent trials n.
    known
        Standard error of v in units of σ², by the law of the scores; 0 where that is not known.

    Examples
    --------
    >>> point = spread_interval(2.0, 4.0, 9.0, 3600)
    >>> round(point.low, 3), round(point.high, 3), point.standard_error
    (1.976, 2.025, 0.0125)
    """
    if n_trials < 2 or not square > 0.0:
        return Point(std, 0.0, math.inf, math.inf)
    relative = math.sqrt(max(variance, 0.0) / n_trials) / square
    t = student_t_quantile(UPPER, n_trials - 1)
    below = min(relative * (relative - t), -_Z * known)
    above = max(relative * (relative + t), known * (known + _Z))
    root = math.sqrt(square)
    return Point(
        std,
        min(root * math.exp(below / 2.0), std),
        max(root * math.exp(above / 2.0), std),
        std * max(relative, known) / 2.0,
    )


def _wilson(share: float, independent: float) -> Point:
    z2 = _Z * _Z / independent
    centre = (share + z2 / 2.0) / (1.0 + z2)
    reach = math.sqrt(z2 * share * (1.0 - share) + z2 * z2 / 4.0) / (1.0 + z2)
    low = 0.0 if share == 0.0 else max(centre - reach, 0.0)
    high = 1.0 if share == 1.0 else min(centre + reach, 1.0)
    return Point(share, low, high, reach / _Z)
