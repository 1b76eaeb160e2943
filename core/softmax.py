r"""Softmax turns a row of scores into positive weights that sum to 1.

Each weight is proportional to the exponential of its score, so only differences matter: a score
that leads by ln 2 gets twice the weight, wherever the row lies. Adding a constant to the whole
row therefore changes nothing, and that freedom is what keeps the arithmetic safe: with the row's
maximum subtracted first, the largest exponential is exp(0) = 1 and none can overflow. It does not
make the weights any less sharp; dividing the scores does.
"""

import numpy as np
from numpy.lib.array_utils import normalize_axis_index
from numpy.typing import ArrayLike

from core._arrays import FloatArray, as_boolean, as_floating, stored, working_dtype


def shift_to_peak(scores: FloatArray, axis: int) -> tuple[FloatArray, FloatArray]:
    """Return `scores` minus the maximum along `axis`, and that maximum (axis kept).

    Entries equal to the maximum become exactly 0, infinite ones included: inf − inf would be
    NaN, but +inf entries share a row as the limit of equal, growing scores does.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        peak = scores.max(axis=axis, keepdims=True, initial=-np.inf)
        shifted = np.where(scores == peak, scores.dtype.type(0), scores - peak)
    return shifted, peak


def log_total(shifted: FloatArray, axis: int) -> FloatArray:
    """Return ln Σ exp(shifted) (axis kept) for a row whose maximum is 0.

    One maximum is left to log1p, so that a total of 1 + 1e-18 does not round to 1.
    """
    with np.errstate(under="ignore"):
        others = np.exp(shifted)
        if shifted.shape[axis]:
            np.put_along_axis(others, shifted.argmax(axis=axis, keepdims=True), 0, axis=axis)
        total: FloatArray = np.log1p(others.sum(axis=axis, keepdims=True))
    return total


def refuse_empty_rows(peak: FloatArray) -> None:
    """Raise if any row has no entry above −inf to normalize."""
    empty = int(np.count_nonzero(peak == -np.inf))
    if empty:
        raise ValueError(
            f"{empty} of {peak.size} rows have nothing allowed: every entry is -inf, excluded by "
            "`where`, or the axis is empty. Weights that sum to 1 do not exist there"
        )


def softmax(scores: ArrayLike, /, *, axis: int = -1, where: ArrayLike | None = None) -> FloatArray:
    r"""Return weights proportional to the exponentials of the scores.

    .. math:: w_j = \frac{e^{s_j - m}}{\sum_i e^{s_i - m}}, \qquad m = \max_i s_i

    Parameters
    ----------
    scores : array_like, shape (..., n, ...)
        Real scores. An entry of −inf takes no part. Entries of +inf share the row equally.
        A NaN that takes part makes its own row NaN, and no other.
    axis : int
        The axis to normalize over: in attention the keys, which come last.
    where : array_like of bool, broadcast to the shape of `scores`, optional
        True = the entry takes part. What is excluded has weight exactly 0, NaN or not.

    Returns
    -------
    ndarray, shape of `scores`
        Non-negative weights, without unit, that sum to 1 along `axis`.

    Raises
    ------
    ValueError
        If a row has nothing allowed, or `where` does not broadcast.
    TypeError
        If `scores` are not real or `where` is not boolean.

    References
    ----------
    P. Blanchard, D. J. Higham, N. J. Higham, "Accurately computing the log-sum-exp and softmax
    functions", IMA J. Numer. Anal. 41 (2021), doi:10.1093/imanum/draa038.

    Examples
    --------
    >>> softmax([3.0, 1.0, -1.0]).round(6)
    array([0.866813, 0.11731 , 0.015876])
    >>> softmax([1003.0, 1001.0, 999.0]).round(6)
    array([0.866813, 0.11731 , 0.015876])
    >>> softmax([3.0, 1.0, -1.0], where=[True, True, False]).round(6)
    array([0.880797, 0.119203, 0.      ])
    """
    given = as_floating(scores, "scores")
    axis = normalize_axis_index(axis, given.ndim)
    working = given.astype(working_dtype(given), copy=False)
    if where is not None:
        allowed = as_boolean(where, "where")
        try:
            allowed = np.broadcast_to(allowed, given.shape)
        except ValueError:
            raise ValueError(
                f"where of shape {allowed.shape} does not broadcast to scores of shape "
                f"{given.shape}"
            ) from None
        working = np.where(allowed, working, working.dtype.type(-np.inf))
    shifted, peak = shift_to_peak(working, axis)
    refuse_empty_rows(peak)
    with np.errstate(under="ignore"):
        exponentials = np.exp(shifted)
        weights = exponentials / exponentials.sum(axis=axis, keepdims=True)
    return stored(weights, given.dtype)


def logsumexp(scores: ArrayLike, /, *, axis: int = -1) -> FloatArray:
    r"""Return the logarithm of softmax's denominator, without forming the denominator.

    .. math:: \log Z = m + \ln \sum_j e^{s_j - m}, \qquad m = \max_j s_j

    It lies between the maximum and the maximum plus ln n: a smooth maximum. Then
    w_j = exp(s_j − log Z).

    Parameters
    ----------
    scores : array_like, shape (..., n, ...)
        Real scores; −inf takes no part.
    axis : int
        The axis to sum over.

    Returns
    -------
    ndarray, shape of `scores` without `axis`
        log Z, in nats; −inf where nothing takes part.

    Raises
    ------
    TypeError
        If `scores` are not real.

    Examples
    --------
    >>> logsumexp([3.0, 1.0, -1.0]).round(6)
    np.float64(3.142932)
    >>> logsumexp([1e4, 1e4]).round(6)
    np.float64(10000.693147)
    """
    given = as_floating(scores, "scores")
    axis = normalize_axis_index(axis, given.ndim)
    shifted, peak = shift_to_peak(given.astype(working_dtype(given), copy=False), axis)
    total: FloatArray = np.squeeze(peak + log_total(shifted, axis), axis=axis)
    return stored(total, given.dtype)[()]
