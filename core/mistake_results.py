r"""Both results of a common mistake, and the symptoms by which it shows.

The results are computed here by other functions of this package, not by the snippets that readers
see; the two must agree. A symptom is something that can be looked up in one's own code: what the
rows sum to, how their entropy compares with its ceiling, whether they rank the keys as the scores
do, whether an exponential overflowed, how many numbers are NaN, and how much weight lies on
blocked keys.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core._arrays import BoolArray, FloatArray, as_boolean, as_floating
from core.attention import attention
from core.entropy import entropy
from core.format_softmax import softmax_in_format
from core.mask_pitfalls import mask_after_softmax
from core.masks import causal_mask
from core.mistakes import MISTAKES, Mistake
from core.softmax import softmax

N_HEADS = 8
"""Heads that share the model width, where it matters."""
DTYPE = "float16"
"""Format of the exponentials, where it matters."""


@dataclass(frozen=True, slots=True, eq=False)
class MistakeSide:
    """One side of a before and after: the weights, what they give, and their symptoms.

    Attributes
    ----------
    weights : ndarray, shape (n_q, n_k)
    output : ndarray, shape (n_q, d_v)
    row_sums : ndarray, shape (n_q,)
        Sums of the weights; 1 for weights that are.
    entropy : ndarray, shape (n_q,)
        In nats; NaN for a row that does not sum to 1, whose entropy means nothing.
    order_kept : bool
        Whether, in each row, no allowed key has less weight than one with a lower score, and
        not all weigh the same. Some may: what is far below the best rounds to 0.
    overflowed : bool
        Whether an exponential or a sum of them became infinite: plain code warns then.
    n_undefined : int
        Weights that are NaN.
    blocked_weight : float
        Largest sum of weights that a query gives to blocked keys; 0 without a mask.
    """

    weights: FloatArray
    output: FloatArray
    row_sums: NDArray[np.float64]
    entropy: FloatArray
    order_kept: bool
    overflowed: bool
    n_undefined: int
    blocked_weight: float


@dataclass(frozen=True, slots=True, eq=False)
class MistakeResult:
    """A mistake made and avoided on the same numbers.

    Attributes
    ----------
    mistake : Mistake
    wrong, right : MistakeSide
    ceiling : ndarray, shape (n_q,)
        Logarithm of the number of allowed keys, nats.
    largest_difference : float
        Between a wrong and a right weight; NaN where one is.
    """

    mistake: Mistake
    wrong: MistakeSide
    right: MistakeSide
    ceiling: FloatArray
    largest_difference: float


def make_mistake(
    name: str,
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    /,
    *,
    magnitude: float | None = None,
    mask: ArrayLike | None = None,
    n_heads: int = N_HEADS,
    dtype: str = DTYPE,
    seed: int = 1,
) -> MistakeResult:
    """Make a common mistake, and avoid it, on given vectors.

    Parameters
    ----------
    name : str
        Key in `core.MISTAKES`.
    query : array_like, shape (n_q, d_k)
    key : array_like, shape (n_k, d_k)
    value : array_like, shape (n_k, d_v)
    magnitude : float, optional
        Factor on the queries; the mistake's own by default.
    mask : array_like of bool, shape (n_q, n_k), optional
        True = the key takes part; for the two mistakes about masks, causal by default.
    n_heads : int
        Heads that share the model width, for "model-width".
    dtype : {"float16", "float32", "float64"}
        Format of the exponentials, for "no-maximum".
    seed : int
        For "no-seed". Its wrong side draws twice, from streams that this seed chooses too, so
        that a page shows the same numbers again.

    Returns
    -------
    MistakeResult

    Raises
    ------
    ValueError, TypeError
        If there is no such mistake, an option is out of range, or shapes do not fit.

    Examples
    --------
    >>> vectors = [[1, 1, 1]], [[1, 1, 1], [1, 0, 0], [-1, 0, 0]], [[1], [0], [0]]
    >>> seen = make_mistake("scale-after-softmax", *vectors)
    >>> seen.wrong.row_sums.round(3), seen.right.row_sums
    (array([0.577]), array([1.]))
    >>> make_mistake("divide-by-d_k", *vectors).wrong.entropy.round(3)
    array([0.965])
    """
    if name not in MISTAKES:
        raise ValueError(f"mistake must be one of {', '.join(MISTAKES)}; got {name!r}")
    if n_heads < 1:
        raise ValueError(f"n_heads must be 1 or more; got {n_heads}")
    if dtype not in ("float16", "float32", "float64"):
        raise ValueError(f"dtype must be one of float16, float32, float64; got {dtype!r}")
    factor = MISTAKES[name].magnitude if magnitude is None else float(magnitude)
    queries = as_floating(query, "query") * factor
    keys, values = as_floating(key, "key"), as_floating(value, "value")
    plain = attention(queries, keys, values)
    if plain.scores.ndim != 2:
        raise ValueError(f"query and key must be matrices; got {queries.shape} and {keys.shape}")
    (n_q, n_k), d_k = plain.scores.shape, queries.shape[-1]
    if name in ("inverted-mask", "zero-after-softmax"):
        allowed = causal_mask(n_q, n_k) if mask is None else as_boolean(mask, "mask")
    else:
        allowed = np.ones((n_q, n_k), np.bool_)
    if allowed.shape != (n_q, n_k):
        raise ValueError(f"mask must have shape (n_q, n_k) = {n_q, n_k}; got {allowed.shape}")

    def divided(divisor: float) -> FloatArray:
        return attention(queries, keys, values, scale=1 / divisor).weights

    def masked(where: BoolArray) -> FloatArray:
        return attention(queries, keys, values, mask=where, fully_masked="nan").weights

    def drawn(stream: int | list[int]) -> tuple[FloatArray, FloatArray]:
        rng = np.random.default_rng(stream)
        q = rng.standard_normal(queries.shape)
        stages = attention(q, rng.standard_normal(keys.shape), values)
        return stages.scores, stages.weights

    scores_wrong = scores_right = plain.scores
    right, overflowed = plain.weights, False
    if name in ("divide-by-d_k", "scale-twice"):
        wrong = divided(d_k)
    elif name == "sequence-length":
        wrong = divided(math.sqrt(n_k))
    elif name == "model-width":
        wrong = divided(math.sqrt(n_heads * d_k))
    elif name == "library-default":
        wrong = divided(1)
    elif name == "scale-after-softmax":
        wrong = divided(1) / math.sqrt(d_k)
    elif name == "no-maximum":
        naive = softmax_in_format(plain.logits, dtype, subtract_maximum=False)
        wrong, overflowed = naive.weights, naive.n_overflowed > 0
        right = softmax_in_format(plain.logits, dtype).weights
    elif name == "wrong-axis":
        wrong = softmax(plain.logits, axis=-2)
    elif name == "inverted-mask":
        wrong, right = masked(~allowed), masked(allowed)
    elif name == "zero-after-softmax":
        wrong = mask_after_softmax(queries, keys, values, mask=allowed).after
        right = masked(allowed)
    elif name == "no-seed":
        scores_wrong, _ = drawn([seed, 1])
        _, wrong = drawn([seed, 2])
        scores_right, right = drawn(seed)
    else:
        wrong = np.full((n_q, n_k), 1 / n_k)
    difference = np.abs(wrong.astype(np.float64) - right)
    return MistakeResult(
        MISTAKES[name],
        _side(scores_wrong, wrong, values, allowed, overflowed),
        _side(scores_right, right, values, allowed, False),
        np.log(np.maximum(allowed.sum(axis=-1), 1)),
        float(difference.max()),
    )


def _side(
    scores: FloatArray, weights: FloatArray, value: FloatArray, allowed: BoolArray, overflowed: bool
) -> MistakeSide:
    with np.errstate(all="ignore"):
        output = weights @ value
    sums = np.asarray(weights.sum(axis=-1, dtype=np.float64))
    # Rounding of weights in float16 moves a sum by less than a thousandth each.
    complete = np.abs(sums - 1) <= max(1e-9, weights.shape[-1] * float(np.finfo(weights.dtype).eps))
    higher = (scores[:, :, None] > scores[:, None, :]) & allowed[:, :, None] & allowed[:, None, :]
    ranked = weights[:, :, None] >= weights[:, None, :]
    apart = higher & (weights[:, :, None] > weights[:, None, :])
    tied = higher.any(axis=(1, 2)) & ~apart.any(axis=(1, 2))
    return MistakeSide(
        weights=weights,
        output=output,
        row_sums=sums,
        entropy=np.where(complete, entropy(np.where(complete[:, None], weights, 0)), np.nan),
        order_kept=bool(ranked[higher].all()) and not (tied.any() or np.isnan(weights).any()),
        overflowed=overflowed,
        n_undefined=int(np.isnan(weights).sum()),
        blocked_weight=float(np.nansum(weights, axis=-1, where=~allowed).max(initial=0)),
    )
