r"""Everything a sweep measures of a row of scores, in as few passes over it as there are.

A row is worked on twice, raw and divided by √d_k, and the exponentials cost the most. They are
shared where they can be: a raw weight is the √d_k-th power of a scaled one before normalizing,

.. math:: e^{s_j - m} = \bigl(e^{(s_j - m)/\sqrt{d_k}}\bigr)^{\sqrt{d_k}},

and where √d_k is a power of two (every width that is a power of four) that is a few squarings.
Entropy is log Z − Σ w s, which needs no logarithm of a weight.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from core._scratch import Scratch

FloatArray = NDArray[np.float64]

SATURATED = 0.9
"""A row whose largest weight passes this is saturated."""

QUANTITIES = 8
"""Rows of what `measure` returns."""

RAW, SCALED = slice(2, 5), slice(5, 8)
"""Where `measure` puts entropy, largest weight and saturation of either variant."""

_NARROW = 64
"""Rows of fewer keys than this are worked on with the keys as first axis, many rows at a time."""

_LOWEST = -500.0
"""Shifted scores are raised to this: exp(−500) is lost beside a total of 1 or more, and below
it exponentials get slow, then denormal, then slower still."""

_NEAR = 32.0
"""Up to this √d_k there is nothing to raise: a shifted score is a few √d_k, never fifteen."""

_LOG2_E = 1.0 / math.log(2.0)


def measure(scores: FloatArray, d_k: int, scratch: Scratch | None = None, /) -> FloatArray:
    """Return what a sweep needs of each row, overwriting the scores.

    Parameters
    ----------
    scores
        Shape (rows, n_keys), raw. Used as scratch space.
    d_k
        Head width.
    scratch
        Memory to work in, and of the result; fresh memory if none is given.

    Returns
    -------
    ndarray, shape (8, rows)
        Mean and mean square of the raw scores; entropy in nats, largest weight and saturation
        (0 or 1) of the raw row; the same three of the scaled row.
    """
    scratch = scratch or Scratch()
    rows, n_keys = scores.shape
    keys_first = n_keys < _NARROW
    x = scores.T if keys_first else scores
    if not x.flags.c_contiguous:
        x = scratch("rows", *x.shape)
        np.copyto(x, scores.T if keys_first else scores)
    axis, pairs = (0, "kr,kr->r") if keys_first else (1, "rk,rk->r")
    out = scratch("measured", QUANTITIES, rows)
    np.add.reduce(x, axis=axis, out=out[0])
    np.einsum(pairs, x, x, out=out[1])
    out[:2] *= 1.0 / n_keys
    x -= np.maximum.reduce(x, axis=axis, keepdims=True)

    root = math.sqrt(d_k)
    powers = np.multiply(x, _LOG2_E / root, out=scratch("powers", *x.shape))
    np.exp2(powers, out=powers)  # NumPy's fastest exponential
    _weigh(x, powers, axis, pairs, 1.0 / root, out[SCALED])
    mantissa, exponent = math.frexp(root)
    if mantissa == 0.5:
        if root > _NEAR:
            np.maximum(powers, math.exp(_LOWEST / root), out=powers)
        for _ in range(exponent - 1):
            np.square(powers, out=powers)
    else:
        np.maximum(x, _LOWEST, out=powers)
        np.exp(powers, out=powers)
    _weigh(x, powers, axis, pairs, 1.0, out[RAW])
    return out


def _weigh(
    shifted: FloatArray, powers: FloatArray, axis: int, pairs: str, scale: float, out: FloatArray
) -> None:
    """Fill `out` with entropy, largest weight and saturation of exponentials of ``scale·shifted``.

    The largest exponential of a row is 1, so that its weight is 1 over their sum.
    """
    entropy, largest, saturated = out
    total = np.add.reduce(powers, axis=axis)
    np.divide(1.0, total, out=largest)
    np.greater(largest, SATURATED, out=saturated)
    mean = np.einsum(pairs, shifted, powers)
    mean *= largest
    mean *= scale
    np.log(total, out=entropy)
    entropy -= mean
