r"""Attention lets every query mix the values, in proportion to how well their keys match it.

Five steps, always in this order: scores S = QKᵀ, divide by √d_k, mask, softmax over the keys, mix
the values. Each row of weights is a probability distribution over the keys, so each output is a
point inside the hull of the values. Dividing comes before softmax because softmax sees
differences of scores, which grow as √d_k: undivided, a wide head starts out attending one key.
"""

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from core._arrays import BoolArray, FloatArray, as_floating, stored, working_dtype
from core.masks import causal_mask, split_mask
from core.scores import check_query_and_key, far_products, relative_logits, scaled_products
from core.softmax import softmax

FullyMasked = Literal["raise", "zero", "nan", "mean"]


@dataclass(frozen=True, slots=True, eq=False)
class Attention:
    """Every stage of one attention call, in the common dtype of query, key and value.

    Attributes
    ----------
    scores : ndarray, shape (..., n_q, n_k)
        Raw scores QKᵀ, before any mask. In float16 they show ±inf beyond 65,504; the weights
        come from the unrounded scores.
    logits : ndarray, shape (..., n_q, n_k)
        What softmax is given: scores × scale, then softcap, then mask; −inf where blocked.
    weights : ndarray, shape (..., n_q, n_k)
        Softmax of the logits over the keys; exactly 0 where blocked.
    output : ndarray, shape (..., n_q, d_v)
        Weights · V.
    """

    scores: FloatArray
    logits: FloatArray
    weights: FloatArray
    output: FloatArray


def _mix_values(weights: FloatArray, value: FloatArray, takes_part: BoolArray) -> FloatArray:
    """Return weights · value, where a value that takes no part is absent, NaN and inf included.

    As a plain product it would leak: 0 · NaN is NaN.
    """
    finite = np.isfinite(value)
    with np.errstate(all="ignore"):
        # A mixture of finite values is finite: past the largest float is rounding alone.
        largest = np.finfo(value.dtype).max
        mixed = np.clip(weights @ np.where(finite, value, 0), -largest, largest)  # (..., n_q, d_v)
        if finite.all():
            return mixed
        present = takes_part.astype(value.dtype)
        for special in (np.inf, -np.inf):
            hit = present @ (value == special).astype(value.dtype) > 0  # (..., n_q, d_v)
            mixed = np.where(hit, mixed + value.dtype.type(special), mixed)
        return np.where(present @ np.isnan(value).astype(value.dtype) > 0, np.nan, mixed)


def attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    /,
    *,
    mask: ArrayLike | None = None,
    is_causal: bool = False,
    scale: float | None = None,
    softcap: float | None = None,
    fully_masked: FullyMasked = "raise",
) -> Attention:
    r"""Return scaled dot-product attention with all its stages.

    .. math:: \operatorname{softmax}\!\left(\frac{Q K^{\top}}{\sqrt{d_k}} + M\right) V

    Parameters
    ----------
    query : array_like, shape (..., n_q, d_k)
    key : array_like, shape (..., n_k, d_k)
    value : array_like, shape (..., n_k, d_v)
        Leading axes broadcast, with those of `mask` too.
    mask : array_like of bool or float, broadcast to (..., n_q, n_k), optional
        Boolean: True = the key takes part. Floating: finite numbers and −inf, added to the
        scaled (and soft-capped) scores.
    is_causal : bool
        Block keys after the query's own position, counted from the upper-left corner, on top of
        `mask`. For another alignment give `causal_mask` as `mask`.
    scale : float, optional
        Factor on the raw scores, default 1/√d_k; 1 leaves them unscaled.
    softcap : float, optional
        Bound c: logits become c·tanh(logits / c), after scaling and before the mask.
    fully_masked : {"raise", "zero", "nan", "mean"}
        What a query gets that may attend no key: an error; zero weights and output (ONNX, and
        PyTorch today); NaN (plain softmax); weights 1/n_k over all keys, blocked ones
        included (filling the scores with a finite sentinel).

    Returns
    -------
    Attention
        Scores, logits, weights and output. A blocked key's NaN or infinity reaches neither its
        query's weights nor its output.

    Raises
    ------
    ValueError
        If shapes do not fit, an option is out of range, or a query may attend no key under
        `fully_masked="raise"`.
    TypeError
        If an array is not real, or `mask` is neither boolean nor floating.

    References
    ----------
    A. Vaswani et al., "Attention is all you need", arXiv:1706.03762.
    Gemma Team, "Gemma 2: improving open language models at a practical size", arXiv:2408.00118
    (softcap).

    Examples
    --------
    >>> query, key = [[1, 1, 1]], [[1, 1, 1], [1, 0, 0], [-1, 0, 0]]
    >>> result = attention(query, key, [[1, 0], [0, 1], [0, 0]])
    >>> result.scores
    array([[ 3.,  1., -1.]])
    >>> result.weights.round(3)
    array([[0.707, 0.223, 0.07 ]])
    >>> attention(query, key, [[1, 0], [0, 1], [0, 0]], mask=[True, False, True]).output.round(3)
    array([[0.91, 0.  ]])
    """
    if fully_masked not in get_args(FullyMasked):
        raise ValueError(
            f"fully_masked must be one of {', '.join(get_args(FullyMasked))}; got {fully_masked!r}"
        )
    queries, keys = as_floating(query, "query"), as_floating(key, "key")
    values = as_floating(value, "value")
    check_query_and_key(queries, keys)
    (n_q, d_k), n_k = queries.shape[-2:], keys.shape[-2]
    if values.ndim < 2 or values.shape[-2] != n_k:
        raise ValueError(
            f"value must have shape (..., n_k, d_v) with n_k = {n_k}, one row per key; "
            f"got value {values.shape} and key {keys.shape}"
        )
    factor = 1 / math.sqrt(d_k) if scale is None else float(scale)
    cap = math.inf if softcap is None else float(softcap)
    if not math.isfinite(factor):
        raise ValueError(f"scale must be finite; got {scale}")
    if softcap is not None and not 0 < cap < math.inf:
        raise ValueError(f"softcap must be finite and positive, or None for none; got {softcap}")
    allowed, bias = split_mask(mask, n_q, n_k)
    if is_causal:
        allowed = allowed & causal_mask(n_q, n_k)
    try:
        lead = np.broadcast_shapes(*(a.shape[:-2] for a in (queries, keys, values, allowed)))
    except ValueError:
        raise ValueError(
            f"leading axes do not broadcast: query {queries.shape}, key {keys.shape}, "
            f"value {values.shape}, mask {allowed.shape}"
        ) from None
    unable = ~allowed.any(axis=-1, keepdims=True)  # (..., n_q, 1)
    stuck = np.count_nonzero(np.broadcast_to(unable, (*lead, n_q, 1)))
    if stuck and (fully_masked == "raise" or (fully_masked == "mean" and n_k == 0)):
        raise ValueError(
            f"{stuck} of {math.prod(lead) * n_q} queries may attend no key (n_k = {n_k}); "
            "fully_masked says what they get: zero, nan, or mean where n_k > 0"
        )

    kept = np.result_type(queries, keys, values)
    working = working_dtype(queries, keys, values, bias)
    with np.errstate(over="ignore", under="ignore"):
        # Options that float32 cannot hold, such as a cap of 1e100, are worked with in float64.
        if not np.allclose(np.asarray([factor, cap], working), [factor, cap], rtol=1e-6, atol=0):
            working = np.result_type(working, np.float64)
    queries, keys, values, bias = (a.astype(working) for a in (queries, keys, values, bias))
    scores, scaled = scaled_products(queries, keys, factor)
    with np.errstate(all="ignore"):
        if softcap is not None:
            scaled = np.tanh(scaled / cap) * cap
        logits = np.where(allowed, scaled + bias, -np.inf)
        # Zeros stand in where no key is allowed: softmax makes them 1/n_k each.
        comparable = np.where(unable, 0, logits)
        beyond = np.isinf(comparable.max(axis=-1, keepdims=True, initial=-np.inf))
        if beyond.any():
            near, exponent = (
                far_products(queries, keys, factor) if softcap is None else (scaled / 4, 2)
            )
            gaps = relative_logits(near, exponent, bias, allowed)
            comparable = np.where(beyond, gaps, comparable)
    weights = softmax(comparable) if n_k else comparable
    takes_part = allowed | unable if fully_masked == "mean" else allowed
    if fully_masked == "zero":
        weights = np.where(unable, 0, weights)
    output = _mix_values(weights, values, takes_part)
    if fully_masked == "nan":
        weights, output = np.where(unable, np.nan, weights), np.where(unable, np.nan, output)
    return Attention(*(stored(a, kept) for a in (scores, logits, weights, output)))
