"""Shared runs without Streamlit: one computation a setting, taken over, dropped, kept in bounds."""

import threading
import time
from functools import partial

import numpy as np
import pytest
import runs
from runs import Runs, Setting, exact_curves, fit, powers_of_two, published_setting

from core.limits import MAX_SCORES, largest_trials
from core.published import EXPERIMENTS, iter_published
from core.sweep import sweep

QUICK = Setting((4, 16), 12, 1, 100, 1, "exact-law")


class Counted(Setting):
    """A setting whose runs can be counted, each report taking a hundredth of a second."""

    def start(self):
        starts.append(self)
        for report in super().start():
            time.sleep(0.01)
            steps.append(threading.get_ident())
            yield report


starts: list[Setting] = []
steps: list[int] = []
MANY_STEPS = Counted(powers_of_two(1, 512), 12, 1, 100, 1, "exact-law")


@pytest.fixture(autouse=True)
def _count_anew():
    starts.clear()
    steps.clear()


def finish(pool, setting):
    """Come back until the sweep is whole, as a session does."""
    while True:
        progress = pool.advance(setting, 0.02)
        if progress.done == progress.total:
            return progress.sweep


def together(*tasks):
    threads = [threading.Thread(target=task) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class TestSetting:
    @pytest.mark.parametrize("name", EXPERIMENTS)
    def test_a_published_one_is_what_core_publishes(self, name):
        mine, theirs = (
            next(report for report in reports if report.sweep is not None)
            for reports in (published_setting(name).start(), iter_published(name))
        )
        assert mine.total == theirs.total
        for field in ("seed", "engine", "n_keys", "n_queries", "n_trials", "mean_removed"):
            assert getattr(mine.sweep, field) == getattr(theirs.sweep, field)
        assert mine.sweep.raw.score_std.value == theirs.sweep.raw.score_std.value


class TestPowersOfTwo:
    def test_both_ends_are_in(self):
        assert powers_of_two(1, 8) == (1, 2, 4, 8)
        assert powers_of_two(64, 64) == (64,)
        assert powers_of_two(2**19, 2**20) == (2**19, 2**20)


class TestFit:
    def test_what_fits_is_left_alone(self):
        assert fit((4, 16), 12, 1, 100, 1, "exact-law") == QUICK

    def test_too_much_becomes_the_most_that_fits(self):
        fitted = fit((4,), 4096, 1, 10**9, 1, "exact-law")
        assert fitted.n_trials == MAX_SCORES // 4096
        drawn = fit((2**20,), 12, 1, 5000, 1, "drawn-vectors")
        assert drawn.engine == "drawn-vectors"
        assert drawn.n_trials == largest_trials([2**20], n_keys=12, engine="drawn-vectors")

    def test_where_no_drawn_trial_fits_the_exact_law_stands_in(self):
        fitted = fit(powers_of_two(1, 2**20), 4096, 1024, 10, 1, "drawn-vectors")
        assert fitted.engine == "exact-law"
        assert fitted.n_trials == MAX_SCORES // (4096 * 1024)


class TestExactCurves:
    def test_is_dense_and_holds_every_power_of_two(self):
        curves = exact_curves(1, 1024, 12)
        assert set(powers_of_two(1, 1024)) <= set(curves.widths)
        assert len(curves.widths) > 50
        assert list(curves.widths) == sorted(set(curves.widths))
        assert curves.raw.score_std == pytest.approx(np.sqrt(curves.widths))


class TestRuns:
    def test_gives_what_core_gives(self):
        result = finish(Runs(), QUICK)
        expected = sweep([4, 16], n_keys=12, n_trials=100, seed=1)
        assert result.raw.entropy.value.tolist() == expected.raw.entropy.value.tolist()

    def test_a_quick_one_comes_back_whole_at_once(self):
        progress = Runs().advance(QUICK, 5.0)
        assert progress.done == progress.total
        assert len(progress.sweep.widths) == 2

    def test_a_longer_one_comes_back_in_time_with_its_part(self):
        pool = Runs()
        started = time.monotonic()
        progress = pool.advance(MANY_STEPS, 0.03)
        assert time.monotonic() - started < 5
        assert 0 < progress.done < progress.total
        assert 0 < len(progress.sweep.widths) < len(MANY_STEPS.widths)

    def test_goes_on_where_it_left(self):
        pool = Runs()
        done = [pool.advance(MANY_STEPS, 0.015).done for _ in range(3)]
        assert done == sorted(set(done))
        finish(pool, MANY_STEPS)
        assert len(starts) == 1
        assert len(steps) == len(MANY_STEPS.widths)

    def test_a_finished_one_is_not_run_again(self):
        pool = Runs()
        first = finish(pool, MANY_STEPS)
        assert finish(pool, MANY_STEPS) is first
        assert len(starts) == 1

    def test_readers_of_one_setting_share_one_run(self):
        pool, sweeps = Runs(), []
        together(*[lambda: sweeps.append(finish(pool, MANY_STEPS))] * 8)
        assert len(starts) == 1
        assert len(steps) == len(MANY_STEPS.widths)
        assert len(sweeps) == 8
        assert all(one is sweeps[0] for one in sweeps)

    def test_a_run_that_nobody_comes_for_is_dropped(self, monkeypatch):
        pool = Runs()
        pool.advance(MANY_STEPS, 0.015)
        monkeypatch.setattr(runs, "LEASE", -1.0)  # as if it had run out
        pool.advance(QUICK, 1.0)
        assert not pool._running
        finish(pool, MANY_STEPS)
        assert len(starts) == 2

    def test_results_belong_to_the_setting_asked_for(self):
        pool = Runs()
        other = Counted(MANY_STEPS.widths, 12, 1, 100, 7, "exact-law")
        for setting in (MANY_STEPS, other) * 3:
            progress = pool.advance(setting, 0.015)
            assert progress.sweep.seed == setting.seed
        assert finish(pool, other).seed == 7

    def test_keeps_no_more_than_it_may(self):
        pool = Runs(kept=2)
        settings = [Counted((4,), 12, 1, 50, seed, "exact-law") for seed in (1, 2, 3)]
        for setting in (*settings, settings[2]):
            finish(pool, setting)
        assert len(starts) == 3
        finish(pool, settings[0])
        assert len(starts) == 4

    def test_begins_no_more_at_once_than_it_has_room_for(self, monkeypatch):
        monkeypatch.setattr(runs, "AT_ONCE", 1)
        pool = Runs()
        pool.advance(MANY_STEPS, 0.015)
        waiting = pool.advance(QUICK, 0.02)
        assert waiting.done == 0
        assert waiting.sweep is None
        finish(pool, MANY_STEPS)
        assert finish(pool, QUICK).seed == 1

    def test_works_on_no_more_at_once_than_there_are_processors(self):
        busy, reports, met = [], [], threading.Event()

        class Busy(Setting):
            def start(self):
                for report in super().start():
                    busy.append(self)
                    reports.append(report)
                    if len(busy) > 1:
                        met.set()
                    met.wait(0.005)  # for another to come, which must not
                    busy.pop()
                    yield report

        pool = Runs(processors=1)
        settings = [Busy((4, 8, 16), 12, 1, 50, seed, "exact-law") for seed in range(4)]
        together(*[partial(finish, pool, setting) for setting in settings])
        assert len(reports) == 12
        assert not met.is_set()
