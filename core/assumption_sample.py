r"""Scores of queries and keys with a mean, another spread and correlated coordinates, measured.

A vector is split into its part along (1, …, 1)/√d_k, with mean μ√d_k and variance λ₁, and the rest,
with variance λ₂ in each of d_k − 1 directions. Given the query's part a along and the length ‖p‖
of the rest, the scores of a row are normal with mean μ√d_k a and variance λ₁a² + λ₂‖p‖²: n + 2
random numbers for n keys, at any width.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core._checked import checked_sample, checked_widths
from core._rows import RAW, SCALED, measure
from core.assumptions import Components
from core.intervals import Estimate, Point, mean_interval, spread_interval
from core.limits import checked_seed

FloatArray = NDArray[np.float64]

__all__ = ["ComponentSample", "component_rows", "component_sample"]


@dataclass(frozen=True, slots=True)
class ComponentSample:
    """What was measured, with 95 % intervals; each `Estimate` has one entry a width.

    Attributes
    ----------
    widths : ndarray of int, shape (n_widths,)
        Head widths d_k.
    total, within : Estimate
        Standard deviation over all scores, and within a row (root mean square), both after
        division by √d_k.
    raw_entropy, scaled_entropy : Estimate
        Mean entropy of the rows, nats.
    """

    widths: NDArray[np.int64]
    total: Estimate
    within: Estimate
    raw_entropy: Estimate
    scaled_entropy: Estimate


def component_rows(
    rng: np.random.Generator, d_k: int, components: Components, /, *, n_keys: int, n_rows: int
) -> FloatArray:
    """Sample rows of raw scores less their mean μ²d_k, each row with a query of its own.

    Draw order: ``rng.standard_normal(n_rows)`` for the queries' parts along (1, …, 1),
    ``rng.chisquare(d_k − 1, n_rows)`` for the rest (not drawn at width 1), then
    ``rng.standard_normal((n_rows, n_keys))``.

    Parameters
    ----------
    rng : Generator
    d_k : int
        Head width.
    components : Components
    n_keys, n_rows : int

    Returns
    -------
    ndarray, shape (n_rows, n_keys)
        Scores, undivided.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> scores = component_rows(rng, 64, Components(mean=1.0), n_keys=64, n_rows=2000)
    >>> float((scores.std() / 8.0).round(1)), float((scores.std(axis=1).mean() / 8.0).round(1))
    (1.7, 1.4)
    """
    along, across = (float(variance) for variance in components.variances(d_k))
    query_mean = components.mean * math.sqrt(d_k)
    deviation = math.sqrt(along) * rng.standard_normal(n_rows)
    rest = across * rng.chisquare(d_k - 1, n_rows) if d_k > 1 else np.zeros(n_rows)
    spread = np.sqrt(along * (query_mean + deviation) ** 2 + across * rest)
    scores = rng.standard_normal((n_rows, n_keys))
    scores *= spread[:, None]
    scores += query_mean * deviation[:, None]
    return scores


def component_sample(
    widths: Sequence[int], components: Components, /, *, n_keys: int, n_rows: int, seed: int
) -> ComponentSample:
    """Measure the scores' spread, over all and within a row, and what softmax makes of it.

    Parameters
    ----------
    widths : sequence of int
        Head widths d_k, 1 to 2²⁰.
    components : Components
    n_keys : int
        Keys in a row, 2 to 4,096.
    n_rows : int
        Independent rows at each width, 2 or more; at most 2²⁴ scores a width.
    seed : int
        0 or more. Each width has a stream of its own.

    Returns
    -------
    ComponentSample
        Estimates with 95 % intervals; the row is the unit, for its scores share a query.

    Raises
    ------
    ValueError
        If an argument is beyond its bounds.

    Examples
    --------
    >>> sample = component_sample([64], Components(mean=1.0), n_keys=64, n_rows=2000, seed=1)
    >>> sample.total.value.round(1), sample.within.value.round(1)
    (array([1.7]), array([1.4]))
    """
    d_ks = checked_widths(widths).astype(np.int64)
    n_keys, n_rows = checked_sample(n_keys, n_rows)
    seed = checked_seed(seed)
    table = np.empty((4, len(Point._fields), len(d_ks)))
    for i, d_k in enumerate(d_ks.tolist()):
        rng = np.random.Generator(np.random.SFC64([seed, d_k]))
        scores = component_rows(rng, d_k, components, n_keys=n_keys, n_rows=n_rows)
        mean, square, *soft = measure(scores, d_k)
        raw_entropy, scaled_entropy = soft[RAW.start - 2], soft[SCALED.start - 2]
        overall = mean.mean()
        of_total = square - 2.0 * overall * mean + overall * overall
        of_within = (square - mean * mean) * (n_keys / (n_keys - 1.0))
        unit = math.sqrt(d_k)
        # The sample's own mean is a little too close to its scores.
        table[0, :, i] = _spread(of_total, mean.var(ddof=1) / n_rows).divided(unit)
        table[1, :, i] = _spread(of_within, 0.0).divided(unit)
        for row, entropy in ((2, raw_entropy), (3, scaled_entropy)):
            table[row, :, i] = mean_interval(
                float(entropy.mean()),
                float(entropy.var(ddof=1)),
                n_rows,
                bounds=(0.0, math.log(n_keys)),
            )
    return ComponentSample(d_ks, *(Estimate(*columns) for columns in table))


def _spread(squares: FloatArray, bias: float) -> Point:
    """Return the root of the mean of rows' squared deviations, which lacks `bias`."""
    square = float(squares.mean()) + bias
    return spread_interval(math.sqrt(square), square, float(squares.var(ddof=1)), len(squares))
