"""The work of a sweep, in steps: scores are drawn, measured, and averaged trial by trial."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from core import sampling
from core._pipeline import Pipeline
from core._rows import QUANTITIES, measure
from core._scratch import Scratch, borrowed
from core._trials import TrialMoments

FloatArray = NDArray[np.float64]

STEP = 2**18
"""Random numbers and scores between two reports of progress: some milliseconds of work."""

LONG = 2**18
"""Work that is worth a second thread: some milliseconds."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What is to be swept, checked; `total` is its cost in random numbers and scores."""

    widths: tuple[int, ...]
    n_keys: int
    n_queries: int
    n_trials: int
    seed: int
    engine: str
    mean_removed: bool
    total: int


def steps(setting: Setting, measured: list[TrialMoments], /) -> Iterator[int]:
    """Sweep, adding to `measured` each width's moments as they are complete.

    Yields the work done so far, after every `STEP` of it and after every width.
    """
    rng = None
    draw = sampling.exact_law
    if setting.engine == "drawn-vectors":
        draw = sampling.drawn_vectors
        rng = np.random.default_rng(setting.seed)
    done = reported = 0
    unfinished = None
    with borrowed() as scratch, Pipeline(threaded=setting.total >= LONG) as pipeline:
        for d_k in setting.widths:
            trials = TrialMoments(QUANTITIES, setting.n_queries)
            for drawn, job in draw(
                # SFC64 is NumPy's fastest generator, and drawing is most of an exact-law sweep.
                rng or np.random.Generator(np.random.SFC64([setting.seed, d_k])),
                d_k,
                scratch,
                n_keys=setting.n_keys,
                n_queries=setting.n_queries,
                n_trials=setting.n_trials,
            ):
                done += pipeline.submit(partial(_take, drawn, job, trials, d_k, scratch))
                if unfinished is not None:  # but now, since the job after its last is running
                    measured.append(unfinished)
                elif done - reported < STEP:
                    continue
                unfinished, reported = None, done
                yield done
            unfinished = trials
        done += pipeline.finish()
    measured.append(trials)
    yield done


def _take(
    drawn: int, job: Callable[[], FloatArray], trials: TrialMoments, d_k: int, scratch: Scratch
) -> int:
    """Measure a job's scores, and return how much work it was: numbers drawn and scores."""
    scores = job()
    size = scores.size
    if size:
        trials.add(measure(scores, d_k, scratch))
    return drawn + size
