r"""A finite number in place of −∞, and where it stops standing for it.

Masks are often made with a large negative number, because −∞ turns a fully masked row into NaN.
Two things are then decided by the number format. Is the number still finite in it? −1e9 is −∞ in
float16. And does *adding* it swallow the score, or leave it there? Softmax sees differences only:
if a whole row is shifted by −1e4 and no digit is lost, the weights are those of no mask at all.
If the sum rounds to the sentinel itself, all scores are equal and the row gets the mean of V.
In between, the scores come back coarsely rounded. *Filling* writes the sentinel over the score,
and always gives the mean. A row with an allowed key works either way while the sentinel lies far
below its scores.
"""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from core._arrays import FloatArray, as_boolean
from core.attention import attention
from core.format_softmax import softmax_in_format
from core.formats import FORMATS, checked_format, round_to_format

Blocking = Literal["add", "fill"]
Outcome = Literal["mean", "as if unmasked", "nan", "neither", "no such row"]

SENTINELS = ("-1e4", "-1e9", "lowest", "-inf")
"""Numbers that stand for "blocked": "lowest" is the format's own, as in finfo(dtype).min."""

_SAME = 1e-3
"""Weights this close are called the same: a sentinel may cost a score its last digits."""


@dataclass(frozen=True, slots=True, eq=False)
class SentinelResult:
    """What a sentinel does in one number format.

    Attributes
    ----------
    sentinel, format, blocking : str
        Which of `SENTINELS`, which of `FORMATS`, and "add" or "fill".
    stored : float
        The sentinel as the format holds it.
    is_finite : bool
        Whether it is still finite there.
    logits, weights : ndarray, shape (n_q, n_k)
        Computed in the format, with the maximum subtracted.
    output : ndarray, shape (n_q, d_v)
        Weights · V, rounded to the format.
    leaked : float
        Largest weight of a blocked key in a row that has allowed keys: 0 if the mask works.
    outcome : str
        What fully masked rows get: "mean" of V, weights "as if unmasked", "nan", or "neither";
        "no such row" where every query may attend a key.
    """

    sentinel: str
    format: str
    blocking: Blocking
    stored: float
    is_finite: bool
    logits: FloatArray
    weights: FloatArray
    output: FloatArray
    leaked: float
    outcome: Outcome


def sentinel_value(sentinel: str, format_name: str, /) -> float:
    """Return a sentinel as a number format holds it.

    Parameters
    ----------
    sentinel : {"-1e4", "-1e9", "lowest", "-inf"}
    format_name : {"float16", "bfloat16", "float32", "float64"}

    Raises
    ------
    ValueError
        If there is no such sentinel or format.

    Examples
    --------
    >>> sentinel_value("-1e9", "float16"), sentinel_value("lowest", "float16")
    (-inf, -65504.0)
    """
    if sentinel not in SENTINELS:
        raise ValueError(f"sentinel must be one of {', '.join(SENTINELS)}; got {sentinel!r}")
    lowest = -checked_format(format_name).largest
    wanted = lowest if sentinel == "lowest" else float(sentinel)
    return float(round_to_format(wanted, format_name))


def mask_with_sentinel(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    /,
    *,
    mask: ArrayLike,
    sentinel: str,
    format: str,  # noqa: A002 (the word for it)
    blocking: Blocking,
    scale: float | None = None,
) -> SentinelResult:
    """Return attention that blocks keys with a finite number, computed in a number format.

    Scores are computed exactly and then rounded to the format; everything after that is rounded
    operation by operation, as plain code would do it.

    Parameters
    ----------
    query : array_like, shape (n_q, d_k)
    key : array_like, shape (n_k, d_k)
    value : array_like, shape (n_k, d_v)
    mask : array_like of bool, shape (n_q, n_k)
        True = the key takes part.
    sentinel : {"-1e4", "-1e9", "lowest", "-inf"}
    format : {"float16", "bfloat16", "float32", "float64"}
    blocking : {"add", "fill"}
        Add the sentinel to a blocked score, or write it in its place.
    scale : float, optional
        Factor on the raw scores, default 1/√d_k.

    Returns
    -------
    SentinelResult

    Raises
    ------
    ValueError
        If an option is unknown or shapes do not fit.
    TypeError
        If `mask` is not boolean.

    Examples
    --------
    >>> vectors = [[1.0, 0.0], [0.0, 2.0]], [[1.0, 0.0], [0.0, 1.0]], [[2.0], [4.0]]
    >>> for name in FORMATS:
    ...     seen = mask_with_sentinel(
    ...         *vectors, mask=np.zeros((2, 2), bool), sentinel="-1e9", format=name, blocking="add"
    ...     )
    ...     print(name, seen.outcome)
    float16 nan
    bfloat16 mean
    float32 mean
    float64 as if unmasked
    """
    if blocking not in get_args(Blocking):
        raise ValueError(f"blocking must be one of add, fill; got {blocking!r}")
    stored = sentinel_value(sentinel, format)
    allowed = as_boolean(mask, "mask")
    exact = attention(query, key, value, scale=scale)
    if allowed.shape != exact.logits.shape:
        raise ValueError(
            f"mask must have shape (n_q, n_k) = {exact.logits.shape}; got {allowed.shape}"
        )
    scores = round_to_format(exact.logits, format)
    with np.errstate(all="ignore"):
        blocked = round_to_format(scores + stored, format) if blocking == "add" else stored
    logits = np.where(allowed, scores, blocked).astype(scores.dtype)
    weights = softmax_in_format(logits, format).weights
    with np.errstate(all="ignore"):
        output = round_to_format(weights @ round_to_format(value, format), format)
    partly = np.asarray(allowed.any(axis=-1, keepdims=True))
    return SentinelResult(
        sentinel=sentinel,
        format=format,
        blocking=blocking,
        stored=stored,
        is_finite=bool(np.isfinite(stored)),
        logits=logits,
        weights=weights,
        output=output,
        leaked=float(weights.max(where=partly & ~allowed, initial=0)),
        outcome=_outcome(
            weights[~partly[:, 0]], softmax_in_format(scores, format).weights[~partly[:, 0]], format
        ),
    )


def _outcome(weights: FloatArray, unmasked: FloatArray, name: str) -> Outcome:
    """Say in a word what fully masked rows got."""
    if not weights.size:
        return "no such row"
    if np.isnan(weights).any():
        return "nan"
    near = _SAME + 2 * FORMATS[name].epsilon
    if np.abs(weights - 1 / weights.shape[-1]).max() <= near:
        return "mean"
    return "as if unmasked" if np.abs(weights - unmasked).max() <= near else "neither"


def compare_sentinels(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    /,
    *,
    mask: ArrayLike,
    scale: float | None = None,
) -> tuple[SentinelResult, ...]:
    """Return every sentinel in every format, added and filled in.

    Parameters are those of `mask_with_sentinel`; the order is by sentinel, format and blocking.

    Raises
    ------
    ValueError, TypeError
        As in `mask_with_sentinel`.

    Examples
    --------
    >>> vectors = [[1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]], [[2.0], [4.0]]
    >>> results = compare_sentinels(*vectors, mask=[[True, False]])
    >>> len(results), max(seen.leaked for seen in results)
    (32, 0.0)
    """
    return tuple(
        mask_with_sentinel(
            query,
            key,
            value,
            mask=mask,
            sentinel=sentinel,
            format=name,
            blocking=blocking,
            scale=scale,
        )
        for sentinel in SENTINELS
        for name in FORMATS
        for blocking in get_args(Blocking)
    )
