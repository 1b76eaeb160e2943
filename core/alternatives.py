"""Every rule of `core.rules` on the same random rows, width by width.

A rule that tames scores has to be judged where width grows: does what softmax is handed keep its
spread, do the weights stay neither frozen nor uniform, does a gradient get through, does the key
with the largest raw score still lead? All rules are applied to the same draws, and every figure
carries its 95 % interval.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core._checked import checked_widths
from core._rule_rows import measure_rule
from core.gradients import MIN_GRADIENT_ROWS, QUANTILES, NormQuantiles, rows_outside
from core.intervals import Estimate, Point, mean_interval, share_interval, spread_interval
from core.limits import MAX_KEYS, MIN_KEYS, checked_seed
from core.rules import RULES, RandomRows, random_rows, rule_logits

FloatArray = NDArray[np.float64]

__all__ = ["MAX_RULE_SCORES", "Alternatives", "RuleStatistics", "alternatives"]

MAX_RULE_SCORES = 2**20
"""Scores at each width; every rule works on all of them."""

_KEPT = 2**15
"""Scores of the largest rows that are kept for the next rule, half a megabyte with the lengths."""


@dataclass(frozen=True, slots=True)
class RuleStatistics:
    """What one rule makes of the rows; each `Estimate` has one entry a width.

    Attributes
    ----------
    logit_std : Estimate
        Standard deviation of what softmax is handed, over all keys and rows.
    entropy : Estimate
        Mean entropy, nats; over the keys and the sink together where the rule has a sink.
    max_weight : Estimate
        Mean largest weight of a key.
    gradient : NormQuantiles
        ‖∂w/∂s‖_F, s being the raw scores. For the cosine, lengths are held fixed. Where there is
        a sink, its weight is one of w, and its score none of s.
    changed : Estimate
        Share of rows in which the key with the largest raw score no longer leads.
    tied : Estimate
        Share of rows in which it shares the lead, for two logits are the same float64 number.
    tied_float32 : Estimate
        Share of rows with more than one leader once the logits are rounded to float32.
    """

    logit_std: Estimate
    entropy: Estimate
    max_weight: Estimate
    gradient: NormQuantiles
    changed: Estimate
    tied: Estimate
    tied_float32: Estimate


@dataclass(frozen=True, slots=True)
class Alternatives:
    """All rules on the same draws.

    Attributes
    ----------
    widths : ndarray of int, shape (n_widths,)
        Head widths d_k.
    rules : mapping of str to RuleStatistics
        By the names in `RULES`.
    sink_weight : Estimate
        Mean weight of the sink: what the keys' weights lack to 1 under the rule "sink".
    n_keys, n_rows, seed : int
    gain, cap : float
    after_scaling : bool
        As given to `alternatives`.
    """

    widths: NDArray[np.int64]
    rules: Mapping[str, RuleStatistics]
    sink_weight: Estimate
    n_keys: int
    n_rows: int
    seed: int
    gain: float
    cap: float
    after_scaling: bool

    def ceiling(self, rule: str, /) -> float:
        """Return the most that the entropy can be under a rule, nats."""
        return math.log(self.n_keys + (rule == "sink"))


def alternatives(
    widths: Sequence[int],
    /,
    *,
    n_keys: int,
    n_rows: int,
    gain: float,
    cap: float,
    seed: int,
    after_scaling: bool = False,
) -> Alternatives:
    """Measure every rule on the same random rows, at each width.

    Parameters
    ----------
    widths : sequence of int
        Head widths d_k, 1 to 2²⁰.
    n_keys : int
        Keys in a row, 2 to 4,096.
    n_rows : int
        Independent rows at each width, 6 or more; at most 2²⁰ scores a width.
    gain : float
        What the cosine is multiplied by, g > 0.
    cap : float
        What the soft cap bends towards, c > 0.
    seed : int
        0 or more. Each width has a stream of its own.
    after_scaling : bool
        Whether the soft cap and the sink act on scores divided by √d_k, as they were published,
        or on raw ones.

    Returns
    -------
    Alternatives
        Estimates with 95 % intervals, the row being the unit: Student's t for means, Wilson's for
        shares, order statistics for medians.

    Raises
    ------
    ValueError
        If an argument is beyond its bounds.

    References
    ----------
    Henry et al., "Query-Key Normalization for Transformers", arXiv:2010.04245, for the cosine.
    Gemma Team, "Gemma 2", arXiv:2408.00118, for the soft cap (c = 50, after scaling). Xiao et al.,
    "Efficient Streaming Language Models with Attention Sinks", arXiv:2309.17453, for the sink.

    Examples
    --------
    >>> found = alternatives([4, 1024], n_keys=32, n_rows=1000, gain=10.0, cap=50.0, seed=1)
    >>> found.rules["none"].entropy.value.round(1), found.rules["sqrt_d_k"].entropy.value.round(1)
    (array([2.3, 0.1]), array([3., 3.]))
    """
    d_ks = checked_widths(widths).astype(np.int64)
    n_keys, n_rows = _checked_rows(n_keys, n_rows)
    seed = checked_seed(seed)
    for name, value in (("gain", gain), ("cap", cap)):
        if not 0.0 < value < math.inf:
            raise ValueError(f"{name} must be positive and finite; got {value}")
    rules = {}
    for rule in RULES:
        # What a rule does not look at is left out: another gain is another cosine and nothing else.
        options = (
            gain if rule == "cosine" else 1.0,
            cap if rule == "softcap" else 1.0,
            after_scaling and rule in ("softcap", "sink"),
        )
        measured = [_at_width(rule, d_k, n_keys, n_rows, seed, *options) for d_k in d_ks.tolist()]
        points, medians, sink = (np.stack(part, axis=-1) for part in zip(*measured, strict=True))
        rules[rule] = _statistics(points, medians)
    # The sink is the last rule: its weight is what its rows lack to 1.
    return Alternatives(
        d_ks, rules, Estimate(*sink), n_keys, n_rows, seed, gain, cap, after_scaling
    )


@lru_cache(maxsize=4096)
def _at_width(
    rule: str,
    d_k: int,
    n_keys: int,
    n_rows: int,
    seed: int,
    gain: float,
    cap: float,
    after_scaling: bool,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Measure one rule at one width: what `_points` and `_median` return, and the sink's weight."""
    draw = _kept_rows if n_keys * n_rows <= _KEPT else _rows
    rows = draw(d_k, n_keys, n_rows, seed)
    logits, slopes = rule_logits(rows, d_k, rule, gain=gain, cap=cap, after_scaling=after_scaling)
    measured = measure_rule(rows.scores.T, logits.T, slopes.T, rule == "sink")
    return (
        np.array(_points(measured, n_keys, rule == "sink")),
        _median(measured[4]),
        np.array(_mean(measured[8], (0.0, 1.0))),
    )


def _rows(d_k: int, n_keys: int, n_rows: int, seed: int) -> RandomRows:
    rng = np.random.Generator(np.random.SFC64([seed, d_k]))
    return random_rows(rng, d_k, n_keys=n_keys, n_rows=n_rows)


_kept_rows = lru_cache(maxsize=12)(_rows)


def _points(measured: FloatArray, n_keys: int, sink: bool) -> list[Point]:
    """Return standard deviation, entropy, largest weight, and the three shares."""
    mean, square, entropy, largest, _, *shares, _ = measured
    n_rows = mean.size
    overall = mean.mean()
    deviations = square - 2.0 * overall * mean + overall * overall
    # The sample's own mean is a little too close to its scores.
    variance = float(deviations.mean() + mean.var(ddof=1) / n_rows)
    return [
        spread_interval(math.sqrt(variance), variance, float(deviations.var(ddof=1)), n_rows),
        _mean(entropy, (0.0, math.log(n_keys + sink))),
        _mean(largest, (0.0 if sink else 1.0 / n_keys, 1.0)),
        *(share_interval(float(share.mean()), 0.0, n_rows, 1) for share in shares),
    ]


def _statistics(points: FloatArray, medians: FloatArray) -> RuleStatistics:
    spread, entropy, largest, *order = (Estimate(*columns) for columns in points)
    gradient = NormQuantiles(medians[:-2], medians[-2], medians[-1])
    changed, tied, tied_float32 = order
    return RuleStatistics(spread, entropy, largest, gradient, changed, tied, tied_float32)


def _mean(rows: FloatArray, bounds: tuple[float, float]) -> Point:
    return mean_interval(float(rows.mean()), float(rows.var(ddof=1)), rows.size, bounds=bounds)


def _median(norms: FloatArray) -> FloatArray:
    """Return the quantiles over rows, then the interval of the median."""
    ordered = np.sort(norms)
    skip = rows_outside(ordered.size)
    return np.array([*np.quantile(ordered, QUANTILES), ordered[skip], ordered[-1 - skip]])


def _checked_rows(n_keys: int, n_rows: int) -> tuple[int, int]:
    if not MIN_KEYS <= n_keys <= MAX_KEYS:
        raise ValueError(
            f"n_keys must be between {MIN_KEYS} and MAX_KEYS = {MAX_KEYS:,}; got {n_keys:,}"
        )
    most = MAX_RULE_SCORES // n_keys
    if not MIN_GRADIENT_ROWS <= n_rows <= most:
        raise ValueError(
            f"n_rows must be between {MIN_GRADIENT_ROWS} and {most:,} with {n_keys:,} keys "
            f"(MAX_RULE_SCORES = {MAX_RULE_SCORES:,} scores a width); got {n_rows:,}"
        )
    return int(n_keys), int(n_rows)
