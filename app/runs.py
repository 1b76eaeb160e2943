"""Sweeps that many readers wait for are run once, in slices, by whoever waits.

A class opens one preset on thirty laptops at once. There is one run a setting, and it belongs to
the process: every session that waits for it takes a turn of a tenth of a second, shows how far it
has come, and lets the next one. A session that is superseded just stops coming; a run that nobody
came for in some seconds is dropped where it stands. Finished sweeps are kept, the last few
hundred, and a result only ever belongs to the setting that it was asked for.
"""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from core.expectation import Expectation, expected
from core.limits import SweepCost, largest_trials, sweep_cost
from core.published import EXPERIMENTS, WIDTHS
from core.sweep import iter_sweep
from core.sweep_result import Progress, Sweep

SLICE = 0.1
"""Seconds that a session works on a run before it lets another session have the processor."""

CROWD = 0.1
"""Seconds that each further session waits longer for each that waits already.

Showing how far a run has come is work too, and thirty who look up all the time would do no other.
"""

LEASE = 10.0
"""Seconds after which a run that nobody came for is dropped."""

AT_ONCE = 8
"""Runs under way; further ones wait to begin, so that their memory stays bounded."""

KEPT = 256
"""Finished sweeps kept; one is some ten kilobytes."""


@dataclass(frozen=True)
class Setting:
    """Everything that a sweep is determined by."""

    widths: tuple[int, ...]
    n_keys: int
    n_queries: int
    n_trials: int
    seed: int
    engine: str
    mean_removed: bool = True

    @property
    def cost(self) -> SweepCost:
        """What it draws and measures."""
        return sweep_cost(
            self.widths,
            n_keys=self.n_keys,
            n_queries=self.n_queries,
            n_trials=self.n_trials,
            engine=self.engine,
        )

    def start(self) -> Iterator[Progress]:
        """Begin a run of its own."""
        return iter_sweep(
            self.widths,
            n_keys=self.n_keys,
            n_queries=self.n_queries,
            n_trials=self.n_trials,
            seed=self.seed,
            engine=self.engine,
            mean_removed=self.mean_removed,
        )


def published_setting(name: str) -> Setting:
    """Return the setting of a published experiment."""
    published = EXPERIMENTS[name]
    return Setting(
        WIDTHS,
        published.n_keys,
        published.n_queries,
        published.n_trials,
        published.seed,
        "drawn-vectors",
        published.mean_removed,
    )


def powers_of_two(low: int, high: int) -> tuple[int, ...]:
    """Return the powers of two from ``low`` to ``high``, both of them powers."""
    return tuple(2**i for i in range(low.bit_length() - 1, high.bit_length()))


def fit(
    widths: tuple[int, ...], n_keys: int, n_queries: int, n_trials: int, seed: int, engine: str
) -> Setting:
    """Return the setting asked for, or the largest one like it that the bounds allow.

    Where not even one trial of drawn vectors is allowed, the exact law takes over: its cost does
    not grow with the width.
    """
    most = largest_trials(widths, n_keys=n_keys, n_queries=n_queries, engine=engine)
    if not most:
        return fit(widths, n_keys, n_queries, n_trials, seed, "exact-law")
    return Setting(widths, n_keys, n_queries, min(n_trials, most), seed, engine)


@dataclass(frozen=True)
class Curves:
    """Exact expectations, dense in width, for the lines under the points."""

    widths: tuple[int, ...]
    raw: Expectation
    scaled: Expectation


@lru_cache(maxsize=64)
def exact_curves(low: int, high: int, n_keys: int) -> Curves:
    """Return the exact expectations between two widths, eight to each doubling."""
    doublings = range(8 * (low.bit_length() - 1), 8 * (high.bit_length() - 1) + 1)
    widths = tuple(sorted({round(2 ** (i / 8)) for i in doublings}))
    return Curves(
        widths,
        expected(widths, n_keys=n_keys, scaled=False),
        expected(widths, n_keys=n_keys, scaled=True),
    )


@dataclass
class _Run:
    """A sweep under way."""

    reports: Iterator[Progress]
    latest: Progress
    asked: float
    turn: threading.Lock = field(default_factory=threading.Lock)


class Runs:
    """The sweeps of this process: those under way, and the last that were finished."""

    def __init__(self, *, kept: int = KEPT, processors: int = os.cpu_count() or 1) -> None:
        self._kept = kept
        self._processors = threading.BoundedSemaphore(processors)
        self._changed = threading.Condition()
        self._waiting = 0
        self._finished: OrderedDict[Setting, Sweep] = OrderedDict()
        self._running: dict[Setting, _Run] = {}

    def advance(self, setting: Setting, seconds: float) -> Progress:
        """Come back with the whole sweep, or after some seconds with how far it is.

        Meanwhile the run is worked on in turn with all others who wait for it. In a crowd it
        takes longer to come back.
        """
        with self._changed:
            until = time.monotonic() + seconds + CROWD * self._waiting
            self._waiting += 1
        try:
            while True:
                progress = self._step(setting, until)
                if progress.done == progress.total or time.monotonic() >= until:
                    return progress
        finally:
            with self._changed:
                self._waiting -= 1

    def _step(self, setting: Setting, until: float) -> Progress:
        """Work for a slice, or wait for others who do."""
        run = self._join(setting)
        if isinstance(run, Sweep):
            total = setting.cost.total
            return Progress(total, total, run)
        until = min(until, time.monotonic() + SLICE)
        left = max(until - time.monotonic(), 0.0)
        if run is None:
            with self._changed:
                self._changed.wait(left)
            return Progress(0, setting.cost.total, None)
        if run.turn.acquire(timeout=left):
            try:
                if self._processors.acquire(timeout=left):
                    try:
                        self._work(setting, run, until)
                    finally:
                        self._processors.release()
            finally:
                run.turn.release()
        return run.latest

    def _work(self, setting: Setting, run: _Run, until: float) -> None:
        while run.latest.done < run.latest.total:
            run.latest = next(run.reports)
            if time.monotonic() >= until:
                break
        if run.latest.done == run.latest.total and run.latest.sweep is not None:
            with self._changed:
                self._finished[setting] = run.latest.sweep
                self._running.pop(setting, None)
                while len(self._finished) > self._kept:
                    self._finished.popitem(last=False)
                self._changed.notify_all()

    def _join(self, setting: Setting) -> _Run | Sweep | None:
        """Return the finished sweep, the run under way, or None where there is no room for it."""
        now = time.monotonic()
        with self._changed:
            if setting in self._finished:
                self._finished.move_to_end(setting)
                return self._finished[setting]
            for other, run in list(self._running.items()):
                if now - run.asked > LEASE and other != setting:
                    del self._running[other]
            if setting not in self._running:
                if len(self._running) >= AT_ONCE:
                    return None
                nothing = Progress(0, setting.cost.total, None)
                self._running[setting] = _Run(setting.start(), nothing, now)
            run = self._running[setting]
            run.asked = now
            return run


RUNS = Runs()
"""Shared by all sessions."""
