r"""What happens to softmax as the head gets wider, measured on random queries and keys.

Scores of independent standard-normal components have standard deviation √d_k. Softmax sees that
spread: raw rows grow ever sharper with width while scaled ones keep their entropy. A sweep
measures both on the same scores at each width, and says how precisely it did.
"""

from __future__ import annotations

import math
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core import sampling
from core._rows import Moments, row_statistics
from core.intervals import Estimate, Point, mean_interval, share_interval, spread_interval, stack

STEP = 1 << 20
"""Normals between two reports of progress: a few hundredths of a second."""


def _versions() -> Mapping[str, str]:
    return {"python": platform.python_version(), "numpy": np.__version__}


@dataclass(frozen=True, slots=True)
class Statistics:
    """Five statistics of the rows, each an `Estimate` with one entry a width.

    ``entropy`` is in nats, ``score_std`` in units of the score, the others have no unit.
    """

    score_std: Estimate
    entropy: Estimate
    normalized_entropy: Estimate
    max_weight: Estimate
    saturated_share: Estimate


@dataclass(frozen=True, slots=True)
class Sweep:
    """What a sweep measured, and all that is needed to run it again."""

    widths: NDArray[np.int64]
    raw: Statistics
    scaled: Statistics
    seed: int
    engine: str
    n_keys: int
    n_queries: int
    n_trials: int
    centred: bool
    versions: Mapping[str, str] = field(default_factory=_versions)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a sweep is: random numbers drawn of all, and the widths that are complete."""

    done: int
    total: int
    sweep: Sweep | None

    @property
    def fraction(self) -> float:
        """Share of the work that is done, 0 to 1."""
        return self.done / self.total


def _points(moments: Moments, offset: int, d_k: int, n_keys: int, n_rows: int, centred: bool):  # type: ignore[no-untyped-def]
    covariance, mean, n = moments.covariance, moments.mean, moments.count
    scale = 1.0 if offset == 2 else 1.0 / d_k
    centre = mean[0] if centred else 0.0
    square = max(float(mean[1] - centre * centre), 0.0) * scale
    variance = covariance[1, 1] - 4 * centre * covariance[0, 1] + 4 * centre**2 * covariance[0, 0]
    ceiling = math.log(n_keys)
    i = offset
    entropy = mean_interval(float(mean[i]), float(covariance[i, i]), n, bounds=(0.0, ceiling))
    return (
        spread_interval(square, float(variance) * scale * scale, n),
        entropy,
        Point(
            *(
                x / ceiling
                for x in (entropy.value, entropy.low, entropy.high, entropy.standard_error)
            )
        ),
        mean_interval(
            float(mean[i + 1]), float(covariance[i + 1, i + 1]), n, bounds=(1 / n_keys, 1.0)
        ),
        share_interval(float(mean[i + 2]), float(covariance[i + 2, i + 2]), n, n_rows),
    )


def iter_sweep(
    widths: Sequence[int],
    /,
    *,
    n_keys: int,
    n_queries: int = 1,
    n_trials: int,
    seed: int,
    engine: str = "drawn-vectors",
    centred: bool = True,
) -> Iterator[Progress]:
    """Sweep, yielding as it goes."""
    rng = np.random.default_rng(seed)
    per_trial = (n_queries + n_keys) * n_trials
    total, done, reported = sum(per_trial * d for d in widths), 0, 0
    raw: list[tuple[Point, ...]] = []
    scaled: list[tuple[Point, ...]] = []
    sweep = None
    for d_k in widths:
        moments = Moments(8)
        pending = np.empty((8, 0))
        for drawn, scores in sampling.drawn_vectors(
            rng, d_k, n_keys=n_keys, n_queries=n_queries, n_trials=n_trials
        ):
            done += drawn
            if scores.size:
                pending = np.concatenate([pending, row_statistics(scores, d_k)], axis=1)
                trials = pending.shape[1] // n_queries
                moments.add(pending[:, : trials * n_queries].reshape(8, trials, n_queries).mean(2))
                pending = pending[:, trials * n_queries :]
            if done - reported >= STEP:
                reported = done
                yield Progress(done, total, sweep)
        raw.append(_points(moments, 2, d_k, n_keys, n_queries, centred))
        scaled.append(_points(moments, 5, d_k, n_keys, n_queries, centred))
        sweep = Sweep(
            np.array(widths[: len(raw)]),
            Statistics(*(stack(list(column)) for column in zip(*raw, strict=True))),
            Statistics(*(stack(list(column)) for column in zip(*scaled, strict=True))),
            seed,
            engine,
            n_keys,
            n_queries,
            n_trials,
            centred,
        )
        yield Progress(done, total, sweep)


def sweep(
    widths: Sequence[int],
    /,
    *,
    n_keys: int,
    n_queries: int = 1,
    n_trials: int,
    seed: int,
    engine: str = "drawn-vectors",
) -> Sweep:
    """Measure raw and scaled attention on random vectors at each width."""
    for progress in iter_sweep(
        widths, n_keys=n_keys, n_queries=n_queries, n_trials=n_trials, seed=seed, engine=engine
    ):
        result = progress.sweep
    assert result is not None
    return result
