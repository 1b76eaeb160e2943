"""The planted key: published values, SciPy's integrals for two keys, symmetry and drawn vectors."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, special, stats

from core.planted import (
    PLANTED_DIVISORS,
    planted_lead,
    planted_moments,
    planted_weight,
)
from core.softmax import softmax

WIDTHS = [16, 64, 256, 1024]
PUBLISHED = {
    "sqrt_d_k": ([0.05, 0.13, 0.53, 0.99], 0.005),
    "d_k/8": ([0.09, 0.13, 0.15, 0.15], 0.005),
    "d_k": ([0.021, 0.021, 0.021, 0.021], 0.0005),
}
"""Mean weight of a key at ρ = 0.3 among 64, with the rounding of the printed places."""
rhos = st.floats(-1, 1)
names = st.sampled_from(list(PLANTED_DIVISORS))


def drawn_scores(d_k, rho, n_keys, n_rows):
    """Scores of vectors that are drawn whole, the planted key first."""
    rng = np.random.default_rng(5)
    q = rng.standard_normal((n_rows, d_k))
    k = rng.standard_normal((n_rows, n_keys, d_k))
    k[:, 0] = rho * q + math.sqrt(1 - rho**2) * k[:, 0]
    return np.einsum("bd,bkd->bk", q, k)


class TestPlantedMoments:
    def test_formula(self):
        moments = planted_moments([100, 400], rho=0.75)
        np.testing.assert_allclose(moments.mean, [75, 300])
        np.testing.assert_allclose(moments.std, [12.5, 25])
        np.testing.assert_allclose(moments.scaled_mean, [7.5, 15])

    def test_agrees_with_drawn_vectors(self):
        score = drawn_scores(32, 0.6, 1, 40_000)[:, 0]
        moments = planted_moments(32, rho=0.6)
        assert abs(score.mean() - moments.mean) < 4 * moments.std / 200
        assert abs(score.std() / moments.std - 1) < 0.02

    def test_independent_key_has_the_usual_spread(self):
        moments = planted_moments([1, 64], rho=0.0)
        np.testing.assert_array_equal(moments.mean, 0)
        np.testing.assert_array_equal(moments.std, [1, 8])

    def test_refuses(self):
        with pytest.raises(ValueError, match=r"rho is a correlation, between -1 and 1; got 1\.5"):
            planted_moments(4, rho=1.5)
        with pytest.raises(ValueError, match="widths must be between 1 and MAX_WIDTH = 1,048,576"):
            planted_moments([0, 4], rho=0.3)


class TestPlantedWeight:
    @pytest.mark.parametrize("name", PLANTED_DIVISORS)
    def test_published(self, name):
        values, half_place = PUBLISHED[name]
        weight = planted_weight(WIDTHS, rho=0.3, n_keys=64, divisor=name)
        np.testing.assert_allclose(weight, values, atol=half_place + 1e-9)

    @pytest.mark.parametrize("name", PLANTED_DIVISORS)
    @pytest.mark.parametrize(("d_k", "rho"), [(1, 0.5), (4, 0.3), (64, -0.4), (256, 0.9), (16, 1)])
    def test_two_keys_are_one_logistic(self, d_k, rho, name):
        # The difference of two scores is normal, given the query's length.
        tau = PLANTED_DIVISORS[name](d_k)

        nodes, node_weights = np.polynomial.legendre.leggauss(40)
        low, high = max(math.sqrt(d_k) - 6, 0), math.sqrt(d_k) + 6
        x = low + (high - low) * (nodes + 1) / 2
        length_weight = node_weights * stats.chi.pdf(x, d_k)
        z = np.linspace(-9, 9, 4001)
        difference = (rho * x * x / tau)[:, None] + np.outer(x / tau * math.sqrt(2 - rho**2), z)
        given_length = special.expit(difference) @ stats.norm.pdf(z) * (z[1] - z[0])
        expected = given_length @ length_weight / length_weight.sum()
        found = planted_weight(d_k, rho=rho, n_keys=2, divisor=name)
        np.testing.assert_allclose(found, expected, atol=1e-7)

    @pytest.mark.parametrize(
        ("d_k", "rho", "n_keys", "name"),
        [
            (16, 0.3, 64, "sqrt_d_k"),
            (4, 0.5, 12, "d_k/8"),
            (64, 0.3, 64, "d_k"),
            (8, 1.0, 5, "sqrt_d_k"),
        ],
    )
    def test_agrees_with_drawn_vectors(self, d_k, rho, n_keys, name):
        n_rows = 3_000_000 // (d_k * n_keys)
        scores = drawn_scores(d_k, rho, n_keys, n_rows)
        weight = softmax(scores / PLANTED_DIVISORS[name](d_k))[:, 0]
        found = planted_weight(d_k, rho=rho, n_keys=n_keys, divisor=name)
        assert abs(weight.mean() - found) < 4 * weight.std() / math.sqrt(n_rows)

    @pytest.mark.parametrize(("d_k", "name"), [(16, "d_k/8"), (24, "sqrt_d_k"), (4, "d_k/8")])
    def test_a_copy_of_the_query_among_many(self, d_k, name):
        # Its score is told by ‖q‖ alone: E[w] = E[exp(-T e^-s)], with T the others' sum of e^s,
        # whose law is that of the least of their log times. Here by fine, plain steps.
        tau, n = PLANTED_DIVISORS[name](d_k), 512
        x = np.linspace(max(math.sqrt(d_k) - 6, 0.01), math.sqrt(d_k) + 6, 301)
        z = np.arange(-8, 8, 0.02)
        density = stats.norm.pdf(z) * 0.02
        given_length = []
        for length in x.tolist():
            lead = length * length / tau
            u = np.arange(-lead - 24, -lead + 4, 0.1)
            later = np.exp(-np.exp(np.minimum(u[:, None] + length / tau * z, 6))) @ density
            now = np.exp(u + lead - np.exp(u + lead))
            given_length.append(now @ np.maximum(later, 0) ** (n - 1) * 0.1)
        length_weight = stats.chi.pdf(x, d_k)
        expected = given_length @ length_weight / length_weight.sum()
        found = planted_weight(d_k, rho=1.0, n_keys=n, divisor=name)
        np.testing.assert_allclose(found, expected, atol=1e-7)

    @settings(max_examples=8)
    @given(st.integers(1, 4096), st.sampled_from([2, 3, 64, 100_000]), names)
    def test_without_correlation_every_key_gets_the_same(self, d_k, n_keys, name):
        weight = planted_weight(d_k, rho=0.0, n_keys=n_keys, divisor=name)
        np.testing.assert_allclose(weight, 1 / n_keys, atol=2e-8)

    @settings(max_examples=8)
    @given(st.integers(1, 1024), rhos, rhos, names)
    def test_grows_with_correlation(self, d_k, one, other, name):
        low, high = sorted((one, other))
        assert planted_weight(d_k, rho=low, n_keys=12, divisor=name) <= (
            planted_weight(d_k, rho=high, n_keys=12, divisor=name) + 1e-8
        )

    @pytest.mark.parametrize("name", PLANTED_DIVISORS)
    def test_extremes(self, name):
        for rho in (-1.0, 1.0):
            weight = planted_weight([1, 2**20], rho=rho, n_keys=100_000, divisor=name)
            assert ((weight >= 0) & (weight <= 1)).all()
        np.testing.assert_allclose(
            planted_weight(2**20, rho=1.0, n_keys=64, divisor="sqrt_d_k"), 1, atol=1e-12
        )

    def test_divided_by_d_k_it_is_told_by_rho_alone_once_wide(self):
        # Scores are then ρ for the planted key and 0 for the others.
        weight = planted_weight(2**20, rho=0.3, n_keys=64, divisor="d_k")
        np.testing.assert_allclose(weight, math.exp(0.3) / (math.exp(0.3) + 63), atol=1e-6)

    def test_refuses(self):
        with pytest.raises(ValueError, match=r"divisor must be one of 'sqrt_d_k', 'd_k/8', 'd_k'"):
            planted_weight(4, rho=0.3, n_keys=64, divisor="none")
        with pytest.raises(
            ValueError, match="n_keys must be between 2 and MAX_EXPECTED_KEYS = 100,000; got 1"
        ):
            planted_weight(4, rho=0.3, n_keys=1, divisor="d_k")
        with pytest.raises(ValueError, match="rho is a correlation"):
            planted_weight(4, rho=float("nan"), n_keys=64, divisor="d_k")
        with pytest.raises(TypeError, match="widths must be integers; got dtype float64"):
            planted_weight(4.0, rho=0.3, n_keys=64, divisor="d_k")


class TestPlantedLead:
    @pytest.mark.parametrize("n_keys", [64, 512, 100_000])
    @pytest.mark.parametrize("d_k", [1, 4, 16, 24, 256])
    def test_a_copy_of_the_query(self, d_k, n_keys):
        # With ρ = 1 its score is ‖q‖² and that of each other key ‖q‖z.
        expected = integrate.quad(
            lambda x: stats.chi.pdf(x, d_k) * math.exp((n_keys - 1) * special.log_ndtr(x)),
            max(math.sqrt(d_k) - 7, 0),
            math.sqrt(d_k) + 7,
            epsabs=1e-11,
            limit=200,
        )[0]
        found = planted_lead(d_k, rho=1.0, n_keys=n_keys)
        np.testing.assert_allclose(found, expected, atol=1e-7)

    @pytest.mark.parametrize("d_k", [4, 64])
    def test_agrees_with_drawn_vectors(self, d_k):
        n_rows = 20_000
        ahead = (drawn_scores(d_k, 0.3, 12, n_rows).argmax(axis=1) == 0).mean()
        found = planted_lead(d_k, rho=0.3, n_keys=12)
        assert abs(ahead - found) < 4 * math.sqrt(found * (1 - found) / n_rows)

    @settings(max_examples=20)
    @given(st.integers(1, 2**20), st.sampled_from([2, 64, 100_000]))
    def test_without_correlation_every_key_leads_as_often(self, d_k, n_keys):
        lead = planted_lead(d_k, rho=0.0, n_keys=n_keys)
        np.testing.assert_allclose(lead, 1 / n_keys, atol=1e-8)

    @given(rhos)
    def test_two_keys_either_one_leads(self, rho):
        # Mirrored at the query, a key with −ρ trails as often as one with ρ leads.
        leads = planted_lead(9, rho=rho, n_keys=2), planted_lead(9, rho=-rho, n_keys=2)
        np.testing.assert_allclose(sum(leads), 1, atol=1e-8)

    def test_refuses(self):
        with pytest.raises(
            ValueError,
            match="n_keys must be between 2 and MAX_EXPECTED_KEYS = 100,000; got 200,000",
        ):
            planted_lead(4, rho=0.3, n_keys=200_000)
