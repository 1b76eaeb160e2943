r"""Softmax as each number format computes it, with and without its safeguard.

In exact arithmetic subtracting the row's maximum changes nothing. In a format with a largest
number it decides between weights and NaN: e^12/e^12 is inf/inf in float16 and 1/1 once the
maximum is gone. What it does not change is how sharp the weights are. A key that lies 20 below
the best has weight 2e-9 exactly and 0 in float16, with or without the safeguard.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core._arrays import FloatArray
from core.formats import FORMATS, FloatFormat, checked_format, round_to_format
from core.softmax import softmax


@dataclass(frozen=True, slots=True, eq=False)
class FormatSoftmax:
    """Softmax with every operation rounded to one format.

    Attributes
    ----------
    format : FloatFormat
    scores : ndarray, shape (..., n)
        As the format holds them.
    exponents : ndarray, shape (..., n)
        What the exponential is given: the scores, or the scores less their row's maximum.
    exponentials : ndarray, shape (..., n)
    total : ndarray, shape (..., 1)
        Softmax's denominator, summed in at least float32 and then rounded.
    weights : ndarray, shape (..., n)
    """

    format: FloatFormat
    scores: FloatArray
    exponents: FloatArray
    exponentials: FloatArray
    total: FloatArray
    weights: FloatArray

    @property
    def row_sums(self) -> NDArray[np.float64]:
        """Sum of each row's weights, summed in float64: 1 but for rounding, if all went well."""
        return np.asarray(self.weights.sum(axis=-1, dtype=np.float64))

    @property
    def n_overflowed(self) -> int:
        """Exponentials and totals that became infinite."""
        return int(np.isinf(self.exponentials).sum() + np.isinf(self.total).sum())

    @property
    def n_underflowed(self) -> int:
        """Exponentials of finite exponents that became 0."""
        return int(((self.exponentials == 0) & np.isfinite(self.exponents)).sum())

    @property
    def n_undefined(self) -> int:
        """Weights that are not a number."""
        return int(np.isnan(self.weights).sum())


def softmax_in_format(
    scores: ArrayLike, name: str, /, *, subtract_maximum: bool = True
) -> FormatSoftmax:
    r"""Return softmax as a number format computes it, naively or with the maximum subtracted.

    .. math:: w_j = \frac{e^{s_j}}{\sum_i e^{s_i}} \quad\text{or}\quad
        w_j = \frac{e^{s_j - m}}{\sum_i e^{s_i - m}}, \qquad m = \max_i s_i

    The two are equal in exact arithmetic. No safeguard is added: what overflows here overflows
    in plain code, without the warning.

    Parameters
    ----------
    scores : array_like, shape (..., n)
        Real scores; −inf takes no part.
    name : {"float16", "bfloat16", "float32", "float64"}
        The format. Every result is rounded to it; sums run in at least float32, as on hardware.
    subtract_maximum : bool
        False for the naive form.

    Returns
    -------
    FormatSoftmax

    Raises
    ------
    ValueError
        If there is no such format or no score.
    TypeError
        If `scores` are not real.

    Examples
    --------
    >>> naive = softmax_in_format([12.0, 11.0, 0.0], "float16", subtract_maximum=False)
    >>> naive.weights, naive.n_overflowed
    (array([nan,  0.,  0.], dtype=float16), 2)
    >>> softmax_in_format([12.0, 11.0, 0.0], "float16").weights.round(3)
    array([0.731, 0.269, 0.   ], dtype=float16)
    """
    kind = checked_format(name)
    held = round_to_format(scores, name)
    if held.ndim == 0 or held.shape[-1] == 0:
        raise ValueError(f"scores must have shape (..., n) with n at least 1; got {held.shape}")
    with np.errstate(all="ignore"):
        exponents = held
        if subtract_maximum:
            exponents = round_to_format(held - held.max(axis=-1, keepdims=True), name)
        exponentials = round_to_format(np.exp(exponents), name)
        summed = exponentials.sum(
            axis=-1, keepdims=True, dtype=np.result_type(np.float32, kind.storage)
        )
        total = round_to_format(summed, name)
        weights = round_to_format(exponentials / total, name)
    return FormatSoftmax(kind, held, exponents, exponentials, total, weights)


@dataclass(frozen=True, slots=True, eq=False)
class FormatComparison:
    """One format's naive and stable softmax of the same scores, beside exact weights.

    Attributes
    ----------
    naive, stable : FormatSoftmax
        Without and with the maximum subtracted.
    exact : ndarray, shape (..., n)
        Weights of the scores as given, in float64.
    """

    naive: FormatSoftmax
    stable: FormatSoftmax
    exact: FloatArray

    @property
    def naive_error(self) -> float:
        """Largest error of a naive weight; NaN if one is not a number."""
        return float(np.abs(self.naive.weights - self.exact).max())

    @property
    def stable_error(self) -> float:
        """Largest error of a stable weight."""
        return float(np.abs(self.stable.weights - self.exact).max())


def compare_formats(scores: ArrayLike, /) -> tuple[FormatComparison, ...]:
    """Return softmax of the same scores in every format, naive beside stable.

    Parameters
    ----------
    scores : array_like, shape (..., n)
        Finite scores.

    Returns
    -------
    tuple of FormatComparison
        In the order of `FORMATS`.

    Raises
    ------
    ValueError
        If a score is not finite, or there is none.
    TypeError
        If `scores` are not real.

    Examples
    --------
    >>> for seen in compare_formats([89.0, 88.0, 0.0]):
    ...     print(seen.naive.format.name, seen.naive.n_undefined, f"{seen.stable_error:.0e}")
    float16 2 1e-04
    bfloat16 1 6e-04
    float32 1 2e-08
    float64 0 0e+00
    """
    given = np.asarray(scores, dtype=np.float64)
    if not np.isfinite(given).all():
        raise ValueError("scores must be finite, to compare formats by their errors")
    return tuple(
        FormatComparison(
            softmax_in_format(given, name, subtract_maximum=False),
            softmax_in_format(given, name),
            softmax(given),
        )
        for name in FORMATS
    )
