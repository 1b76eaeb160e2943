"""What a sweep hands back: five statistics of raw and of scaled rows, and how to repeat it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.intervals import Estimate


@dataclass(frozen=True, slots=True)
class Statistics:
    """What is measured of the rows, one entry a width.

    Parameters
    ----------
    score_std
        Standard deviation of the scores, in their unit; see `Sweep.mean_removed`.
    entropy
        Mean entropy of a row of weights, in nats.
    normalized_entropy
        The same over its ceiling ln n_keys, 0 to 1.
    max_weight
        Mean largest weight of a row.
    saturated_share
        Share of rows whose largest weight is above 0.9.
    """

    score_std: Estimate
    entropy: Estimate
    normalized_entropy: Estimate
    max_weight: Estimate
    saturated_share: Estimate


@dataclass(frozen=True, slots=True)
class Sweep:
    """What a sweep measured, and all it takes to run it again.

    Parameters
    ----------
    widths
        Head widths d_k, shape (n_widths,).
    raw, scaled
        Statistics of the scores as they are, and divided by √d_k.
    seed, engine, n_keys, n_queries, n_trials
        As given to `core.sweep`.
    mean_removed
        Whether ``score_std`` is the standard deviation over all scores (ddof 0) or, as in the
        published self-attention run, their root mean square: the population mean is zero.
    versions
        Of "python" and "numpy": random streams may change between versions.
    """

    widths: NDArray[np.int64]
    raw: Statistics
    scaled: Statistics
    seed: int
    engine: str
    n_keys: int
    n_queries: int
    n_trials: int
    mean_removed: bool
    versions: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a sweep has come.

    Parameters
    ----------
    done, total
        Random numbers and scores, so far and in all; equal in the last report.
    sweep
        The widths that are complete, None before the first is.
    """

    done: int
    total: int
    sweep: Sweep | None

    @property
    def fraction(self) -> float:
        """Share of the work that is done, 0 to 1."""
        return self.done / self.total
