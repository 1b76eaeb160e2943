r"""√d_k rests on three assumptions about the components of queries and keys; here they give way.

Independent components with mean 0 and variance 1 make scores of standard deviation √d_k. Let each
component have mean μ and standard deviation s, and any two coordinates of a vector correlate r.
Along the direction (1, …, 1)/√d_k a vector then has mean μ√d_k and variance
λ₁ = s²(1 + (d_k − 1)r), across it no mean and variance λ₂ = s²(1 − r), and the scores have

.. math::
    \operatorname{Var}(q \cdot k) =
        d_k \left[ s^4 (1 + (d_k - 1) r^2) + 2 \mu^2 \lambda_1 \right].

Half of the last term is the same for all keys of a query, because it comes from the query alone.
Softmax ignores what a row has in common, so that the spread it sees, within a row, lacks that half:

.. math::
    E[\operatorname{Var}(q \cdot k \mid q)] =
        d_k \left[ s^4 (1 + (d_k - 1) r^2) + \mu^2 \lambda_1 \right].

With r = 0 these are d_k((s² + μ²)² − μ⁴) and d_k s²(s² + μ²); with μ = 0, s = 1 both are tr R²,
R being the correlation matrix.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core._checked import checked_keys, checked_widths
from core._quadrature import chi_rule, legendre
from core.expectation import Expectation, expected_at

FloatArray = NDArray[np.float64]

__all__ = ["Components", "ScoreSpread", "expected_given", "score_spread"]

_ALONG_NODES = 64
_ALONG_REACH = 7.0
"""Standard deviations of the part along (1, …, 1) that are averaged over."""
_UNLIKELY = 3e-14
"""Least weight of a node that counts."""


@dataclass(frozen=True, slots=True)
class Components:
    """How the components of every query and key are distributed (jointly normal).

    Parameters
    ----------
    mean : float
        μ of each component.
    std : float
        Standard deviation s > 0 of each component.
    correlation : float
        r between any two coordinates of one vector, 0 to 1. Queries and keys are independent.

    Raises
    ------
    ValueError
        If a number is out of range or not finite.

    Examples
    --------
    >>> Components(mean=1.0)
    Components(mean=1.0, std=1.0, correlation=0.0)
    """

    mean: float = 0.0
    std: float = 1.0
    correlation: float = 0.0

    def __post_init__(self) -> None:
        if not math.isfinite(self.mean):
            raise ValueError(f"mean must be finite; got {self.mean}")
        if not 0.0 < self.std < math.inf:
            raise ValueError(f"std must be above 0 and finite; got {self.std}")
        if not 0.0 <= self.correlation <= 1.0:
            raise ValueError(f"correlation must be between 0 and 1; got {self.correlation}")

    def variances(self, d_k: ArrayLike, /) -> tuple[FloatArray, FloatArray]:
        """Return λ₁ along (1, …, 1) and λ₂ across it, for vectors of width `d_k`."""
        width = np.asarray(d_k, dtype=np.float64)
        along = self.std**2 * (1.0 + (width - 1.0) * self.correlation)
        return along, np.full_like(width, self.std**2 * (1.0 - self.correlation))


@dataclass(frozen=True, slots=True)
class ScoreSpread:
    """Exact moments of raw scores, by width: arrays of one shape, in the unit of raw scores.

    Attributes
    ----------
    widths : ndarray
        Head widths d_k.
    mean : ndarray
        μ² d_k.
    total : ndarray
        Standard deviation over all queries and keys.
    within : ndarray
        Root mean square of the standard deviation within a row, the spread that softmax sees.
        It is also the divisor that would bring that spread to 1.
    """

    widths: FloatArray
    mean: FloatArray
    total: FloatArray
    within: FloatArray

    @property
    def scaled_total(self) -> FloatArray:
        """`total` after division by √d_k."""
        return np.asarray(self.total / np.sqrt(self.widths))

    @property
    def scaled_within(self) -> FloatArray:
        """`within` after division by √d_k."""
        return np.asarray(self.within / np.sqrt(self.widths))


def score_spread(widths: ArrayLike, components: Components, /) -> ScoreSpread:
    r"""Give mean, standard deviation and within-row spread of the scores, exactly.

    The formulas stand at the top of this module; the variances hold for any distribution of the
    components that has these means and correlations.

    Parameters
    ----------
    widths : array_like of int, shape (...)
        Widths d_k, 1 to 2²⁰.
    components : Components

    Returns
    -------
    ScoreSpread
        In the unit of raw scores.

    Raises
    ------
    ValueError
        If a width is out of bounds.

    Examples
    --------
    >>> spread = score_spread([4, 64, 1024], Components(mean=1.0, std=1.0))
    >>> spread.scaled_total.round(3), spread.scaled_within.round(3)
    (array([1.732, 1.732, 1.732]), array([1.414, 1.414, 1.414]))
    >>> score_spread([4, 64, 1024], Components(correlation=0.1)).scaled_total.round(3)
    array([1.015, 1.277, 3.351])
    """
    d_k = checked_widths(widths)
    along, _ = components.variances(d_k)
    centred = components.std**4 * (1.0 + (d_k - 1.0) * components.correlation**2)
    offset = components.mean**2 * along
    return ScoreSpread(
        d_k,
        components.mean**2 * d_k,
        np.sqrt(d_k * (centred + 2.0 * offset)),
        np.sqrt(d_k * (centred + offset)),
    )


def expected_given(
    widths: ArrayLike, components: Components, /, *, n_keys: int, scaled: bool
) -> Expectation:
    r"""Give exact means of softmax over the scores of such queries and keys.

    Given the query, the scores of a row are independent and normal with one variance,

    .. math:: \operatorname{Var}(q \cdot k \mid q) = \lambda_1 a^2 + \lambda_2 \|p\|^2,

    a and p being the query's parts along and across (1, …, 1)/√d_k. What `expected_at` says of a
    fixed spread is averaged over both.

    Parameters
    ----------
    widths : array_like of int, shape (...)
        Widths d_k, 1 to 2²⁰.
    components : Components
    n_keys : int
        Keys in a row, 2 to 100,000.
    scaled : bool
        Whether the scores are divided by √d_k before softmax.

    Returns
    -------
    Expectation
        Entropy in nats; ``score_std`` is the standard deviation over all scores.

    Raises
    ------
    ValueError
        If a width or `n_keys` is out of bounds.

    Examples
    --------
    >>> wide = expected_given([64, 1024], Components(mean=1.0), n_keys=64, scaled=True)
    >>> wide.entropy.round(3)
    array([3.272, 3.269])
    """
    n_keys = checked_keys(n_keys)
    spread = score_spread(widths, components)
    unit = np.sqrt(spread.widths) if scaled else np.ones_like(spread.widths)
    means = np.empty((3, *spread.widths.shape))
    for at, d_k in np.ndenumerate(spread.widths):
        sigma, weight = _row_spreads(float(d_k), components)
        row = expected_at(sigma / unit[at], n_keys=n_keys)
        for i, values in enumerate((row.entropy, row.max_weight, row.sum_squared_weights)):
            means[i, *at] = (values * weight).sum()
    entropy, max_weight, squares = means
    return Expectation(
        score_std=spread.total / unit,
        entropy=entropy,
        max_weight=max_weight,
        sum_squared_weights=squares,
        n_keys=np.full(spread.widths.shape, n_keys, dtype=np.int64),
    )


def _row_spreads(d_k: float, components: Components) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights for averages over the standard deviation of a row's scores."""
    along, across = (float(variance) for variance in components.variances(d_k))
    # Only a² counts: |a|/√λ₁ is a folded normal variable. Correlated coordinates make λ₁ large and
    # rows sharp unless a is small, so the nodes crowd there.
    centre = abs(components.mean) * math.sqrt(d_k / along)
    t, t_weight = legendre(_ALONG_NODES)
    low = max(centre - _ALONG_REACH, 0.0)
    span = centre + _ALONG_REACH - low
    x = low + span * t**4
    x_weight = t_weight * t**3 * (np.exp((x - centre) ** 2 / -2) + np.exp((x + centre) ** 2 / -2))
    x_weight /= x_weight.sum()
    if d_k == 1.0:
        return along * x, x_weight
    length, length_weight = chi_rule(np.array(d_k - 1.0))
    weight = np.multiply.outer(x_weight, length_weight)
    # Most pairs are both far out: what they weigh together is below 1e-10.
    likely = weight > _UNLIKELY
    return np.hypot.outer(along * x, across * length)[likely], weight[likely]
