"""Sweeps that many readers wait for are run once, in slices, by whoever waits.

A class opens one preset on thirty laptops at once. There is one run a setting, and it belongs to
the process: every session that waits takes a turn of a few hundredths of a second at it, shows
how far it has come, and lets the next one. A session that is superseded just stops coming; a run
that nobody waits for any more is dropped where it stands. Finished sweeps are kept, the last few
hundred, and a result only ever belongs to the setting that it was asked for.
"""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache

from core.expectation import Expectation, expected
from core.limits import SweepCost, largest_trials, sweep_cost
from core.published import EXPERIMENTS, WIDTHS
from core.sweep import iter_sweep
from core.sweep_result import Progress, Sweep

SLICE = 0.1
"""Seconds that a session works on a run, or waits for its turn, before it looks up."""

PATIENCE = 0.4
"""Seconds to the first report, if the run is not whole before: shorter waits need no progress."""

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
    waiting: int = 0
    turn: threading.Lock = field(default_factory=threading.Lock)

    @property
    def over(self) -> bool:
        """Whether the last report has come."""
        return self.latest.done == self.latest.total


class Runs:
    """The sweeps of this process: those under way, and the last that were finished."""

    def __init__(self, *, kept: int = KEPT, at_once: int = os.cpu_count() or 1) -> None:
        self._kept = kept
        self._processors = threading.BoundedSemaphore(at_once)
        self._lock = threading.Lock()
        self._finished: OrderedDict[Setting, Sweep] = OrderedDict()
        self._running: dict[Setting, _Run] = {}

    @contextmanager
    def follow(self, setting: Setting) -> Iterator[Iterator[Progress]]:
        """Follow the run of a setting, working on it in turn with all others who follow it.

        Yields an iterator over reports, one each `SLICE` seconds or so; the last has the whole
        sweep. To drop the run, leave the context.
        """
        run = self._join(setting)
        try:
            yield self._reports(setting, run)
        finally:
            self._leave(setting, run)

    def _reports(self, setting: Setting, run: _Run) -> Iterator[Progress]:
        quiet_until = time.monotonic() + PATIENCE
        while True:
            if not run.over:
                self._work(setting, run)
            report = run.latest
            whole = report.done == report.total
            if whole or time.monotonic() >= quiet_until:
                yield report
            if whole:
                return

    def _work(self, setting: Setting, run: _Run) -> None:
        until = time.monotonic() + SLICE
        if not run.turn.acquire(timeout=SLICE):
            return
        try:
            if run.over or not self._processors.acquire(timeout=SLICE):
                return
            try:
                while not run.over and time.monotonic() < until:
                    run.latest = next(run.reports)
            finally:
                self._processors.release()
            if run.over:
                self._keep(setting, run)
        finally:
            run.turn.release()

    def _join(self, setting: Setting) -> _Run:
        with self._lock:
            if setting in self._finished:
                self._finished.move_to_end(setting)
                sweep = self._finished[setting]
                total = setting.cost.total
                return _Run(iter(()), Progress(total, total, sweep))
            if setting not in self._running:
                self._running[setting] = _Run(
                    setting.start(), Progress(0, setting.cost.total, None)
                )
            run = self._running[setting]
            run.waiting += 1
            return run

    def _keep(self, setting: Setting, run: _Run) -> None:
        assert run.latest.sweep is not None, "the last report has the whole sweep"
        with self._lock:
            self._finished[setting] = run.latest.sweep
            while len(self._finished) > self._kept:
                self._finished.popitem(last=False)

    def _leave(self, setting: Setting, run: _Run) -> None:
        with self._lock:
            run.waiting -= 1
            if run.waiting <= 0 and self._running.get(setting) is run:
                del self._running[setting]


RUNS = Runs()
"""Shared by all sessions."""
