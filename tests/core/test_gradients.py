"""Gradient norms across widths against known medians, whole vectors and SciPy's intervals."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from core.gradients import MIN_GRADIENT_ROWS, QUANTILES, gradient_norms
from core.jacobian import softmax_jacobian
from core.limits import MAX_SCORES, MAX_TRIALS

MEDIAN = QUANTILES.index(0.5)


def norms_of_vectors(width, n_keys, n_rows, rng):
    """‖J‖_F raw and scaled and the largest raw weight, from vectors and from whole matrices."""
    query = rng.standard_normal((n_rows, 1, width))
    key = rng.standard_normal((n_rows, n_keys, width))
    scores = (query @ np.swapaxes(key, -1, -2))[:, 0]
    raw = special.softmax(scores, axis=-1)
    scaled = special.softmax(scores / math.sqrt(width), axis=-1)
    matrices = (softmax_jacobian(w) for w in (raw, scaled))
    return *(np.linalg.norm(m, axis=(-2, -1)) for m in matrices), raw.max(axis=-1)


class TestGradientNorms:
    @pytest.mark.parametrize(
        ("n_keys", "width", "raw", "scaled", "places"),
        [(3, 64, 0.009, 0.437, 3), (64, 64, 0.20, 0.18, 2), (64, 256, 0.024, 0.18, 2)],
    )
    def test_known_medians(self, n_keys, width, raw, scaled, places):
        # As quoted for this model, to the places given.
        norms = gradient_norms([width], n_keys=n_keys, n_rows=600_000 // n_keys, seed=5)
        tolerance = 10.0**-places
        assert norms.scaled.median[0] == pytest.approx(scaled, abs=tolerance)
        assert norms.raw.median[0] == pytest.approx(raw, abs=tolerance)

    @pytest.mark.parametrize(("n_keys", "width"), [(2, 1), (5, 3), (12, 16), (20, 6)])
    def test_same_law_as_whole_vectors(self, n_keys, width):
        n_rows = 10_000
        rng = np.random.default_rng(99)
        raw, scaled, largest = norms_of_vectors(width, n_keys, n_rows, rng)
        found = gradient_norms([width], n_keys=n_keys, n_rows=n_rows, seed=7)
        for norms, sample in ((found.raw, raw), (found.scaled, scaled)):
            # The share of the other sample below each quantile, 4 standard errors of both.
            below = (sample <= norms.quantiles[:, :1]).mean(axis=-1)
            level = np.array(QUANTILES)
            error = np.sqrt(2 * level * (1 - level) / n_rows)
            assert (np.abs(below - level) < 4 * error).all()
        share = (largest > 0.9).mean()
        assert abs(found.raw_saturated.value[0] - share) < 4 * math.sqrt(2 * 0.25 / n_rows)

    def test_scaled_gradient_is_the_scaled_norm_over_its_divisor(self):
        norms = gradient_norms([4, 64], n_keys=12, n_rows=200, seed=1)
        for over, norm in (
            (norms.scaled_gradient.quantiles, norms.scaled.quantiles),
            (norms.scaled_gradient.median_low, norms.scaled.median_low),
            (norms.scaled_gradient.median_high, norms.scaled.median_high),
        ):
            np.testing.assert_allclose(over, norm / [2, 8], rtol=1e-15)

    def test_raw_gradients_die_early_only_with_few_keys(self):
        few, many = (gradient_norms([64], n_keys=n, n_rows=5000, seed=2) for n in (3, 64))
        assert few.raw.median < few.scaled.median / 20
        assert many.raw.median > many.scaled.median

    def test_median_interval_is_that_of_scipy(self):
        width, n_keys, n_rows, seed = 16, 5, 137, 3
        found = gradient_norms([width], n_keys=n_keys, n_rows=n_rows, seed=seed)
        # The documented draws: a length and n_keys normals a row.
        rng = np.random.default_rng([seed, width])
        length = np.sqrt(rng.chisquare(width, n_rows))
        weights = special.softmax(length[:, None] * rng.standard_normal((n_rows, n_keys)), axis=-1)
        norms = np.linalg.norm(softmax_jacobian(weights), axis=(-2, -1))
        interval = stats.quantile_test(norms).confidence_interval(0.95)
        np.testing.assert_allclose(found.raw.median_low, interval.low, rtol=1e-10)
        np.testing.assert_allclose(found.raw.median_high, interval.high, rtol=1e-10)
        np.testing.assert_allclose(found.raw.median, np.median(norms), rtol=1e-10)

    def test_median_interval_covers(self):
        truth = gradient_norms([16], n_keys=5, n_rows=400_000, seed=0).raw.median[0]
        runs = [gradient_norms([16], n_keys=5, n_rows=21, seed=s).raw for s in range(1, 601)]
        covered = sum(run.median_low[0] <= truth <= run.median_high[0] for run in runs)
        # Order statistics 6 and 16 of 21 cover with probability 97.3 %.
        assert stats.binomtest(covered, 600, 0.9734).pvalue > 1e-3

    def test_saturated_share_has_wilsons_interval(self):
        found = gradient_norms([4, 1024], n_keys=12, n_rows=500, seed=4)
        for share in (found.raw_saturated, found.scaled_saturated):
            for i in range(2):
                result = stats.binomtest(round(share.value[i] * 500), 500)
                interval = result.proportion_ci(method="wilson")
                assert share.low[i] == pytest.approx(interval.low, abs=1e-12)
                assert share.high[i] == pytest.approx(interval.high, abs=1e-12)
        assert found.raw_saturated.value[1] > 0.8
        assert found.scaled_saturated.high[1] > 0

    @settings(max_examples=30)
    @given(st.integers(1, 2**20), st.integers(2, 200), st.integers(6, 60), st.integers(0, 99))
    def test_ordered_and_bounded(self, width, n_keys, n_rows, seed):
        found = gradient_norms([width], n_keys=n_keys, n_rows=n_rows, seed=seed)
        for norms in (found.raw, found.scaled):
            assert (np.diff(norms.quantiles, axis=0) >= 0).all()
            assert norms.median_low <= norms.median <= norms.median_high
            assert norms.quantiles.min() >= 0
            assert norms.quantiles.max() <= 0.5 + 1e-12

    def test_a_width_does_not_depend_on_the_others(self):
        both = gradient_norms([4, 64], n_keys=12, n_rows=50, seed=8)
        alone = gradient_norms([64], n_keys=12, n_rows=50, seed=8)
        np.testing.assert_array_equal(both.raw.quantiles[:, 1], alone.raw.quantiles[:, 0])

    def test_widest(self):
        found = gradient_norms([2**20], n_keys=2, n_rows=100, seed=6)
        assert found.raw.median[0] < 1e-100
        assert found.scaled.median[0] > 0.3

    def test_bad_arguments(self):
        good = {"n_keys": 12, "n_rows": 100, "seed": 1}
        with pytest.raises(ValueError, match="widths must be at least 1"):
            gradient_norms([0], **good)
        with pytest.raises(ValueError, match="n_keys must be 2 to MAX_KEYS = 4,096; got 1"):
            gradient_norms([4], **good | {"n_keys": 1})
        with pytest.raises(ValueError, match="n_rows must be 6 to MAX_TRIALS"):
            gradient_norms([4], **good | {"n_rows": MIN_GRADIENT_ROWS - 1})
        with pytest.raises(ValueError, match="n_rows must be 6 to MAX_TRIALS"):
            gradient_norms([4], **good | {"n_rows": MAX_TRIALS + 1})
        with pytest.raises(ValueError, match="more than MAX_SCORES = 16,777,216"):
            gradient_norms([4], n_keys=64, n_rows=MAX_SCORES // 64 + 1, seed=1)
        with pytest.raises(TypeError, match="n_rows must be a whole number"):
            gradient_norms([4], **good | {"n_rows": 10.5})
        with pytest.raises(ValueError, match="seed must be at least 0"):
            gradient_norms([4], **good | {"seed": -1})
