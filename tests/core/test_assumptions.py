"""Means, spreads and correlations of components: formulas, matrices, other integrals, vectors."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from core.assumptions import Components, expected_given, score_spread
from core.entropy import entropy_from_scores
from core.expectation import expected, expected_at

components = st.builds(
    Components, mean=st.floats(-3, 3), std=st.floats(0.1, 3), correlation=st.floats(0, 1)
)
CASES = [
    Components(mean=1.0),
    Components(correlation=0.25),
    Components(mean=-0.5, std=2.0, correlation=0.1),
]


def drawn(rng, c, shape, d_k):
    """Vectors with these components: part of each coordinate's deviation is shared."""
    own, shared = rng.standard_normal((*shape, d_k)), rng.standard_normal((*shape, 1))
    r = c.correlation
    return c.mean + c.std * (math.sqrt(1 - r) * own + math.sqrt(r) * shared)


class TestComponents:
    @given(components, st.integers(1, 12))
    def test_variances_are_eigenvalues(self, c, d_k):
        covariance = c.std**2 * (
            (1 - c.correlation) * np.eye(d_k) + c.correlation * np.ones((d_k, d_k))
        )
        along, across = c.variances(d_k)
        eigenvalues = np.linalg.eigvalsh(covariance)
        np.testing.assert_allclose(eigenvalues[-1], along, rtol=1e-10)
        np.testing.assert_allclose(eigenvalues[:-1], across, atol=1e-10)

    @pytest.mark.parametrize(
        ("wrong", "message"),
        [
            ({"mean": math.inf}, "mean must be finite; got inf"),
            ({"std": 0.0}, "std must be above 0 and finite; got 0.0"),
            ({"std": math.nan}, "std must be above 0 and finite; got nan"),
            ({"correlation": -0.1}, "correlation must be between 0 and 1; got -0.1"),
        ],
    )
    def test_refuses(self, wrong, message):
        with pytest.raises(ValueError, match=message):
            Components(**wrong)


class TestScoreSpread:
    def test_mean_and_spread_of_one(self):
        # √((1 + 1)² − 1) = 1.732 over all scores, 1 · √(1 + 1) = 1.414 within a row.
        spread = score_spread([1, 64, 2**20], Components(mean=1.0, std=1.0))
        np.testing.assert_allclose(spread.scaled_total, 1.7320508, atol=5e-8)
        np.testing.assert_allclose(spread.scaled_within, 1.4142136, atol=5e-8)
        np.testing.assert_array_equal(spread.mean, [1, 64, 2**20])

    @given(st.floats(-3, 3), st.floats(0.1, 3), st.integers(1, 4096))
    def test_uncorrelated_formulas(self, mu, s, d_k):
        spread = score_spread(d_k, Components(mean=mu, std=s))
        np.testing.assert_allclose(spread.total**2, d_k * ((s**2 + mu**2) ** 2 - mu**4), rtol=1e-9)
        np.testing.assert_allclose(spread.scaled_within, s * math.sqrt(s**2 + mu**2), rtol=1e-12)

    @given(components, st.integers(1, 12))
    def test_agrees_with_the_covariance_matrix(self, c, d_k):
        # Var(q·k) = tr Σ² + 2 m'Σm for independent vectors of mean m and covariance Σ.
        m = np.full(d_k, c.mean)
        covariance = c.std**2 * (
            (1 - c.correlation) * np.eye(d_k) + c.correlation * np.ones((d_k, d_k))
        )
        trace, mean_part = (covariance**2).sum(), m @ covariance @ m
        spread = score_spread(d_k, c)
        np.testing.assert_allclose(spread.total**2, trace + 2 * mean_part, rtol=1e-10)
        np.testing.assert_allclose(spread.within**2, trace + mean_part, rtol=1e-10)

    @pytest.mark.parametrize("c", CASES)
    def test_agrees_with_drawn_vectors(self, c):
        rng = np.random.default_rng(7)
        d_k, n_rows = 16, 20_000
        q, k = drawn(rng, c, (n_rows,), d_k), drawn(rng, c, (n_rows, 8), d_k)
        scores = np.einsum("bd,bkd->bk", q, k)
        spread = score_spread(d_k, c)
        assert abs(scores.mean() - spread.mean) < 5 * spread.total / math.sqrt(n_rows)
        np.testing.assert_allclose(scores.std(), spread.total, rtol=0.03)
        within = np.sqrt(scores.var(axis=1, ddof=1).mean())
        np.testing.assert_allclose(within, spread.within, rtol=0.03)

    def test_equal_coordinates_are_one_number_times_d_k(self):
        spread = score_spread([1, 9, 1024], Components(correlation=1.0))
        np.testing.assert_allclose(spread.total, [1, 9, 1024])

    @given(components, st.integers(1, 2**20))
    def test_within_a_row_there_is_no_more_than_in_all(self, c, d_k):
        spread = score_spread(d_k, c)
        assert spread.within <= spread.total * (1 + 1e-12)

    def test_refuses(self):
        with pytest.raises(ValueError, match="widths must be between 1 and MAX_WIDTH"):
            score_spread([4, 2**21], Components())


class TestExpectedGiven:
    @pytest.mark.parametrize("scaled", [False, True])
    @pytest.mark.parametrize("n_keys", [2, 12, 100_000])
    def test_default_is_the_random_model(self, scaled, n_keys):
        widths = [1, 2, 5, 64, 4096]
        found = expected_given(widths, Components(), n_keys=n_keys, scaled=scaled)
        known = expected(widths, n_keys=n_keys, scaled=scaled)
        for name in ("score_std", "entropy", "max_weight", "sum_squared_weights"):
            np.testing.assert_allclose(getattr(found, name), getattr(known, name), atol=1e-7)

    @pytest.mark.parametrize("mu", [0.0, 0.3, 2.0])
    @pytest.mark.parametrize("d_k", [4, 1024])
    def test_equal_coordinates_leave_one_integral(self, mu, d_k):
        # All of a vector lies along (1, …, 1): the row's spread is d_k |μ + z|.
        def integrand(z):
            return stats.norm.pdf(z) * float(expected_at(d_k * abs(mu + z), n_keys=12).entropy)

        near = [-mu - 0.05, -mu - 0.002, -mu, -mu + 0.002, -mu + 0.05]
        exact = integrate.quad(integrand, -8, 8, points=near, epsabs=1e-10, limit=400)[0]
        found = expected_given(d_k, Components(mean=mu, correlation=1.0), n_keys=12, scaled=False)
        np.testing.assert_allclose(found.entropy, exact, atol=2e-9)

    @pytest.mark.parametrize("c", CASES)
    def test_agrees_with_drawn_vectors(self, c):
        rng = np.random.default_rng(9)
        d_k, n_keys, n_rows = 16, 12, 15_000
        q, k = drawn(rng, c, (n_rows,), d_k), drawn(rng, c, (n_rows, n_keys), d_k)
        scores = np.einsum("bd,bkd->bk", q, k)
        for divisor, scaled in ((1.0, False), (4.0, True)):
            nats = entropy_from_scores(scores / divisor)
            found = expected_given(d_k, c, n_keys=n_keys, scaled=scaled)
            assert abs(nats.mean() - found.entropy) < 4 * nats.std() / math.sqrt(n_rows)

    @settings(max_examples=25)
    @given(components, st.sampled_from([1, 2, 64, 2**20]), st.sampled_from([2, 64]))
    def test_stays_within_bounds(self, c, d_k, n_keys):
        raw, scaled = (expected_given(d_k, c, n_keys=n_keys, scaled=s) for s in (False, True))
        assert 0 <= raw.entropy <= scaled.entropy + 1e-9 <= math.log(n_keys) + 2e-9
        np.testing.assert_allclose(raw.score_std, scaled.score_std * math.sqrt(d_k))

    def test_sign_of_the_mean_changes_nothing(self):
        up, down = (
            expected_given(64, Components(mean=m, correlation=0.1), n_keys=12, scaled=True)
            for m in (0.7, -0.7)
        )
        assert up.entropy == down.entropy

    def test_refuses(self):
        with pytest.raises(
            ValueError, match="n_keys must be between 2 and MAX_EXPECTED_KEYS = 100,000; got 1"
        ):
            expected_given(4, Components(), n_keys=1, scaled=True)
