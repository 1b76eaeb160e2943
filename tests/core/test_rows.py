import numpy as np
import pytest
import scipy.special
import scipy.stats

from core._rows import RAW, SCALED, measure
from core._scratch import Scratch


def expected_of(scores, divisor):
    weights = scipy.special.softmax(scores / divisor, axis=1)
    largest = weights.max(axis=1)
    return np.stack([scipy.stats.entropy(weights, axis=1), largest, largest > 0.9])


class TestMeasure:
    # Squarings where √d_k is a power of two, exponentials where not; keys first below 64 keys.
    @pytest.mark.parametrize("n_keys", [2, 12, 63, 64, 300])
    @pytest.mark.parametrize("d_k", [1, 2, 4, 5, 9, 64, 1000, 1024])
    def test_agrees_with_scipy(self, d_k, n_keys):
        scores = np.random.default_rng(d_k).standard_normal((50, n_keys)) * np.sqrt(d_k)
        found = measure(scores.copy(), d_k, Scratch())
        np.testing.assert_allclose(found[0], scores.mean(axis=1), rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(found[1], (scores**2).mean(axis=1), rtol=1e-12)
        np.testing.assert_allclose(found[RAW], expected_of(scores, 1), rtol=0, atol=1e-12)
        np.testing.assert_allclose(
            found[SCALED], expected_of(scores, np.sqrt(d_k)), rtol=0, atol=1e-12
        )

    def test_takes_either_memory_order(self):
        scores = np.random.default_rng(1).standard_normal((40, 12))
        transposed = np.asfortranarray(scores)
        np.testing.assert_array_equal(
            measure(scores, 4, Scratch()), measure(transposed, 4, Scratch())
        )

    def test_equal_scores(self):
        found = measure(np.full((3, 12), 7.0), 16, Scratch())
        for variant in (RAW, SCALED):
            np.testing.assert_allclose(found[variant][0], np.log(12), rtol=1e-15)
            np.testing.assert_allclose(found[variant][1], 1 / 12, rtol=1e-15)
            np.testing.assert_array_equal(found[variant][2], 0)

    @pytest.mark.parametrize("d_k", [2, 4, 2**20])
    @pytest.mark.parametrize("size", [1e4, 1e8])
    def test_far_apart(self, d_k, size):
        scores = np.array([[size, -size, 0.0], [size, size, -size]])
        found = measure(scores, d_k, Scratch())
        np.testing.assert_allclose(found[RAW], [[0, np.log(2)], [1, 0.5], [1, 0]], atol=1e-15)

    @pytest.mark.parametrize("d_k", [2, 4, 2**20, 2**20 - 1])
    def test_no_exponential_is_denormal(self, d_k):
        # Scaled rows of the model spread over some tens at most, raw ones √d_k times as far.
        scaled = np.random.default_rng(1).uniform(-30, 30, (40, 12))
        with np.errstate(all="raise"):
            measure(scaled * np.sqrt(d_k), d_k, Scratch())

    def test_threshold(self):
        # Two keys that differ by ln 9 share 0.9 and 0.1; a little more is saturated.
        gap = np.log(9) + np.array([-1e-9, 1e-9])
        found = measure(np.stack([gap, np.zeros(2)], axis=1), 1, Scratch())
        np.testing.assert_array_equal(found[RAW][2], [0, 1])
