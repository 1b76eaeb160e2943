r"""Entropy says how widely a row of weights is spread, in nats.

It is 0 when one key has all the weight and ln n when n keys share it equally; exp(H) reads as an
effective number of keys. It describes spread, not accuracy: a row may be sharp and wrong, or broad
and right. From scores it is log Z − Σ w s, which needs no logarithm of a weight and so keeps its
digits where weights underflow.
"""

import numpy as np
from numpy.lib.array_utils import normalize_axis_index
from numpy.typing import ArrayLike

from core._arrays import FloatArray, as_boolean, as_floating, stored, working_dtype
from core.softmax import log_total, refuse_empty_rows, shift_to_peak


def _below(values: FloatArray, ceiling: ArrayLike, given: FloatArray) -> FloatArray:
    """Bring back to its ceiling what the rounding of the given dtype has carried past it."""
    slack = 16 * np.finfo(given.dtype).eps
    top = np.asarray(ceiling, dtype=values.dtype)
    return np.where((values > top) & (values <= top * (1 + slack)), top, values)


def entropy(weights: ArrayLike, /, *, axis: int = -1) -> FloatArray:
    r"""Return the Shannon entropy of weights, with 0·ln 0 = 0.

    .. math:: H = -\sum_j w_j \ln w_j, \qquad 0 \le H \le \ln n

    Parameters
    ----------
    weights : array_like, shape (..., n, ...)
        Weights that sum to 1 along `axis`. They are not renormalized; a row of zeros (a query
        that attends nothing) has entropy 0, a row with NaN has NaN.
    axis : int
        The axis of the keys.

    Returns
    -------
    ndarray, shape of `weights` without `axis`
        H, in nats.

    Raises
    ------
    ValueError
        If a weight lies outside 0 to 1: those are scores, see `entropy_from_scores`.
    TypeError
        If `weights` are not real.

    References
    ----------
    C. E. Shannon, "A mathematical theory of communication", Bell Syst. Tech. J. 27 (1948),
    doi:10.1002/j.1538-7305.1948.tb01338.x.

    Examples
    --------
    >>> entropy([0.5, 0.5]).round(6)
    np.float64(0.693147)
    >>> entropy([1.0, 0.0, 0.0])
    np.float64(0.0)
    """
    given = as_floating(weights, "weights")
    axis = normalize_axis_index(axis, given.ndim)
    working = given.astype(working_dtype(given), copy=False)
    # A thousandth of slack: weights rounded to float16 may pass 1 by half of that.
    outside = (working < 0) | (working > 1.001)
    if outside.any():
        raise ValueError(
            f"weights must lie between 0 and 1; got {working[outside][0]:g}. "
            "For scores use entropy_from_scores"
        )
    surprise = -np.log(np.where(working == 0, working.dtype.type(1), working))
    with np.errstate(under="ignore"):
        spread = np.maximum((working * surprise).sum(axis=axis), 0)
    return stored(_below(spread, np.log(max(given.shape[axis], 1)), given), given.dtype)[()]


def entropy_from_scores(scores: ArrayLike, /, *, axis: int = -1) -> FloatArray:
    r"""Return the entropy of the softmax of scores, without forming ln w.

    .. math:: H = \log Z - \sum_j w_j s_j

    Both terms are taken from the shifted scores s − max s ≤ 0, where neither is negative and
    nothing cancels, so a saturated row keeps its digits: for scores (0, −40) the entropy is
    1.7e-16, not 0.

    Parameters
    ----------
    scores : array_like, shape (..., n, ...)
        Real scores; −inf takes no part.
    axis : int
        The axis of the keys.

    Returns
    -------
    ndarray, shape of `scores` without `axis`
        H, in nats.

    Raises
    ------
    ValueError
        If a row has no score above −inf.
    TypeError
        If `scores` are not real.

    Examples
    --------
    >>> entropy_from_scores([3.0, 1.0, -1.0]).round(4)
    np.float64(0.4411)
    >>> entropy_from_scores(np.array([3.0, 1.0, -1.0]) / np.sqrt(3.0)).round(4)
    np.float64(0.7662)
    """
    given = as_floating(scores, "scores")
    axis = normalize_axis_index(axis, given.ndim)
    shifted, peak = shift_to_peak(given.astype(working_dtype(given), copy=False), axis)
    refuse_empty_rows(peak)
    log_z = log_total(shifted, axis)
    with np.errstate(under="ignore", over="ignore"):
        weights = np.exp(shifted - log_z)
        # A weight of 0 belongs to a score of −inf or nearly so: 0·ln 0 = 0.
        cost = -(weights * np.where(weights == 0, weights, shifted)).sum(axis=axis)
    spread = _below(np.squeeze(log_z, axis=axis) + cost, np.log(given.shape[axis]), given)
    return stored(spread, given.dtype)[()]


def normalized_entropy(
    weights: ArrayLike, /, *, axis: int = -1, where: ArrayLike | None = None
) -> FloatArray:
    r"""Return the entropy as a share of the most that the allowed keys permit.

    .. math:: H / \ln a, \qquad a = \text{number of allowed keys}

    Parameters
    ----------
    weights : array_like, shape (..., n, ...)
        Weights that sum to 1 along `axis`.
    axis : int
        The axis of the keys.
    where : array_like of bool, broadcast to the shape of `weights`, optional
        True = the key takes part. Without it all n keys are allowed.

    Returns
    -------
    ndarray, shape of `weights` without `axis`
        Between 0 and 1, without unit. A row with one allowed key or none has no spread to
        speak of and is 0 by convention.

    Raises
    ------
    ValueError
        If a weight lies outside 0 to 1, or `where` does not broadcast.
    TypeError
        If `weights` are not real or `where` is not boolean.

    Examples
    --------
    >>> normalized_entropy([0.5, 0.5, 0.0, 0.0])
    np.float64(0.5)
    >>> normalized_entropy([0.5, 0.5, 0.0, 0.0], where=[True, True, False, False])
    np.float64(1.0)
    """
    given = as_floating(weights, "weights")
    axis = normalize_axis_index(axis, given.ndim)
    allowed = as_boolean(True if where is None else where, "where")
    try:
        allowed = np.broadcast_to(allowed, given.shape)
    except ValueError:
        raise ValueError(
            f"where of shape {allowed.shape} does not broadcast to weights of shape {given.shape}"
        ) from None
    working = given.astype(working_dtype(given), copy=False)
    spread = entropy(np.where(allowed, working, working.dtype.type(0)), axis=axis)
    # One allowed key has entropy 0, whatever it is divided by.
    ceiling = np.log(np.maximum(allowed.sum(axis=axis), 2)).astype(working.dtype)
    with np.errstate(under="ignore"):
        share = np.asarray(spread / ceiling)
    return stored(_below(share, 1, given), given.dtype)[()]


def effective_keys(weights: ArrayLike, /, *, axis: int = -1) -> FloatArray:
    r"""Return the number of keys that, sharing equally, would be spread as widely.

    .. math:: n_\mathrm{eff} = e^{H}, \qquad 1 \le n_\mathrm{eff} \le n

    Parameters
    ----------
    weights : array_like, shape (..., n, ...)
        Weights that sum to 1 along `axis`.
    axis : int
        The axis of the keys.

    Returns
    -------
    ndarray, shape of `weights` without `axis`
        A number of keys, not whole in general.

    Raises
    ------
    ValueError
        If a weight lies outside 0 to 1.
    TypeError
        If `weights` are not real.

    References
    ----------
    M. O. Hill, "Diversity and evenness: a unifying notation and its consequences", Ecology 54
    (1973), doi:10.2307/1934352.

    Examples
    --------
    >>> effective_keys([0.25, 0.25, 0.25, 0.25])
    np.float64(4.0)
    >>> effective_keys(np.array([0.707, 0.223, 0.070])).round(2)
    np.float64(2.15)
    """
    given = as_floating(weights, "weights")
    axis = normalize_axis_index(axis, given.ndim)
    spread = entropy(given.astype(working_dtype(given), copy=False), axis=axis)
    return stored(_below(np.exp(spread), given.shape[axis], given), given.dtype)[()]
