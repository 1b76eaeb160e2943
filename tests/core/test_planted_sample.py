"""Sampled rows with a planted key: against drawn vectors, exact values and core's softmax."""

import math

import numpy as np
import pytest
from scipy import stats

from core.entropy import entropy_from_scores
from core.planted import PLANTED_DIVISORS, planted_lead, planted_weight
from core.planted_rows import other_keys, planted_rows
from core.planted_sample import planted_among, planted_sample
from core.softmax import softmax

WIDTHS = [1, 4, 64, 1024]


def of_rows(d_k, *, rho, n_keys, n_rows, seed):
    """The rows that `planted_sample` measures at a width."""
    rng = np.random.Generator(np.random.SFC64([seed, d_k]))
    return planted_rows(rng, d_k, rho=rho, n_keys=n_keys, n_rows=n_rows)


class TestPlantedRows:
    @pytest.mark.parametrize(("d_k", "rho"), [(1, 0.3), (3, -0.8), (32, 0.5), (8, 1.0)])
    def test_same_law_as_drawn_vectors(self, d_k, rho):
        n_keys, n_rows = 3, 4000
        rng = np.random.default_rng(11)
        q, k = rng.standard_normal((n_rows, d_k)), rng.standard_normal((n_rows, n_keys, d_k))
        k[:, 0] = rho * q + math.sqrt(1 - rho**2) * k[:, 0]
        drawn = np.einsum("bd,bkd->bk", q, k)
        rows = planted_rows(rng, d_k, rho=rho, n_keys=n_keys, n_rows=n_rows)
        for statistic in (
            lambda s: s[:, 0],
            lambda s: s[:, 1],
            lambda s: s[:, 0] - s[:, 1],
            lambda s: s.max(axis=1),
            lambda s: (s[:, 1] - s[:, 2]) * s[:, 0],
        ):
            assert stats.ks_2samp(statistic(drawn), statistic(rows)).pvalue > 1e-3

    def test_without_correlation_the_first_key_is_like_the_others(self):
        scores = planted_rows(np.random.default_rng(2), 16, rho=0.0, n_keys=2, n_rows=5000)
        assert stats.ks_2samp(*scores.T).pvalue > 1e-3


class TestPlantedSample:
    def test_measures_what_softmax_gives(self):
        settings = {"rho": 0.3, "n_keys": 64, "n_rows": 300}
        sample = planted_sample(WIDTHS, **settings, seed=4)
        for i, d_k in enumerate(WIDTHS):
            scores = of_rows(d_k, **settings, seed=4)
            for name, divisor in PLANTED_DIVISORS.items():
                divided = scores / divisor(d_k)
                np.testing.assert_allclose(
                    sample.weight[name].value[i], softmax(divided)[:, 0].mean(), rtol=1e-12
                )
                np.testing.assert_allclose(
                    sample.entropy[name].value[i], entropy_from_scores(divided).mean(), rtol=1e-11
                )
            assert sample.lead.value[i] == (scores.argmax(axis=1) == 0).mean()

    @pytest.mark.parametrize(("rho", "n_keys"), [(0.3, 64), (0.0, 2), (1.0, 16)])
    def test_exact_values_lie_near(self, rho, n_keys):
        sample = planted_sample(WIDTHS, rho=rho, n_keys=n_keys, n_rows=3000, seed=8)
        for name, found in sample.weight.items():
            exact = planted_weight(WIDTHS, rho=rho, n_keys=n_keys, divisor=name)
            assert (abs(found.value - exact) <= 4 * found.standard_error + 1e-7).all()
        exact = planted_lead(WIDTHS, rho=rho, n_keys=n_keys)
        assert (abs(sample.lead.value - exact) <= 4 * sample.lead.standard_error).all()

    def test_intervals_are_of_the_rows(self):
        settings = {"rho": 0.3, "n_keys": 8, "n_rows": 400}
        sample = planted_sample([16], **settings, seed=3)
        weight = softmax(of_rows(16, **settings, seed=3) / 4)[:, 0]
        interval = stats.t.interval(0.95, 399, weight.mean(), stats.sem(weight))
        found = sample.weight["sqrt_d_k"]
        np.testing.assert_allclose([found.low[0], found.high[0]], interval, rtol=1e-10)
        share = sample.lead.value[0]
        wilson = stats.binomtest(round(400 * share), 400).proportion_ci(method="wilson")
        np.testing.assert_allclose([sample.lead.low[0], sample.lead.high[0]], wilson, rtol=1e-10)

    def test_certain_lead_still_has_an_interval(self):
        lead = planted_sample([4096], rho=0.9, n_keys=8, n_rows=50, seed=1).lead
        assert lead.value[0] == lead.high[0] == 1
        assert 0.9 < lead.low[0] < 1

    def test_a_width_does_not_depend_on_the_others(self):
        settings = {"rho": 0.3, "n_keys": 8, "n_rows": 20, "seed": 5}
        both, alone = planted_sample([4, 64], **settings), planted_sample([64], **settings)
        assert both.weight["d_k"].value[1] == alone.weight["d_k"].value[0]
        assert (
            both.weight["d_k"].value[1]
            != planted_sample([64], **{**settings, "seed": 6}).weight["d_k"].value[0]
        )

    def test_widest_and_most_correlated(self):
        sample = planted_sample([1, 2**20], rho=1.0, n_keys=4096, n_rows=4, seed=0)
        for found in (*sample.weight.values(), *sample.entropy.values()):
            assert np.isfinite(found.value).all()
            assert (found.value >= 0).all()

    def test_another_lean_among_the_same_keys(self):
        others = [other_keys(d_k, n_keys=16, n_rows=200, seed=2) for d_k in (4, 256)]
        for rho in (-0.6, 0.0, 0.45, 1.0):
            sample = planted_among(others, rho=rho)
            np.testing.assert_array_equal(sample.widths, [4, 256])
            for i, d_k in enumerate((4, 256)):
                scores = of_rows(d_k, rho=rho, n_keys=16, n_rows=200, seed=2)
                weight = softmax(scores / math.sqrt(d_k))
                found = sample.weight["sqrt_d_k"].value[i], sample.entropy["sqrt_d_k"].value[i]
                expected = weight[:, 0].mean(), entropy_from_scores(scores / math.sqrt(d_k)).mean()
                np.testing.assert_allclose(found, expected, rtol=1e-11)

    def test_refuses(self):
        settings = {"rho": 0.3, "n_keys": 64, "n_rows": 100, "seed": 1}
        for change, message in (
            ({"n_keys": 1}, "n_keys must be between 2 and MAX_KEYS = 4,096; got 1"),
            ({"n_rows": 1}, "n_rows must be between 2 and 262,144 with 64 keys"),
            ({"n_rows": 2**20}, r"MAX_SCORES = 16,777,216 scores a width\); got 1,048,576"),
            ({"rho": -1.01}, "rho is a correlation, between -1 and 1"),
            ({"seed": -1}, "seed must be at least 0"),
        ):
            with pytest.raises(ValueError, match=message):
                planted_sample([4], **{**settings, **change})
        with pytest.raises(ValueError, match="widths must be between 1 and MAX_WIDTH"):
            planted_sample([2**21], **settings)
