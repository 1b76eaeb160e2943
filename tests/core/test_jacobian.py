"""The softmax Jacobian against finite differences, closed forms and the published example."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy import optimize, special

from core.jacobian import (
    gradient_curve,
    jacobian_norm,
    jacobian_norm_from_scores,
    softmax_jacobian,
)

EXAMPLE = [3.0, 1.0, -1.0]

rows = arrays(
    np.float64,
    array_shapes(min_dims=1, max_dims=3, max_side=6),
    elements=st.floats(-50, 50),
)


def exact_norm(weights):
    """‖J‖_F of one row in rational arithmetic, from weights rescaled to sum to exactly 1."""
    w = [Fraction(float(x)) for x in weights]
    w = [x / sum(w) for x in w]
    square = sum((x * ((i == j) - y)) ** 2 for i, x in enumerate(w) for j, y in enumerate(w))
    # A power of four out of the root keeps the square of a tiny norm a normal float.
    scale = max(w[i] for i in range(len(w)) if i != w.index(max(w))) if len(w) > 1 else 0
    return float(scale) * math.sqrt(square / scale**2) if scale else 0.0


class TestSoftmaxJacobian:
    def test_two_equal_weights(self):
        # w(1 − w) = ¼ by hand.
        np.testing.assert_array_equal(softmax_jacobian([0.5, 0.5]), [[0.25, -0.25], [-0.25, 0.25]])

    @pytest.mark.parametrize("tau", [0.5, 1.0, math.sqrt(3), 8.0])
    def test_finite_differences(self, tau):
        scores = np.random.default_rng(3).standard_normal((2, 3, 5))
        step = 1e-5
        numeric = np.empty((2, 3, 5, 5))
        for j in range(5):
            up, down = scores.copy(), scores.copy()
            up[..., j] += step
            down[..., j] -= step
            change = special.softmax(up / tau, axis=-1) - special.softmax(down / tau, axis=-1)
            numeric[..., j] = change / (2 * step)
        weights = special.softmax(scores / tau, axis=-1)
        np.testing.assert_allclose(softmax_jacobian(weights, divisor=tau), numeric, atol=1e-9)

    @given(rows)
    def test_symmetric_with_zero_sums(self, scores):
        jacobian = softmax_jacobian(special.softmax(scores, axis=-1))
        np.testing.assert_array_equal(jacobian, np.swapaxes(jacobian, -1, -2))
        np.testing.assert_allclose(jacobian.sum(axis=-1), 0, atol=1e-16)
        assert (np.diagonal(jacobian, axis1=-2, axis2=-1) >= 0).all()

    def test_divisor_broadcasts_over_rows(self):
        weights = np.full((2, 3, 4), 0.25)
        divided = softmax_jacobian(weights, divisor=[1.0, 2.0, 4.0])
        np.testing.assert_array_equal(divided[:, 2], softmax_jacobian(weights[:, 2]) / 4)

    def test_keeps_dtype(self):
        for dtype in (np.float16, np.float32, np.float64):
            assert softmax_jacobian(np.array([0.25, 0.75], dtype), divisor=2.0).dtype == dtype

    def test_saturated_row_keeps_its_small_entries(self):
        jacobian = softmax_jacobian([1.0, 1e-30])
        np.testing.assert_allclose(jacobian, [[1e-30, -1e-30], [-1e-30, 1e-30]], rtol=1e-15)

    def test_one_key_has_no_gradient(self):
        np.testing.assert_array_equal(softmax_jacobian([1.0]), [[0.0]])

    def test_bad_arguments(self):
        with pytest.raises(ValueError, match=r"weights must have shape \(..., n\).*got \(\)"):
            softmax_jacobian(0.5)
        with pytest.raises(ValueError, match="divisor must be positive and finite; got 0"):
            softmax_jacobian([0.5, 0.5], divisor=0)


class TestJacobianNorm:
    def test_uniform_weights(self):
        # ‖J‖_F² = 1/n − 1/n² for n equal weights.
        for n in (1, 2, 7, 100):
            expected = math.sqrt(1 / n - 1 / n**2)
            assert jacobian_norm(np.full(n, 1 / n)) == pytest.approx(expected, rel=1e-13)

    @given(rows)
    def test_norm_of_the_matrix(self, scores):
        weights = special.softmax(scores, axis=-1)
        matrix = softmax_jacobian(weights, divisor=3.0)
        np.testing.assert_allclose(
            jacobian_norm(weights, divisor=3.0),
            np.linalg.norm(matrix, axis=(-2, -1)),
            rtol=1e-12,
            atol=1e-160,  # NumPy's norm squares its entries, which underflows below this
        )

    @given(st.lists(st.floats(-200, 200), min_size=1, max_size=5))
    def test_rational_arithmetic(self, scores):
        weights = special.softmax(scores)
        assert jacobian_norm(weights) == pytest.approx(exact_norm(weights), rel=1e-13, abs=1e-250)

    @given(rows)
    def test_at_most_one_half(self, scores):
        norm = jacobian_norm(special.softmax(scores, axis=-1))
        assert ((norm >= 0) & (norm <= 0.5 + 1e-15)).all()

    def test_the_usual_form_cancels_where_this_one_does_not(self):
        w = np.array([1 - 1e-9, 7e-10, 3e-10])
        usual = (w**2).sum() - 2 * (w**3).sum() + (w**2).sum() ** 2
        assert abs(usual / exact_norm(w) ** 2 - 1) > 0.5
        assert jacobian_norm(w) == pytest.approx(exact_norm(w), rel=1e-14)

    def test_accumulates_half_precision_in_double(self):
        weights = np.full(4096, 1 / 4096, np.float16)
        assert jacobian_norm(weights).dtype == np.float64
        assert jacobian_norm(weights) == pytest.approx(1 / 64, rel=1e-3)

    def test_extremes(self):
        np.testing.assert_array_equal(jacobian_norm([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]), [0, 0])
        assert jacobian_norm(np.empty((0, 3))).shape == (0,)

    def test_bad_arguments(self):
        with pytest.raises(ValueError, match=r"weights must have shape .* got \(2, 0\)"):
            jacobian_norm(np.empty((2, 0)))
        with pytest.raises(ValueError, match="divisor must be positive"):
            jacobian_norm([0.5, 0.5], divisor=[1.0, -2.0])
        with pytest.raises(TypeError, match="weights must hold real numbers"):
            jacobian_norm(["a", "b"])


class TestJacobianNormFromScores:
    def test_published_example(self):
        # ‖J/τ‖_F for the scores 3, 1, −1.
        norms = jacobian_norm_from_scores(EXAMPLE, divisor=[0.5, 1.0, 8.0])
        np.testing.assert_allclose(norms, [0.071, 0.213, 0.058], atol=5e-4)

    @given(rows, st.floats(0.1, 100))
    def test_same_as_from_weights(self, scores, tau):
        weights = special.softmax(scores / tau, axis=-1)
        np.testing.assert_allclose(
            jacobian_norm_from_scores(scores, divisor=tau),
            jacobian_norm(weights, divisor=tau),
            rtol=1e-12,
            atol=1e-290,
        )

    @given(rows, st.floats(-100, 100))
    def test_shift_changes_nothing(self, scores, shift):
        np.testing.assert_allclose(
            jacobian_norm_from_scores(scores + shift), jacobian_norm_from_scores(scores), rtol=1e-12
        )

    def test_two_keys_in_closed_form(self):
        # Every entry of J is ±w(1 − w), which is e^−x for a large gap x.
        gap = np.array([1.0, 40.0, 300.0, 690.0])
        scores = np.stack([gap, np.zeros(4)], axis=-1)
        w = special.expit(-gap)
        np.testing.assert_allclose(
            jacobian_norm_from_scores(scores), 2 * w * special.expit(gap), rtol=1e-13
        )

    def test_extremes(self):
        assert jacobian_norm_from_scores([1e4, -1e4]) == 0
        assert jacobian_norm_from_scores([1e308, -1e308, 1e308], divisor=0.01) == pytest.approx(50)
        assert jacobian_norm_from_scores([5.0]) == 0
        assert jacobian_norm_from_scores(np.zeros((3, 1)), divisor=2.0).shape == (3,)
        assert jacobian_norm_from_scores([0.0, 0.0]) == 0.5

    def test_bad_arguments(self):
        with pytest.raises(ValueError, match="scores must be finite"):
            jacobian_norm_from_scores([0.0, -np.inf])
        with pytest.raises(ValueError, match="divisor must be positive and finite; got nan"):
            jacobian_norm_from_scores([0.0, 1.0], divisor=math.nan)


class TestGradientCurve:
    def test_published_peak(self):
        curve = gradient_curve(EXAMPLE, divisors=np.geomspace(0.25, 10, 50))
        assert curve.peak_divisor == pytest.approx(1.27, abs=5e-3)
        assert curve.peak_gradient == pytest.approx(0.226, abs=5e-4)

    def test_peak_found_by_scipy(self):
        def negative(log_tau):
            weights = special.softmax(np.array(EXAMPLE) / math.exp(log_tau))
            return -np.linalg.norm(softmax_jacobian(weights)) / math.exp(log_tau)

        best = optimize.minimize_scalar(negative, bounds=(-1, 2), method="bounded")
        curve = gradient_curve(EXAMPLE, divisors=[0.25, 10])
        assert curve.peak_divisor == pytest.approx(math.exp(best.x), rel=1e-5)
        assert curve.peak_gradient == pytest.approx(-best.fun, rel=1e-10)

    @given(st.lists(st.floats(-20, 20), min_size=2, max_size=6))
    def test_peak_is_no_lower_than_the_curve(self, scores):
        divisors = np.geomspace(0.01, 1000, 40)
        curve = gradient_curve(scores, divisors=divisors)
        assert curve.peak_gradient >= curve.gradient.max() * (1 - 1e-12)
        assert 0.01 * (1 - 1e-12) <= curve.peak_divisor <= 1000 * (1 + 1e-12)
        np.testing.assert_allclose(curve.gradient * divisors, curve.jacobian)

    def test_the_higher_of_two_peaks(self):
        # The first two keys compete near τ = 0.3, the third joins in near 100.
        curve = gradient_curve([500.0, 499.5, 0.0], divisors=np.geomspace(0.01, 1000, 9))
        assert 0.1 < curve.peak_divisor < 1

    def test_tied_leaders_have_no_inner_peak(self):
        curve = gradient_curve([2.0, 2.0, 0.0], divisors=[0.5, 1, 2])
        assert curve.peak_divisor == pytest.approx(0.5)

    def test_large_divisors_shrink_the_gradient_without_saturating(self):
        curve = gradient_curve(EXAMPLE, divisors=[100.0, 1000.0])
        assert curve.jacobian[1] > curve.jacobian[0]
        assert curve.gradient[1] == pytest.approx(curve.gradient[0] / 10, rel=0.01)

    def test_bad_arguments(self):
        with pytest.raises(ValueError, match=r"scores must be one row.*got shape \(2, 2\)"):
            gradient_curve(np.zeros((2, 2)), divisors=[1.0])
        with pytest.raises(ValueError, match=r"divisors must be one axis.*got shape \(0,\)"):
            gradient_curve(EXAMPLE, divisors=[])
        with pytest.raises(ValueError, match="divisors must be positive"):
            gradient_curve(EXAMPLE, divisors=[1.0, 0.0])
