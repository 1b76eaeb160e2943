r"""The softmax Jacobian: how far the weights move when a score moves.

A small change of the logits changes the weights by :math:`J = \mathrm{diag}(w) - w w^\top`. When
one weight is nearly 1 every entry of J is nearly 0: the row is saturated and lets almost no
gradient through. That is one end of the story. The other is that scores reach softmax divided by
some τ, so that the derivative with respect to the *raw* scores is J/τ: a large divisor never
saturates, and still shrinks the gradient as 1/τ. Between the two lies a peak.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["jacobian_norm", "jacobian_norm_from_scores", "softmax_jacobian"]

# Beside the largest of them, other weights below e^-40 change no digit of a float64 sum.
_NEGLIGIBLE = -40.0


def softmax_jacobian(weights: ArrayLike, /, *, divisor: ArrayLike = 1) -> NDArray[np.floating]:
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
    Vaswani et al., "Attention Is All You Need", arXiv:1706.03762, section 3.2.1 (footnote 4 and
    the sentence before it: large scores push softmax "into regions where it has extremely small
    gradients").

    Examples
    --------
    >>> softmax_jacobian([0.5, 0.5])
    array([[ 0.25, -0.25],
           [-0.25,  0.25]])
    """
    given = _floating("weights", weights)
    w = given.astype(np.float64)
    tau = _divisor(divisor)[..., None, None]
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
    w = _floating("weights", weights).astype(np.float64)
    tau = _divisor(divisor)
    top = w.max(axis=-1)
    np.put_along_axis(w, w.argmax(axis=-1)[..., None], 0.0, axis=-1)
    second = w.max(axis=-1)
    rest = w / np.where(second > 0, second, 1.0)[..., None]
    # Squares of ratios below e^-40 would only be slow, subnormal zeros.
    rest[rest < np.exp(_NEGLIGIBLE)] = 0.0
    return np.asarray(_norm(top, second, rest) / tau)


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
    s = _floating("scores", scores).astype(np.float64)
    if not np.isfinite(s).all():
        raise ValueError("scores must be finite; mask the blocked keys before calling")
    tau = _divisor(divisor)
    logits = s / tau[..., None]
    top = logits.max(axis=-1, keepdims=True)
    first = np.broadcast_to(logits.argmax(axis=-1)[..., None], top.shape)
    np.put_along_axis(logits, first, -np.inf, axis=-1)
    if logits.shape[-1] == 1:
        return np.zeros(np.broadcast_shapes(logits.shape[:-1], tau.shape))
    second = logits.max(axis=-1, keepdims=True)
    shifted = logits - second
    rest = np.exp(np.maximum(shifted, _NEGLIGIBLE))
    rest[shifted < _NEGLIGIBLE] = 0.0
    # exp(-700) is the least power far from the slow subnormals; what lies below counts as zero.
    gap = (second - top)[..., 0]
    ratio = np.where(gap > -700.0, np.exp(np.maximum(gap, -700.0)), 0.0)
    largest = 1.0 / (1.0 + ratio * rest.sum(axis=-1))
    return np.asarray(_norm(largest, ratio * largest, rest) / tau)


def _norm(
    top: NDArray[np.float64], second: NDArray[np.float64], rest: NDArray[np.float64]
) -> NDArray[np.float64]:
    """‖J‖_F from the largest weight, the second, and the others as multiples of the second.

    Every term is a multiple of second², which stands outside the root: no cancellation, and no
    underflow before the norm itself underflows. `rest` holds 0 in the place of the largest.
    """
    r = second[..., None]
    ones = rest.sum(axis=-1)
    squares = (rest**2).sum(axis=-1)
    spread = ((rest * (1.0 - r * rest)) ** 2).sum(axis=-1)
    pairs = np.maximum(squares**2 - (rest**4).sum(axis=-1), 0.0)
    inside = (top * ones) ** 2 + spread + 2.0 * top**2 * squares + second**2 * pairs
    return np.asarray(second * np.sqrt(inside))


def _floating(name: str, values: ArrayLike) -> NDArray[np.floating]:
    array = np.asarray(values)
    if array.ndim == 0 or array.shape[-1] == 0:
        raise ValueError(f"{name} must have shape (..., n) with n at least 1; got {array.shape}")
    if not np.issubdtype(array.dtype, np.floating):
        array = array.astype(np.float64)
    return array


def _divisor(divisor: ArrayLike) -> NDArray[np.float64]:
    tau = np.asarray(divisor, dtype=np.float64)
    if not np.all((tau > 0) & np.isfinite(tau)):
        raise ValueError(f"divisor must be positive and finite; got {divisor!r}")
    return tau
