"""Statistics of rows of scores, raw and scaled, and their moments over trials."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

SATURATED = 0.9
"""A row whose largest weight passes this counts as saturated."""


def softmax_statistics(scores: FloatArray, /) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return entropy, largest weight and saturation of each row."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    np.maximum(shifted, -708.0, out=shifted)
    exponentials = np.exp(shifted)
    total = exponentials.sum(axis=-1)
    shifted *= exponentials
    entropy = np.log(total) - shifted.sum(axis=-1) / total
    largest = 1.0 / total
    return entropy, largest, (largest > SATURATED).astype(np.float64)


def row_statistics(scores: FloatArray, d_k: int, /) -> FloatArray:
    """Return the eight statistics of each row, shape (8, rows)."""
    return np.stack(
        [
            scores.mean(axis=-1),
            np.square(scores).mean(axis=-1),
            *softmax_statistics(scores),
            *softmax_statistics(scores / np.sqrt(d_k)),
        ]
    )


class Moments:
    """Count, mean and co-moments of vectors that arrive in blocks."""

    def __init__(self, size: int) -> None:
        self.count = 0
        self.mean = np.zeros(size)
        self.comoment = np.zeros((size, size))

    def add(self, block: FloatArray, /) -> None:
        """Take in a block of shape (size, count)."""
        count = block.shape[1]
        if not count:
            return
        mean = block.mean(axis=1)
        centred = block - mean[:, None]
        gap = mean - self.mean
        total = self.count + count
        self.comoment += centred @ centred.T + np.outer(gap, gap) * (self.count * count / total)
        self.mean += gap * (count / total)
        self.count = total

    @property
    def covariance(self) -> FloatArray:
        """Sample covariance, shape (size, size)."""
        return self.comoment / max(self.count - 1, 1)
