import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from core.intervals import (
    FEW_TRIALS,
    Point,
    mean_interval,
    share_interval,
    spread_interval,
)

UNIT = (0.0, 1.0)


class TestPoint:
    def test_divided(self):
        assert Point(2.0, 1.0, 4.0, 0.5).divided(2.0) == Point(1.0, 0.5, 2.0, 0.25)


class TestMeanInterval:
    @pytest.mark.parametrize("n", [FEW_TRIALS, 400, 4000])
    def test_is_students_t(self, n):
        sample = np.random.default_rng(n).beta(3, 2, n)
        point = mean_interval(sample.mean(), sample.var(ddof=1), n, bounds=UNIT)
        expected = scipy.stats.t.interval(
            0.95, n - 1, loc=sample.mean(), scale=scipy.stats.sem(sample)
        )
        assert (point.low, point.high) == pytest.approx(expected, rel=1e-9)
        assert point.standard_error == pytest.approx(scipy.stats.sem(sample))

    @pytest.mark.parametrize("n", [2, 5, FEW_TRIALS - 1])
    def test_few_trials_are_judged_on_the_logistic_scale(self, n):
        sample = np.random.default_rng(n).beta(3, 2, n)
        mean, error = sample.mean(), scipy.stats.sem(sample)
        point = mean_interval(mean, sample.var(ddof=1), n, bounds=UNIT)
        relative = error / (mean * (1 - mean))
        reach = scipy.stats.t.ppf(0.975, n - 1) * relative
        logit = scipy.special.logit(mean) + (1 - 2 * mean) * relative**2
        expected = scipy.special.expit([logit - reach, logit + reach])
        assert (point.low, point.high) == pytest.approx(expected, rel=1e-9)
        assert point.standard_error == pytest.approx(error)

    def test_does_not_depend_on_the_unit(self):
        inner = mean_interval(0.3, 0.01, 7, bounds=UNIT)
        outer = mean_interval(2 + 5 * 0.3, 25 * 0.01, 7, bounds=(2.0, 7.0))
        assert outer.low == pytest.approx(2 + 5 * inner.low)
        assert outer.high == pytest.approx(2 + 5 * inner.high)
        assert outer.standard_error == pytest.approx(5 * inner.standard_error)

    @given(st.floats(0, 1), st.floats(0, 0.25), st.integers(1, 5000))
    def test_stays_inside_the_bounds_around_the_mean(self, mean, variance, n):
        point = mean_interval(mean, variance, n, bounds=UNIT)
        assert 0 <= point.low <= mean + 1e-12
        assert mean - 1e-12 <= point.high <= 1
        assert point.low < point.high or variance < 1e-28
        assert point.standard_error > 0

    def test_one_trial_tells_nothing(self):
        point = mean_interval(1.2, 0.0, 1, bounds=(0.0, 2.5))
        assert point == Point(1.2, 0.0, 2.5, math.inf)

    @pytest.mark.parametrize("law", [(8, 1), (1, 5), (2, 2)])
    @pytest.mark.parametrize("n", [2, 5, 20])
    def test_covers_the_truth_about_as_often_as_it_says(self, n, law):
        a, b = law
        samples = np.random.default_rng(n).beta(a, b, (4000, n))
        covered = 0
        for sample in samples:
            point = mean_interval(sample.mean(), sample.var(ddof=1), n, bounds=UNIT)
            covered += point.low <= a / (a + b) <= point.high
        assert 0.925 < covered / 4000 < 0.975

    @pytest.mark.parametrize("n", [2, 5, 4000])
    def test_trials_that_all_agree_have_an_interval_all_the_same(self, n):
        point = mean_interval(1.0, 0.0, n, bounds=UNIT)
        low = scipy.stats.binomtest(n, n).proportion_ci(0.95, "wilson").low
        assert (point.low, point.high) == pytest.approx((low, 1.0))
        assert point.standard_error > 0


class TestShareInterval:
    @pytest.mark.parametrize(("successes", "n"), [(0, 4000), (6, 4000), (1, 2), (5, 5), (3, 20)])
    def test_is_wilsons(self, successes, n):
        p = successes / n
        point = share_interval(p, p * (1 - p) * n / (n - 1), n, 1)
        expected = scipy.stats.binomtest(successes, n).proportion_ci(0.95, "wilson")
        assert (point.low, point.high) == pytest.approx((expected.low, expected.high), abs=1e-12)

    def test_standard_error_is_the_usual_one_where_there_are_many(self):
        point = share_interval(0.3, 0.3 * 0.7, 100_000, 1)
        assert point.standard_error == pytest.approx(math.sqrt(0.21 / 100_000), rel=1e-3)

    def test_none_of_many_is_no_certainty(self):
        point = share_interval(0.0, 0.0, 4000, 1)
        assert point.low == 0
        assert 0 < point.high < 0.001
        assert point.standard_error > 0

    def test_rows_that_vary_independently_all_count(self):
        # The shares of 300 trials of 16 independent rows have variance p(1 − p)/16.
        point = share_interval(0.25, 0.25 * 0.75 / 16, 300, 16)
        expected = scipy.stats.binomtest(1200, 4800).proportion_ci(0.95, "wilson")
        assert (point.low, point.high) == pytest.approx((expected.low, expected.high), rel=1e-9)

    def test_rows_that_agree_within_a_trial_count_once(self):
        point = share_interval(0.25, 0.25 * 0.75, 300, 16)
        expected = scipy.stats.binomtest(75, 300).proportion_ci(0.95, "wilson")
        assert (point.low, point.high) == pytest.approx((expected.low, expected.high), rel=1e-9)

    def test_no_more_rows_count_than_there_are(self):
        less = share_interval(0.25, 1e-9, 300, 16)
        assert less == share_interval(0.25, 0.25 * 0.75 / 16, 300, 16)

    def test_trials_count_where_all_agree(self):
        assert share_interval(0.0, 0.0, 300, 16).high == share_interval(0.0, 0.0, 300, 1).high

    @given(st.floats(0, 1), st.floats(0, 1), st.integers(1, 5000), st.integers(1, 64))
    def test_contains_the_share_and_has_a_width(self, share, variance, n, rows):
        point = share_interval(share, variance, n, rows)
        assert 0 <= point.low <= share + 1e-12
        assert share - 1e-12 <= point.high <= 1
        assert point.low < point.high

    def test_one_trial_tells_nothing(self):
        assert share_interval(0.5, 0.0, 1, 16) == Point(0.5, 0.0, 1.0, math.inf)


class TestSpreadInterval:
    def test_is_students_t_on_the_scale_of_logarithms(self):
        squares = np.random.default_rng(1).chisquare(12, 500) / 12
        mean, variance = squares.mean(), squares.var(ddof=1)
        point = spread_interval(math.sqrt(mean), mean, variance, 500)
        relative = scipy.stats.sem(squares) / mean
        expected = scipy.stats.t.interval(
            0.95, 499, loc=math.log(mean) + relative**2, scale=relative
        )
        ends = 2 * math.log(point.low), 2 * math.log(point.high)
        assert ends == pytest.approx(expected, rel=1e-9)
        assert point.standard_error == pytest.approx(math.sqrt(mean) * relative / 2)

    @pytest.mark.parametrize("n", [2, 5, 20])
    def test_covers_the_truth_as_often_as_it_says(self, n):
        # Mean squares of 12 independent normals, as the scores of one query are when d_k is large.
        squares = np.random.default_rng(n).chisquare(12, (4000, n)) / 12
        covered = 0
        for sample in squares:
            point = spread_interval(math.sqrt(sample.mean()), sample.mean(), sample.var(ddof=1), n)
            covered += point.low <= 1 <= point.high
        assert 0.93 < covered / 4000 < 0.97

    @given(st.floats(1e-6, 1e6), st.floats(0, 4), st.integers(2, 5000))
    def test_contains_the_value_and_is_positive(self, std, relative_variance, n):
        point = spread_interval(std, std**2, relative_variance * std**4, n)
        assert 0 <= point.low <= std <= point.high

    def test_scales_with_the_scores(self):
        small, large = spread_interval(1.0, 1.0, 0.3, 9), spread_interval(8.0, 64.0, 64**2 * 0.3, 9)
        assert large == pytest.approx([8 * x for x in small])

    def test_a_known_error_widens_what_looks_precise(self):
        z = scipy.stats.norm.ppf(0.975)
        alike = spread_interval(2.0, 4.0, 1e-9, 2, known=0.5)
        expected = 2 * np.exp([-0.5 * z / 2, (0.25 + 0.5 * z) / 2])
        assert (alike.low, alike.high) == pytest.approx(expected, rel=1e-9)
        assert alike.standard_error == pytest.approx(0.5)
        apart = spread_interval(2.0, 4.0, 9.0, 20)
        assert spread_interval(2.0, 4.0, 9.0, 20, known=0.05) == apart

    def test_a_reported_value_below_the_unbiased_one_stays_inside(self):
        point = spread_interval(1.0, 1.21, 1e-12, 5)
        assert point.low == 1.0

    def test_one_trial_tells_nothing(self):
        assert spread_interval(1.5, 2.25, 0.0, 1) == Point(1.5, 0.0, math.inf, math.inf)
