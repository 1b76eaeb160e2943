r"""The planted key's weight, measured: rows sampled from the exact law of their scores.

Given ‖q‖ the planted key's score is ρ‖q‖² + √(1 − ρ²)‖q‖z and every other key's is ‖q‖z, so that
a row of n keys takes n + 1 random numbers at any width. All divisors are applied to the same
scores. A row is a trial of its own, and every mean carries its 95 % interval.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core._checked import checked_sample, checked_widths
from core.intervals import Estimate, Point, mean_interval, share_interval
from core.limits import checked_seed
from core.planted import PLANTED_DIVISORS, checked_rho

FloatArray = NDArray[np.float64]

__all__ = ["PlantedSample", "planted_rows", "planted_sample"]

_LOWEST = -500.0
"""exp(−500) is lost beside a total of 1 or more; below it exponentials get slow."""


@dataclass(frozen=True, slots=True)
class PlantedSample:
    """What was measured of rows with one planted key; each `Estimate` has one entry a width.

    Attributes
    ----------
    widths : ndarray of int, shape (n_widths,)
        Head widths d_k.
    weight : mapping of str to Estimate
        Mean weight of the planted key, for each name in `core.planted.PLANTED_DIVISORS`.
    entropy : mapping of str to Estimate
        Mean entropy of the row, nats.
    lead : Estimate
        Share of rows in which the planted key has the largest score: the same for all divisors.
    ceiling : float
        ln n_keys, the most that an entropy can be, nats.
    """

    widths: NDArray[np.int64]
    weight: Mapping[str, Estimate]
    entropy: Mapping[str, Estimate]
    lead: Estimate
    ceiling: float


def planted_rows(
    rng: np.random.Generator, d_k: int, /, *, rho: float, n_keys: int, n_rows: int
) -> FloatArray:
    """Sample rows of raw scores; the planted key comes first.

    Draw order: ``rng.chisquare(d_k, n_rows)`` for ‖q‖², then
    ``rng.standard_normal((n_rows, n_keys))``.

    Parameters
    ----------
    rng : Generator
    d_k : int
        Head width.
    rho : float
        Correlation ρ of the planted key with the query, −1 to 1.
    n_keys, n_rows : int
        Keys in a row, the planted one included, and rows.

    Returns
    -------
    ndarray, shape (n_rows, n_keys)
        Scores, undivided.

    Examples
    --------
    >>> scores = planted_rows(np.random.default_rng(1), 256, rho=0.3, n_keys=64, n_rows=1000)
    >>> scores.shape, bool(abs(scores[:, 0].mean() - 0.3 * 256) < 2.0)
    ((1000, 64), True)
    """
    square = rng.chisquare(d_k, n_rows)
    length = np.sqrt(square)
    scores = rng.standard_normal((n_rows, n_keys)) * length[:, None]
    scores[:, 0] = rho * square + math.sqrt(1.0 - rho * rho) * scores[:, 0]
    return scores


def planted_sample(
    widths: Sequence[int], /, *, rho: float, n_keys: int, n_rows: int, seed: int
) -> PlantedSample:
    """Measure the planted key's weight and the rows' entropy under every divisor.

    Parameters
    ----------
    widths : sequence of int
        Head widths d_k, 1 to 2²⁰.
    rho : float
        Correlation ρ of the planted key with the query, −1 to 1.
    n_keys : int
        Keys in a row, the planted one included: 2 to 4,096.
    n_rows : int
        Independent rows at each width, 2 or more; at most 2²⁴ scores a width.
    seed : int
        0 or more. Each width has a stream of its own.

    Returns
    -------
    PlantedSample
        Estimates with 95 % intervals: Student's t for means, Wilson's for the share.

    Raises
    ------
    ValueError
        If an argument is beyond its bounds.

    Examples
    --------
    >>> sample = planted_sample([16, 1024], rho=0.3, n_keys=64, n_rows=2000, seed=1)
    >>> sample.weight["sqrt_d_k"].value.round(2), sample.weight["d_k"].value.round(3)
    (array([0.05, 0.99]), array([0.021, 0.021]))
    """
    d_ks = checked_widths(widths).astype(np.int64)
    n_keys, n_rows = checked_sample(n_keys, n_rows)
    rho, seed = checked_rho(rho), checked_seed(seed)
    ceiling = math.log(n_keys)
    means = np.empty((2, len(PLANTED_DIVISORS), len(Point._fields), len(d_ks)))
    lead = np.empty((len(Point._fields), len(d_ks)))
    for i, d_k in enumerate(d_ks.tolist()):
        rng = np.random.Generator(np.random.SFC64([seed, d_k]))
        scores = planted_rows(rng, d_k, rho=rho, n_keys=n_keys, n_rows=n_rows)
        scores -= scores.max(axis=1, keepdims=True)
        lead[:, i] = share_interval(float((scores[:, 0] == 0.0).mean()), 0.0, n_rows, 1)
        for j, divisor in enumerate(PLANTED_DIVISORS.values()):
            weight, entropy = _measured(scores, divisor(d_k))
            means[0, j, :, i] = _mean(weight, 1.0)
            means[1, j, :, i] = _mean(entropy, ceiling)
    weights, entropies = (
        {name: Estimate(*columns) for name, columns in zip(PLANTED_DIVISORS, of_all, strict=True)}
        for of_all in means
    )
    return PlantedSample(d_ks, weights, entropies, Estimate(*lead), ceiling)


def _measured(shifted: FloatArray, divisor: float) -> tuple[FloatArray, FloatArray]:
    """Return the first key's weight and the entropy of each row, whose largest score is 0."""
    powers = np.exp(np.maximum(shifted / divisor, _LOWEST))
    total = powers.sum(axis=1)
    mean = np.einsum("rk,rk->r", powers, shifted) / (total * divisor)
    return powers[:, 0] / total, np.log(total) - mean


def _mean(rows: FloatArray, most: float) -> Point:
    """Return the mean over rows with its interval; a row's value lies between 0 and `most`."""
    return mean_interval(float(rows.mean()), float(rows.var(ddof=1)), len(rows), bounds=(0.0, most))
