r"""What a row of random scores does to softmax on average, without drawing a single one.

Scores of one query against n independent keys are normal with standard deviation σ = ‖q‖ given the
query, so everything that softmax does to them on average is a function of σ and n: four integrals
(in the private modules ``_race`` and ``_largest``) that are tabulated once for each n over all
σ ≥ 0. A query of finite width d_k has a random length, chi-distributed with d_k degrees of freedom,
so that its average is one more integral, over the table. Division by √d_k moves σ from about √d_k
to about 1, whatever the width.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core._largest import largest
from core._quadrature import (
    chi_rule,
    half_line_nodes,
    half_line_series,
    half_line_values,
)
from core._race import entropy_and_squares
from core.limits import MAX_WIDTH

FloatArray = NDArray[np.float64]

__all__ = ["MAX_EXPECTED_KEYS", "Expectation", "expected", "expected_at"]

MAX_EXPECTED_KEYS = 100_000
"""Largest number of keys that the integrals are checked for."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """Exact means over random rows of scores; arrays of one shape.

    Attributes
    ----------
    score_std : ndarray
        Standard deviation of the scores that softmax is given.
    entropy : ndarray
        Mean Shannon entropy of the weights, nats.
    max_weight : ndarray
        Mean of the largest weight.
    sum_squared_weights : ndarray
        Mean of Σw², the chance that two draws by the weights pick the same key.
    n_keys : ndarray of int
        Number of keys in a row.
    """

    score_std: FloatArray
    entropy: FloatArray
    max_weight: FloatArray
    sum_squared_weights: FloatArray
    n_keys: NDArray[np.int64]

    @property
    def normalized_entropy(self) -> FloatArray:
        """Mean entropy over ln(n_keys), between 0 and 1; 0 by convention for a single key."""
        ceiling = np.log(self.n_keys)
        return np.divide(
            self.entropy, ceiling, out=np.zeros_like(self.entropy), where=self.n_keys > 1
        )


def expected_at(sigma: ArrayLike, /, *, n_keys: ArrayLike) -> Expectation:
    r"""Exact means for independent normal scores of a fixed standard deviation.

    .. math:: s_j = \sigma z_j, \quad w = \mathrm{softmax}(s), \quad
        E[H],\ E[\max w],\ E\left[\textstyle\sum w^2\right]

    Parameters
    ----------
    sigma : array_like, shape (...)
        Standard deviation σ ≥ 0 of the scores that softmax is given.
    n_keys : array_like of int
        Keys in a row, 1 to 100,000; broadcasts against `sigma`.

    Returns
    -------
    Expectation
        Of the broadcast shape; entropy in nats. Absolute error below 1e-7.

    Raises
    ------
    ValueError
        If `sigma` is negative or not finite, or `n_keys` is out of bounds.

    References
    ----------
    Derrida, "Random-energy model", doi:10.1103/PhysRevB.24.2613. Stein's identity,
    E[Σws] = σ²(1 − E[Σw²]), is an independent check: the tests make it.

    Examples
    --------
    >>> at = expected_at([1.0, 2.0], n_keys=12)
    >>> at.entropy.round(5)
    array([2.09038, 1.45156])
    >>> at.max_weight.round(5)
    array([0.28977, 0.50488])
    """
    spread = np.asarray(sigma, dtype=np.float64)
    if not np.all((spread >= 0) & np.isfinite(spread)):
        raise ValueError(f"sigma must be at least 0 and finite; got {sigma!r}")
    n = _integers("n_keys", n_keys, MAX_EXPECTED_KEYS, "MAX_EXPECTED_KEYS")
    spread, n = np.broadcast_arrays(spread, n)
    return _expectation(spread, spread[..., None], np.ones(1), n)


def expected(widths: ArrayLike, /, *, n_keys: ArrayLike, scaled: bool) -> Expectation:
    r"""Exact means for standard-normal queries and keys of finite width.

    .. math:: s_j = q \cdot k_j \ (\text{divided by } \sqrt{d_k} \text{ if scaled}),
        \qquad \|q\| \sim \chi_{d_k}

    Parameters
    ----------
    widths : array_like of int, shape (...)
        Widths d_k, 1 to 2²⁰.
    n_keys : array_like of int
        Keys in a row, 1 to 100,000; broadcasts against `widths`.
    scaled : bool
        Whether the scores are divided by √d_k before softmax.

    Returns
    -------
    Expectation
        Of the broadcast shape; entropy in nats. Absolute error below 1e-7.

    Raises
    ------
    ValueError
        If `widths` or `n_keys` is out of bounds.

    Examples
    --------
    >>> expected([4, 1024], n_keys=12, scaled=False).entropy.round(5)
    array([1.56496, 0.0861 ])
    >>> expected([4, 1024], n_keys=12, scaled=True).entropy.round(5)
    array([2.1161 , 2.09049])
    """
    d_k = _integers("widths", widths, MAX_WIDTH, "MAX_WIDTH").astype(np.float64)
    n = _integers("n_keys", n_keys, MAX_EXPECTED_KEYS, "MAX_EXPECTED_KEYS")
    d_k, n = np.broadcast_arrays(d_k, n)
    lengths, weights = chi_rule(d_k)
    root = np.sqrt(d_k)
    if scaled:
        return _expectation(np.ones_like(root), lengths / root[..., None], weights, n)
    return _expectation(root, lengths, weights, n)


def _expectation(
    score_std: FloatArray, sigma: FloatArray, weight: FloatArray, n: NDArray[np.int64]
) -> Expectation:
    """Average the tables of each number of keys over `sigma`, whose last axis `weight` weighs."""
    means = np.empty((3, *n.shape))
    for keys in np.unique(n).tolist():
        here = n == keys
        weights = np.broadcast_to(weight, sigma.shape)[here]
        values = half_line_values(sigma[here], _table(keys))
        # The table's last digit may lie just outside what is possible.
        lowest = np.array([0.0, 1.0 / keys, 1.0 / keys])[:, None, None]
        highest = np.array([np.log(keys), 1.0, 1.0])[:, None, None]
        means[:, here] = (np.clip(values, lowest, highest) * weights).sum(axis=-1)
    entropy, max_weight, squares = means
    return Expectation(np.array(score_std), entropy, max_weight, squares, np.array(n))


@lru_cache(maxsize=512)
def _table(n: int) -> FloatArray:
    """Chebyshev series in σ of the entropy, the largest weight and Σw² for n keys."""
    # The more keys, the sharper the turn where the weights freeze; this resolves it to 1e-8.
    sigma = half_line_nodes(26 + round(3.5 * np.log(n)))
    entropy, squares = entropy_and_squares(sigma, n)
    return half_line_series(np.stack([entropy, largest(sigma, n), squares], axis=-1))


def _integers(name: str, values: ArrayLike, most: int, bound: str) -> NDArray[np.int64]:
    array = np.asarray(values)
    if not np.issubdtype(array.dtype, np.integer):
        raise TypeError(f"{name} must be integers; got dtype {array.dtype}")
    if array.size and not (array.min() >= 1 and array.max() <= most):
        raise ValueError(
            f"{name} must be between 1 and {bound} = {most:,}; got {array.min()} to {array.max()}"
        )
    return array.astype(np.int64)
