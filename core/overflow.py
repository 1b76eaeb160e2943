r"""How often a random raw score is too large for a number format's exponential.

Given the query, the score of an independent standard-normal key is normal with variance ‖q‖², and
‖q‖ has a chi distribution with d_k degrees of freedom. So the chance to pass a boundary b is an
average of a normal tail over ‖q‖: one integral, no sampling. At d_k = 64 every twelfth raw score
passes 11.09, where float16's exponential ends. Divided by √d_k, next to none does, under this
model; a trained head need not follow it, which is why the maximum is subtracted all the same.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core._checked import checked_widths
from core._quadrature import legendre
from core._special import normal_cdf
from core.intervals import Estimate, share_interval
from core.limits import MAX_NORMALS, checked_seed

FloatArray = NDArray[np.float64]

_NODES = 96
_REACH = 9.0
"""Lengths this far from the peak of the integrand, some ten standard deviations, do not count."""

_BLOCK = 1 << 20
"""Random numbers drawn at a time."""


def _log_density(sigma: FloatArray, root: FloatArray) -> FloatArray:
    """Return the logarithm of the density of ‖q‖ less its value at √d_k."""
    step = sigma - root
    return np.asarray((root**2 - 1.0) * np.log1p(step / root) - root * step - step**2 / 2.0)


def overflow_chance(
    widths: ArrayLike, /, *, boundary: float, scaled: bool = False
) -> NDArray[np.float64]:
    r"""Return the chance that a random score is greater than a boundary, exactly.

    .. math:: P(q \cdot k > b) = \mathrm{E}\!\left[\Phi\!\left(-\frac{b}{\lVert q\rVert}\right)
        \right], \qquad \lVert q\rVert^2 \sim \chi^2_{d_k}

    Parameters
    ----------
    widths : array_like of int, shape (...)
        Head widths d_k.
    boundary : float
        b, 0 or more: `FloatFormat.exp_overflow` of a format, say. By symmetry it is also the
        chance to lie below −b.
    scaled : bool
        Divide the scores by √d_k.

    Returns
    -------
    ndarray, shape (...)
        A probability, to a relative 1e-8; below 1e-300 it may be 0.

    Raises
    ------
    ValueError
        If a width is out of range, or `boundary` is negative or not finite.
    TypeError
        If `widths` are not integers.

    Examples
    --------
    >>> overflow_chance([16, 32, 64, 128], boundary=11.09).round(4)
    array([0.0043, 0.0257, 0.082 , 0.1625])
    """
    root = np.sqrt(checked_widths(widths))[..., np.newaxis]
    limit = _checked_boundary(boundary) * (root if scaled else 1.0)
    x, w = legendre(_NODES)
    # Density times normal tail is largest where the derivative of its exponent vanishes.
    half = (root**2 - 1.0) / 2.0
    peak = np.sqrt(half + np.sqrt(half**2 + limit**2))

    def nodes(centre: FloatArray) -> tuple[FloatArray, FloatArray]:
        low = np.maximum(centre - _REACH, 0.0)
        length = centre + _REACH - low
        return low + length * x, length * w

    everywhere, dy = nodes(root)
    sigma, dx = nodes(peak)
    with np.errstate(under="ignore"):
        whole = (np.exp(_log_density(everywhere, root)) * dy).sum(axis=-1)
        beyond = np.exp(_log_density(sigma, root)) * normal_cdf(-limit / sigma)
        return np.asarray((beyond * dx).sum(axis=-1) / whole)


def overflow_sample(
    widths: ArrayLike, /, *, boundary: float, n_scores: int, seed: int, scaled: bool = False
) -> Estimate:
    """Return the share of drawn scores greater than a boundary, with its 95 % interval.

    Every score has a query and a key of its own, drawn whole, so that the scores are independent
    and nothing of the exact law is assumed.

    Parameters
    ----------
    widths : array_like of int, shape (n_widths,)
        Head widths d_k.
    boundary : float
        0 or more.
    n_scores : int
        Scores at each width.
    seed : int
        Of the generator; at each width queries are drawn before keys, in blocks.
    scaled : bool
        Divide the scores by √d_k.

    Returns
    -------
    Estimate
        Shares, with Wilson's interval.

    Raises
    ------
    ValueError
        If an argument is out of range, or more than `core.limits.MAX_NORMALS` numbers would be
        drawn.
    TypeError
        If `widths` are not integers.

    Examples
    --------
    >>> sampled = overflow_sample([16, 64], boundary=11.09, n_scores=4000, seed=1)
    >>> sampled.value.round(3)
    array([0.002, 0.084])
    """
    sizes = np.atleast_1d(checked_widths(widths)).astype(np.int64)
    limit = _checked_boundary(boundary)
    drawn = 2 * int(sizes.sum()) * n_scores
    if n_scores < 2 or drawn > MAX_NORMALS:
        raise ValueError(
            f"n_scores must be at least 2, and 2 × widths × n_scores at most MAX_NORMALS = "
            f"{MAX_NORMALS:,}; got {n_scores:,} scores, {drawn:,} numbers"
        )
    rng = np.random.default_rng(checked_seed(seed))
    points = []
    for d_k in sizes.tolist():
        above = 0
        step = max(1, _BLOCK // d_k)
        for start in range(0, n_scores, step):
            query, key = rng.standard_normal((2, min(step, n_scores - start), d_k))
            scores = np.einsum("nd,nd->n", query, key)
            above += int((scores > limit * (math.sqrt(d_k) if scaled else 1.0)).sum())
        share = above / n_scores
        points.append(share_interval(share, share * (1.0 - share), n_scores, n_scores))
    return Estimate(*(np.array(column) for column in zip(*points, strict=True)))


def _checked_boundary(boundary: float) -> float:
    limit = float(boundary)
    if not 0.0 <= limit < math.inf:
        raise ValueError(f"boundary must be finite and 0 or more; got {boundary}")
    return limit
