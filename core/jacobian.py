r"""The softmax Jacobian: how far the weights move when a score moves.

A small change of the logits changes the weights by :math:`J = \mathrm{diag}(w) - w w^\top`. When
one weight is nearly 1 every entry of J is nearly 0: the row is saturated and lets almost no
gradient through. That is one end of the story. The other is that scores reach softmax divided by
some τ, so that the derivative with respect to the *raw* scores is J/τ: a large divisor never
saturates, and still shrinks the gradient as 1/τ. Between the two lies a peak.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core._arrays import FloatArray, as_floating
from core._top import frobenius_norm, top_of_logits, top_of_weights

__all__ = [
    "GradientCurve",
    "gradient_curve",
    "jacobian_norm",
    "jacobian_norm_from_scores",
    "softmax_jacobian",
]

_FAR_BELOW = -1e4
"""A logit this far below the largest has weight 0 in any floating format."""


@dataclass(frozen=True, slots=True)
class GradientCurve:
    """Gradient norms of one row of scores over a range of divisors, and their peak.

    Attributes
    ----------
    divisors : ndarray, shape (m,)
        Divisors τ, as given.
    jacobian : ndarray, shape (m,)
        ‖J‖_F, the derivative of the weights with respect to the logits.
    gradient : ndarray, shape (m,)
        ‖J/τ‖_F, the derivative of the weights with respect to the raw scores.
    peak_divisor, peak_gradient : float
        Where ‖J/τ‖_F is largest between the least and the greatest divisor, and how large.
    """

    divisors: NDArray[np.float64]
    jacobian: NDArray[np.float64]
    gradient: NDArray[np.float64]
    peak_divisor: float
    peak_gradient: float


def softmax_jacobian(weights: ArrayLike, /, *, divisor: ArrayLike = 1) -> FloatArray:
    r"""Jacobian of softmax, from its weights.

    .. math:: \frac{\partial w_i}{\partial s_j} = \frac{w_i\,(\delta_{ij} - w_j)}{\tau}

    Parameters
    ----------
    weights : array_like, shape (..., n)
        Softmax weights, each row summing to 1 (a sink is a key: give it its entry).
    divisor : array_like, default 1
        What the raw scores were divided by before softmax, τ > 0; it broadcasts against the
        leading axes. 1 gives the derivative with respect to the logits.

    Returns
    -------
    ndarray, shape (..., n, n)
        The derivatives; the rows and the columns each sum to zero.

    Raises
    ------
    ValueError
        If `weights` has no axis or a divisor is not positive.

    References
    ----------
    Vaswani et al., "Attention Is All You Need", arXiv:1706.03762, section 3.2.1: large scores
    push softmax "into regions where it has extremely small gradients".

    Examples
    --------
    >>> softmax_jacobian([0.5, 0.5])
    array([[ 0.25, -0.25],
           [-0.25,  0.25]])
    """
    given = _rows(weights, "weights")
    w = given.astype(np.float64)
    tau = _positive(divisor)[..., None, None]
    jacobian = -w[..., :, None] * w[..., None, :]
    diagonal = np.arange(w.shape[-1])
    # w(1 − w), with 1 − w summed from the other weights, which is not 0 where w rounds to 1.
    jacobian[..., diagonal, diagonal] = 0
    jacobian[..., diagonal, diagonal] = -jacobian.sum(axis=-1)
    return np.asarray(jacobian / tau).astype(given.dtype, copy=False)


def jacobian_norm(weights: ArrayLike, /, *, divisor: ArrayLike = 1) -> NDArray[np.float64]:
    r"""Frobenius norm of the softmax Jacobian, without building the matrix.

    .. math:: \|J\|_F^2 = \sum_i w_i^2 (1 - w_i)^2 + \sum_{i \neq j} w_i^2 w_j^2

    This is :math:`\sum w^2 - 2\sum w^3 + (\sum w^2)^2`, written so that nothing cancels on a
    saturated row.

    Parameters
    ----------
    weights : array_like, shape (..., n)
        Softmax weights, each row summing to 1 (a sink is a key: give it its entry).
    divisor : array_like, default 1
        What the raw scores were divided by, τ > 0; it broadcasts against the leading axes.

    Returns
    -------
    ndarray, shape (...)
        ‖J/τ‖_F in float64; 0 for a row with a single key.

    Raises
    ------
    ValueError
        If `weights` has no axis or a divisor is not positive.

    Examples
    --------
    >>> float(jacobian_norm([0.5, 0.5]))
    0.5
    >>> float(jacobian_norm([1.0, 1e-30]))  # still a number, where 1 − w has rounded to 0
    2e-30
    """
    w = _rows(weights, "weights").astype(np.float64)
    return np.asarray(frobenius_norm(top_of_weights(w)) / _positive(divisor))


def jacobian_norm_from_scores(
    scores: ArrayLike, /, *, divisor: ArrayLike = 1
) -> NDArray[np.float64]:
    r"""Frobenius norm of the softmax Jacobian, from the raw scores.

    The same norm as :func:`jacobian_norm` gives for :math:`w = \mathrm{softmax}(s/\tau)`, for rows
    so saturated that their lesser weights cannot be told from one another or from zero.

    Parameters
    ----------
    scores : array_like, shape (..., n)
        Raw scores, finite.
    divisor : array_like, default 1
        What they are divided by, τ > 0; it broadcasts against the leading axes.

    Returns
    -------
    ndarray, shape (...)
        ‖J/τ‖_F in float64, correct down to about 1e-300 and 0 below.

    Raises
    ------
    ValueError
        If `scores` has no axis or is not finite, or a divisor is not positive.

    Examples
    --------
    >>> float(jacobian_norm_from_scores([3.0, 1.0, -1.0]).round(3))
    0.213
    >>> f"{jacobian_norm_from_scores([600.0, 0.0]):.3e}"
    '5.301e-261'
    """
    s = _rows(scores, "scores").astype(np.float64)
    if not np.isfinite(s).all():
        raise ValueError("scores must be finite; leave out the keys that a mask blocks")
    tau = _positive(divisor)
    with np.errstate(over="ignore"):  # a gap too large for a float is saturated like any other
        logits = (s - s.max(axis=-1, keepdims=True)) / tau[..., None]
    return np.asarray(frobenius_norm(top_of_logits(np.maximum(logits, _FAR_BELOW))) / tau)


def gradient_curve(scores: ArrayLike, /, *, divisors: ArrayLike) -> GradientCurve:
    r"""Gradient norms of one row of scores over divisors, and the divisor where they peak.

    .. math:: \|J/\tau\|_F, \quad J = \mathrm{diag}(w) - w w^\top, \quad
        w = \mathrm{softmax}(s/\tau)

    Parameters
    ----------
    scores : array_like, shape (n,)
        Raw scores of one row, finite.
    divisors : array_like, shape (m,)
        Divisors τ > 0, in any order.

    Returns
    -------
    GradientCurve
        ‖J‖_F and ‖J/τ‖_F at each divisor, and the largest ‖J/τ‖_F between the extremes. A row
        whose top scores tie has no inner peak: its gradient grows as 1/τ toward the least divisor.

    Raises
    ------
    ValueError
        If `scores` is not one row, or `divisors` is empty, not one axis or not positive.

    Examples
    --------
    >>> curve = gradient_curve([3, 1, -1], divisors=[0.5, 1, 2, 4, 8])
    >>> curve.gradient.round(3)
    array([0.071, 0.213, 0.195, 0.113, 0.058])
    >>> round(curve.peak_divisor, 2), round(curve.peak_gradient, 3)
    (1.27, 0.226)
    """
    tau = _positive(divisors, "divisors")
    if np.ndim(scores) != 1:
        raise ValueError(f"scores must be one row, shape (n,); got shape {np.shape(scores)}")
    if tau.ndim != 1 or tau.size == 0:
        raise ValueError(f"divisors must be one axis of at least one; got shape {tau.shape}")
    gradient = jacobian_norm_from_scores(scores, divisor=tau)
    low, high = np.log(tau.min()), np.log(tau.max())
    # A row with several gaps can have several peaks: look everywhere, then close in on the best.
    for _ in range(12):
        grid = np.linspace(low, high, 101)
        heights = jacobian_norm_from_scores(scores, divisor=np.exp(grid))
        best = int(heights.argmax())
        low, high = grid[max(best - 1, 0)], grid[min(best + 1, 100)]
    return GradientCurve(
        tau, gradient * tau, gradient, float(np.exp(grid[best])), float(heights[best])
    )


def _positive(divisor: ArrayLike, name: str = "divisor") -> NDArray[np.float64]:
    """Return `divisor` in float64, or say that it must be positive."""
    tau = as_floating(divisor, name).astype(np.float64)
    if not np.all((tau > 0) & np.isfinite(tau)):
        raise ValueError(f"{name} must be positive and finite; got {divisor!r}")
    return tau


def _rows(values: ArrayLike, name: str) -> FloatArray:
    array = as_floating(values, name)
    if array.ndim == 0 or array.shape[-1] == 0:
        raise ValueError(f"{name} must have shape (..., n) with n at least 1; got {array.shape}")
    return array
