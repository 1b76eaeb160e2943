r"""A row of softmax weights seen from its largest, so that what is left beside it keeps its digits.

On a saturated row the largest weight rounds to 1, and 1 − w to 0; the gradient that still gets
through lives in the other weights. So a row is held as its largest weight, its second largest, and
all the others as multiples of the second: numbers near 1 that neither cancel nor underflow.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

# Beside 1, what is below e^-40 changes no digit of a float64 sum; its square would be slow.
_NEGLIGIBLE = -40.0

# The least exponential far from the slow subnormal numbers; what lies below counts as zero.
_LEAST_GAP = -700.0


class Top(NamedTuple):
    """Rows of weights: shape (...) for two of them, (..., n) for the ratios."""

    largest: FloatArray
    second: FloatArray
    ratios: FloatArray
    """Weights over the second largest, with 0 in the place of the largest."""


def top_of_weights(weights: FloatArray, /) -> Top:
    """Split rows of weights."""
    largest = weights.max(axis=-1)
    others = _without_largest(weights, 0.0)
    second = others.max(axis=-1)
    ratios = others / np.where(second > 0.0, second, 1.0)[..., None]
    ratios[ratios < np.exp(_NEGLIGIBLE)] = 0.0
    return Top(largest, second, ratios)


def top_of_logits(logits: FloatArray, /) -> Top:
    """Split the rows of weights that finite logits have."""
    others = _without_largest(logits, -np.inf)
    if logits.shape[-1] == 1:
        one = np.ones(logits.shape[:-1])
        return Top(one, np.zeros_like(one), np.zeros_like(logits))
    next_logit = others.max(axis=-1)
    others -= next_logit[..., None]
    negligible = others < _NEGLIGIBLE
    ratios = np.exp(np.maximum(others, _NEGLIGIBLE, out=others), out=others)
    ratios[negligible] = 0.0
    gap = next_logit - logits.max(axis=-1)
    ratio = np.where(gap > _LEAST_GAP, np.exp(np.maximum(gap, _LEAST_GAP)), 0.0)
    largest = 1.0 / (1.0 + ratio * ratios.sum(axis=-1))
    return Top(largest, ratio * largest, ratios)


def frobenius_norm(top: Top, /) -> FloatArray:
    r"""‖diag(w) − w wᵀ‖_F, as the second weight times a root of order 1.

    .. math:: \sum_i w_i^2 (1 - w_i)^2 + \sum_{i \neq j} w_i^2 w_j^2
    """
    largest, second, ratios = top
    squares = ratios**2
    sum_of_squares = squares.sum(axis=-1)
    pairs_below = np.maximum(sum_of_squares**2 - (squares**2).sum(axis=-1), 0.0)
    diagonal = (squares * (1.0 - second[..., None] * ratios) ** 2).sum(axis=-1)
    diagonal += (largest * ratios.sum(axis=-1)) ** 2
    pairs = 2.0 * largest**2 * sum_of_squares + second**2 * pairs_below
    return np.asarray(second * np.sqrt(diagonal + pairs))


def _without_largest(rows: FloatArray, filling: float) -> FloatArray:
    others = rows.copy()
    np.put_along_axis(others, rows.argmax(axis=-1)[..., None], filling, axis=-1)
    return others
