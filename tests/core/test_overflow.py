import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from core.formats import FORMATS
from core.overflow import overflow_chance, overflow_sample

BOUNDARIES = [FORMATS[name].exp_overflow for name in ("float16", "float32")]


def by_integration(d_k, limit):
    """The same expectation by adaptive integration over SciPy's chi density."""
    peak = np.sqrt((d_k - 1) / 2 + np.sqrt(((d_k - 1) / 2) ** 2 + limit**2))

    def integrand(sigma):
        return np.exp(stats.chi.logpdf(sigma, d_k) + stats.norm.logsf(limit / sigma))

    ends = [(max(peak - 9, 1e-12), peak), (peak, peak + 9)]
    return sum(integrate.quad(integrand, *e, epsabs=0, epsrel=1e-11, limit=200)[0] for e in ends)


class TestOverflowChance:
    def test_published_percentages(self):
        chance = 100 * overflow_chance([16, 32, 64, 128], boundary=11.09)
        half_a_place = np.array([0.005, 0.05, 0.05, 0.05])
        assert (np.abs(chance - [0.43, 2.6, 8.2, 16.3]) <= half_a_place).all()

    @pytest.mark.parametrize("d_k", [1, 2, 16, 128, 1024])
    @pytest.mark.parametrize("boundary", [0.5, *BOUNDARIES])
    def test_agrees_with_scipy(self, d_k, boundary):
        raw, scaled = (
            overflow_chance([d_k], boundary=boundary, scaled=scaled)[0] for scaled in (False, True)
        )
        assert raw == pytest.approx(by_integration(d_k, boundary), rel=1e-8)
        expected = by_integration(d_k, boundary * np.sqrt(d_k))
        assert scaled == pytest.approx(expected, rel=1e-8, abs=1e-300)

    def test_closed_form_of_width_2(self):
        # q·k is then the difference of two exponential variables: P = e^(−b)/2.
        for boundary in (0.0, 1.0, 11.09, 88.7):
            chance = overflow_chance([2], boundary=boundary)[0]
            assert chance == pytest.approx(np.exp(-boundary) / 2, rel=1e-8)

    @given(st.integers(1, 2**20))
    def test_half_of_all_scores_are_positive(self, d_k):
        np.testing.assert_allclose(overflow_chance(d_k, boundary=0), 0.5, rtol=1e-9)

    @given(st.integers(1, 2**18), st.floats(0.01, 100))
    def test_grows_with_width_and_falls_with_the_boundary(self, d_k, boundary):
        narrow, wide = overflow_chance([d_k, 2 * d_k], boundary=boundary)
        assert 0 <= narrow < wide < 0.5
        assert overflow_chance(d_k, boundary=2 * boundary) < narrow

    def test_widest_head_is_normal(self):
        d_k = 2**20
        chance = overflow_chance(d_k, boundary=1500.0)
        np.testing.assert_allclose(chance, stats.norm.sf(1500 / 1024), rtol=1e-5)

    def test_scaled_scores_hardly_overflow(self):
        assert overflow_chance(64, boundary=BOUNDARIES[0], scaled=True) < 1e-18

    @pytest.mark.parametrize("boundary", [-1, np.inf, np.nan])
    def test_boundary(self, boundary):
        with pytest.raises(ValueError, match="boundary must be finite and 0 or more"):
            overflow_chance([4], boundary=boundary)

    def test_widths(self):
        with pytest.raises(ValueError, match="widths must be between 1 and"):
            overflow_chance([0], boundary=1)


class TestOverflowSample:
    def test_is_reproducible_and_near_the_exact_chance(self):
        run = {"boundary": BOUNDARIES[0], "n_scores": 20_000, "seed": 4}
        sampled = overflow_sample([16, 64, 128], **run)
        exact = overflow_chance([16, 64, 128], boundary=BOUNDARIES[0])
        # Wilson's interval, twice as long: none of three widths is missed at this seed by chance.
        middle, half = (sampled.low + sampled.high) / 2, (sampled.high - sampled.low) / 2
        assert (np.abs(exact - middle) < 2 * half).all()
        assert (half < 0.01).all()
        np.testing.assert_array_equal(sampled.value, overflow_sample([16, 64, 128], **run).value)
        other = overflow_sample([16, 64, 128], **{**run, "seed": 5})
        assert (other.value != sampled.value).any()

    def test_scaled(self):
        sampled = overflow_sample([64], boundary=1.0, n_scores=20_000, seed=1, scaled=True)
        exact = overflow_chance(64, boundary=1.0, scaled=True)
        np.testing.assert_allclose(sampled.value, exact, atol=0.01)

    def test_none_passed_still_has_an_interval(self):
        sampled = overflow_sample([4], boundary=88.0, n_scores=4000, seed=1)
        assert sampled.value[0] == sampled.low[0] == 0
        assert 0 < sampled.high[0] < 0.002

    @pytest.mark.parametrize("n_scores", [1, 10**9])
    def test_scores(self, n_scores):
        with pytest.raises(ValueError, match=r"n_scores must be at least 2.*MAX_NORMALS"):
            overflow_sample([64], boundary=1.0, n_scores=n_scores, seed=1)
