import itertools
import platform
import threading
from dataclasses import astuple, fields

import numpy as np
import pytest
import scipy.special
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from core import Progress, Statistics, _steps, expected, iter_sweep, sweep, sweep_cost
from core._pipeline import THREADS
from core._steps import STEP
from core.limits import ENGINES, MAX_WIDTH
from core.sweep import _known_error

ENGINE = st.sampled_from(ENGINES)
SETTINGS = st.fixed_dictionaries(
    {
        "n_keys": st.sampled_from([2, 3, 12, 100]),
        "n_queries": st.sampled_from([1, 2, 5]),
        "n_trials": st.sampled_from([1, 2, 3, 40]),
        "seed": st.integers(0, 2**64),
        "engine": ENGINE,
    }
)
WIDTHS = st.lists(st.integers(1, 300), min_size=1, max_size=3)


def known_error(d_k, n_keys, n_queries, n_trials):
    """Standard error of the scores' mean square, in units of d_k, added up pair by pair of scores.

    Squares covary by 2 + 6/d with themselves, 2/d with those of the same query or key.
    """
    alone, together = 2 + 6 / d_k, 2 / d_k
    others = (n_keys - 1) + (n_queries - 1)
    scores = n_keys * n_queries * n_trials
    return np.sqrt((alone + others * together) / (scores - 1))


def same(one, other):
    for mine, theirs in zip((one.raw, one.scaled), (other.raw, other.scaled), strict=True):
        np.testing.assert_array_equal(astuple(mine), astuple(theirs))


class TestSweep:
    @pytest.mark.parametrize(("n_queries", "seed"), [(1, 1), (5, 2)])
    @pytest.mark.parametrize("d_k", [4, 7])
    def test_values_and_intervals_of_a_small_run_done_by_hand(self, d_k, n_queries, seed):
        n_trials, n_keys = 40, 12
        run = sweep(
            [d_k],
            n_keys=n_keys,
            n_queries=n_queries,
            n_trials=n_trials,
            seed=seed,
            engine="drawn-vectors",
        )
        rng = np.random.default_rng(seed)
        if n_queries == 1:
            query = rng.standard_normal((n_trials, d_k))
            key = rng.standard_normal((n_trials, n_keys, d_k))
            scores = (query[:, None] * key).sum(axis=-1)[:, None]
        else:
            drawn = rng.standard_normal((n_trials, n_queries + n_keys, d_k))
            scores = drawn[:, :n_queries] @ drawn[:, n_queries:].swapaxes(1, 2)
        for found, s in ((run.raw, scores), (run.scaled, scores / np.sqrt(d_k))):
            weights = scipy.special.softmax(s, axis=-1)
            entropy = scipy.stats.entropy(weights, axis=-1).mean(axis=1)
            largest = weights.max(axis=-1).mean(axis=1)
            assert found.score_std.value[0] == pytest.approx(s.std(), rel=1e-12)
            saturated = (weights.max(axis=-1) > 0.9).mean()
            assert found.saturated_share.value[0] == pytest.approx(saturated, rel=1e-12)
            assert found.normalized_entropy.value[0] == pytest.approx(
                entropy.mean() / np.log(n_keys), rel=1e-12
            )
            for estimate, trials in ((found.entropy, entropy), (found.max_weight, largest)):
                expected_ends = scipy.stats.t.interval(
                    0.95, n_trials - 1, loc=trials.mean(), scale=scipy.stats.sem(trials)
                )
                assert estimate.value[0] == pytest.approx(trials.mean(), rel=1e-12)
                assert (estimate.low[0], estimate.high[0]) == pytest.approx(expected_ends)
            # The interval of the spread rests on the trials' squared deviations, and on what the
            # law of the scores says of them where that is more.
            squares = ((s - s.mean()) ** 2).mean(axis=(1, 2))
            relative = max(
                scipy.stats.sem(squares) / squares.mean(),
                known_error(d_k, n_keys, n_queries, n_trials),
            )
            assert found.score_std.standard_error[0] == pytest.approx(
                s.std() * relative / 2, rel=0.01
            )

    def test_spread_of_few_scores_done_by_hand(self):
        # Two keys and four trials: the mean that is removed is far from zero.
        run = sweep([3], n_keys=2, n_trials=4, seed=26, engine="drawn-vectors")
        rng = np.random.default_rng(26)
        query, key = rng.standard_normal((4, 3)), rng.standard_normal((4, 2, 3))
        scores = (query[:, None] * key).sum(axis=-1)
        mean = scores.mean()
        assert abs(mean) > 0.6 * scores.std()
        unbiased = scores.var() + scores.mean(axis=1).var(ddof=1) / 4
        contributions = ((scores - mean) ** 2).mean(axis=1)
        relative = np.sqrt(contributions.var(ddof=1) / 4) / unbiased
        reach = scipy.stats.t.ppf(0.975, 3) * relative
        by_sample = np.log(unbiased) + relative**2 + np.array([-reach, reach])
        # These four trials happen to agree: alone they would give 0.98 to 4.28. Eight scores of
        # this law have a standard error of 82 % in their mean square, which reaches lower.
        assert np.exp(by_sample / 2) == pytest.approx([0.984, 4.284], abs=5e-4)
        known = known_error(3, 2, 1, 4)
        assert known == pytest.approx(0.816, abs=5e-4)
        z = scipy.stats.norm.ppf(0.975)
        by_law = np.log(unbiased) + np.array([-z * known, known**2 + z * known])
        ends = min(by_sample[0], by_law[0]), max(by_sample[1], by_law[1])
        found = run.raw.score_std
        assert found.value[0] == pytest.approx(scores.std(), rel=1e-12)
        assert (found.low[0], found.high[0]) == pytest.approx(np.exp(np.divide(ends, 2)), rel=1e-9)

    @pytest.mark.parametrize("n_trials", [2, 3])
    def test_few_scores_never_look_precise(self, n_trials):
        # Two trials about their common mean are mirror images. By Student's t alone a sixth of
        # these intervals would be shorter than the value.
        for seed in range(60):
            spread = sweep([4, 256], n_keys=2, n_trials=n_trials, seed=seed).raw.score_std
            assert (spread.high - spread.low > spread.value).all()
            assert (spread.low < 0.8 * spread.value).all()
            assert (spread.standard_error > 0.25 * spread.value).all()

    @pytest.mark.parametrize("n_trials", [10, 30])
    def test_intervals_of_the_spread_cover_it(self, n_trials):
        # By Student's t alone 88 % and 91 % of them would at width 4: squares of two keys' scores
        # that share a short or a long query have a long tail.
        covered = np.zeros(3)
        for seed in range(400):
            found = sweep([4, 64, 256], n_keys=2, n_trials=n_trials, seed=seed).scaled.score_std
            covered += (found.low <= 1) & (found.high >= 1)
        assert (covered >= 0.935 * 400).all()
        assert (covered <= 0.995 * 400).all()

    @pytest.mark.parametrize(("n_keys", "n_queries"), [(5, 1), (5, 3)])
    @pytest.mark.parametrize("engine", ENGINES)
    def test_the_law_says_how_far_mean_squares_vary(self, n_keys, n_queries, engine):
        # Of many trials the sample says the same.
        setting = _steps.Setting((3,), n_keys, n_queries, 40_000, 1, engine, False, 0)
        measured = []
        for _ in _steps.steps(setting, measured):
            pass
        mean, variance = measured[0].mean[1], measured[0].variance[1]
        sampled = np.sqrt(variance / setting.n_trials) / mean
        assert known_error(3, n_keys, n_queries, 40_000) == pytest.approx(sampled, rel=0.05)
        assert _known_error(setting, 3) == pytest.approx(sampled, rel=0.05)

    @pytest.mark.parametrize("engine", ENGINES)
    def test_agrees_with_the_exact_expectations(self, engine):
        widths = [4, 16, 50]
        run = sweep(widths, n_keys=12, n_trials=4000, seed=3, engine=engine)
        for found, scaled in ((run.raw, False), (run.scaled, True)):
            exact = expected(widths, n_keys=12, scaled=scaled)
            for name in ("score_std", "entropy", "max_weight"):
                estimate = getattr(found, name)
                away = (estimate.value - getattr(exact, name)) / estimate.standard_error
                assert (np.abs(away) < 4).all()

    def test_shared_keys_widen_the_intervals(self):
        # As many rows of 16 keys, but 16 of each share them. In units of d_k², the mean square of
        # n_q × n_k scores has variance (2 + 6/d + 2(n_k − 1)/d + 2(n_q − 1)/d) / (n_q n_k).
        d_k = 4
        alone = sweep([d_k], n_keys=16, n_trials=4800, seed=1)
        shared = sweep([d_k], n_keys=16, n_queries=16, n_trials=300, seed=1)
        ratio = shared.raw.score_std.standard_error / alone.raw.score_std.standard_error
        expected_ratio = np.sqrt((2 + 66 / d_k) / (2 + 36 / d_k))
        assert ratio == pytest.approx(expected_ratio, rel=0.1)

    @given(WIDTHS, SETTINGS)
    def test_every_estimate_is_possible_and_inside_its_interval(self, widths, setting):
        run = sweep(widths, **setting)
        highest = {
            "score_std": np.inf,
            "entropy": np.log(setting["n_keys"]),
            "normalized_entropy": 1,
            "max_weight": 1,
            "saturated_share": 1,
        }
        for statistics, field in itertools.product((run.raw, run.scaled), fields(Statistics)):
            estimate = getattr(statistics, field.name)
            assert estimate.value.shape == (len(widths),)
            assert (estimate.low >= 0).all()
            assert (estimate.low <= estimate.value + 1e-12).all()
            assert (estimate.value <= estimate.high + 1e-12).all()
            assert (estimate.high <= highest[field.name] * (1 + 1e-12)).all()
            assert (estimate.low < estimate.high).all()
            assert (estimate.standard_error > 0).all()
            assert not np.isnan(astuple(estimate)).any()

    @given(WIDTHS, SETTINGS)
    def test_scaled_spread_is_the_raw_one_over_the_root_of_the_width(self, widths, setting):
        run = sweep(widths, **setting)
        np.testing.assert_allclose(
            run.scaled.score_std.value, run.raw.score_std.value / np.sqrt(widths), rtol=1e-12
        )

    @given(SETTINGS)
    def test_same_seed_same_numbers(self, setting):
        same(sweep([3, 40], **setting), sweep([3, 40], **setting))

    @pytest.mark.parametrize("n_queries", [1, 3])
    def test_another_seed_other_numbers(self, n_queries):
        for engine in ENGINES:
            runs = [
                sweep([9], n_keys=5, n_queries=n_queries, n_trials=9, seed=seed, engine=engine)
                for seed in (1, 2)
            ]
            assert runs[0].raw.entropy.value != runs[1].raw.entropy.value

    def test_exact_law_point_does_not_depend_on_other_widths(self):
        setting = {"n_keys": 12, "n_trials": 50, "seed": 5, "engine": "exact-law"}
        alone, among = sweep([64], **setting), sweep([4, 16, 64, 256], **setting)
        assert alone.raw.entropy.value[0] == among.raw.entropy.value[2]
        assert len(np.unique(among.scaled.entropy.value)) == 4

    def test_mean_is_removed_or_not(self):
        setting = {"n_keys": 2, "n_trials": 3, "seed": 1}
        removed = sweep([16], **setting).raw.score_std.value[0]
        kept = sweep([16], mean_removed=False, **setting).raw.score_std.value[0]
        assert removed < kept

    def test_at_width_one_scaling_does_nothing(self):
        run = sweep([1], n_keys=12, n_trials=500, seed=1)
        np.testing.assert_allclose(astuple(run.raw), astuple(run.scaled), rtol=1e-12)

    def test_says_how_to_run_it_again(self):
        run = sweep([4, 8], n_keys=3, n_queries=2, n_trials=5, seed=7, engine="drawn-vectors")
        assert run.widths.tolist() == [4, 8]
        assert (run.seed, run.engine, run.mean_removed) == (7, "drawn-vectors", True)
        assert (run.n_keys, run.n_queries, run.n_trials) == (3, 2, 5)
        assert run.versions == {"python": platform.python_version(), "numpy": np.__version__}

    def test_widest_head_and_most_keys(self):
        run = sweep([MAX_WIDTH], n_keys=4096, n_trials=300, seed=1)
        assert run.raw.score_std.value[0] == pytest.approx(1024, rel=0.01)
        assert run.raw.max_weight.value[0] > 0.95
        # With many keys and unit spread, entropy is ln n − 1/2, see the large-n theory.
        assert run.scaled.entropy.value[0] == pytest.approx(np.log(4096) - 0.5, abs=0.02)

    def test_trials_with_many_queries(self):
        run = sweep([8], n_keys=500, n_queries=1024, n_trials=2, seed=1)
        assert run.scaled.score_std.value[0] == pytest.approx(1, rel=0.1)

    def test_none_saturated_is_no_certainty(self):
        share = sweep([1024], n_keys=12, n_trials=4000, seed=1).scaled.saturated_share
        assert share.value[0] == share.low[0] == 0
        assert 0 < share.high[0] < 0.001

    def test_one_trial_tells_nothing_about_precision(self):
        run = sweep([64], n_keys=12, n_trials=1, seed=1)
        assert (run.raw.score_std.low[0], run.raw.score_std.high[0]) == (0, np.inf)
        assert (run.raw.entropy.low[0], run.raw.entropy.high[0]) == (0, np.log(12))
        assert (run.raw.max_weight.low[0], run.raw.max_weight.high[0]) == (1 / 12, 1)
        assert (run.raw.saturated_share.low[0], run.raw.saturated_share.high[0]) == (0, 1)
        assert run.raw.entropy.standard_error[0] == np.inf

    @pytest.mark.parametrize("call", [sweep, iter_sweep])
    def test_refuses_at_once_what_is_beyond_its_bounds(self, call):
        with pytest.raises(ValueError, match="more than MAX_SCORES = 16,777,216"):
            call([4], n_keys=4096, n_trials=5000, seed=1)
        with pytest.raises(ValueError, match="more than MAX_NORMALS = 268,435,456"):
            call([2**20], n_keys=12, n_trials=20, seed=1, engine="drawn-vectors")
        with pytest.raises(ValueError, match="widths must be at most MAX_WIDTH"):
            call([2**21], n_keys=12, n_trials=20, seed=1)
        with pytest.raises(ValueError, match="engine must be one of"):
            call([4], n_keys=12, n_trials=20, seed=1, engine="vectors")
        with pytest.raises(TypeError, match="seed must be whole numbers"):
            call([4], n_keys=12, n_trials=20, seed=1.5)


class TestIterSweep:
    SETTING = {"n_keys": 12, "n_trials": 4000, "seed": 2, "engine": "drawn-vectors"}  # noqa: RUF012

    def test_reports_grow_to_the_whole(self):
        reports = list(iter_sweep([4, 64, 100], **self.SETTING))
        done = [report.done for report in reports]
        assert done == sorted(done)
        assert all(0 < report.fraction <= 1 for report in reports)
        total = sweep_cost([4, 64, 100], n_keys=12, n_trials=4000, engine="drawn-vectors").total
        assert {report.total for report in reports} == {total}
        assert [report.done == total for report in reports] == [False] * (len(reports) - 1) + [True]
        same(reports[-1].sweep, sweep([4, 64, 100], **self.SETTING))

    @pytest.mark.parametrize("engine", ENGINES)
    @pytest.mark.parametrize(
        ("d_k", "n_keys", "n_queries", "n_trials"),
        [(1024, 12, 1, 400), (2**18, 12, 1, 2), (4, 1000, 1, 1000), (9, 700, 600, 2)],
    )
    def test_steps_are_small(self, engine, d_k, n_keys, n_queries, n_trials):
        reports = iter_sweep(
            [d_k], n_keys=n_keys, n_queries=n_queries, n_trials=n_trials, seed=1, engine=engine
        )
        done = [0, *(report.done for report in reports)]
        assert max(np.diff(done)) <= 4 * STEP

    def test_completed_widths_come_early_and_stay(self):
        partial = {}
        for report in iter_sweep([64, 4, 100], **self.SETTING):
            widths = 0 if report.sweep is None else len(report.sweep.widths)
            partial.setdefault(widths, report.sweep)
        assert sorted(partial) == [0, 1, 2, 3]
        whole = partial[3].raw.entropy.value
        for widths in (1, 2):
            assert partial[widths].widths.tolist() == [64, 4, 100][:widths]
            np.testing.assert_array_equal(partial[widths].raw.entropy.value, whole[:widths])

    def test_a_dropped_run_leaves_the_next_one_alone(self):
        dropped = iter_sweep([4, 64], **self.SETTING)
        next(dropped)
        same(sweep([4, 64], **self.SETTING), list(iter_sweep([4, 64], **self.SETTING))[-1].sweep)
        dropped.close()

    def test_dropped_runs_leave_no_threads_but_those_that_stand_ready(self):
        threads = threading.active_count()
        for _ in range(3 * THREADS):
            dropped = iter_sweep([4, 64], **self.SETTING)
            next(dropped)
            dropped.close()
        assert threading.active_count() <= threads + THREADS


class TestSecondThread:
    @pytest.mark.parametrize("engine", ENGINES)
    @pytest.mark.parametrize(
        ("n_keys", "n_queries", "n_trials"), [(12, 1, 700), (16, 16, 150), (200, 200, 2), (9, 2, 3)]
    )
    def test_changes_no_number(self, engine, n_keys, n_queries, n_trials, monkeypatch):
        setting = {
            "n_keys": n_keys,
            "n_queries": n_queries,
            "n_trials": n_trials,
            "seed": 1,
            "engine": engine,
        }
        runs = []
        for least in (0, 2**60):
            monkeypatch.setattr(_steps, "LONG", least)
            runs.append(sweep([300, 2, 64, 64, 5, 1000], **setting))
        same(*runs)


class TestProgress:
    def test_fraction(self):
        assert Progress(25, 100, None).fraction == 0.25
