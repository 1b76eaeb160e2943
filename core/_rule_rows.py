"""What is measured of rows of logits: how sharp softmax makes them, what gradient it lets through.

Arrays have the keys first, shape (n_keys, n_rows), so that sums over keys run along whole rows of
memory. Leaders, whose exponential is 1, are counted apart from the others: what is left beside 1
keeps its digits on the most saturated row.
"""

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

MEASURED = 9
"""Rows of what `measure_rule` returns."""

_BLOCK = 1 << 15
"""Scores worked on at once, 256 KiB."""

_LOWEST = -340.0
"""An exponential below e^−340 changes no sum here, and its square would be a slow subnormal."""


def measure_rule(
    scores: FloatArray, logits: FloatArray, slopes: FloatArray, sink: bool
) -> FloatArray:
    """Return what is averaged over rows.

    Parameters
    ----------
    scores, logits
        Raw scores, and what softmax is handed.
    slopes
        Derivative of a logit by its raw score; shape (1, 1) where all are the same.
    sink
        Whether one more key, whose logit is 0, takes part.

    Returns
    -------
    ndarray, shape (9, n_rows)
        Mean and mean square of the logits, entropy, largest weight of a key, gradient norm; 1 or 0
        for a changed leader, a tie, a tie in float32; the weight of the sink.
    """
    n_keys, n_rows = logits.shape
    out = np.empty((MEASURED, n_rows))
    step = max(1, _BLOCK // n_keys)
    for start in range(0, n_rows, step):
        block = slice(start, start + step)
        x = np.ascontiguousarray(logits[:, block])
        a = slopes if slopes.size == 1 else slopes[:, block]
        of_block = out[:, block]
        of_block[0] = x.mean(axis=0)
        of_block[1] = np.einsum("kr,kr->r", x, x) / n_keys
        of_block[2:5], of_block[8] = _weigh(x, a, sink)
        of_block[5:8] = _order(scores[:, block], x)
    return out


def _weigh(x: FloatArray, slopes: FloatArray, sink: bool) -> tuple[FloatArray, FloatArray]:
    """Return entropy, largest weight of a key and gradient norm, and the weight of the sink."""
    peak = x.max(axis=0)
    zero = np.maximum(peak, 0.0) if sink else peak
    shifted = x - zero
    other = (shifted < 0.0) & (shifted > _LOWEST)
    powers = np.exp(np.maximum(shifted, _LOWEST)) * other
    squares = powers * powers
    leads = shifted == 0.0
    more = leads.sum(axis=0) - 1.0  # leaders but one; −1 where the sink leads
    rest, rest_squared = powers.sum(axis=0) + more, squares.sum(axis=0) + more
    mean = np.einsum("kr,kr->r", powers, shifted)
    if sink:
        nothing = np.exp(np.maximum(-zero, _LOWEST))
        rest += nothing
        rest_squared += nothing * nothing
        mean -= nothing * zero
    total = 1.0 + rest
    column = squares * ((total - powers) ** 2 + (1.0 + rest_squared - squares))
    column += leads * (rest**2 + rest_squared)
    with np.errstate(under="ignore"):
        gradient = np.sqrt((column * np.square(slopes)).sum(axis=0)) / total**2
    largest = np.exp(np.maximum(peak - zero, _LOWEST)) / total
    weight = nothing / total if sink else np.zeros_like(total)
    return np.stack([np.log1p(rest) - mean / total, largest, gradient]), weight


def _order(scores: FloatArray, x: FloatArray) -> FloatArray:
    """Tell where the leader of the raw scores leads no more, or not alone, or not in float32."""
    leads = x == x.max(axis=0)
    kept = (leads & (scores == scores.max(axis=0))).any(axis=0)
    single = x.astype(np.float32)
    ties = (leads.sum(axis=0) > 1, (single == single.max(axis=0)).sum(axis=0) > 1)
    return np.stack([~kept, kept & ties[0], ties[1]])
