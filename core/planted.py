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
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core._checked import checked_keys, checked_widths
from core._quadrature import chi_rule
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

# These leave less than 2e-8 in a weight.
_STEP = 0.5
"""Step in log time; also the largest step in a score."""
_EARLY, _LATE = 19.0, 3.2
"""A standard exponential is below e^-19, or above e^3.2, with probability 1e-8 or less."""
_REACH = 6.5
"""Standard deviations of a score that are integrated over."""


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
        lengths, weights = chi_rule(np.array(width))
        tau = PLANTED_DIVISORS[divisor](float(width))
        likely = weights > 1e-10
        given = [_weight_given(length, rho, tau, n) for length in lengths[likely].tolist()]
        result[at] = weights[likely] @ np.array(given)
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
    lengths, weights = chi_rule(d_k)
    z = np.arange(-8.0, 8.0, 0.08)
    density = np.exp(z * z / -2.0)
    density /= density.sum()
    below = normal_cdf(rho * lengths[..., None] + math.sqrt(1.0 - rho * rho) * z)
    ahead = np.exp((n - 1.0) * np.log(np.maximum(below, 1e-300))) @ density
    return np.asarray((ahead * weights).sum(axis=-1))


def _weight_given(length: float, rho: float, tau: float, n: int) -> float:
    """Mean weight of the planted key for a query of this length."""
    sigma = length / tau
    lead, noise = rho * length * sigma, math.sqrt(1.0 - rho * rho) * sigma
    # The left tail of the planted key's log time is e^(u + noise²/2), or the noise's own. What is
    # spread over a wide noise is smooth on its scale.
    u = np.arange(
        -lead - _EARLY - min(noise * noise / 2.0, _REACH * noise),
        -lead + _LATE + _REACH * noise,
        _STEP * max(1.0, noise / 6.0),
    )
    winner = _average(lambda x: np.exp(x - np.exp(x)), u + lead, noise)
    later = _average(lambda x: np.exp(-np.exp(x)), u, sigma)
    others_later = np.exp((n - 1.0) * np.log(np.maximum(later, 1e-300)))
    # The planted key rings at some time: its density sums to 1.
    return float(winner @ others_later / winner.sum())


def _average(f: Callable[[FloatArray], FloatArray], u: FloatArray, sigma: float) -> FloatArray:
    """E[f(u + σz)] by equal steps in z, short enough for f to be smooth on the scale of one."""
    step = _STEP / max(sigma, 0.5)
    z = np.arange(-_REACH, _REACH, step)
    weight = np.exp(z * z / -2.0)
    # Beyond 3.7 both functions vanish; e^x itself would overflow far out.
    x = np.minimum(u[:, None] + sigma * z, 5.0)
    return np.asarray(f(x) @ (weight / weight.sum()))


def checked_rho(rho: float, /) -> float:
    """Return the correlation as a float between −1 and 1."""
    if not -1.0 <= rho <= 1.0:
        raise ValueError(f"rho is a correlation, between -1 and 1; got {rho!r}")
    return float(rho)
