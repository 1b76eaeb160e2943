r"""Three ways to get a mask nearly right: after softmax, over NaN, and before scaling.

Zeroing weights after softmax blocks keys, but leaves rows that sum to less than 1: the blocked
keys have already taken their share. And zero times NaN is NaN. So what a blocked key holds, such
as uninitialised padding, can come through a mask twice: in the scores, where NaN + −∞ is NaN, and
in the product with V, where the weight is 0 and the value NaN. Whether a mask is added before or
after dividing by √d_k is the same for −∞, and not for a finite bias, which is then divided too.
"""

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from core._arrays import BoolArray, FloatArray, as_boolean, as_floating
from core.attention import attention
from core.masks import additive_mask

Poisoned = Literal["key", "value"]


@dataclass(frozen=True, slots=True, eq=False)
class MaskAfterSoftmax:
    """A mask before softmax beside the same mask after it.

    Attributes
    ----------
    before, after, renormalized : ndarray, shape (n_q, n_k)
        Weights masked before softmax; set to 0 after it; and those divided by their row sums,
        which are the first again.
    output_before, output_after : ndarray, shape (n_q, d_v)
        What they make of the values.
    row_sums : ndarray, shape (n_q,)
        Sums of the weights zeroed after softmax.
    """

    before: FloatArray
    after: FloatArray
    renormalized: FloatArray
    output_before: FloatArray
    output_after: FloatArray
    row_sums: FloatArray


def mask_after_softmax(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    /,
    *,
    mask: ArrayLike,
    scale: float | None = None,
) -> MaskAfterSoftmax:
    """Return what changes if weights are set to 0 after softmax in place of masking before it.

    Parameters
    ----------
    query : array_like, shape (n_q, d_k)
    key : array_like, shape (n_k, d_k)
    value : array_like, shape (n_k, d_v)
    mask : array_like of bool, shape (n_q, n_k)
        True = the key takes part; a row without any gets zeros here.
    scale : float, optional
        Factor on the raw scores, default 1/√d_k.

    Returns
    -------
    MaskAfterSoftmax

    Raises
    ------
    ValueError, TypeError
        If shapes do not fit or `mask` is not boolean.

    Examples
    --------
    >>> seen = mask_after_softmax([[0.0]], [[1.0], [2.0]], np.eye(2), mask=[[True, False]])
    >>> seen.before, seen.after, seen.row_sums
    (array([[1., 0.]]), array([[0.5, 0. ]]), array([0.5]))
    """
    allowed = as_boolean(mask, "mask")
    masked = attention(query, key, value, mask=allowed, scale=scale, fully_masked="zero")
    plain = attention(query, key, value, scale=scale)
    after = np.where(allowed, plain.weights, 0)
    sums = np.asarray(after.sum(axis=-1, keepdims=True))
    return MaskAfterSoftmax(
        before=masked.weights,
        after=after,
        renormalized=np.divide(after, sums, out=np.zeros_like(after), where=sums > 0),
        output_before=masked.output,
        output_after=after @ as_floating(value, "value"),
        row_sums=sums[..., 0],
    )


@dataclass(frozen=True, slots=True, eq=False)
class Leak:
    """What became of NaN in a blocked key, by one way to mask.

    Attributes
    ----------
    method : str
        One of `LEAK_METHODS`.
    weights : ndarray, shape (n_q, n_k)
    output : ndarray, shape (n_q, d_v)
    leaks : bool
        Whether a query got NaN that may attend no poisoned key.
    """

    method: str
    weights: FloatArray
    output: FloatArray
    leaks: bool


LEAK_METHODS = ("add −inf", "fill −inf", "zero after softmax", "leave out")
"""−∞ added to the scores; written over them; weights zeroed after softmax; and blocked keys left
out of the product with V too, as `core.attention` does."""


def poison(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    /,
    *,
    mask: ArrayLike,
    poisoned: Poisoned,
    position: int,
    scale: float | None = None,
) -> tuple[Leak, ...]:
    """Return what NaN in one key or value does under each way to mask.

    Parameters
    ----------
    query : array_like, shape (n_q, d_k)
    key : array_like, shape (n_k, d_k)
    value : array_like, shape (n_k, d_v)
    mask : array_like of bool, shape (n_q, n_k)
        True = the key takes part; every query needs one.
    poisoned : {"key", "value"}
        What is filled with NaN.
    position : int
        At which position, from 0.
    scale : float, optional
        Factor on the raw scores, default 1/√d_k.

    Returns
    -------
    tuple of Leak
        One for each of `LEAK_METHODS`.

    Raises
    ------
    ValueError, TypeError
        If shapes do not fit, an option is out of range, or `mask` is not boolean.

    Examples
    --------
    >>> vectors = [[1.0]], [[1.0], [2.0]], [[3.0], [4.0]]
    >>> results = poison(*vectors, mask=[[True, False]], poisoned="value", position=1)
    >>> [(seen.method, seen.leaks) for seen in results][2:]
    [('zero after softmax', True), ('leave out', False)]
    """
    if poisoned not in get_args(Poisoned):
        raise ValueError(f"poisoned must be key or value; got {poisoned!r}")
    allowed = as_boolean(mask, "mask")
    keys, values = (np.array(as_floating(a, name)) for a, name in ((key, "key"), (value, "value")))
    if not 0 <= position < len(keys):
        raise ValueError(f"position must be 0 to {len(keys) - 1}; got {position}")
    (keys if poisoned == "key" else values)[position] = np.nan
    safe = attention(query, keys, values, mask=allowed, scale=scale)
    scaled = attention(query, keys, values, scale=scale).logits
    unaffected = ~allowed[:, position]

    def leak(method: str, weights: FloatArray, output: FloatArray) -> Leak:
        reached = np.isnan(output).any(axis=-1) | np.isnan(weights).any(axis=-1)
        return Leak(method, weights, output, bool((reached & unaffected).any()))

    added, filled, zeroed, left_out = LEAK_METHODS
    after = np.where(allowed, _plain_softmax(scaled), 0)
    results = []
    for method, weights in (
        (added, _plain_softmax(scaled + additive_mask(allowed))),
        (filled, _plain_softmax(np.where(allowed, scaled, -np.inf))),
        (zeroed, after),
    ):
        results.append(leak(method, weights, weights @ values))
    results.append(leak(left_out, safe.weights, safe.output))
    return tuple(results)


def _plain_softmax(logits: FloatArray) -> FloatArray:
    """Return softmax as it is commonly written: NaN anywhere in a row is NaN everywhere in it."""
    with np.errstate(all="ignore"):
        exponentials = np.exp(logits - logits.max(axis=-1, keepdims=True))
        return np.asarray(exponentials / exponentials.sum(axis=-1, keepdims=True))


@dataclass(frozen=True, slots=True, eq=False)
class BiasOrder:
    """Weights with a bias added after dividing by √d_k, as it should be, and before.

    Attributes
    ----------
    after, before : ndarray, shape (n_q, n_k)
    same : ndarray of bool, shape (n_q,)
        Whether a row's weights are equal but for rounding.
    """

    after: FloatArray
    before: FloatArray
    same: BoolArray


def bias_order(query: ArrayLike, key: ArrayLike, /, *, bias: ArrayLike) -> BiasOrder:
    r"""Return weights with a bias added after scaling and before it.

    .. math:: \operatorname{softmax}(S/\sqrt{d_k} + B) \quad\text{and}\quad
        \operatorname{softmax}((S + B)/\sqrt{d_k})

    Parameters
    ----------
    query : array_like, shape (n_q, d_k)
    key : array_like, shape (n_k, d_k)
    bias : array_like, shape (n_q, n_k)
        Finite numbers and −inf; each row needs a finite one.

    Returns
    -------
    BiasOrder

    Raises
    ------
    ValueError, TypeError
        If shapes do not fit, or `bias` is not floating.

    Examples
    --------
    >>> query, key = [[1.0, 1.0, 0.0, 0.0]], [[2.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]]
    >>> [bool(bias_order(query, key, bias=[[0.0, b]]).same[0]) for b in (-np.inf, -2.0)]
    [True, False]
    """
    no_value = np.zeros((len(np.asarray(key)), 1))
    after = attention(query, key, no_value, mask=bias).weights
    divisor = math.sqrt(np.shape(query)[-1])
    divided = as_floating(bias, "bias") / divisor
    before = attention(query, key, no_value, mask=divided).weights
    near = np.isclose(after, before, rtol=1e-9, atol=1e-12)
    return BiasOrder(after, before, np.asarray(near.all(axis=-1)))
