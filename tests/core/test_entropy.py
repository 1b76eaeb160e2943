from fractions import Fraction

import numpy as np
import pytest
import scipy.special
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from core import effective_keys, entropy, entropy_from_scores, normalized_entropy, softmax

ROWS = hnp.arrays(
    np.float64,
    hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=6),
    elements=st.floats(-1e4, 1e4),
)
FLOATS = [np.float16, np.float32, np.float64]
DIVISORS = [(1.0, 0.4411), (np.sqrt(3), 0.7662), (2.0, 0.8324)]
"""Divisors of [3, 1, −1] and the published entropies of their softmax, in nats."""


class TestEntropy:
    @pytest.mark.parametrize(("divisor", "nats"), DIVISORS)
    def test_divisor_example(self, divisor, nats):
        np.testing.assert_allclose(
            entropy(softmax(np.divide([3, 1, -1], divisor))), nats, atol=5e-5
        )

    def test_halves_and_quarters(self):
        # ½ ln 2 + 2 · ¼ ln 4 = 1.5 ln 2.
        np.testing.assert_allclose(entropy([0.5, 0.25, 0.25]), 1.5 * np.log(2), rtol=1e-15)

    @given(ROWS, st.integers(0, 2))
    def test_agrees_with_scipy(self, scores, axis):
        axis = min(axis, scores.ndim - 1)
        weights = softmax(scores, axis=axis)
        np.testing.assert_allclose(
            entropy(weights, axis=axis), scipy.stats.entropy(weights, axis=axis), atol=1e-13
        )

    @given(ROWS)
    def test_lies_between_0_and_ln_n(self, scores):
        nats = entropy(softmax(scores))
        assert (nats >= 0).all()
        assert (nats <= np.log(scores.shape[-1])).all()

    @given(ROWS)
    def test_permutation_changes_nothing(self, scores):
        weights = softmax(scores)
        np.testing.assert_allclose(entropy(weights[..., ::-1]), entropy(weights), atol=1e-14)

    @pytest.mark.parametrize("n", [1, 2, 3, 7, 12, 49, 1000, 4096])
    @pytest.mark.parametrize("dtype", FLOATS)
    def test_uniform_does_not_pass_its_ceiling(self, n, dtype):
        nats = entropy(np.full(n, 1 / n, dtype))
        assert nats.dtype == dtype
        assert nats <= np.log(n).astype(dtype)
        np.testing.assert_allclose(nats, np.log(n), rtol=4 * np.finfo(dtype).eps)

    def test_zero_weights_cost_nothing(self):
        np.testing.assert_array_equal(entropy([[1, 0, 0], [0, 0, 0]]), [0, 0])
        assert not np.signbit(entropy([1.0]))
        assert entropy(np.ones((0, 3))).shape == (0,)
        assert entropy(np.ones((2, 0))).tolist() == [0, 0]

    def test_a_weight_that_rounding_left_above_1(self):
        assert entropy(np.nextafter(np.ones((2, 1), np.float32), 2)).tolist() == [0, 0]

    def test_smallest_weight(self):
        with np.errstate(all="raise"):  # nor does a caller's stricter setting trip over it
            entropy(np.array([1.0, 1e-45], np.float32))
        np.testing.assert_allclose(entropy([1.0, 5e-324]), 5e-324 * 744, atol=1e-321)

    def test_nan_stays_in_its_row(self):
        np.testing.assert_array_equal(entropy([[np.nan, 0], [1, 0]]), [np.nan, 0])

    @pytest.mark.parametrize("wrong", [3.0, -0.1, np.inf])
    def test_refuses_what_is_no_weight(self, wrong):
        with pytest.raises(
            ValueError, match=f"between 0 and 1; got {wrong:g}.*entropy_from_scores"
        ):
            entropy([1.0, wrong])

    def test_complex_weights(self):
        with pytest.raises(TypeError, match="weights must hold real numbers"):
            entropy([1j])


class TestEntropyFromScores:
    @pytest.mark.parametrize(("divisor", "nats"), DIVISORS)
    def test_divisor_example(self, divisor, nats):
        np.testing.assert_allclose(
            entropy_from_scores(np.divide([3, 1, -1], divisor)), nats, atol=5e-5
        )

    @given(ROWS, st.integers(0, 2))
    def test_agrees_with_the_entropy_of_the_weights(self, scores, axis):
        axis = min(axis, scores.ndim - 1)
        expected = scipy.special.entr(scipy.special.softmax(scores, axis=axis)).sum(axis=axis)
        np.testing.assert_allclose(entropy_from_scores(scores, axis=axis), expected, atol=1e-12)

    @given(ROWS)
    def test_lies_between_0_and_ln_n(self, scores):
        nats = entropy_from_scores(scores)
        assert (nats >= 0).all()
        assert (nats <= np.log(scores.shape[-1])).all()

    @given(ROWS, st.integers(-1000, 1000))
    def test_a_constant_added_to_the_row_changes_nothing(self, scores, shift):
        whole = np.round(scores)
        np.testing.assert_array_equal(
            entropy_from_scores(whole + shift), entropy_from_scores(whole)
        )

    @pytest.mark.parametrize("gap", [1, 10, 40, 100, 700])
    def test_saturated_row_keeps_its_digits(self, gap):
        # Two keys: H = ln(1 + x) + gap·x / (1 + x) with x = e^−gap, summed exactly from
        # the series of ln(1 + x).
        x = Fraction(float(np.exp(-gap)))
        series = sum(Fraction((-1) ** (k + 1), k) * x**k for k in range(1, 60 if gap < 10 else 5))
        expected = float(series + gap * x / (1 + x))
        np.testing.assert_allclose(entropy_from_scores([0, -gap]), expected, rtol=1e-14)

    def test_extremes(self):
        assert entropy_from_scores([1e4, -1e4]) == 0
        assert entropy_from_scores([1.7e308, -1.7e308]) == 0
        assert entropy_from_scores([-1e4]) == 0
        assert not np.signbit(entropy_from_scores([5.0]))
        np.testing.assert_allclose(entropy_from_scores([0, -np.inf, 0]), np.log(2), rtol=1e-15)
        np.testing.assert_allclose(entropy_from_scores([np.inf, 0, np.inf]), np.log(2), rtol=1e-15)
        np.testing.assert_array_equal(entropy_from_scores([[np.nan, 0], [0, -np.inf]]), [np.nan, 0])
        assert entropy_from_scores(np.ones((0, 3))).shape == (0,)

    @pytest.mark.parametrize("dtype", FLOATS)
    def test_keeps_the_dtype(self, dtype):
        nats = entropy_from_scores(np.zeros((2, 3), dtype))
        assert nats.dtype == dtype
        np.testing.assert_allclose(nats, np.log(3), rtol=np.finfo(dtype).eps)

    @pytest.mark.parametrize("shape", [(2, 3), (2, 0)])
    def test_a_row_with_nothing_allowed(self, shape):
        with pytest.raises(ValueError, match="2 of 2 rows have nothing allowed"):
            entropy_from_scores(np.full(shape, -np.inf))

    def test_complex_scores(self):
        with pytest.raises(TypeError, match="scores must hold real numbers"):
            entropy_from_scores([1j])


class TestNormalizedEntropy:
    def test_shares_of_the_ceiling(self):
        assert normalized_entropy([0.5, 0.5, 0, 0]) == 0.5
        assert normalized_entropy([0.25] * 4) == 1
        assert normalized_entropy([0.5, 0.5, 0, 0], where=[True, True, False, False]) == 1

    @given(ROWS, st.integers(0, 2**32 - 1))
    def test_is_the_entropy_over_the_log_of_the_allowed(self, scores, seed):
        allowed = np.random.default_rng(seed).random(scores.shape) < 0.7
        allowed[..., 0] = True
        weights = softmax(scores, where=allowed)
        share = normalized_entropy(weights, where=allowed)
        assert (share >= 0).all()
        assert (share <= 1).all()
        np.testing.assert_allclose(
            share * np.log(allowed.sum(axis=-1)), scipy.stats.entropy(weights, axis=-1), atol=1e-13
        )

    def test_axis(self):
        weights = np.array([[0.5, 0.25, 1], [0.5, 0.75, 0]])
        np.testing.assert_allclose(
            normalized_entropy(weights, axis=0), [1, scipy.stats.entropy([0.25, 0.75], base=2), 0]
        )

    @pytest.mark.parametrize("dtype", FLOATS)
    @pytest.mark.parametrize("n", [2, 3, 7, 12, 49, 1000])
    def test_uniform_is_not_above_1(self, n, dtype):
        share = normalized_entropy(np.full(n, 1 / n, dtype))
        assert share.dtype == dtype
        assert 1 - 4 * np.finfo(dtype).eps <= share <= 1

    def test_one_allowed_key_or_none_is_0(self):
        assert normalized_entropy([1.0]) == 0
        allowed = [[True, False], [False, False], [False, False]]
        weights = [[1, 0], [0, 0], [np.nan, np.nan]]
        np.testing.assert_array_equal(normalized_entropy(weights, where=allowed), [0, 0, 0])
        assert normalized_entropy(np.ones((2, 0))).tolist() == [0, 0]

    def test_nan_that_takes_part_stays(self):
        np.testing.assert_array_equal(normalized_entropy([[np.nan, 1], [1, 0]]), [np.nan, 0])
        np.testing.assert_array_equal(normalized_entropy([np.nan]), np.nan)

    def test_where_of_another_shape(self):
        with pytest.raises(ValueError, match=r"where of shape \(3,\) .* weights of shape \(2,\)"):
            normalized_entropy([0.5, 0.5], where=[True] * 3)

    def test_where_must_be_boolean(self):
        with pytest.raises(TypeError, match="where must be boolean"):
            normalized_entropy([0.5, 0.5], where=[1, 1])


class TestEffectiveKeys:
    def test_equal_shares_count_keys(self):
        np.testing.assert_allclose(effective_keys([[1, 0, 0], [0.5, 0.5, 0]]), [1, 2], rtol=1e-15)

    @given(ROWS)
    def test_is_the_exponential_of_the_entropy(self, scores):
        weights = softmax(scores)
        number = effective_keys(weights)
        assert (number >= 1).all()
        assert (number <= scores.shape[-1]).all()
        np.testing.assert_allclose(
            np.log(number), scipy.stats.entropy(weights, axis=-1), atol=1e-13
        )

    @pytest.mark.parametrize("dtype", FLOATS)
    @pytest.mark.parametrize("n", [1, 2, 3, 7, 12, 49, 1000])
    def test_uniform_does_not_pass_n(self, n, dtype):
        number = effective_keys(np.full(n, 1 / n, dtype))
        assert number.dtype == dtype
        assert n * (1 - 2e-3) <= number <= n

    def test_scores_are_refused(self):
        with pytest.raises(ValueError, match="weights must lie between 0 and 1; got 3"):
            effective_keys([3, 1, -1])
