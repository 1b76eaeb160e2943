import math

import numpy as np
import pytest
import scipy.special
import scipy.stats

from core.masking import MASKING_EXAMPLE, build_mask
from core.mistake_results import make_mistake
from core.mistakes import MISTAKES

VECTORS = (MASKING_EXAMPLE.query, MASKING_EXAMPLE.key, MASKING_EXAMPLE.value)
SCORES = VECTORS[0] @ VECTORS[1].T
ROW = ([[1, 1, 1]], [[1, 1, 1], [1, 0, 0], [-1, 0, 0]], np.eye(3))


class TestMakeMistake:
    def test_published_rows(self):
        # Weights of [3, 1, −1] at the divisors 1 and √3, and entropies, as published.
        seen = make_mistake("library-default", *ROW)
        np.testing.assert_allclose(seen.wrong.weights, [[0.866813, 0.117310, 0.015876]], atol=5e-7)
        np.testing.assert_allclose(seen.right.weights, [[0.707, 0.223, 0.070]], atol=5e-4)
        np.testing.assert_allclose(seen.wrong.entropy, [0.4411], atol=5e-5)
        np.testing.assert_allclose(seen.right.entropy, [0.7662], atol=5e-5)
        np.testing.assert_allclose(seen.ceiling, [math.log(3)])

    @pytest.mark.parametrize(
        ("name", "divisor"),
        [
            ("divide-by-d_k", 4),
            ("scale-twice", 4),
            ("sequence-length", math.sqrt(5)),
            ("model-width", math.sqrt(8 * 4)),
            ("library-default", 1),
        ],
    )
    def test_divisors(self, name, divisor):
        seen = make_mistake(name, *VECTORS)
        for side, tau in ((seen.wrong, divisor), (seen.right, 2)):
            weights = scipy.special.softmax(SCORES / tau, axis=-1)
            np.testing.assert_allclose(side.weights, weights, rtol=1e-13)
            np.testing.assert_allclose(side.entropy, scipy.stats.entropy(weights, axis=-1))
            assert side.order_kept

    def test_symptoms_of_scaling_after_softmax(self):
        seen = make_mistake("scale-after-softmax", *VECTORS)
        np.testing.assert_allclose(seen.wrong.row_sums, 0.5)
        assert np.isnan(seen.wrong.entropy).all()
        assert seen.wrong.order_kept

    def test_symptoms_of_the_wrong_axis(self):
        seen = make_mistake("wrong-axis", *VECTORS)
        np.testing.assert_allclose(seen.wrong.weights.sum(axis=0), 1)
        np.testing.assert_allclose(
            seen.wrong.weights, scipy.special.softmax(SCORES / 2, axis=0), rtol=1e-13
        )
        assert not seen.wrong.order_kept
        # SciPy's default normalizes the whole array.
        assert scipy.special.softmax(SCORES).sum() == pytest.approx(1)

    def test_symptoms_of_overflow(self):
        seen = make_mistake("no-maximum", *VECTORS)
        assert seen.wrong.overflowed
        assert not seen.right.overflowed
        assert seen.wrong.n_undefined > 0
        assert not seen.wrong.order_kept
        assert math.isnan(seen.largest_difference)
        assert seen.right.order_kept

    def test_symptoms_of_an_inverted_mask(self):
        seen = make_mistake("inverted-mask", *VECTORS)
        assert seen.wrong.blocked_weight == pytest.approx(1)
        assert seen.right.blocked_weight == 0
        assert seen.wrong.n_undefined == 5  # the last query, which may attend all
        np.testing.assert_allclose(seen.ceiling, np.log([1, 2, 3, 4, 5]))

    def test_symptoms_of_zeroing(self):
        mask = build_mask(5, 5, length=3)
        seen = make_mistake("zero-after-softmax", *VECTORS, mask=mask)
        kept = scipy.special.softmax(SCORES / 2, axis=-1)[:, :3].sum(axis=-1)
        np.testing.assert_allclose(seen.wrong.row_sums, kept)
        np.testing.assert_allclose(seen.right.row_sums, 1)
        assert seen.wrong.blocked_weight == seen.right.blocked_weight == 0

    def test_symptoms_of_no_seed(self):
        seen = make_mistake("no-seed", *VECTORS)
        assert not seen.wrong.order_kept
        assert seen.right.order_kept
        again, other = (make_mistake("no-seed", *VECTORS, seed=seed) for seed in (1, 2))
        np.testing.assert_array_equal(seen.wrong.weights, again.wrong.weights)
        assert (seen.right.weights != other.right.weights).any()

    def test_symptoms_of_uniform_weights(self):
        seen = make_mistake("expect-uniform", *VECTORS)
        np.testing.assert_allclose(seen.wrong.entropy, seen.ceiling)
        np.testing.assert_allclose(seen.wrong.output, np.tile(VECTORS[2].mean(axis=0), (5, 1)))
        assert (seen.right.entropy < seen.ceiling).all()
        # Keys that all tie are no longer in the order of their scores, unless those tie too.
        assert not seen.wrong.order_kept
        assert make_mistake("expect-uniform", [[1.0]], [[2.0], [2.0]], [[0], [1]]).wrong.order_kept

    @pytest.mark.parametrize("name", MISTAKES)
    def test_the_right_side_has_no_symptom(self, name):
        right = make_mistake(name, *VECTORS).right
        assert (right.order_kept, right.overflowed) == (True, False)
        assert (right.n_undefined, right.blocked_weight) == (0, 0)
        np.testing.assert_allclose(right.row_sums, 1, atol=2e-3)
        assert not np.isnan(right.entropy).any()

    @pytest.mark.parametrize("name", sorted(set(MISTAKES) - {"no-maximum"}))
    def test_largest_difference(self, name):
        seen = make_mistake(name, *VECTORS)
        expected = np.abs(seen.wrong.weights - seen.right.weights).max()
        np.testing.assert_array_equal(seen.largest_difference, expected)
        assert expected != 0  # NaN for the inverted mask

    def test_far_queries(self):
        seen = make_mistake("divide-by-d_k", *VECTORS, magnitude=1e4)
        np.testing.assert_allclose(seen.right.row_sums, 1)
        assert seen.right.order_kept

    def test_errors(self):
        with pytest.raises(ValueError, match=r"mistake must be one of divide-by-d_k.*got 'none'"):
            make_mistake("none", *VECTORS)
        with pytest.raises(ValueError, match="n_heads must be 1 or more; got 0"):
            make_mistake("model-width", *VECTORS, n_heads=0)
        with pytest.raises(ValueError, match="dtype must be one of float16, float32, float64"):
            make_mistake("no-maximum", *VECTORS, dtype="bfloat16")
        with pytest.raises(ValueError, match="query and key must be matrices"):
            make_mistake("wrong-axis", np.ones((2, 3, 4)), *VECTORS[1:])
        with pytest.raises(ValueError, match=r"mask must have shape \(n_q, n_k\) = \(5, 5\)"):
            make_mistake("inverted-mask", *VECTORS, mask=np.ones((2, 2), bool))
