r"""Rows with one planted key, sampled from the exact law of their scores.

Given ‖q‖ the planted key's score is ρ‖q‖² + √(1 − ρ²)‖q‖z and every other key's is ‖q‖z, so that
a row of n keys takes n + 1 random numbers at any width. Nothing but the planted key's score depends
on ρ: what softmax needs of all others, their largest score and sums of exponentials, is kept as
`OtherKeys`, and another ρ takes no drawing.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core._checked import checked_sample, checked_widths
from core.limits import checked_seed
from core.planted import PLANTED_DIVISORS

FloatArray = NDArray[np.float64]

__all__ = ["OtherKeys", "other_keys", "planted_rows"]

LOWEST = -500.0
"""exp(−500) is lost beside a total of 1 or more; below it exponentials get slow."""

_BLOCK = 2**14
"""Scores that are worked on at once: they stay in the processor's cache."""


def planted_rows(
    rng: np.random.Generator, d_k: int, /, *, rho: float, n_keys: int, n_rows: int
) -> FloatArray:
    """Sample rows of raw scores; the planted key comes first.

    Draw order: ``rng.chisquare(d_k, n_rows)`` for ‖q‖², then
    ``rng.standard_normal((n_rows, n_keys))``.

    Parameters
    ----------
    rng : Generator
    d_k : int
        Head width.
    rho : float
        Correlation ρ of the planted key with the query, −1 to 1.
    n_keys, n_rows : int
        Keys in a row, the planted one included, and rows.

    Returns
    -------
    ndarray, shape (n_rows, n_keys)
        Scores, undivided.

    Examples
    --------
    >>> scores = planted_rows(np.random.default_rng(1), 256, rho=0.3, n_keys=64, n_rows=1000)
    >>> scores.shape, bool(abs(scores[:, 0].mean() - 0.3 * 256) < 2.0)
    ((1000, 64), True)
    """
    square, scores = _drawn(rng, d_k, n_keys, n_rows)
    scores[:, 0] = rho * square + math.sqrt(1.0 - rho * rho) * scores[:, 0]
    return scores


def _drawn(
    rng: np.random.Generator, d_k: int, n_keys: int, n_rows: int
) -> tuple[FloatArray, FloatArray]:
    square = rng.chisquare(d_k, n_rows)
    scores = rng.standard_normal((n_rows, n_keys))
    scores *= np.sqrt(square)[:, None]
    return square, scores


@dataclass(frozen=True, slots=True, eq=False)
class OtherKeys:
    """Sampled rows of one width, the keys that are not planted summed up.

    Attributes
    ----------
    d_k, n_keys : int
    square, noise : ndarray, shape (n_rows,)
        ‖q‖², and the score that the planted key would have at ρ = 0.
    largest : ndarray, shape (n_rows,)
        Largest raw score of the other keys, m.
    total, moment : mapping of str to ndarray, shape (n_rows,)
        Σ e^((s − m)/τ) over the other keys and Σ e^((s − m)/τ) (s − m)/τ, for each divisor τ.
    """

    d_k: int
    n_keys: int
    square: FloatArray
    noise: FloatArray
    largest: FloatArray
    total: Mapping[str, FloatArray]
    moment: Mapping[str, FloatArray]


def other_keys(d_k: int, /, *, n_keys: int, n_rows: int, seed: int) -> OtherKeys:
    """Sample rows as `planted_rows` does, and keep what does not depend on ρ.

    Parameters
    ----------
    d_k : int
        Head width, 1 to 2²⁰.
    n_keys : int
        Keys in a row, the planted one included: 2 to 4,096.
    n_rows : int
        Independent rows, 2 or more; at most 2²⁴ scores.
    seed : int
        0 or more. Each width has a stream of its own.

    Returns
    -------
    OtherKeys
        For `core.planted_sample.planted_among`.

    Raises
    ------
    ValueError
        If an argument is beyond its bounds.

    Examples
    --------
    >>> others = [other_keys(d_k, n_keys=64, n_rows=2000, seed=1) for d_k in (16, 1024)]
    >>> [int(rows.largest.mean().round()) for rows in others]
    [9, 75]
    """
    (d_k,) = checked_widths([d_k]).astype(np.int64).tolist()
    n_keys, n_rows = checked_sample(n_keys, n_rows)
    rng = np.random.Generator(np.random.SFC64([checked_seed(seed), d_k]))
    square, scores = _drawn(rng, d_k, n_keys, n_rows)
    noise, largest = scores[:, 0].copy(), np.empty(n_rows)
    taus = {name: divisor(d_k) for name, divisor in PLANTED_DIVISORS.items()}
    total, moment = ({name: np.empty(n_rows) for name in taus} for _ in range(2))
    at_once = max(1, _BLOCK // n_keys)
    for start in range(0, n_rows, at_once):
        here = slice(start, start + at_once)
        shifted = scores[here, 1:]
        shifted.max(axis=1, out=largest[here])
        shifted = np.maximum(shifted - largest[here, None], LOWEST * min(taus.values()))
        powers, before = np.empty_like(shifted), math.inf
        for name, tau in sorted(taus.items(), key=lambda item: -item[1]):
            # By squaring where it can be: at a width that is a power of four, that is.
            mantissa, exponent = math.frexp(before / tau)
            if mantissa == 0.5:
                for _ in range(exponent - 1):
                    np.square(powers, out=powers)
            else:
                np.exp(shifted / tau, out=powers)
            before = tau
            powers.sum(axis=1, out=total[name][here])
            moment[name][here] = np.einsum("rk,rk->r", powers, shifted) / tau
    return OtherKeys(d_k, n_keys, square, noise, largest, total, moment)
