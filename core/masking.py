r"""The same queries, keys and values under one mask after another.

A mask decides which keys a query may attend, and nothing else: among the allowed keys the weights
keep their proportions, and they sum to 1 again. So every allowed key gains what the blocked ones
lose, and the most that the entropy can be falls from ln n to the logarithm of the number of
allowed keys. Two masks are in every language model: a causal one orders positions, a padding one
removes absent ones. They are different things and combine by "and". With fewer queries than keys
"causal" alone says too little: it matters which corner of the table the diagonal starts from.
"""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core._arrays import BoolArray, FloatArray, as_boolean
from core.attention import Attention, FullyMasked, attention
from core.entropy import entropy
from core.examples import Example
from core.key_ranges import key_ranges
from core.masks import additive_mask

Alignment = Literal["none", "upper-left", "lower-right"]


def _fixed(rows: ArrayLike) -> FloatArray:
    array = np.array(rows, dtype=np.float64)
    array.setflags(write=False)
    return array


MASKING_EXAMPLE = Example(
    query=_fixed(
        [[1, 0, 1, -1], [2, 1, 0, 1], [-1, 2, 1, 0], [0, 1, -2, 1], [1, -1, 1, 2]],
    ),
    key=_fixed(
        [[1, 1, 0, -1], [0, 2, -1, 1], [2, 0, 1, 1], [-1, 1, 1, 0], [1, -1, 2, 2]],
    ),
    value=_fixed([[3, 0], [1, 2], [-1, 2], [-2, 0], [0, -2]]),
)
"""Five tokens of width 4, written by hand, with values at the corners of a pentagon."""


@dataclass(frozen=True, slots=True, eq=False)
class Masked:
    """One attention call under a mask, with what a reader looks at row by row.

    Attributes
    ----------
    stages : Attention
        Scores, logits, weights and output.
    allowed : ndarray of int, shape (n_q,)
        Number of keys that each query may attend.
    entropy : ndarray, shape (n_q,)
        Of each row's weights, nats; NaN where they are NaN or all 0, which is no distribution.
    ceiling : ndarray, shape (n_q,)
        ln(allowed), nats; −inf where nothing is allowed.
    row_sums : ndarray, shape (n_q,)
        Sums of the weights.
    """

    stages: Attention
    allowed: NDArray[np.int64]
    entropy: FloatArray
    ceiling: FloatArray
    row_sums: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class MaskComparison:
    """The same mask on the same numbers, without and with scaling.

    Attributes
    ----------
    mask : ndarray of bool, shape (n_q, n_k)
        True = the key takes part.
    additive : ndarray, shape (n_q, n_k)
        The same as 0 and −inf.
    fully_masked : ndarray of bool, shape (n_q,)
        True where a query may attend no key.
    raw, scaled : Masked
        Softmax of the masked scores as they are, and divided by √d_k.
    """

    mask: BoolArray
    additive: FloatArray
    fully_masked: BoolArray
    raw: Masked
    scaled: Masked


def build_mask(
    n_queries: int,
    n_keys: int,
    /,
    *,
    causal: Alignment = "none",
    length: int | None = None,
    left: int | None = None,
    right: int | None = None,
    custom: ArrayLike | None = None,
) -> BoolArray:
    """Return a mask by its parts; a key takes part where every part allows it.

    Parameters
    ----------
    n_queries, n_keys : int
        Numbers of positions, 0 or more.
    causal : {"none", "upper-left", "lower-right"}
        Block later keys; the corner says where the first, or the last, query stands. The window
        is counted from the same positions.
    length : int, optional
        Number of real keys; those after it are padding.
    left, right : int, optional
        Sliding window: keys before and after a query's own position.
    custom : array_like of bool, shape (n_q, n_k), optional
        Cells of one's own, True = the key takes part.

    Returns
    -------
    ndarray of bool, shape (n_q, n_k)

    Raises
    ------
    ValueError
        If a number or the alignment is out of range, or `custom` has another shape.
    TypeError
        If `custom` is not boolean.

    Examples
    --------
    >>> build_mask(2, 4, causal="lower-right", length=3).astype(int)
    array([[1, 1, 1, 0],
           [1, 1, 1, 0]])
    >>> build_mask(2, 4, causal="upper-left", length=3).astype(int)
    array([[1, 0, 0, 0],
           [1, 1, 0, 0]])
    """
    if causal not in get_args(Alignment):
        raise ValueError(f"causal must be one of {', '.join(get_args(Alignment))}; got {causal!r}")
    mask = key_ranges(
        n_queries,
        n_keys,
        is_causal=causal != "none",
        left=left,
        right=right,
        offset=n_keys - n_queries if causal == "lower-right" else 0,
        lengths=length,
    ).mask
    if custom is None:
        return mask
    cells = as_boolean(custom, "custom")
    if cells.shape != mask.shape:
        raise ValueError(f"custom must have shape {mask.shape}; got {cells.shape}")
    return mask & cells


def compare_masked(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    /,
    *,
    mask: ArrayLike,
    fully_masked: FullyMasked = "raise",
) -> MaskComparison:
    """Return attention under a mask without and with scaling, and each row's entropy ceiling.

    Parameters
    ----------
    query : array_like, shape (n_q, d_k)
    key : array_like, shape (n_k, d_k)
    value : array_like, shape (n_k, d_v)
    mask : array_like of bool, shape (n_q, n_k)
        True = the key takes part.
    fully_masked : {"raise", "zero", "nan", "mean"}
        What a query gets that may attend no key, as in `core.attention`.

    Returns
    -------
    MaskComparison

    Raises
    ------
    ValueError
        If shapes do not fit, or a query may attend no key under `fully_masked="raise"`.
    TypeError
        If `mask` is not boolean.

    Examples
    --------
    >>> example = MASKING_EXAMPLE
    >>> mask = build_mask(5, 5, causal="upper-left")
    >>> seen = compare_masked(example.query, example.key, example.value, mask=mask)
    >>> seen.scaled.ceiling.round(3)
    array([0.   , 0.693, 1.099, 1.386, 1.609])
    >>> seen.scaled.stages.weights[1].round(3)
    array([0.378, 0.622, 0.   , 0.   , 0.   ])
    """
    allowed = as_boolean(mask, "mask")
    shape = (len(np.asarray(query)), len(np.asarray(key)))
    if allowed.shape != shape:
        raise ValueError(f"mask must have shape (n_q, n_k) = {shape}; got {allowed.shape}")
    counts = allowed.sum(axis=-1)
    with np.errstate(divide="ignore"):
        ceiling = np.log(counts)

    def under(scale: float | None) -> Masked:
        stages = attention(query, key, value, mask=allowed, scale=scale, fully_masked=fully_masked)
        sums = stages.weights.sum(axis=-1)
        return Masked(
            stages,
            counts,
            np.where(sums > 0, entropy(stages.weights), np.nan),
            ceiling,
            sums,
        )

    return MaskComparison(
        allowed, additive_mask(allowed), counts == 0, raw=under(1.0), scaled=under(None)
    )
