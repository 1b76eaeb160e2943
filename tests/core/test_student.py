import math

import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from core._student import student_t_quantile


class TestStudentTQuantile:
    @pytest.mark.parametrize(
        ("df", "expected"), [(1, 12.7062), (4, 2.7764), (19, 2.0930), (120, 1.9799)]
    )
    def test_table(self, df, expected):
        # Any printed table of the distribution.
        assert student_t_quantile(0.975, df) == pytest.approx(expected, abs=5e-5)

    def test_one_degree_of_freedom_is_cauchy(self):
        assert student_t_quantile(0.9, 1) == pytest.approx(math.tan(0.4 * math.pi), rel=1e-12)

    def test_two_degrees_of_freedom(self):
        # t = (2p − 1) √(2 / (4p(1 − p))) in closed form.
        p = 0.8
        expected = (2 * p - 1) * math.sqrt(2 / (4 * p * (1 - p)))
        assert student_t_quantile(p, 2) == pytest.approx(expected, rel=1e-12)

    @given(st.floats(1e-4, 1 - 1e-4), st.floats(1, 1e7))
    def test_agrees_with_scipy(self, probability, df):
        expected = scipy.stats.t.ppf(probability, df)
        assert student_t_quantile(probability, df) == pytest.approx(expected, rel=1e-9, abs=1e-9)

    @pytest.mark.parametrize("df", [999.9, 1000.0, 1000.1, 1e12])
    def test_where_the_expansion_takes_over(self, df):
        expected = scipy.stats.t.ppf(0.975, df)
        assert student_t_quantile(0.975, df) == pytest.approx(expected, rel=1e-11)

    @given(st.floats(0.01, 0.99), st.floats(1, 1e5))
    def test_is_odd(self, probability, df):
        mirrored = student_t_quantile(1 - probability, df)
        assert student_t_quantile(probability, df) == pytest.approx(-mirrored, rel=1e-9, abs=1e-12)

    def test_median_is_zero(self):
        assert student_t_quantile(0.5, 3.7) == 0

    @pytest.mark.parametrize("probability", [0.0, 1.0, -0.1, math.nan])
    def test_refuses_what_is_no_probability(self, probability):
        with pytest.raises(ValueError, match="probability must lie strictly between 0 and 1"):
            student_t_quantile(probability, 5)

    @pytest.mark.parametrize("df", [0.5, 0, -3, math.inf, math.nan])
    def test_refuses_degrees_of_freedom_below_one(self, df):
        with pytest.raises(ValueError, match="df must be a finite number from 1 up"):
            student_t_quantile(0.975, df)
