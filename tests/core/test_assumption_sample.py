"""Sampled scores of other components: the law of drawn vectors, and honest intervals."""

import math

import numpy as np
import pytest
from scipy import stats

from core.assumption_sample import component_rows, component_sample
from core.assumptions import Components, expected_given, score_spread
from core.entropy import entropy_from_scores

CASES = [
    Components(),
    Components(mean=1.0),
    Components(correlation=0.3),
    Components(mean=-0.5, std=2.0, correlation=0.1),
    Components(mean=0.5, correlation=1.0),
]
WIDTHS = [1, 4, 64, 1024]


class TestComponentRows:
    @pytest.mark.parametrize("d_k", [1, 2, 24])
    @pytest.mark.parametrize("c", CASES)
    def test_same_law_as_drawn_vectors(self, c, d_k):
        n_keys, n_rows = 3, 3000
        rng = np.random.default_rng(21)
        r = c.correlation

        def vectors(*shape):
            own, shared = rng.standard_normal((*shape, d_k)), rng.standard_normal((*shape, 1))
            return c.mean + c.std * (math.sqrt(1 - r) * own + math.sqrt(r) * shared)

        drawn = np.einsum("bd,bkd->bk", vectors(n_rows), vectors(n_rows, n_keys))
        rows = component_rows(rng, d_k, c, n_keys=n_keys, n_rows=n_rows) + c.mean**2 * d_k
        for statistic in (
            lambda s: s[:, 0],
            lambda s: s.mean(axis=1),
            lambda s: s[:, 0] - s[:, 1],
            lambda s: s.std(axis=1) * s.mean(axis=1),
        ):
            assert stats.ks_2samp(statistic(drawn), statistic(rows)).pvalue > 1e-3


class TestComponentSample:
    @pytest.mark.parametrize("c", CASES)
    def test_exact_values_lie_near(self, c):
        sample = component_sample(WIDTHS, c, n_keys=64, n_rows=2000, seed=2)
        spread = score_spread(WIDTHS, c)
        for found, exact in (
            (sample.total, spread.scaled_total),
            (sample.within, spread.scaled_within),
            (sample.raw_entropy, expected_given(WIDTHS, c, n_keys=64, scaled=False).entropy),
            (sample.scaled_entropy, expected_given(WIDTHS, c, n_keys=64, scaled=True).entropy),
        ):
            assert (abs(found.value - exact) <= 4 * found.standard_error).all()

    def test_measures_what_numpy_gives(self):
        c = Components(mean=1.0, correlation=0.1)
        sample = component_sample([64], c, n_keys=12, n_rows=500, seed=3)
        rng = np.random.Generator(np.random.SFC64([3, 64]))
        scores = component_rows(rng, 64, c, n_keys=12, n_rows=500) / 8
        np.testing.assert_allclose(sample.total.value, scores.std(), rtol=2e-3)
        np.testing.assert_allclose(
            sample.within.value, np.sqrt(scores.var(axis=1, ddof=1).mean()), rtol=1e-10
        )
        np.testing.assert_allclose(
            sample.scaled_entropy.value, entropy_from_scores(scores).mean(), rtol=1e-10
        )
        np.testing.assert_allclose(
            sample.raw_entropy.value, entropy_from_scores(8 * scores).mean(), rtol=1e-9
        )

    @pytest.mark.parametrize("n_rows", [20, 200])
    def test_intervals_cover_as_often_as_they_say(self, n_rows):
        # 300 repetitions of a 95 % interval miss 15 times, give or take 4; by the row as unit.
        c = Components(mean=1.0)
        spread, misses = score_spread([16], c), np.zeros(2)
        for seed in range(300):
            sample = component_sample([16], c, n_keys=12, n_rows=n_rows, seed=seed)
            for i, (found, exact) in enumerate(
                ((sample.total, spread.scaled_total), (sample.within, spread.scaled_within))
            ):
                misses[i] += not found.low[0] <= exact[0] <= found.high[0]
        assert ((misses > 3) & (misses < 30)).all()

    def test_total_is_unbiased_at_few_rows(self):
        c = Components(mean=1.0)
        squares = [
            component_sample([4], c, n_keys=4, n_rows=3, seed=seed).total for seed in range(600)
        ]
        # The centre of the interval uses the unbiased square; the reported root follows it.
        mean = np.mean([estimate.value[0] ** 2 for estimate in squares])
        error = np.std([estimate.value[0] ** 2 for estimate in squares]) / math.sqrt(600)
        assert abs(mean - 3) < 4 * error

    def test_widest(self):
        sample = component_sample(
            [2**20], Components(mean=2.0, std=2.0, correlation=1.0), n_keys=4, n_rows=10, seed=0
        )
        for found in (sample.total, sample.within, sample.raw_entropy, sample.scaled_entropy):
            assert np.isfinite(found.value).all()

    def test_refuses(self):
        with pytest.raises(ValueError, match="n_rows must be between 2 and 262,144 with 64 keys"):
            component_sample([4], Components(), n_keys=64, n_rows=1, seed=0)
        with pytest.raises(ValueError, match="n_keys must be between 2 and MAX_KEYS = 4,096"):
            component_sample([4], Components(), n_keys=5000, n_rows=10, seed=0)
        with pytest.raises(ValueError, match="seed must be at least 0"):
            component_sample([4], Components(), n_keys=64, n_rows=10, seed=-1)
