import ml_dtypes
import numpy as np
import pytest
import scipy.special
from hypothesis import given
from hypothesis import strategies as st

from core.format_softmax import compare_formats, softmax_in_format
from core.formats import FORMATS

ROWS = st.lists(st.floats(-30, 30), min_size=1, max_size=6)


class TestSoftmaxInFormat:
    def test_divisor_example(self):
        # Published weights of [3, 1, −1], to six places.
        weights = softmax_in_format([3, 1, -1], "float64").weights
        np.testing.assert_allclose(weights, [0.866813, 0.117310, 0.015876], atol=5e-7)

    @pytest.mark.parametrize("name", ["float16", "float32", "float64"])
    @given(row=ROWS)
    def test_naive_is_numpys_own_arithmetic(self, name, row):
        scores = np.array(row, dtype=name)
        with np.errstate(all="ignore"):
            exponentials = np.exp(scores)
            weights = exponentials / exponentials.sum(keepdims=True)
        ours = softmax_in_format(row, name, subtract_maximum=False)
        np.testing.assert_array_equal(ours.weights, weights)
        assert ours.weights.dtype.name == name

    @given(row=ROWS, subtract=st.booleans())
    def test_bfloat16_is_that_of_ml_dtypes(self, row, subtract):
        scores = np.array(row, dtype=ml_dtypes.bfloat16)
        with np.errstate(all="ignore"):
            if subtract:
                scores = scores - scores.max()
            exponentials = np.exp(scores)
            total = exponentials.astype(np.float32).sum().astype(ml_dtypes.bfloat16)
            weights = (exponentials / total).astype(np.float32)
        ours = softmax_in_format(row, "bfloat16", subtract_maximum=subtract)
        np.testing.assert_array_equal(ours.weights, weights)

    @pytest.mark.parametrize("name", FORMATS)
    @given(row=ROWS)
    def test_stable_is_within_rounding(self, name, row):
        seen = softmax_in_format(row, name)
        exact = scipy.special.softmax(seen.scores.astype(np.float64))
        # The gap to the maximum, up to 60, is rounded before the exponential magnifies it.
        epsilon = FORMATS[name].epsilon
        np.testing.assert_allclose(
            seen.weights, exact, rtol=40 * epsilon, atol=FORMATS[name].smallest_normal
        )
        assert seen.n_overflowed == seen.n_undefined == 0

    def test_overflow_becomes_nan(self):
        seen = softmax_in_format([12, 11.0, 0], "float16", subtract_maximum=False)
        np.testing.assert_array_equal(seen.exponentials[:1], np.float16("inf"))
        np.testing.assert_array_equal(seen.weights, np.array([np.nan, 0, 0], np.float16))
        assert (seen.n_overflowed, seen.n_undefined) == (2, 1)
        assert np.isnan(seen.row_sums)

    def test_a_total_overflows_alone(self):
        # e^11 fits float16 and twice e^11 does not: all weights are 0.
        seen = softmax_in_format([11.0, 11.0], "float16", subtract_maximum=False)
        assert (seen.n_overflowed, seen.row_sums) == (1, 0)

    def test_subtracting_does_not_unsaturate(self):
        seen = softmax_in_format([100.0, 80.0], "float16")
        np.testing.assert_array_equal(seen.weights, [1, 0])
        assert seen.n_underflowed == 1

    def test_nothing_allowed(self):
        seen = softmax_in_format([-np.inf, -np.inf], "float32")
        assert np.isnan(seen.weights).all()
        assert seen.n_underflowed == 0

    @pytest.mark.parametrize("scores", [1.0, [], np.zeros((2, 0))])
    def test_no_scores(self, scores):
        with pytest.raises(ValueError, match="n at least 1"):
            softmax_in_format(scores, "float32")

    def test_unknown_format(self):
        with pytest.raises(ValueError, match="format must be one of"):
            softmax_in_format([1.0], "tf32")


class TestCompareFormats:
    def test_order_and_errors(self):
        seen = compare_formats([[89.0, 88.0, 0.0]])
        assert [each.naive.format.name for each in seen] == list(FORMATS)
        # Two exponentials and the total; in float32, where e^88 fits, one and the total.
        assert [each.naive.n_overflowed for each in seen] == [3, 2, 2, 0]
        assert [np.isnan(each.naive_error) for each in seen] == [True, True, True, False]
        exact = scipy.special.softmax([89.0, 88.0, 0.0])
        for each in seen:
            np.testing.assert_allclose(each.exact[0], exact, rtol=1e-14)
            wanted = np.abs(each.stable.weights[0].astype(float) - exact).max()
            assert each.stable_error == pytest.approx(wanted, abs=1e-15)
            assert each.stable_error <= each.stable.format.epsilon

    def test_refuses_what_is_not_finite(self):
        with pytest.raises(ValueError, match="scores must be finite"):
            compare_formats([1.0, -np.inf])
