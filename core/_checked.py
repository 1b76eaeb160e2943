"""Arguments that several models of random rows take, checked once and refused in words."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.expectation import MAX_EXPECTED_KEYS
from core.limits import MAX_KEYS, MAX_SCORES, MAX_WIDTH

FloatArray = NDArray[np.float64]


def checked_widths(widths: ArrayLike, /) -> FloatArray:
    """Return head widths as floats, or say which bound one is beyond."""
    array = np.asarray(widths)
    if not np.issubdtype(array.dtype, np.integer):
        raise TypeError(f"widths must be integers; got dtype {array.dtype}")
    if array.size and not (array.min() >= 1 and array.max() <= MAX_WIDTH):
        raise ValueError(
            f"widths must be between 1 and MAX_WIDTH = {MAX_WIDTH:,}; "
            f"got {array.min():,} to {array.max():,}"
        )
    return array.astype(np.float64)


def checked_keys(n_keys: int, /) -> int:
    """Return the number of keys in a row whose expectation is asked for."""
    if not 2 <= n_keys <= MAX_EXPECTED_KEYS:
        raise ValueError(
            f"n_keys must be between 2 and MAX_EXPECTED_KEYS = {MAX_EXPECTED_KEYS:,}; "
            f"got {n_keys:,}"
        )
    return int(n_keys)


def checked_sample(n_keys: int, n_rows: int, /) -> tuple[int, int]:
    """Return keys in a row and rows to sample: two or more of each, and not too many scores."""
    if not 2 <= n_keys <= MAX_KEYS:
        raise ValueError(f"n_keys must be between 2 and MAX_KEYS = {MAX_KEYS:,}; got {n_keys:,}")
    most = MAX_SCORES // n_keys
    if not 2 <= n_rows <= most:
        raise ValueError(
            f"n_rows must be between 2 and {most:,} with {n_keys:,} keys (MAX_SCORES = "
            f"{MAX_SCORES:,} scores a width); got {n_rows:,}"
        )
    return int(n_keys), int(n_rows)


def checked_rho(rho: float, /) -> float:
    """Return the correlation as a float between −1 and 1."""
    if not -1.0 <= rho <= 1.0:
        raise ValueError(f"rho is a correlation, between -1 and 1; got {rho!r}")
    return float(rho)
