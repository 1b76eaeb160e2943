r"""Scores of the random model are nearly normal, N(0, d_k); a histogram shows what a head's are.

A sum of d_k products tends to a normal distribution as the width grows, and by d_k = 16 or so the
eye sees no difference. So the reference is drawn as expected counts in the same bins. The bins
are half a √d_k wide, with an edge at 0, and reach as far as the scores do: a head that spreads
ten times wider than the random model shows as a hill ten times broader than the reference.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core._arrays import FloatArray, as_floating

_MOST_BINS = 120


@dataclass(frozen=True, slots=True, eq=False)
class ScoreHistogram:
    """Counts of raw scores, and the counts that N(0, d_k) would put in the same bins.

    Attributes
    ----------
    edges : ndarray, shape (bins + 1,)
        In units of the raw scores.
    counts : ndarray of int, shape (bins,)
    expected : ndarray, shape (bins,)
        Of as many scores, under N(0, d_k). What lies beyond the edges is in no bin.
    """

    edges: FloatArray
    counts: NDArray[np.int64]
    expected: FloatArray


def histogram_edges(reach: float, d_k: int, /) -> FloatArray:
    """Return bin edges from −reach to reach or wider, at least ±4√d_k.

    Parameters
    ----------
    reach : float
        Largest score in size.
    d_k : int
        Head width.

    Returns
    -------
    ndarray, shape (bins + 1,)
        An even number of bins, at most 120, of equal width.

    Examples
    --------
    >>> histogram_edges(10.0, 4)[[0, 1, -1]], len(histogram_edges(10.0, 4))
    (array([-10.,  -9.,  10.]), 21)
    """
    root = math.sqrt(d_k)
    reach = max(reach, 4 * root)
    # A trifle more than fits, so that the outermost score lies inside for all rounding.
    width = max(root / 2, reach / (_MOST_BINS // 2) * (1 + 1e-9))
    half = math.ceil(reach / width * (1 - 1e-12))
    edges: FloatArray = np.arange(-half, half + 1) * width
    return edges


def bin_counts(scores: FloatArray, edges: FloatArray) -> NDArray[np.int64]:
    """Count `scores` in bins of equal width; every score must lie within the edges."""
    bins = len(edges) - 1
    width = edges[1] - edges[0]
    place = ((scores - edges[0]) / width).astype(np.int64)
    return np.bincount(np.clip(place, 0, bins - 1).ravel(), minlength=bins)


def expected_counts(edges: FloatArray, d_k: int, total: int) -> FloatArray:
    """Return how many of `total` scores N(0, d_k) puts in each bin."""
    scale = math.sqrt(2 * d_k)
    # The upper tail on both sides: 1 − Φ keeps its digits where Φ rounds to 1.
    tails = np.array([0.5 * math.erfc(abs(edge) / scale) for edge in edges.tolist()])
    low, high = tails[:-1], tails[1:]
    shares: FloatArray = np.where(edges[:-1] >= 0, low - high, high - low)
    return shares * float(total)


def score_histogram(scores: ArrayLike, d_k: int, /) -> ScoreHistogram:
    """Return a histogram of raw scores beside the counts expected under N(0, d_k).

    Parameters
    ----------
    scores : array_like
        Finite raw scores, any shape.
    d_k : int
        Width of the vectors they come from, at least 1.

    Returns
    -------
    ScoreHistogram

    Raises
    ------
    ValueError
        If a score is not finite, or d_k below 1.

    Examples
    --------
    >>> histogram = score_histogram(np.linspace(-2, 2, 101), 1)
    >>> histogram.counts.sum(), len(histogram.counts)
    (np.int64(101), 16)
    >>> histogram.expected.round(1)[7:9]
    array([19.3, 19.3])
    """
    values = as_floating(scores, "scores").astype(np.float64)
    if not np.isfinite(values).all():
        raise ValueError("scores must be finite")
    if d_k < 1:
        raise ValueError(f"d_k must be at least 1; got {d_k}")
    edges = histogram_edges(float(np.abs(values).max(initial=0)), d_k)
    return ScoreHistogram(
        edges, bin_counts(values, edges), expected_counts(edges, d_k, values.size)
    )
