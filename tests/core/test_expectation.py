"""Exact expectations against published numbers, other integrals, limits and samples."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from core._largest import largest
from core._race import entropy_and_squares
from core.expectation import MAX_EXPECTED_KEYS, Expectation, expected, expected_at
from core.limits import MAX_WIDTH

sigmas = st.floats(0, 1100)
keys = st.sampled_from([1, 2, 3, 12, 100, 4096, 100_000])


def mean_log_z(sigma, n):
    """E[log Z] = ∫ (e^(−t) − φ(t)ⁿ)/t dt over t = e^u, by SciPy, with φ by many small steps."""
    z = np.linspace(-10, 10, 8001)
    weight = stats.norm.pdf(z) * (z[1] - z[0])
    factor = np.exp(sigma * z)

    def integrand(u):
        phi = weight @ np.exp(-np.minimum(np.exp(u) * factor, 700))
        return math.exp(-math.exp(u)) - phi**n

    low, high = -40 - 8 * sigma, 4 + 8 * sigma
    breaks = sorted([0.0, -math.log(n), -sigma * math.sqrt(2 * math.log(n))])
    return integrate.quad(integrand, low, high, points=breaks, epsabs=1e-10, limit=400)[0]


def of_two_keys(sigma):
    """Entropy, largest weight and Σw² for two keys, over their difference, normal of std σ√2."""

    def entropy(p):
        return -sum(x * math.log(x) for x in (p, 1 - p) if x > 0)

    def mean(f):
        def integrand(x):  # x is the difference; both halves alike
            return 2 * f(1 / (1 + math.exp(-x))) * stats.norm.pdf(x, scale=sigma * math.sqrt(2))

        end = 13 * sigma
        return integrate.quad(
            integrand, 0, end, points=[min(5, end / 2), min(40, end / 1.5)], epsabs=1e-11
        )[0]

    return mean(entropy), mean(lambda p: p), mean(lambda p: p**2 + (1 - p) ** 2)


def largest_by_its_definition(sigma, n):
    """E[max w] = n ∫ p(x) ∫ e^(−τ) E[e^(−τ e^(s−x)); s < x]^(n−1), each integral on its own."""
    nodes, weights = np.polynomial.legendre.leggauss(240)
    x = sigma * 9.0 * nodes
    below = -9.0 * sigma + (x[:, None] + 9.0 * sigma) * (nodes + 1) / 2
    below_weight = (x[:, None] + 9.0 * sigma) * weights / 2 * stats.norm.pdf(below, scale=sigma)
    log_tau = np.linspace(-40, 4, 177)
    total = 0.0
    for u in log_tau:
        g = (np.exp(-np.exp(u + below - x[:, None])) * below_weight).sum(axis=-1)
        inner = stats.norm.pdf(x, scale=sigma) * np.maximum(g, 0) ** (n - 1)
        total += math.exp(u - math.exp(u)) * (inner @ weights)
    return n * 9.0 * sigma * total * (log_tau[1] - log_tau[0])


def sampled(scores):
    """Entropy, largest weight and Σw² of each row."""
    z = np.exp(scores - scores.max(axis=-1, keepdims=True))
    w = z / z.sum(axis=-1, keepdims=True)
    entropy = -np.where(w > 0, w * np.log(np.where(w > 0, w, 1)), 0).sum(axis=-1)
    return entropy, w.max(axis=-1), (w**2).sum(axis=-1)


def assert_near_sample(expectation, rows):
    exact = (expectation.entropy, expectation.max_weight, expectation.sum_squared_weights)
    for value, sample in zip(exact, rows, strict=True):
        error = sample.std(ddof=1) / math.sqrt(sample.size)
        assert abs(sample.mean() - value) < 4.5 * error


class TestExpectedAt:
    @pytest.mark.parametrize(
        ("n", "sigma", "entropy", "squares"),
        [
            (12, 1, 2.0903797, 0.1680146),
            (12, 2, 1.4515634, 0.3600649),
            (12, 32, 0.0860319, 0.9491290),
            (16, 1, 2.3569533, None),
            (1000, 5, 1.7057665, None),
        ],
    )
    def test_known_entropies(self, n, sigma, entropy, squares):
        # Computed beforehand from the integrals over t with adaptive quadrature, seven places.
        found = expected_at(sigma, n_keys=n)
        assert found.entropy == pytest.approx(entropy, abs=1e-7)
        if squares is not None:
            assert found.sum_squared_weights == pytest.approx(squares, abs=1e-7)

    @pytest.mark.parametrize(
        ("n", "sigma", "largest"), [(12, 1, 0.2897664), (12, 2, 0.5048754), (2, 1, 0.7252135)]
    )
    def test_known_largest_weights(self, n, sigma, largest):
        assert expected_at(sigma, n_keys=n).max_weight == pytest.approx(largest, abs=1e-7)

    @pytest.mark.parametrize(
        ("n", "sigma"),
        [(2, 0.3), (3, 1), (12, 0.05), (12, 4), (12, 32), (1000, 0.79), (1000, 5), (100_000, 3)],
    )
    def test_stein_identity_with_an_independent_log_partition(self, n, sigma):
        # E[H] = E[log Z] − E[Σws], and E[Σws] = σ²(1 − E[Σw²]) by Stein's identity.
        found = expected_at(sigma, n_keys=n)
        entropy = mean_log_z(sigma, n) - sigma**2 * (1 - found.sum_squared_weights)
        assert found.entropy == pytest.approx(entropy, abs=1e-7 * (1 + sigma**2))

    @pytest.mark.parametrize("sigma", [0.01, 0.1, 0.7, 0.9, 2, 10, 100, 1100])
    def test_two_keys_are_one_integral(self, sigma):
        found = expected_at(sigma, n_keys=2)
        values = (found.entropy, found.max_weight, found.sum_squared_weights)
        np.testing.assert_allclose(values, of_two_keys(sigma), atol=1e-7)

    @pytest.mark.parametrize(
        ("n", "sigma"), [(3, 0.2), (3, 6), (12, 0.8), (12, 4), (1000, 1), (1000, 4), (100_000, 3)]
    )
    def test_largest_weight_from_its_definition(self, n, sigma):
        found = expected_at(sigma, n_keys=n).max_weight
        assert found == pytest.approx(largest_by_its_definition(sigma, n), abs=1e-7)

    @pytest.mark.parametrize("n", [2, 12, 100_000])
    def test_narrow_limit(self, n):
        # To first order in σ²: H = ln n − σ²(1 − 1/n)/2 and Σw² = (1 + σ²(1 − 1/n))/n.
        sigma = 0.01
        found = expected_at(sigma, n_keys=n)
        drop = sigma**2 * (1 - 1 / n)
        assert found.entropy == pytest.approx(math.log(n) - drop / 2, abs=5e-8)
        assert found.sum_squared_weights == pytest.approx((1 + drop) / n, abs=5e-8)

    def test_wide_limit(self):
        # For two keys far apart only ties have entropy: H → p(0) ∫ h = π²/3 / (2σ√π).
        sigma = 1100.0
        limit = math.pi**2 / 3 / (2 * sigma * math.sqrt(math.pi))
        assert expected_at(sigma, n_keys=2).entropy == pytest.approx(limit, abs=1e-7)
        for n in (2, 1000, 100_000):
            far = expected_at(1e9, n_keys=n)
            assert far.entropy == pytest.approx(0, abs=1e-7)
            assert far.max_weight == pytest.approx(1, abs=1e-7)
            assert far.sum_squared_weights == pytest.approx(1, abs=1e-7)

    @pytest.mark.parametrize(("n", "sigma"), [(5, 0.5), (12, 2), (12, 30), (300, 3)])
    def test_sampling(self, n, sigma):
        rng = np.random.default_rng(20240607)
        scores = sigma * rng.standard_normal((1_000_000 // n, n))
        assert_near_sample(expected_at(sigma, n_keys=n), sampled(scores))

    @given(sigmas, keys)
    def test_bounds(self, sigma, n):
        found = expected_at(sigma, n_keys=n)
        assert 0 <= found.entropy <= math.log(n)
        assert 0 <= found.normalized_entropy <= 1
        assert 1 / n <= found.sum_squared_weights <= found.max_weight + 1e-7 <= 1 + 1e-7
        # Jensen: a row's largest weight is at least its Σw², and exp(−H) at most Σw².
        assert math.exp(-found.entropy) <= found.sum_squared_weights + 1e-7

    @given(sigmas, sigmas, keys)
    def test_sharper_with_spread(self, one, other, n):
        narrow, wide = (expected_at(s, n_keys=n) for s in sorted((one, other)))
        assert narrow.entropy >= wide.entropy - 1e-7
        assert narrow.max_weight <= wide.max_weight + 1e-7

    @pytest.mark.parametrize("n", [2, 12, 300, 4096, 100_000])
    def test_the_table_is_as_good_as_the_integrals(self, n):
        sigma = np.geomspace(0.01, 1100, 43)
        found = expected_at(sigma, n_keys=n)
        direct = (*entropy_and_squares(sigma, n), largest(sigma, n))
        table = (found.entropy, found.sum_squared_weights, found.max_weight)
        np.testing.assert_allclose(table, direct, atol=1e-8)

    def test_zero_spread_is_uniform(self):
        found = expected_at(0.0, n_keys=12)
        assert found.score_std == 0
        assert found.entropy == pytest.approx(math.log(12), abs=1e-7)
        assert found.max_weight == pytest.approx(1 / 12, abs=1e-7)
        assert found.sum_squared_weights == pytest.approx(1 / 12, abs=1e-7)

    def test_one_key(self):
        found = expected_at([0.0, 1.0, 1000.0], n_keys=1)
        np.testing.assert_array_equal(found.entropy, 0)
        np.testing.assert_array_equal(found.normalized_entropy, 0)
        np.testing.assert_array_equal(found.max_weight, 1)
        np.testing.assert_array_equal(found.sum_squared_weights, 1)

    def test_shapes_broadcast(self):
        found = expected_at([[0.5, 1.0, 2.0]], n_keys=[[12], [1000]])
        for array in (found.score_std, found.entropy, found.max_weight, found.n_keys):
            assert array.shape == (2, 3)
        alone = expected_at(2.0, n_keys=1000).entropy
        assert found.entropy[1, 2] == pytest.approx(alone, rel=1e-14)
        assert expected_at(np.empty((0, 2)), n_keys=3).entropy.shape == (0, 2)
        assert expected_at(1.0, n_keys=12).entropy.shape == ()

    def test_bad_arguments(self):
        with pytest.raises(ValueError, match="sigma must be at least 0"):
            expected_at([1.0, -1.0], n_keys=12)
        with pytest.raises(ValueError, match="sigma must be at least 0 and finite"):
            expected_at(np.nan, n_keys=12)
        with pytest.raises(
            ValueError, match="n_keys must be between 1 and MAX_EXPECTED_KEYS = 100,000; got 0"
        ):
            expected_at(1.0, n_keys=0)
        with pytest.raises(ValueError, match="got 12 to 100001"):
            expected_at(1.0, n_keys=[12, MAX_EXPECTED_KEYS + 1])
        with pytest.raises(TypeError, match="n_keys must be integers"):
            expected_at(1.0, n_keys=12.0)


class TestExpected:
    def test_known_averages_over_the_length(self):
        # 1,024 to seven places, as published; 4 by SciPy's quadrature over the chi density.
        raw = expected([4, 1024], n_keys=12, scaled=False).entropy
        scaled = expected([4, 1024], n_keys=12, scaled=True).entropy
        np.testing.assert_allclose(raw, [1.5649605, 0.0860976], atol=1e-7)
        np.testing.assert_allclose(scaled, [2.1160974, 2.0904933], atol=1e-7)

    @pytest.mark.parametrize("width", [1, 2, 4, 30, 1024])
    @pytest.mark.parametrize("scaled", [False, True])
    def test_scipy_average_over_the_length(self, width, scaled):
        law = stats.chi(width, scale=1 / math.sqrt(width) if scaled else 1)
        found = expected(width, n_keys=1000, scaled=scaled)
        for name in ("entropy", "max_weight", "sum_squared_weights"):
            average = integrate.quad(
                lambda s, name=name: law.pdf(s) * getattr(expected_at(s, n_keys=1000), name),
                max(0, law.mean() - 9 * law.std()),
                law.mean() + 9 * law.std(),
                epsabs=1e-10,
            )[0]
            assert getattr(found, name) == pytest.approx(average, abs=1e-8)

    @pytest.mark.parametrize(("width", "n"), [(1, 5), (2, 12), (7, 40), (64, 12)])
    def test_sampling_of_whole_vectors(self, width, n):
        rng = np.random.default_rng(11)
        rows = 2_000_000 // (width * n)
        query, key = rng.standard_normal((rows, width)), rng.standard_normal((rows, n, width))
        scores = np.einsum("rd,rnd->rn", query, key)
        assert_near_sample(expected(width, n_keys=n, scaled=False), sampled(scores))
        scores /= math.sqrt(width)
        assert_near_sample(expected(width, n_keys=n, scaled=True), sampled(scores))

    def test_score_std_is_the_model(self):
        widths = [1, 4, 512]
        raw = expected(widths, n_keys=12, scaled=False)
        np.testing.assert_allclose(raw.score_std, [1, 2, 22.627417], rtol=1e-7)
        np.testing.assert_array_equal(expected(widths, n_keys=12, scaled=True).score_std, 1)

    @given(st.integers(0, 20), keys)
    def test_scaling_keeps_entropy(self, power, n):
        raw = expected(2**power, n_keys=n, scaled=False)
        scaled = expected(2**power, n_keys=n, scaled=True)
        assert scaled.entropy >= raw.entropy
        assert scaled.max_weight <= raw.max_weight

    def test_width_one_is_its_own_scale(self):
        assert expected(1, n_keys=12, scaled=True) == expected(1, n_keys=12, scaled=False)

    def test_widest_scaled_is_a_fixed_spread_of_one(self):
        found = expected(MAX_WIDTH, n_keys=12, scaled=True)
        assert found.entropy == pytest.approx(expected_at(1.0, n_keys=12).entropy, abs=1e-6)

    def test_many_keys_freeze_as_the_random_energy_model_does(self):
        # At 100,000 keys raw rows freeze near d_k = 2 ln n = 23; above, H ≈ ln n − σ²/2 holds.
        found = expected([1, 4, 512], n_keys=100_000, scaled=False).normalized_entropy
        assert found[0] > 0.95
        assert found[2] < 0.05
        assert expected_at(1.5, n_keys=100_000).entropy == pytest.approx(
            math.log(100_000) - 1.5**2 / 2, abs=1e-3
        )

    def test_bad_arguments(self):
        with pytest.raises(
            ValueError, match="widths must be between 1 and MAX_WIDTH = 1,048,576; got 0"
        ):
            expected([0, 4], n_keys=12, scaled=True)
        with pytest.raises(ValueError, match="widths must be between"):
            expected(MAX_WIDTH + 1, n_keys=12, scaled=True)
        with pytest.raises(TypeError, match="widths must be integers"):
            expected([4.0], n_keys=12, scaled=True)


class TestExpectation:
    def test_normalized_entropy(self):
        one = np.array(1.0)
        found = Expectation(one, np.log([2.0, 4.0, 1.0]), one, one, np.array([4, 4, 1]))
        np.testing.assert_allclose(found.normalized_entropy, [0.5, 1.0, 0.0])
