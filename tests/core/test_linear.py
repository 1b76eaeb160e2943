import numpy as np
import pytest
import scipy.special
from hypothesis import given
from hypothesis import strategies as st

from core import expected
from core.linear import elu_features, linear_attention, linear_error

SIZES = st.tuples(st.integers(0, 2**32 - 1), *[st.integers(1, 6)] * 4)


def draw(seed, n_q, n_k, d_k, d_v, lead=()):
    rng = np.random.default_rng(seed)
    shapes = [(n_q, d_k), (n_k, d_k), (n_k, d_v)]
    return [2 * rng.standard_normal((*lead, *shape)) for shape in shapes]


class TestEluFeatures:
    def test_definition(self):
        x = np.array([-1000.0, -2.0, -1e-3, 0, 1e-3, 5])
        np.testing.assert_allclose(
            elu_features(x), np.where(x > 0, x, np.expm1(np.minimum(x, 0))) + 1
        )

    def test_keeps_the_dtype(self):
        assert elu_features(np.ones(2, np.float16)).dtype == np.float16
        assert elu_features([1, 2]).dtype == np.float64


class TestLinearAttention:
    def test_by_hand(self):
        # φ(0, 1) = (1, 2); φ(1, 0) = (2, 1), φ(0, 0) = (1, 1): weights 4 and 3 of 7.
        output = linear_attention([[0.0, 1.0]], [[1.0, 0.0], [0.0, 0.0]], np.eye(2))
        np.testing.assert_allclose(output, [[4 / 7, 3 / 7]], rtol=1e-15)

    @given(SIZES, st.sampled_from([(), (2,), (3, 1)]))
    def test_is_the_quadratic_form(self, sizes, lead):
        query, key, value = draw(*sizes, lead=lead)
        features = [
            scipy.special.expm1(np.minimum(a, 0)) + np.maximum(a, 0) + 1 for a in (query, key)
        ]
        weights = features[0] @ features[1].swapaxes(-1, -2)
        weights /= weights.sum(axis=-1, keepdims=True)
        np.testing.assert_allclose(linear_attention(query, key, value), weights @ value, atol=1e-12)

    def test_one_key_gives_its_value(self):
        query, key, value = draw(1, 3, 1, 4, 2)
        np.testing.assert_allclose(
            linear_attention(query, key, value), value.repeat(3, 0), rtol=1e-14
        )

    def test_keeps_the_dtype(self):
        arrays = [array.astype(np.float16) for array in draw(2, 4, 6, 8, 3)]
        output = linear_attention(*arrays)
        assert output.dtype == np.float16
        exact = linear_attention(*(array.astype(np.float64) for array in arrays))
        np.testing.assert_allclose(output, exact, atol=5e-3)

    def test_shapes(self):
        with pytest.raises(ValueError, match="one row per key, and at least one"):
            linear_attention(np.ones((1, 2)), np.ones((0, 2)), np.ones((0, 2)))
        with pytest.raises(ValueError, match=r"key \(3, 2\) and value \(2, 2\)"):
            linear_attention(np.ones((1, 2)), np.ones((3, 2)), np.ones((2, 2)))


class TestLinearError:
    def test_mean_of_values_misses_what_exact_weights_say(self):
        # For values of independent components E‖mean − O‖² / E‖O‖² = 1 − 1/(n Σ w²).
        widths = [16, 64, 256]
        error = linear_error(widths, n_keys=32, n_queries=8, n_trials=60, seed=2)
        squared = expected(widths, n_keys=32, scaled=True).sum_squared_weights
        np.testing.assert_allclose(error.mean.value, np.sqrt(1 - 1 / (32 * squared)), rtol=0.03)

    def test_is_little_better_than_the_mean_at_any_width(self):
        error = linear_error([8, 64, 512], n_keys=32, n_queries=8, n_trials=40, seed=3)
        assert (error.linear.value > 0.6).all()
        assert (error.linear.value < error.mean.value).all()
        for estimate in (error.linear, error.mean):
            assert (estimate.low < estimate.value).all()
            assert (estimate.value < estimate.high).all()

    def test_by_hand(self):
        error = linear_error([4], n_keys=3, n_queries=2, n_trials=2, seed=9)
        rng = np.random.default_rng(9)
        squares = []
        for _ in range(2):
            query, key, value = np.split(rng.standard_normal((8, 4)), [2, 5])
            exact = scipy.special.softmax(query @ key.T / 2, axis=-1) @ value
            missed = linear_attention(query, key, value) - exact
            squares.append((missed**2).sum() / (exact**2).sum())
        np.testing.assert_allclose(error.linear.value, np.sqrt(np.mean(squares)), rtol=1e-12)

    def test_one_trial_tells_nothing_of_precision(self):
        error = linear_error([4], n_keys=3, n_queries=2, n_trials=1, seed=9)
        assert (error.linear.low, error.linear.high) == (0, np.inf)

    def test_too_much(self):
        with pytest.raises(ValueError, match="more than MAX_NORMALS"):
            linear_error([2**20], n_keys=64, n_queries=64, n_trials=10, seed=1)
        with pytest.raises(ValueError, match="n_keys must be at least 2"):
            linear_error([4], n_keys=1, n_queries=2, n_trials=2, seed=1)
