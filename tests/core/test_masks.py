import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import additive_mask, causal_mask, padding_mask, sliding_window_mask
from core.masks import split_mask

LENGTH = st.integers(0, 7)
OFFSET = st.integers(-8, 8)
SIDE = st.none() | st.integers(0, 5)


class TestCausalMask:
    def test_square_is_the_lower_triangle(self):
        np.testing.assert_array_equal(causal_mask(4, 4), np.tri(4, dtype=bool))

    def test_alignments(self):
        # The upper-left and lower-right figures of ONNX Attention for 4 queries and 8 keys.
        np.testing.assert_array_equal(causal_mask(4, 8).sum(axis=1), [1, 2, 3, 4])
        np.testing.assert_array_equal(causal_mask(4, 8, offset=4).sum(axis=1), [5, 6, 7, 8])

    @given(LENGTH, LENGTH, OFFSET)
    def test_is_numpys_tri(self, n_q, n_k, offset):
        mask = causal_mask(n_q, n_k, offset=offset)
        np.testing.assert_array_equal(mask, np.tri(n_q, n_k, offset, dtype=bool))

    @given(LENGTH, LENGTH, st.lists(OFFSET, max_size=3))
    def test_one_offset_per_batch_item(self, n_q, n_k, offsets):
        masks = causal_mask(n_q, n_k, offset=np.array(offsets, dtype=int))
        assert masks.shape == (len(offsets), n_q, n_k)
        for mask, offset in zip(masks, offsets, strict=True):
            np.testing.assert_array_equal(mask, causal_mask(n_q, n_k, offset=offset))

    def test_offset_may_leave_room_for_heads(self):
        assert causal_mask(2, 3, offset=[[0], [1]]).shape == (2, 1, 2, 3)

    def test_dtype(self):
        assert causal_mask(2, 3).dtype == np.bool_
        assert causal_mask(np.int64(2), 3, offset=np.uint8(1)).sum() == 5

    def test_negative_numbers(self):
        with pytest.raises(ValueError, match="n_queries must be 0 or more; got -1"):
            causal_mask(-1, 2)
        with pytest.raises(ValueError, match="n_keys must be 0 or more; got -2"):
            causal_mask(1, -2)

    def test_fractions(self):
        with pytest.raises(TypeError, match=r"n_keys must be an integer; got 2\.0"):
            causal_mask(1, 2.0)
        with pytest.raises(TypeError, match="offset must hold integers; got dtype float64"):
            causal_mask(1, 2, offset=0.5)


class TestSlidingWindowMask:
    def test_published_figure(self):
        # ONNX Attention-25: 4 queries, 6 keys, 2 to the left, 1 to the right.
        figure = ["110000", "111000", "111100", "011110"]
        expected = [[cell == "1" for cell in row] for row in figure]
        np.testing.assert_array_equal(sliding_window_mask(4, 6, left=2, right=1), expected)

    @given(LENGTH, LENGTH, SIDE, SIDE, OFFSET)
    def test_is_the_definition(self, n_q, n_k, left, right, offset):
        mask = sliding_window_mask(n_q, n_k, left=left, right=right, offset=offset)
        assert mask.shape == (n_q, n_k)
        for i, j in np.ndindex(n_q, n_k):
            position = i + offset
            seen = (left is None or j >= position - left) and (
                right is None or j <= position + right
            )
            assert mask[i, j] == seen

    def test_open_sides(self):
        assert sliding_window_mask(3, 4).all()
        np.testing.assert_array_equal(sliding_window_mask(3, 4, right=0), causal_mask(3, 4))

    def test_one_offset_per_batch_item(self):
        masks = sliding_window_mask(2, 4, left=0, right=0, offset=[0, 2])
        np.testing.assert_array_equal(masks.argmax(axis=-1), [[0, 1], [2, 3]])

    @pytest.mark.parametrize("side", ["left", "right"])
    def test_negative_side(self, side):
        with pytest.raises(ValueError, match=f"{side} must be 0 or more; got -1"):
            sliding_window_mask(2, 2, **{side: -1})


class TestPaddingMask:
    def test_lengths(self):
        mask = padding_mask([3, 0, 1], 3)
        assert mask.shape == (3, 1, 3)
        np.testing.assert_array_equal(mask[:, 0], [[1, 1, 1], [0, 0, 0], [1, 0, 0]])

    @given(st.lists(st.integers(0, 6), max_size=4))
    def test_counts_are_the_lengths(self, lengths):
        mask = padding_mask(np.array(lengths, dtype=int), 6)
        np.testing.assert_array_equal(mask.sum(axis=(1, 2)), lengths)
        assert not (np.diff(mask.astype(int), axis=-1) > 0).any()

    def test_combines_with_causal(self):
        both = padding_mask([2, 3], 3) & causal_mask(3, 3)
        np.testing.assert_array_equal(both.sum(axis=-1), [[1, 2, 2], [1, 2, 3]])

    @pytest.mark.parametrize("lengths", [[-1, 2], [2, 5]])
    def test_lengths_out_of_range(self, lengths):
        with pytest.raises(ValueError, match=r"between 0 and n_keys = 4; got (-1 to 2|2 to 5)"):
            padding_mask(lengths, 4)

    @pytest.mark.parametrize("lengths", [[1.0], [True]])
    def test_lengths_must_be_integers(self, lengths):
        with pytest.raises(TypeError, match="lengths must hold integers"):
            padding_mask(lengths, 2)


class TestAdditiveMask:
    @pytest.mark.parametrize("dtype", [np.float16, np.float32, float])
    def test_zero_and_minus_infinity(self, dtype):
        bias = additive_mask([[True, False]], dtype=dtype)
        assert bias.dtype == dtype
        np.testing.assert_array_equal(bias, [[0, -np.inf]])

    def test_integers_are_refused(self):
        with pytest.raises(TypeError, match="mask must be boolean, True where"):
            additive_mask([1, 0])

    def test_integer_dtype(self):
        with pytest.raises(TypeError, match="dtype must be floating, to hold -inf; got int64"):
            additive_mask([True], dtype=np.int64)


class TestSplitMask:
    @pytest.mark.parametrize("shape", [(), (3,), (1, 3), (2, 1), (5, 1, 1)])
    def test_spreads_to_queries_and_keys(self, shape):
        allowed, bias = split_mask(np.zeros(shape, bool), 2, 3)
        assert allowed.shape == (*shape[:-2], 2, 3)
        assert not allowed.any()
        assert (bias == 0).all()

    @pytest.mark.parametrize("shape", [(2,), (3, 2), (4, 1), (2, 1, 3, 3)])
    def test_shapes_that_do_not_fit(self, shape):
        with pytest.raises(ValueError, match=r"mask of shape .* = \(\.\.\., 2, 3\)"):
            split_mask(np.zeros(shape, bool), 2, 3)

    @pytest.mark.parametrize("entry", [np.nan, np.inf])
    def test_entries_that_are_no_bias(self, entry):
        with pytest.raises(ValueError, match="finite numbers and -inf; got NaN or"):
            split_mask([0.0, entry], 1, 2)

    def test_integers(self):
        with pytest.raises(TypeError, match="Integers could mean either"):
            split_mask([0, 1], 1, 2)

    def test_separates_bias_from_blocks(self):
        allowed, bias = split_mask([0.5, -np.inf, -2.0], 1, 3)
        np.testing.assert_array_equal(allowed, [[True, False, True]])
        np.testing.assert_array_equal(bias, [[0.5, 0, -2]])
