"""Trials are what a sweep counts: independent of each other, as rows and scores are not.

Rows arrive in blocks of any size. They are averaged within their trial, and of the trials only
count, means and second moments are kept, so that a sweep of a million trials needs no more memory
than one of two.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


class TrialMoments:
    """Count, mean and variance of trial averages, updated block by block.

    Blocks are merged by the pairwise rule of Chan, Golub and LeVeque, doi:10.1080/
    00031305.1983.10483115, which loses no digits where the mean is large beside the spread.

    Parameters
    ----------
    size
        Number of quantities a row has, at least two.
    rows_per_trial
        Rows that make up a trial, in order of arrival.
    """

    def __init__(self, size: int, rows_per_trial: int) -> None:
        self.count = 0
        self.mean = np.zeros(size)
        self._squares = np.zeros(size)
        self._product = 0.0
        self._rows_per_trial = rows_per_trial
        self._average = np.full(rows_per_trial, 1.0 / rows_per_trial)
        self._rest = np.empty((size, 0))

    def add(self, rows: FloatArray, /) -> None:
        """Take in rows, shape (size, rows), and overwrite them; an unfinished trial waits."""
        trials = rows
        if self._rows_per_trial > 1:
            if self._rest.size:
                rows = np.concatenate([self._rest, rows], axis=1)
            size, whole = len(rows), rows.shape[1] // self._rows_per_trial
            self._rest = rows[:, whole * self._rows_per_trial :].copy()
            trials = rows[:, : whole * self._rows_per_trial]
            trials = trials.reshape(size, whole, self._rows_per_trial) @ self._average
        count = trials.shape[1]
        if not count:
            return
        mean = np.add.reduce(trials, axis=1) / count
        trials -= mean[:, None]
        gap = mean - self.mean
        total = self.count + count
        weight = self.count * count / total
        self._squares += np.vecdot(trials, trials) + gap * gap * weight
        self._product += float(trials[0] @ trials[1] + gap[0] * gap[1] * weight)
        self.mean += gap * (count / total)
        self.count = total

    @property
    def variance(self) -> FloatArray:
        """Sample variance of the trials, shape (size,); zeros for a single trial."""
        return self._squares / max(self.count - 1, 1)

    @property
    def covariance(self) -> float:
        """Sample covariance of the first two quantities."""
        return self._product / max(self.count - 1, 1)
