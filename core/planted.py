r"""One key that leans towards the query: what a divisor must not drown.

√d_k suits queries and keys that have nothing to do with each other. Learned ones do. Let the
components of one key, the planted one, correlate ρ with the query's,

.. math:: k^* = \rho\, q + \sqrt{1 - \rho^2}\, e,

all else being standard normal. Its score is ρ‖q‖² + √(1 − ρ²)‖q‖z: the mean ρ d_k grows like d_k,
the noise of every key only like √d_k. Dividing by √d_k keeps the noise at 1 and lets the planted
key stand out more and more with width; dividing by d_k keeps the *planted* score where it is, and
the weights next to uniform for ever. Which key has the largest score is the same under any divisor.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import ArrayLike, NDArray

from core._checked import checked_keys, checked_rho, checked_widths
from core._lattice import Rises, rises
from core._quadrature import chi_rule
from core._race import power, race_span
from core._special import normal_cdf

FloatArray = NDArray[np.float64]

__all__ = [
    "PLANTED_DIVISORS",
    "ScoreMoments",
    "planted_lead",
    "planted_moments",
    "planted_weight",
]

PLANTED_DIVISORS: Mapping[str, Callable[[float], float]] = MappingProxyType(
    {
        "sqrt_d_k": math.sqrt,
        "d_k/8": lambda d_k: d_k / 8.0,
        "d_k": float,
    }
)
"""Divisors by name, as functions of d_k.

The last is what μP (arXiv:2203.03466) scales attention by, up to a constant; d_k/8 is d_k with
that constant chosen to agree with √d_k at d_k = 64.
"""

_STEP = 0.4
"""Step in log time. With the reaches below it leaves less than 1e-8 in a weight."""
_FAINT, _TOP = 22.0, 3.9
"""A standard exponential is below e^-22, or above e^3.9, with probability 3e-10 or less."""
_NORMAL_STEP, _REACH = 0.5, 6.5
"""Step in a score, and the standard deviations of it that are integrated over."""
_SCORE_STEP, _LEAD_NODES = 0.125, 96
"""Step in the planted key's score over ‖q‖, and lengths, for the chance that it is the largest."""


@dataclass(frozen=True, slots=True)
class ScoreMoments:
    """Mean and standard deviation of a raw score, by width: arrays of one shape."""

    widths: FloatArray
    mean: FloatArray
    std: FloatArray

    @property
    def scaled_mean(self) -> FloatArray:
        """`mean` after division by √d_k: how far the noise of other keys, then 1, is exceeded."""
        return np.asarray(self.mean / np.sqrt(self.widths))


def planted_moments(widths: ArrayLike, /, *, rho: float) -> ScoreMoments:
    r"""Give the mean and standard deviation of the planted key's raw score.

    .. math:: E[q \cdot k^*] = \rho\, d_k, \qquad
        \operatorname{std}(q \cdot k^*) = \sqrt{d_k (1 + \rho^2)}

    Parameters
    ----------
    widths : array_like of int, shape (...)
        Widths d_k, 1 to 2²⁰.
    rho : float
        Correlation ρ between a component of the query and the same one of the key, −1 to 1.

    Returns
    -------
    ScoreMoments
        In the unit of raw scores. Any other key has mean 0 and standard deviation √d_k.

    Raises
    ------
    ValueError
        If `widths` or `rho` is out of bounds.

    Examples
    --------
    >>> moments = planted_moments([16, 1024], rho=0.3)
    >>> moments.mean, moments.std.round(3)
    (array([  4.8, 307.2]), array([ 4.176, 33.409]))
    """
    d_k = checked_widths(widths)
    rho = checked_rho(rho)
    return ScoreMoments(d_k, rho * d_k, np.sqrt(d_k * (1.0 + rho * rho)))


def planted_weight(widths: ArrayLike, /, *, rho: float, n_keys: int, divisor: str) -> FloatArray:
    r"""Give the exact mean weight of the planted key, with no sampling.

    Give every key an exponential clock of rate e^s. The planted one rings first with probability
    equal to its weight, so that

    .. math:: E[w^*] = \int f^*(u)\, S(u)^{n-1}\, du

    with f* the density of the logarithm of its time, S the chance that another key rings after
    e^u, and the whole averaged over ‖q‖, which is chi-distributed.

    Parameters
    ----------
    widths : array_like of int, shape (...)
        Widths d_k, 1 to 2²⁰.
    rho : float
        Correlation ρ of the planted key with the query, −1 to 1.
    n_keys : int
        Keys in the row, the planted one included: 2 to 100,000.
    divisor : str
        A name in `PLANTED_DIVISORS`.

    Returns
    -------
    ndarray, shape (...)
        Between 0 and 1, without unit. Absolute error below 1e-7.

    Raises
    ------
    ValueError
        If an argument is out of bounds or `divisor` is no name of one.

    References
    ----------
    Yang et al., "Tensor Programs V: tuning large neural networks via zero-shot hyperparameter
    transfer", arXiv:2203.03466, for division by d_k. Gumbel-max trick, arXiv:1411.0030.

    Examples
    --------
    >>> planted_weight([16, 64, 256, 1024], rho=0.3, n_keys=64, divisor="sqrt_d_k").round(2)
    array([0.05, 0.13, 0.53, 0.99])
    >>> planted_weight([16, 64, 256, 1024], rho=0.3, n_keys=64, divisor="d_k").round(3)
    array([0.021, 0.021, 0.021, 0.021])
    """
    d_k = checked_widths(widths)
    rho, n = checked_rho(rho), checked_keys(n_keys)
    if divisor not in PLANTED_DIVISORS:
        raise ValueError(
            f"divisor must be one of {', '.join(map(repr, PLANTED_DIVISORS))}; got {divisor!r}"
        )
    result = np.empty(d_k.shape)
    for at, width in np.ndenumerate(d_k):
        race = _race(float(width), divisor, n)
        lead = rho * race.lengths * race.sigma
        noise = (1.0 - rho * rho) * race.sigma**2
        result[at] = race.weights @ race.won.average(lead, noise)
    return np.clip(result, 0.0, 1.0)


def planted_lead(widths: ArrayLike, /, *, rho: float, n_keys: int) -> FloatArray:
    r"""Give the exact chance that the planted key has the largest score.

    .. math:: E\left[\int \varphi(z)\,
        \Phi\left(\rho\,\|q\| + \sqrt{1-\rho^2}\, z\right)^{n-1} dz\right]

    No divisor stands in it: dividing never changes the order.

    Parameters
    ----------
    widths, rho, n_keys
        As in `planted_weight`.

    Returns
    -------
    ndarray, shape (...)
        A probability, 0 to 1. Absolute error below 1e-7.

    Raises
    ------
    ValueError
        If an argument is out of bounds.

    Examples
    --------
    >>> planted_lead([16, 1024], rho=0.3, n_keys=64).round(3)
    array([0.141, 1.   ])
    """
    d_k = checked_widths(widths)
    rho, n = checked_rho(rho), checked_keys(n_keys)
    lengths, weights = chi_rule(d_k, _LEAD_NODES)
    mean = rho * lengths.reshape(-1)
    ahead = _largest(n).average(mean, np.full(mean.shape, 1.0 - rho * rho))
    lead = (ahead.reshape(lengths.shape) * weights).sum(axis=-1)
    return np.asarray(np.clip(lead, 0.0, 1.0))


@dataclass(frozen=True, slots=True)
class _Race:
    """What the other keys leave to the planted one at each length of the query, whatever ρ is."""

    lengths: FloatArray
    sigma: FloatArray
    weights: FloatArray
    won: Rises
    """Chance to ring before all others, by the planted key's score."""


@lru_cache(maxsize=640)
def _race(d_k: float, divisor: str, n: int) -> _Race:
    tau = PLANTED_DIVISORS[divisor](d_k)
    steep = math.sqrt(d_k) > tau
    lengths, weights = chi_rule(np.array(d_k), 64 if steep else 32)
    likely = weights > 1e-10
    lengths, weights = lengths[likely], weights[likely]
    sigma = lengths / tau
    early, late = race_span(sigma, n)
    first, last = math.floor(early.min() / _STEP), math.ceil(late.max() / _STEP)
    u = _STEP * np.arange(first, last + 1)
    left = power(np.stack([_later(u, s) for s in sigma.tolist()]), n - 1)
    # Before u nobody has rung, after it everybody.
    low, high = math.floor(-_FAINT / _STEP), math.ceil(_TOP / _STEP)
    left = np.pad(left, ((0, 0), (high - low, 0)), constant_values=1.0)
    score = _STEP * np.arange(low - last, high - first + 1)
    # The planted key's density at a time and a score depends on their sum.
    x = np.minimum(_STEP * np.arange(first - high + 2 * low - last, last + high - first + 1), 5.0)
    density = _STEP * np.exp(x - np.exp(x))
    rung = left @ np.ascontiguousarray(sliding_window_view(density, score.size))
    return _Race(lengths, sigma, weights, rises(score, rung))


@lru_cache(maxsize=64)
def _largest(n: int) -> Rises:
    """Chance that n − 1 standard normal scores all lie below a score."""
    score = np.arange(-8.0, 8.0, _SCORE_STEP)
    return rises(score, power(normal_cdf(score), n - 1)[None])


def _later(u: FloatArray, sigma: float) -> FloatArray:
    """Chance that a key with a score of this spread rings after e^u."""
    # By steps short enough for the integrand to be smooth on the scale of one.
    z = np.arange(-_REACH, _REACH, _NORMAL_STEP / max(sigma, 0.5))
    weight = np.exp(z * z / -2.0)
    # Beyond 3.7 nothing is left; e^x itself would overflow far out.
    x = np.minimum(u[:, None] + sigma * z, 5.0)
    return np.asarray(np.exp(-np.exp(x)) @ (weight / weight.sum()))
