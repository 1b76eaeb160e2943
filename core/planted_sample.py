r"""The planted key's weight, measured: rows sampled from the exact law of their scores.

All divisors are applied to the same scores. A row is a trial of its own, and every mean carries
its 95 % interval.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core._checked import checked_rho, checked_widths
from core.intervals import Estimate, Point, mean_interval, share_interval
from core.planted import PLANTED_DIVISORS
from core.planted_rows import LOWEST, OtherKeys, other_keys

FloatArray = NDArray[np.float64]

__all__ = ["PlantedSample", "planted_among", "planted_sample"]


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
    rho = checked_rho(rho)
    d_ks = checked_widths(widths).astype(np.int64).tolist()
    return planted_among(
        (other_keys(d_k, n_keys=n_keys, n_rows=n_rows, seed=seed) for d_k in d_ks), rho=rho
    )


def planted_among(others: Iterable[OtherKeys], /, *, rho: float) -> PlantedSample:
    """Put the planted key among other keys that were sampled, and measure the rows.

    Parameters
    ----------
    others : iterable of OtherKeys
        One for each width, with the same number of keys.
    rho : float
        Correlation ρ of the planted key with the query, −1 to 1.

    Returns
    -------
    PlantedSample
        The same as `planted_sample` gives for these rows.
    """
    rho = checked_rho(rho)
    widths, ceiling, leads = [], 0.0, []
    weights: dict[str, list[Point]] = {name: [] for name in PLANTED_DIVISORS}
    entropies: dict[str, list[Point]] = {name: [] for name in PLANTED_DIVISORS}
    for rows in others:
        widths.append(rows.d_k)
        ceiling = math.log(rows.n_keys)
        score = rho * rows.square + math.sqrt(1.0 - rho * rho) * rows.noise
        leads.append(
            share_interval(float((score >= rows.largest).mean()), 0.0, len(rows.square), 1)
        )
        for name in PLANTED_DIVISORS:
            weight, entropy = _measured(score, rows, name)
            weights[name].append(_mean(weight, 1.0))
            entropies[name].append(_mean(entropy, ceiling))
    return PlantedSample(
        np.array(widths),
        {name: _estimate(points) for name, points in weights.items()},
        {name: _estimate(points) for name, points in entropies.items()},
        _estimate(leads),
        ceiling,
    )


def _measured(score: FloatArray, rows: OtherKeys, name: str) -> tuple[FloatArray, FloatArray]:
    """Return the planted key's weight and the entropy of each row under a divisor."""
    # One of the two lies at 0, the largest score, and its exponential is 1.
    lead = (score - rows.largest) / PLANTED_DIVISORS[name](rows.d_k)
    own, theirs = np.minimum(lead, 0.0), np.minimum(-lead, 0.0)
    power, scale = np.exp(np.maximum(own, LOWEST)), np.exp(np.maximum(theirs, LOWEST))
    rest = rows.total[name] * scale
    total = power + rest
    mean = (power * own + rows.moment[name] * scale + rest * theirs) / total
    return power / total, np.log(total) - mean


def _mean(rows: FloatArray, most: float) -> Point:
    """Return the mean over rows with its interval; a row's value lies between 0 and `most`."""
    return mean_interval(float(rows.mean()), float(rows.var(ddof=1)), len(rows), bounds=(0.0, most))


def _estimate(points: Sequence[Point]) -> Estimate:
    return Estimate(*np.array(points).T)
