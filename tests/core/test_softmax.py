import numpy as np
import pytest
import scipy.special
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from core import logsumexp, softmax

ROWS = hnp.arrays(
    np.float64,
    hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=6),
    elements=st.floats(-1e4, 1e4),
)
FLOATS = [np.float16, np.float32, np.float64]


class TestSoftmax:
    def test_divisor_example(self):
        # Published to six places for the scores [3, 1, −1].
        np.testing.assert_allclose(softmax([3, 1, -1]), [0.866813, 0.117310, 0.015876], atol=5e-7)

    def test_ratio_is_the_exponential_of_the_difference(self):
        # 2 : 1 : 4 by construction.
        np.testing.assert_allclose(softmax(np.log([2.0, 1.0, 4.0])), [2 / 7, 1 / 7, 4 / 7])

    @given(ROWS, st.integers(0, 2))
    def test_agrees_with_scipy(self, scores, axis):
        axis = min(axis, scores.ndim - 1)
        expected = scipy.special.softmax(scores, axis=axis)
        np.testing.assert_allclose(softmax(scores, axis=axis), expected, rtol=1e-12, atol=1e-300)

    @given(ROWS)
    def test_is_a_distribution(self, scores):
        weights = softmax(scores)
        assert weights.shape == scores.shape
        assert (weights >= 0).all()
        np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=0, atol=1e-14)

    @given(ROWS, st.integers(-1000, 1000))
    def test_a_constant_added_to_the_row_changes_nothing(self, scores, shift):
        whole = np.round(scores)  # so that adding is exact
        np.testing.assert_array_equal(softmax(whole + shift), softmax(whole))

    @given(ROWS, st.randoms(use_true_random=False))
    def test_permuting_scores_permutes_weights(self, scores, random):
        order = random.sample(range(scores.shape[-1]), scores.shape[-1])
        np.testing.assert_allclose(
            softmax(scores[..., order]), softmax(scores)[..., order], rtol=1e-14
        )

    @given(ROWS)
    def test_order_is_preserved(self, scores):
        order = np.argsort(scores, axis=-1)
        assert (np.diff(np.take_along_axis(softmax(scores), order, axis=-1)) >= 0).all()

    @given(ROWS, st.integers(0, 2**32 - 1))
    def test_where_leaves_entries_out(self, scores, seed):
        allowed = np.random.default_rng(seed).random(scores.shape) < 0.5
        allowed[..., 0] = True
        poisoned = np.where(allowed, scores, np.nan)
        weights = softmax(poisoned, where=allowed)
        assert (weights[~allowed] == 0).all()
        np.testing.assert_array_equal(weights, softmax(np.where(allowed, scores, -np.inf)))

    def test_where_broadcasts(self):
        weights = softmax(np.zeros((2, 3)), where=[True, False, True])
        np.testing.assert_array_equal(weights, [[0.5, 0, 0.5]] * 2)

    @pytest.mark.parametrize("dtype", FLOATS)
    def test_keeps_the_dtype(self, dtype):
        assert softmax(np.zeros(4, dtype)).dtype == dtype

    def test_integers_become_float64(self):
        assert softmax([1, 2]).dtype == np.float64
        assert softmax([True, False]).dtype == np.float64

    def test_float16_sums_in_float32(self):
        # 1/4096 is a float16; a float16 total would have stopped at 2,048.
        np.testing.assert_array_equal(softmax(np.zeros(4096, np.float16)), np.float16(1 / 4096))

    def test_huge_scores_neither_overflow_nor_warn(self):
        np.testing.assert_array_equal(softmax([1e4, -1e4]), [1, 0])
        np.testing.assert_array_equal(softmax([1.7e308, -1.7e308]), [1, 0])
        np.testing.assert_array_equal(softmax(np.array([6e4, -6e4], np.float16)), [1, 0])

    def test_minus_infinity_takes_no_part(self):
        np.testing.assert_array_equal(softmax([0.0, -np.inf, 0.0]), [0.5, 0, 0.5])

    def test_plus_infinities_share_the_row(self):
        np.testing.assert_array_equal(softmax([np.inf, 1e300, np.inf]), [0.5, 0, 0.5])

    def test_nan_stays_in_its_row(self):
        weights = softmax([[0.0, np.nan], [0.0, 0.0]])
        np.testing.assert_array_equal(weights, [[np.nan, np.nan], [0.5, 0.5]])

    def test_one_entry_and_no_rows(self):
        np.testing.assert_array_equal(softmax([[-1e4], [7.0]]), [[1], [1]])
        assert softmax(np.ones((0, 3))).shape == (0, 3)

    @pytest.mark.parametrize(
        ("scores", "where"),
        [
            (np.full((2, 3), -np.inf), None),
            (np.zeros((2, 3)), [[False] * 3, [True] * 3]),
            (np.zeros((2, 0)), None),
        ],
    )
    def test_a_row_with_nothing_allowed(self, scores, where):
        with pytest.raises(ValueError, match=r"[12] of 2 rows have nothing allowed"):
            softmax(scores, where=where)

    def test_where_of_another_shape(self):
        with pytest.raises(ValueError, match=r"where of shape \(2,\) .* scores of shape \(3,\)"):
            softmax([1, 2, 3], where=[True, False])

    def test_where_must_be_boolean(self):
        with pytest.raises(TypeError, match="where must be boolean, True where"):
            softmax([1, 2], where=[1, 0])

    def test_complex_scores(self):
        with pytest.raises(TypeError, match="scores must hold real numbers"):
            softmax([1j])

    @pytest.mark.parametrize("scores", [1.0, [1.0, 2.0]])
    def test_no_such_axis(self, scores):
        with pytest.raises(ValueError, match="axis 1 is out of bounds"):
            softmax(scores, axis=1)


class TestLogsumexp:
    def test_counting(self):
        # The logarithm of a sum of ones counts them.
        np.testing.assert_allclose(logsumexp(np.zeros((2, 5))), np.log([5.0, 5.0]), rtol=1e-15)

    @given(ROWS, st.integers(0, 2))
    def test_agrees_with_scipy(self, scores, axis):
        axis = min(axis, scores.ndim - 1)
        expected = scipy.special.logsumexp(scores, axis=axis)
        np.testing.assert_allclose(logsumexp(scores, axis=axis), expected, rtol=1e-14, atol=1e-13)

    @given(ROWS)
    def test_lies_between_the_maximum_and_ln_n_above(self, scores):
        peak = scores.max(axis=-1)
        total = logsumexp(scores)
        assert (total >= peak).all()
        assert (total <= peak + np.log(scores.shape[-1]) + 1e-11).all()

    def test_keeps_the_digits_next_to_the_maximum(self):
        # ln(1 + e^−40) = 4.248e-18 would round away in a total of 1.
        np.testing.assert_allclose(logsumexp([0.0, -40.0]), np.exp(-40.0), rtol=1e-14)

    def test_extremes(self):
        assert logsumexp([1e4, 1e4]) == 1e4 + np.log(2)
        assert logsumexp([-1e4]) == -1e4
        assert logsumexp([1.7e308, -1.7e308]) == 1.7e308
        assert logsumexp([-np.inf, -np.inf]) == -np.inf
        assert logsumexp([np.inf, 0.0]) == np.inf
        assert logsumexp(np.zeros((2, 0))).tolist() == [-np.inf, -np.inf]
        np.testing.assert_array_equal(logsumexp([[np.nan, 0.0], [0.0, -np.inf]]), [np.nan, 0])

    @pytest.mark.parametrize("dtype", FLOATS)
    def test_keeps_the_dtype(self, dtype):
        assert logsumexp(np.zeros((2, 3), dtype)).dtype == dtype

    def test_complex_scores(self):
        with pytest.raises(TypeError, match="scores must hold real numbers"):
            logsumexp([1j])
