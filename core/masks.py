"""A mask says which keys a query may attend.

A boolean mask here is True where the key takes part, as in JAX, in ONNX and in PyTorch's
`scaled_dot_product_attention`; `torch.nn.MultiheadAttention` means the opposite by True. An
additive mask is added to the scaled scores: 0 leaves a key alone, −inf removes it. Masks of either
kind broadcast to (..., n_q, n_k), and boolean ones combine with `&`.
"""

import operator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from core._arrays import BoolArray, FloatArray, as_array, as_boolean, as_floating


def checked_length(value: int, name: str) -> int:
    """Return a number of positions as an int, refusing fractions and negatives."""
    try:
        length = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer; got {value!r}") from None
    if length < 0:
        raise ValueError(f"{name} must be 0 or more; got {length}")
    return length


def checked_integers(values: ArrayLike, name: str) -> NDArray[np.integer[Any]]:
    """Return one integer or an array of them."""
    array = as_array(values, name)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} must hold integers; got dtype {array.dtype}")
    return array.astype(np.int64, copy=False)


def _steps_ahead(n_queries: int, n_keys: int, offset: ArrayLike) -> NDArray[np.integer[Any]]:
    """Return how far each key lies ahead of each query's position, query + offset."""
    queries = np.arange(checked_length(n_queries, "n_queries"))
    keys = np.arange(checked_length(n_keys, "n_keys"))
    starts = checked_integers(offset, "offset")[..., np.newaxis, np.newaxis]
    return keys - (queries[:, np.newaxis] + starts)  # (..., n_q, n_k)


def split_mask(mask: ArrayLike | None, n_q: int, n_k: int) -> tuple[BoolArray, FloatArray]:
    """Split a mask into the keys it allows and the finite bias it adds to the logits."""
    no_bias = np.zeros((1, 1), dtype=np.float16)
    array = as_array(True if mask is None else mask, "mask")
    if array.dtype.kind not in "bf":
        raise TypeError(
            "mask must be boolean (True = this key takes part) or floating (added to the scaled "
            f"scores, -inf blocks); got dtype {array.dtype}. Integers could mean either"
        )
    try:
        fits = np.broadcast_shapes(array.shape[-2:], (n_q, n_k)) == (n_q, n_k)
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"mask of shape {array.shape} does not broadcast to (..., n_q, n_k) = "
            f"(..., {n_q}, {n_k})"
        )
    array = np.broadcast_to(array, (*array.shape[:-2], n_q, n_k))
    if array.dtype.kind == "b":
        return array, no_bias
    bias = as_floating(array, "mask")
    if np.isnan(bias).any() or np.isposinf(bias).any():
        raise ValueError("an additive mask holds finite numbers and -inf; got NaN or +inf")
    allowed = bias > -np.inf
    return allowed, np.where(allowed, bias, bias.dtype.type(0))


def causal_mask(n_queries: int, n_keys: int, /, *, offset: ArrayLike = 0) -> BoolArray:
    r"""Return a mask that hides the future: True where key ≤ query + offset.

    With as many queries as keys it is the lower triangle. With fewer queries than keys two
    alignments are in use: `offset` 0 keeps the upper-left corner (PyTorch's `is_causal`),
    n_k − n_q the lower-right one (queries that continue a cached sequence, as in ONNX).

    Parameters
    ----------
    n_queries, n_keys : int
        Numbers of positions, 0 or more.
    offset : int or array_like of int
        Keys that precede the first query: one number, or one per batch item. It may be negative,
        and then the first queries see nothing.

    Returns
    -------
    ndarray of bool, shape (n_q, n_k), or (batch, n_q, n_k) for one offset per batch item
        In general the shape of `offset` followed by (n_q, n_k): an offset of shape (batch, 1)
        leaves room for heads.

    Raises
    ------
    ValueError
        If a number of positions is negative.
    TypeError
        If anything is not an integer.

    Examples
    --------
    >>> causal_mask(2, 3).astype(int)
    array([[1, 0, 0],
           [1, 1, 0]])
    >>> causal_mask(2, 3, offset=1).astype(int)
    array([[1, 1, 0],
           [1, 1, 1]])
    """
    return _steps_ahead(n_queries, n_keys, offset) <= 0


def sliding_window_mask(
    n_queries: int,
    n_keys: int,
    /,
    *,
    left: int | None = None,
    right: int | None = None,
    offset: ArrayLike = 0,
) -> BoolArray:
    r"""Return a mask of the keys near each query: −left ≤ key − (query + offset) ≤ right.

    Parameters
    ----------
    n_queries, n_keys : int
        Numbers of positions, 0 or more.
    left, right : int or None
        How many positions before and after its own a query sees; None leaves that side open.
        `right=0` makes the window causal.
    offset : int or array_like of int
        Position of the first query among the keys, as in `causal_mask`.

    Returns
    -------
    ndarray of bool, shape of `offset` followed by (n_q, n_k)
        True = the key takes part.

    Raises
    ------
    ValueError
        If a number of positions, `left` or `right` is negative.
    TypeError
        If anything is not an integer.

    References
    ----------
    I. Beltagy, M. E. Peters, A. Cohan, "Longformer: the long-document transformer",
    arXiv:2004.05150.

    Examples
    --------
    >>> sliding_window_mask(3, 4, left=1, right=0).astype(int)
    array([[1, 0, 0, 0],
           [1, 1, 0, 0],
           [0, 1, 1, 0]])
    """
    ahead = _steps_ahead(n_queries, n_keys, offset)
    inside = np.ones(ahead.shape, dtype=np.bool_)
    if left is not None:
        inside &= ahead >= -checked_length(left, "left")
    if right is not None:
        inside &= ahead <= checked_length(right, "right")
    return inside


def padding_mask(lengths: ArrayLike, n_keys: int, /) -> BoolArray:
    """Return a mask that keeps each sequence's own keys and drops the padding after them.

    Parameters
    ----------
    lengths : array_like of int, shape (batch,)
        Number of real keys of each sequence, 0 to `n_keys`.
    n_keys : int
        Padded length.

    Returns
    -------
    ndarray of bool, shape (batch, 1, n_k)
        True where key < length, for every query alike. In general the shape of `lengths`
        followed by (1, n_k).

    Raises
    ------
    ValueError
        If a length is negative or greater than `n_keys`.
    TypeError
        If anything is not an integer.

    Examples
    --------
    >>> padding_mask([3, 1], 3).astype(int)
    array([[[1, 1, 1]],
    <BLANKLINE>
           [[1, 0, 0]]])
    """
    real = checked_integers(lengths, "lengths")
    total = checked_length(n_keys, "n_keys")
    if ((real < 0) | (real > total)).any():
        raise ValueError(
            f"lengths must lie between 0 and n_keys = {total}; "
            f"got {int(real.min())} to {int(real.max())}"
        )
    return np.arange(total) < real[..., np.newaxis, np.newaxis]


def additive_mask(mask: ArrayLike, /, *, dtype: DTypeLike = float) -> FloatArray:
    """Return the additive form of a boolean mask: 0 where True, −inf where False.

    Parameters
    ----------
    mask : array_like of bool
        True = the key takes part.
    dtype : dtype_like
        A floating dtype for the result.

    Returns
    -------
    ndarray, shape of `mask`
        What is added to the scaled scores before softmax.

    Raises
    ------
    TypeError
        If `mask` is not boolean or `dtype` not floating.

    Examples
    --------
    >>> additive_mask([True, False])
    array([  0., -inf])
    """
    allowed = as_boolean(mask, "mask")
    target = np.dtype(dtype)
    if target.kind != "f":
        raise TypeError(f"dtype must be floating, to hold -inf; got {target}")
    return np.where(allowed, 0.0, -np.inf).astype(target)
