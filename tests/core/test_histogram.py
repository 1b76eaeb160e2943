"""Counts of scores beside SciPy's normal distribution."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from core import score_histogram
from core.histogram import histogram_edges


class TestHistogramEdges:
    @given(st.floats(0, 1e100), st.integers(1, 4096))
    def test_cover_the_scores_evenly_about_zero(self, reach, d_k):
        edges = histogram_edges(reach, d_k)
        assert edges[-1] >= max(reach, 4 * np.sqrt(d_k)) * (1 - 1e-9)
        np.testing.assert_array_equal(edges, -edges[::-1])
        assert len(edges) <= 121

    def test_half_a_root_wide_where_scores_allow(self):
        np.testing.assert_allclose(np.diff(histogram_edges(30.0, 64)), 4)


class TestScoreHistogram:
    @pytest.mark.parametrize("d_k", [1, 32, 1024])
    def test_expected_agrees_with_scipy(self, d_k):
        histogram = score_histogram(np.full(1000, 6.5 * np.sqrt(d_k)), d_k)
        cdf, sf = scipy.stats.norm(scale=np.sqrt(d_k)).cdf, scipy.stats.norm(scale=np.sqrt(d_k)).sf
        low, high = histogram.edges[:-1], histogram.edges[1:]
        expected = np.where(low >= 0, sf(low) - sf(high), cdf(high) - cdf(low)) * 1000
        np.testing.assert_allclose(histogram.expected, expected, rtol=1e-9)

    @given(
        hnp.arrays(np.float64, st.integers(0, 50), elements=st.floats(-1e6, 1e6)),
        st.integers(1, 64),
    )
    def test_every_score_is_counted(self, scores, d_k):
        histogram = score_histogram(scores, d_k)
        assert histogram.counts.sum() == scores.size
        assert histogram.expected.sum() <= scores.size * (1 + 1e-12)

    def test_agrees_with_numpy(self):
        scores = np.random.default_rng(0).standard_normal(5000) * 9
        histogram = score_histogram(scores, 16)
        np.testing.assert_array_equal(histogram.counts, np.histogram(scores, histogram.edges)[0])

    def test_random_model_follows_the_reference(self):
        query, key = np.random.default_rng(1).standard_normal((2, 500, 64))
        histogram = score_histogram(query @ key.T, 64)
        apart = np.abs(histogram.counts - histogram.expected).sum() / histogram.counts.sum()
        assert apart < 0.05

    def test_refuses(self):
        with pytest.raises(ValueError, match="scores must be finite"):
            score_histogram([np.nan], 4)
        with pytest.raises(ValueError, match="d_k must be at least 1; got 0"):
            score_histogram([1.0], 0)
