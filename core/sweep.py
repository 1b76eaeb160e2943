r"""What happens to softmax as the head gets wider, measured on random queries and keys.

Scores of independent standard-normal components have standard deviation √d_k, and softmax sees
that spread: raw rows grow sharper with width while scaled ones keep their entropy. A sweep
measures both on the same scores, width by width, and says how precisely it did. The percentages
depend on keys, widths and seed; the mechanism is the result.
"""

from __future__ import annotations

import math
import platform
from collections.abc import Iterator, Sequence

import numpy as np

from core._rows import RAW, SCALED
from core._steps import Setting, steps
from core._trials import TrialMoments
from core.intervals import (
    Estimate,
    Point,
    mean_interval,
    share_interval,
    spread_interval,
)
from core.limits import checked_cost, checked_counts, checked_seed, checked_widths
from core.sweep_result import Progress, Statistics, Sweep


def iter_sweep(
    widths: Sequence[int],
    /,
    *,
    n_keys: int,
    n_queries: int = 1,
    n_trials: int,
    seed: int,
    engine: str = "exact-law",
    mean_removed: bool = True,
) -> Iterator[Progress]:
    """Sweep the width step by step, so that a page can show progress or drop the run.

    A report comes every few milliseconds of work and whenever a width is complete; the last one
    has the whole sweep. To drop a run, stop iterating. Arguments are checked, as in `sweep`, by
    the call itself.

    Yields
    ------
    Progress
        Work done, and the widths completed so far.

    Examples
    --------
    >>> reports = list(iter_sweep([4, 16], n_keys=12, n_trials=100, seed=1))
    >>> [report.fraction for report in reports]
    [0.5, 1.0]
    """
    return _reports(_checked(widths, n_keys, n_queries, n_trials, seed, engine, mean_removed))


def sweep(
    widths: Sequence[int],
    /,
    *,
    n_keys: int,
    n_queries: int = 1,
    n_trials: int,
    seed: int,
    engine: str = "exact-law",
    mean_removed: bool = True,
) -> Sweep:
    """Measure raw and scaled attention weights of random vectors at each width.

    Parameters
    ----------
    widths
        Head widths d_k, each 1 to 2²⁰.
    n_keys
        Keys that a query attends to, 2 to 4,096.
    n_queries
        Queries that share the keys of a trial; 1 means that every query has keys of its own.
    n_trials
        Independent trials at each width. A trial has ``n_queries`` rows.
    seed
        Whole number, 0 or more. With "drawn-vectors" one generator, ``default_rng(seed)``, serves
        all widths in order. With "exact-law" each width has a stream of its own, so that a point
        does not depend on what other widths are asked for.
    engine
        "drawn-vectors" draws every vector; "exact-law" samples the scores from the same
        distribution at a cost that does not grow with the width.
    mean_removed
        False reports the root mean square of the scores as ``score_std``.

    Returns
    -------
    Sweep
        Estimates with 95 % intervals.

    Raises
    ------
    ValueError
        If an argument is beyond its bound in `core.limits`, or the whole sweep is.
    TypeError
        If a count, a width or the seed is not a whole number.

    Examples
    --------
    >>> run = sweep([4, 1024], n_keys=12, n_trials=4000, seed=1)
    >>> run.raw.entropy.value.round(1), run.scaled.entropy.value.round(1)
    (array([1.6, 0.1]), array([2.1, 2.1]))
    """
    setting = _checked(widths, n_keys, n_queries, n_trials, seed, engine, mean_removed)
    measured: list[TrialMoments] = []
    for _ in steps(setting, measured):
        pass
    return _result(setting, measured)


def last(reports: Iterator[Progress], /) -> Sweep:
    """Run a sweep to its end and return it."""
    for report in reports:
        result = report.sweep
    assert result is not None, "a sweep has at least one width"
    return result


def _checked(
    widths: Sequence[int],
    n_keys: int,
    n_queries: int,
    n_trials: int,
    seed: int,
    engine: str,
    mean_removed: bool,
) -> Setting:
    widths = checked_widths(widths)
    n_keys, n_queries, n_trials = checked_counts(n_keys, n_queries, n_trials)
    cost = checked_cost(
        widths, n_keys=n_keys, n_queries=n_queries, n_trials=n_trials, engine=engine
    )
    seed = checked_seed(seed)
    return Setting(
        widths, n_keys, n_queries, n_trials, seed, engine, bool(mean_removed), cost.total
    )


def _reports(setting: Setting) -> Iterator[Progress]:
    measured: list[TrialMoments] = []
    so_far = None
    for done in steps(setting, measured):
        if measured and (so_far is None or len(so_far.widths) < len(measured)):
            so_far = _result(setting, measured)
        yield Progress(done, setting.total, so_far)


def _result(setting: Setting, measured: Sequence[TrialMoments]) -> Sweep:
    """Return the sweep of the widths that are measured."""
    widths = setting.widths[: len(measured)]
    points = np.array(
        [_points(setting, d_k, trials) for d_k, trials in zip(widths, measured, strict=True)]
    )
    raw, scaled = (
        Statistics(*(Estimate(*columns) for columns in variant))
        for variant in np.ascontiguousarray(np.moveaxis(points, 0, -1))
    )
    return Sweep(
        widths=np.array(widths),
        raw=raw,
        scaled=scaled,
        seed=setting.seed,
        engine=setting.engine,
        n_keys=setting.n_keys,
        n_queries=setting.n_queries,
        n_trials=setting.n_trials,
        mean_removed=setting.mean_removed,
        versions={"python": platform.python_version(), "numpy": np.__version__},
    )


def _points(
    setting: Setting, d_k: int, trials: TrialMoments
) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
    """Return the five statistics, raw and scaled, in the order of `Statistics`."""
    n, mean, variance = trials.count, trials.mean, trials.variance
    ceiling = math.log(setting.n_keys)

    def of(variant: slice, spread: Point) -> tuple[Point, ...]:
        entropy, largest, share = zip(
            mean[variant].tolist(), variance[variant].tolist(), strict=True
        )
        nats = mean_interval(*entropy, n, bounds=(0.0, ceiling))
        return (
            spread,
            nats,
            nats.divided(ceiling),
            mean_interval(*largest, n, bounds=(1.0 / setting.n_keys, 1.0)),
            share_interval(*share, n, setting.n_queries),
        )

    spread = _spread(setting, d_k, trials)
    return of(RAW, spread), of(SCALED, spread.divided(math.sqrt(d_k)))


def _spread(setting: Setting, d_k: int, trials: TrialMoments) -> Point:
    """Return the standard deviation of the raw scores, from the first two of `measure`."""
    n, known = trials.count, _known_error(setting, d_k)
    mean, square = trials.mean[:2].tolist()
    var_mean, var_square = trials.variance[:2].tolist()
    if not setting.mean_removed:
        return spread_interval(math.sqrt(square), square, var_square, n, known=known)
    # A trial adds its mean square − 2 mean · its mean to the squared deviation; that of the
    # sample is short of the population's by the variance of the sample's mean.
    deviation = max(square - mean * mean, 0.0)
    variance = var_square - 4.0 * mean * trials.covariance + 4.0 * mean * mean * var_mean
    unbiased = deviation + var_mean / n
    return spread_interval(math.sqrt(deviation), unbiased, variance, n, known=known)


def _known_error(setting: Setting, d_k: int) -> float:
    """Return the standard error of the mean square of a width's scores, in units of d_k.

    Scores of one query, or of one key, are uncorrelated, but their squares are not: those of
    n_q × n_k scores have a mean of variance 2 (1 + (n_q + n_k + 1) / d_k) / (n_q n_k). One score
    in all is spent on the mean.
    """
    alike = 1.0 + (setting.n_queries + setting.n_keys + 1) / d_k
    scores = setting.n_trials * setting.n_queries * setting.n_keys
    return math.sqrt(2.0 * alike / (scores - 1))
