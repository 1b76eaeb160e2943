r"""A score is the dot product of a query with a key.

It mixes direction and length: for unit vectors it is the cosine of the angle between them, and
doubling either vector doubles it. A large score is a learned compatibility; it does not prove
that two tokens mean the same. A sum of d_k products of independent components with variance 1
has variance d_k, so raw scores spread as √d_k while nothing about the tokens has changed: the
whole reason for dividing by √d_k.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from core._arrays import BoolArray, FloatArray, as_floating, stored, working_dtype
from core.softmax import shift_to_peak


def check_query_and_key(query: FloatArray, key: FloatArray) -> None:
    """Raise unless `query` (..., n_q, d_k) and `key` (..., n_k, d_k) fit each other."""
    for name, array, axes in (("query", query, "n_q, d_k"), ("key", key, "n_k, d_k")):
        if array.ndim < 2:
            raise ValueError(
                f"{name} must have shape (..., {axes}); got {array.shape}. "
                f"A single vector is a row: {name}[np.newaxis, :]"
            )
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(
            "query and key must share their last axis, d_k; "
            f"got query {query.shape} and key {key.shape}"
        )
    if query.shape[-1] == 0:
        raise ValueError(f"d_k must be at least 1; got query {query.shape} and key {key.shape}")
    try:
        np.broadcast_shapes(query.shape[:-2], key.shape[:-2])
    except ValueError:
        raise ValueError(
            f"leading axes do not broadcast: query {query.shape} and key {key.shape}"
        ) from None


def _exponent(array: FloatArray) -> int:
    """Return e such that every finite entry is at most 2^e in magnitude."""
    return int(np.frexp(np.abs(array).max(initial=0, where=np.isfinite(array)))[1])


def far_products(query: FloatArray, key: FloatArray, scale: float) -> tuple[FloatArray, int]:
    """Return m and e with scores × scale = m·2^e, where m is finite for any finite vectors.

    Both sides are brought near 1 first, so that sums of huge products of either sign come out
    as they are, not as inf − inf.
    """
    mantissa, power = math.frexp(scale)
    q_power, k_power = _exponent(query), _exponent(key)
    with np.errstate(all="ignore"):
        near: FloatArray = np.ldexp(query, -q_power) @ np.ldexp(key, -k_power).swapaxes(-1, -2)
        near *= mantissa
    return near, power + q_power + k_power


def scaled_products(
    query: FloatArray, key: FloatArray, scale: float
) -> tuple[FloatArray, FloatArray]:
    """Return the scores and the scores times `scale`, ±inf only where they are out of range."""
    with np.errstate(all="ignore"):
        scores: FloatArray = query @ key.swapaxes(-1, -2)  # (..., n_q, n_k)
        scaled: FloatArray = scores * scale
        if not np.isfinite(scores).all():
            lost = ~np.isfinite(scores)
            for factor, result in ((1.0, scores), (scale, scaled)):
                near, exponent = far_products(query, key, factor)
                np.copyto(result, np.ldexp(near, exponent), where=lost & np.isfinite(near))
    return scores, scaled


def relative_logits(
    near: FloatArray, exponent: int, bias: FloatArray, allowed: BoolArray
) -> FloatArray:
    """Return logits near·2^exponent + bias less their row's maximum, −inf where not allowed.

    The logits themselves may be too large to write down; their differences decide the weights.
    A row that is −inf throughout has no maximum to compare with and becomes NaN.
    """
    with np.errstate(all="ignore"):
        logits = np.where(allowed, near + np.ldexp(bias, -exponent), -np.inf)
        gaps, peak = shift_to_peak(logits, -1)
        return np.ldexp(np.where(peak == -np.inf, np.nan, gaps), exponent)


def dot_product_scores(query: ArrayLike, key: ArrayLike, /) -> FloatArray:
    r"""Return the raw scores: every query's dot product with every key.

    .. math:: S = Q K^{\top}, \qquad S_{ij} = \sum_{c=1}^{d_k} Q_{ic} K_{jc}

    Parameters
    ----------
    query : array_like, shape (..., n_q, d_k)
    key : array_like, shape (..., n_k, d_k)
        Leading axes broadcast.

    Returns
    -------
    ndarray, shape (..., n_q, n_k)
        Raw scores, in the common dtype of both; sums run in at least float32. A sum too large
        for that dtype is ±inf (beyond 65,504 in float16); finite vectors never give NaN.

    Raises
    ------
    ValueError
        If shapes do not fit or d_k is 0.
    TypeError
        If the vectors are not real.

    Examples
    --------
    >>> dot_product_scores([[1, 1, 1]], [[1, 1, 1], [1, 0, 0], [-1, 0, 0]])
    array([[ 3.,  1., -1.]])
    """
    queries, keys = as_floating(query, "query"), as_floating(key, "key")
    check_query_and_key(queries, keys)
    working = working_dtype(queries, keys)
    scores, _ = scaled_products(queries.astype(working), keys.astype(working), 1.0)
    return stored(scores, np.result_type(queries, keys))
