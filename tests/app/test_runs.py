"""Shared runs without Streamlit: one computation a setting, taken over, dropped, kept in bounds."""

import itertools
import threading
import time

import numpy as np
import pytest
import runs
from runs import Runs, Setting, exact_curves, fit, powers_of_two, published_setting

from core.limits import MAX_SCORES, largest_trials
from core.published import EXPERIMENTS, iter_published
from core.sweep import sweep
from core.sweep_result import Progress

QUICK = Setting((4, 16), 12, 1, 100, 1, "exact-law")


class Counted(Setting):
    """A setting whose runs can be counted and held up."""

    def start(self):
        starts.append(self)
        for report in super().start():
            time.sleep(0.01)
            steps.append(threading.get_ident())
            yield report


starts: list[Setting] = []
steps: list[int] = []


@pytest.fixture(autouse=True)
def _count_anew():
    starts.clear()
    steps.clear()


def follow(pool, setting):
    with pool.follow(setting) as reports:
        return list(reports)


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
        *_, last = follow(Runs(), QUICK)
        expected = sweep([4, 16], n_keys=12, n_trials=100, seed=1)
        assert last.sweep.raw.entropy.value.tolist() == expected.raw.entropy.value.tolist()
        assert last.done == last.total

    def test_a_finished_one_is_not_run_again(self):
        pool, setting = Runs(), Counted((4, 16), 12, 1, 100, 1, "exact-law")
        first, second = follow(pool, setting), follow(pool, setting)
        assert len(starts) == 1
        assert len(second) == 1
        assert second[0].sweep is first[-1].sweep

    def test_readers_of_one_setting_share_one_run(self):
        pool, setting = Runs(), Counted(powers_of_two(1, 256), 12, 1, 100, 1, "exact-law")
        sweeps = []
        readers = [
            threading.Thread(target=lambda: sweeps.append(follow(pool, setting)[-1].sweep))
            for _ in range(8)
        ]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join()
        assert len(starts) == 1
        assert len(sweeps) == 8
        assert all(one is sweeps[0] for one in sweeps)

    def test_another_reader_goes_on_where_the_first_left(self, monkeypatch):
        monkeypatch.setattr(runs, "SLICE", 0.0)
        monkeypatch.setattr(runs, "PATIENCE", 0.0)
        pool, setting = Runs(), Counted(powers_of_two(1, 64), 12, 1, 100, 1, "exact-law")
        # Without a slice of time nothing is computed, so this one only waits.
        with pool.follow(setting) as waiting:
            assert next(waiting).sweep is None
            monkeypatch.setattr(runs, "SLICE", 0.005)
            with pool.follow(setting) as working:
                partial = next(working)
            assert partial.sweep is not None
            assert partial.done < partial.total
            *_, last = waiting
        assert len(starts) == 1
        assert len(last.sweep.widths) == 7

    def test_a_run_that_nobody_waits_for_is_dropped(self, monkeypatch):
        monkeypatch.setattr(runs, "SLICE", 0.005)
        monkeypatch.setattr(runs, "PATIENCE", 0.0)
        pool, setting = Runs(), Counted(powers_of_two(1, 64), 12, 1, 100, 1, "exact-law")
        with pool.follow(setting) as reports:
            next(reports)
        done = len(steps)
        assert done < 7
        assert not pool._running
        follow(pool, setting)
        assert len(starts) == 2
        assert len(steps) == done + 7

    def test_reports_rise_and_never_mix_settings(self, monkeypatch):
        monkeypatch.setattr(runs, "SLICE", 0.005)
        monkeypatch.setattr(runs, "PATIENCE", 0.0)
        reports = follow(Runs(), Counted(powers_of_two(1, 64), 12, 1, 100, 7, "exact-law"))
        done = [report.done for report in reports]
        assert done == sorted(done)
        assert len(reports) > 3
        assert all(r.sweep.seed == 7 for r in reports if r.sweep is not None)

    def test_keeps_no_more_than_it_may(self):
        pool = Runs(kept=2)
        settings = [Counted((4,), 12, 1, 50, seed, "exact-law") for seed in (1, 2, 3)]
        for setting in settings:
            follow(pool, setting)
        follow(pool, settings[2])
        assert len(starts) == 3
        follow(pool, settings[0])
        assert len(starts) == 4

    def test_no_more_runs_at_once_than_processors(self, monkeypatch):
        monkeypatch.setattr(runs, "SLICE", 0.02)
        at_once = itertools.count()
        busy, most = [], []

        class Busy(Setting):
            def start(self):
                for report in super().start():
                    busy.append(next(at_once))
                    most.append(len(busy))
                    time.sleep(0.005)
                    busy.pop()
                    yield report

        pool = Runs(at_once=1)
        readers = [
            threading.Thread(
                target=follow, args=(pool, Busy((4, 8, 16), 12, 1, 50, s, "exact-law"))
            )
            for s in range(4)
        ]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join()
        assert len(most) == 12
        assert max(most) == 1

    def test_quick_runs_report_once(self, monkeypatch):
        monkeypatch.setattr(runs, "PATIENCE", 5.0)
        reports = follow(Runs(), QUICK)
        assert len(reports) == 1
        assert isinstance(reports[0], Progress)
