r"""Where gradients go as the head gets wider.

Attention learns through softmax, and softmax passes on what its Jacobian lets through. The norms
of random rows spread over many orders of magnitude, a few lively rows among many dead ones, so
that a mean describes none of them: quantiles and the share of saturated rows do. How soon raw
gradients die depends on the number of keys; with few they die early, with many they do not.
Scaling moderates saturation; it promises no healthy gradient.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._rows import SATURATED
from core._top import frobenius_norm, top_of_logits
from core.intervals import UPPER, Estimate, Point, share_interval
from core.limits import (
    MAX_KEYS,
    MAX_SCORES,
    MAX_TRIALS,
    MIN_KEYS,
    checked_seed,
    checked_widths,
)

__all__ = [
    "MIN_GRADIENT_ROWS",
    "QUANTILES",
    "GradientNorms",
    "NormQuantiles",
    "gradient_norms",
    "rows_outside",
]

FloatArray = NDArray[np.float64]

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
"""Quantiles of the norms over rows."""

MIN_GRADIENT_ROWS = 6
"""Of fewer rows not even the extremes enclose the median 95 % of the time."""

_BLOCK = 1 << 16
"""Scores handled at once, half a megabyte."""


@dataclass(frozen=True, slots=True)
class NormQuantiles:
    """How norms spread over rows, at each width.

    Attributes
    ----------
    quantiles : ndarray, shape (5, n_widths)
        The quantiles of `QUANTILES`; the middle one is the median.
    median_low, median_high : ndarray, shape (n_widths,)
        Order statistics that enclose the median of the law in at least 95 % of runs.
    """

    quantiles: FloatArray
    median_low: FloatArray
    median_high: FloatArray

    @property
    def median(self) -> FloatArray:
        """Median over rows, shape (n_widths,)."""
        return np.asarray(self.quantiles[QUANTILES.index(0.5)])

    def over(self, divisor: FloatArray, /) -> "NormQuantiles":
        """Divide every norm by the divisor of its width."""
        return NormQuantiles(
            self.quantiles / divisor, self.median_low / divisor, self.median_high / divisor
        )


@dataclass(frozen=True, slots=True)
class GradientNorms:
    """Gradient norms of random rows across widths, raw and scaled on the same draws.

    Attributes
    ----------
    widths : ndarray of int, shape (n_widths,)
        Widths d_k, as given.
    raw : NormQuantiles
        ‖J‖_F of raw rows. Their divisor is 1, so this is ‖J/τ‖_F too.
    scaled : NormQuantiles
        ‖J‖_F of rows divided by √d_k: the derivative with respect to the divided scores.
    scaled_gradient : NormQuantiles
        ‖J/√d_k‖_F of the same rows: the derivative with respect to the raw scores.
    raw_saturated, scaled_saturated : Estimate
        Share of rows whose largest weight passes 0.9, with Wilson's 95 % interval.
    n_keys, n_rows, seed : int
        What was asked for.
    """

    widths: NDArray[np.int64]
    raw: NormQuantiles
    scaled: NormQuantiles
    scaled_gradient: NormQuantiles
    raw_saturated: Estimate
    scaled_saturated: Estimate
    n_keys: int
    n_rows: int
    seed: int


class _Column(NamedTuple):
    """One variant at one width."""

    quantiles: FloatArray
    median_low: float
    median_high: float
    saturated: Point


def gradient_norms(
    widths: Sequence[int], /, *, n_keys: int, n_rows: int, seed: int
) -> GradientNorms:
    r"""Sample gradient norms of random rows across widths, raw and scaled on the same draws.

    .. math:: s_j = \|q\|\, z_j, \quad \|q\| \sim \chi_{d_k}

    is the exact law of the scores of a standard-normal query against independent standard-normal
    keys, at the cost of n_keys + 1 random numbers a row whatever the width. A width gives the same
    numbers whichever other widths are asked for.

    Parameters
    ----------
    widths : sequence of int, length n_widths
        Widths d_k, 1 to 2²⁰.
    n_keys : int
        Keys in a row, 2 to 4,096.
    n_rows : int
        Rows at each width, 6 to 2²⁰, with at most 2²⁴ scores (n_rows × n_keys).
    seed : int
        Seed of the random numbers, at least 0.

    Returns
    -------
    GradientNorms
        Quantiles of the norms (no unit for ‖J‖_F, per score for ‖J/√d_k‖_F) and saturated shares.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of its bounds or not a whole number.

    Examples
    --------
    >>> norms = gradient_norms([64], n_keys=3, n_rows=2000, seed=1)
    >>> bool(norms.raw.median[0] < 0.02), bool(norms.scaled.median[0] > 0.4)
    (True, True)
    """
    d_k = np.array(checked_widths(widths))
    seed = checked_seed(seed)
    n_keys = _within("n_keys", n_keys, MIN_KEYS, MAX_KEYS, "MAX_KEYS")
    n_rows = _within("n_rows", n_rows, MIN_GRADIENT_ROWS, MAX_TRIALS, "MAX_TRIALS")
    if n_rows * n_keys > MAX_SCORES:
        raise ValueError(
            f"n_rows × n_keys is {n_rows * n_keys:,} scores a width, more than MAX_SCORES = "
            f"{MAX_SCORES:,}: at most {MAX_SCORES // n_keys:,} rows of {n_keys:,} keys fit"
        )
    raw, scaled = zip(*(_sample(d, n_keys, n_rows, seed) for d in d_k.tolist()), strict=True)
    scaled_norms, scaled_saturated = _gather(scaled)
    raw_norms, raw_saturated = _gather(raw)
    return GradientNorms(
        d_k,
        raw_norms,
        scaled_norms,
        scaled_norms.over(np.sqrt(d_k)),
        raw_saturated,
        scaled_saturated,
        n_keys,
        n_rows,
        seed,
    )


def _sample(d_k: int, n_keys: int, n_rows: int, seed: int) -> tuple[_Column, _Column]:
    """Draw the rows of a width and sum up their norms, raw and scaled."""
    rng = np.random.default_rng([seed, d_k])
    norms = np.empty((2, n_rows))
    saturated = [0, 0]
    step = max(1, _BLOCK // n_keys)
    for start in range(0, n_rows, step):
        rows = slice(start, min(start + step, n_rows))
        length = np.sqrt(rng.chisquare(d_k, rows.stop - start))
        scores = length[:, None] * rng.standard_normal((length.size, n_keys))
        for i, divisor in enumerate((1.0, np.sqrt(d_k))):
            top = top_of_logits(scores / divisor)
            norms[i, rows] = frobenius_norm(top)
            saturated[i] += int(np.count_nonzero(top.largest > SATURATED))
    norms.sort(axis=-1)
    skip = rows_outside(n_rows)
    raw, scaled = (
        _Column(
            np.quantile(ordered, QUANTILES),
            float(ordered[skip]),
            float(ordered[-1 - skip]),
            share_interval(count / n_rows, 0.0, n_rows, 1),
        )
        for ordered, count in zip(norms, saturated, strict=True)
    )
    return raw, scaled


def _gather(columns: Sequence[_Column]) -> tuple[NormQuantiles, Estimate]:
    norms = NormQuantiles(
        np.stack([c.quantiles for c in columns], axis=-1),
        np.array([c.median_low for c in columns]),
        np.array([c.median_high for c in columns]),
    )
    value, low, high, error = np.array([c.saturated for c in columns]).T
    return norms, Estimate(value, low, high, error)


@lru_cache(maxsize=64)
def rows_outside(n_rows: int, /) -> int:
    """Count the ordered rows to leave out at each end of a 95 % interval for the median.

    The number of rows below the median is binomial with probability one half: k rows may go where
    P(B ≤ k) is at most 2.5 %.

    Examples
    --------
    >>> rows_outside(21)
    5
    """
    k = np.arange(n_rows // 2)
    log_probability = np.cumsum(np.log((n_rows - k) / (k + 1.0))) - n_rows * np.log(2.0)
    # Entry k holds P(B = k + 1); P(B = 0) comes before them all.
    at_most = np.exp2(-float(n_rows)) + np.cumsum(np.exp(np.maximum(log_probability, -700.0)))
    return int(np.count_nonzero(at_most <= 1.0 - UPPER))


def _within(name: str, value: int, least: int, most: int, bound: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(f"{name} must be a whole number; got {value!r}")
    if not least <= value <= most:
        raise ValueError(f"{name} must be {least} to {bound} = {most:,}; got {value:,}")
    return int(value)
