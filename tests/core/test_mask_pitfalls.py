import numpy as np
import pytest
import scipy.special
from hypothesis import given
from hypothesis import strategies as st

from core import additive_mask
from core.mask_pitfalls import LEAK_METHODS, bias_order, mask_after_softmax, poison
from core.masking import MASKING_EXAMPLE, build_mask

VECTORS = (MASKING_EXAMPLE.query, MASKING_EXAMPLE.key, MASKING_EXAMPLE.value)
CAUSAL = build_mask(5, 5, causal="upper-left")
SCALED = VECTORS[0] @ VECTORS[1].T / 2


class TestMaskAfterSoftmax:
    def test_agrees_with_scipy(self):
        seen = mask_after_softmax(*VECTORS, mask=CAUSAL)
        weights = scipy.special.softmax(SCALED, axis=-1)
        masked = scipy.special.softmax(np.where(CAUSAL, SCALED, -np.inf), axis=-1)
        np.testing.assert_allclose(seen.before, masked, rtol=1e-13)
        np.testing.assert_allclose(seen.after, weights * CAUSAL, rtol=1e-13)
        np.testing.assert_allclose(seen.output_before, masked @ VECTORS[2], atol=1e-14)
        np.testing.assert_allclose(seen.output_after, (weights * CAUSAL) @ VECTORS[2], atol=1e-14)

    @given(st.integers(0, 2**25 - 1), st.floats(-3, 3))
    def test_row_sums_fall_short_and_renormalizing_mends_it(self, bits, scale):
        mask = (bits >> np.arange(25) & 1).astype(bool).reshape(5, 5)
        seen = mask_after_softmax(*VECTORS, mask=mask, scale=scale)
        np.testing.assert_allclose(seen.renormalized, seen.before, atol=1e-9)
        full = mask.all(axis=-1)
        assert (seen.row_sums[~full] < 1).all()
        np.testing.assert_allclose(seen.row_sums[full], 1, rtol=1e-14)

    def test_nothing_allowed(self):
        seen = mask_after_softmax(*VECTORS, mask=np.zeros((5, 5), bool))
        for array in (seen.before, seen.after, seen.renormalized, seen.row_sums):
            assert (array == 0).all()

    def test_mask_kind(self):
        with pytest.raises(TypeError, match="mask must be boolean"):
            mask_after_softmax(*VECTORS, mask=additive_mask(CAUSAL))


class TestPoison:
    @pytest.mark.parametrize(
        ("poisoned", "leaks"),
        [("key", [True, False, True, False]), ("value", [True, True, True, False])],
    )
    def test_who_leaks(self, poisoned, leaks):
        results = poison(*VECTORS, mask=CAUSAL, poisoned=poisoned, position=3)
        assert [seen.method for seen in results] == list(LEAK_METHODS)
        assert [seen.leaks for seen in results] == leaks

    @pytest.mark.parametrize("poisoned", ["key", "value"])
    def test_queries_that_attend_it_do_get_nan(self, poisoned):
        for seen in poison(*VECTORS, mask=CAUSAL, poisoned=poisoned, position=3):
            assert np.isnan(seen.output[3:]).all()
            assert np.isnan(seen.output[:3]).any() == seen.leaks

    def test_what_does_not_leak_is_as_without_nan(self):
        clean = mask_after_softmax(*VECTORS, mask=CAUSAL)
        *_, safe = poison(*VECTORS, mask=CAUSAL, poisoned="value", position=4)
        np.testing.assert_array_equal(safe.output[:4], clean.output_before[:4])

    def test_errors(self):
        with pytest.raises(ValueError, match="poisoned must be key or value; got 'query'"):
            poison(*VECTORS, mask=CAUSAL, poisoned="query", position=0)
        with pytest.raises(ValueError, match="position must be 0 to 4; got 5"):
            poison(*VECTORS, mask=CAUSAL, poisoned="key", position=5)


class TestBiasOrder:
    def test_minus_infinity_is_the_same(self):
        seen = bias_order(*VECTORS[:2], bias=additive_mask(CAUSAL))
        assert seen.same.all()
        masked = scipy.special.softmax(np.where(CAUSAL, SCALED, -np.inf), axis=-1)
        np.testing.assert_allclose(seen.after, masked, rtol=1e-13)

    @given(st.floats(-30, -0.1))
    def test_a_finite_bias_is_divided_too(self, size):
        bias = np.where(CAUSAL, 0.0, size)
        seen = bias_order(*VECTORS[:2], bias=bias)
        expected = scipy.special.softmax(SCALED + bias, axis=-1)
        np.testing.assert_allclose(seen.after, expected, rtol=1e-12)
        expected = scipy.special.softmax(SCALED + bias / 2, axis=-1)
        np.testing.assert_allclose(seen.before, expected, rtol=1e-12)
        # The last row has nothing blocked.
        np.testing.assert_array_equal(seen.same, [False] * 4 + [True])

    def test_same_for_a_width_of_1(self):
        assert bias_order([[1.0]], [[1.0], [2.0]], bias=[[0.0, -3.0]]).same.all()

    def test_boolean(self):
        with pytest.raises(ValueError, match="does not broadcast"):
            bias_order(*VECTORS[:2], bias=np.zeros((5, 4)))
