"""The large-n guide: its formulas, and that exact entropies go where it points."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.expectation import expected_at
from core.freezing import freezing_std, freezing_width, guide_entropy, thawing_keys


class TestFreezingStd:
    @pytest.mark.parametrize(("n_keys", "std"), [(1, 0), (math.e**2, 2), (100_000, 4.798526)])
    def test_formula(self, n_keys, std):
        np.testing.assert_allclose(freezing_std(n_keys), std, rtol=1e-7)

    def test_is_about_the_largest_of_n_normals(self):
        # To leading order in n; the median of the maximum is a few per cent below.
        n = np.array([10**6, 10**12, 10**15])
        ratio = stats.norm.isf(math.log(2) / n) / freezing_std(n)
        assert (np.diff(ratio) > 0).all()
        np.testing.assert_allclose(ratio, 1, atol=0.09)

    def test_refuses(self):
        with pytest.raises(ValueError, match="n_keys must be at least 1; got 0"):
            freezing_std(0)


class TestFreezingWidth:
    @given(st.floats(1, 1e300))
    def test_is_where_raw_scores_reach_the_freezing_std(self, n_keys):
        np.testing.assert_allclose(np.sqrt(freezing_width(n_keys)), freezing_std(n_keys))

    def test_a_thousand_keys(self):
        np.testing.assert_allclose(freezing_width(1000), 13.8155, atol=5e-5)

    def test_refuses(self):
        with pytest.raises(ValueError, match="n_keys must be at least 1"):
            freezing_width([10, np.nan])


class TestThawingKeys:
    @given(st.floats(1, 1418))
    def test_undoes_freezing_width(self, width):
        np.testing.assert_allclose(freezing_width(thawing_keys(width)), width, rtol=1e-12)

    def test_refuses(self):
        with pytest.raises(ValueError, match="widths must be between 1 and 1,418; got 1500"):
            thawing_keys(1500)


class TestGuideEntropy:
    @pytest.mark.parametrize(
        ("std", "n_keys", "nats"),
        [(0.0, 12, 2.484907), (2.0, 1000, 4.907755), (5.0, 1000, 0.0), (1.0, 1, 0.0)],
    )
    def test_formula(self, std, n_keys, nats):
        np.testing.assert_allclose(guide_entropy(std, n_keys=n_keys), nats, atol=5e-7)

    @pytest.mark.parametrize("share", [0.3, 0.6])
    def test_exact_entropy_goes_there_below_freezing(self, share):
        n = np.array([100, 1000, 10_000, 100_000])
        std = share * freezing_std(n)
        gap = (expected_at(std, n_keys=n).entropy - guide_entropy(std, n_keys=n)) / np.log(n)
        assert (np.diff(np.abs(gap)) < 0).all()
        assert abs(gap[-1]) < 0.02

    def test_exact_entropy_falls_behind_ln_n_above_freezing(self):
        n = np.array([100, 1000, 10_000, 100_000])
        share = expected_at(2 * freezing_std(n), n_keys=n).normalized_entropy
        assert (np.diff(share) < 0).all()
        assert share[-1] < 0.11

    def test_refuses(self):
        with pytest.raises(ValueError, match="n_keys must be at least 1"):
            guide_entropy(1.0, n_keys=0)
