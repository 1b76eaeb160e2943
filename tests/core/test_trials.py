import numpy as np
import pytest

from core._trials import TrialMoments


class TestTrialMoments:
    @pytest.mark.parametrize("rows_per_trial", [1, 4, 50])
    @pytest.mark.parametrize("blocks", [[600], [1, 7, 92, 500], [199, 2, 399]])
    def test_agrees_with_numpy_however_rows_arrive(self, rows_per_trial, blocks):
        # A large mean, beside which a sum of squares would lose the spread.
        rows = 1e6 + np.random.default_rng(1).standard_normal((3, 600))
        moments = TrialMoments(3, rows_per_trial)
        for block in np.split(rows, np.cumsum(blocks)[:-1], axis=1):
            moments.add(block.copy())
        trials = rows.reshape(3, -1, rows_per_trial).mean(axis=2)
        assert moments.count == 600 // rows_per_trial
        np.testing.assert_allclose(moments.mean, trials.mean(axis=1), rtol=1e-14)
        expected = np.cov(trials)
        np.testing.assert_allclose(moments.variance, expected.diagonal(), rtol=0, atol=1e-9)
        assert moments.covariance == pytest.approx(expected[0, 1], abs=1e-9)

    def test_nothing_arrives(self):
        moments = TrialMoments(2, 1)
        moments.add(np.empty((2, 0)))
        assert moments.count == 0

    def test_one_trial_has_no_spread(self):
        moments = TrialMoments(2, 3)
        moments.add(np.arange(6.0).reshape(2, 3))
        assert moments.count == 1
        np.testing.assert_allclose(moments.mean, [1, 4], rtol=1e-15)
        np.testing.assert_array_equal(moments.variance, [0, 0])
        assert moments.covariance == 0
