import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import causal_mask, padding_mask, sliding_window_mask
from core.key_ranges import count_tiles, key_ranges

LENGTH = st.integers(0, 7)
OFFSET = st.integers(-8, 8)
SIDE = st.none() | st.integers(0, 5)


class TestKeyRanges:
    def test_causal_alignments(self):
        # The figures of ONNX Attention for 4 queries and 8 keys.
        np.testing.assert_array_equal(key_ranges(4, 8, is_causal=True).counts, [1, 2, 3, 4])
        lower_right = key_ranges(4, 8, is_causal=True, offset=4)
        np.testing.assert_array_equal(lower_right.counts, [5, 6, 7, 8])

    @given(LENGTH, LENGTH, st.booleans(), SIDE, SIDE, OFFSET, st.data())
    def test_is_the_masks_combined(self, n_q, n_k, is_causal, left, right, offset, data):
        lengths = data.draw(st.none() | st.lists(st.integers(0, n_k), min_size=1, max_size=3))
        ranges = key_ranges(
            n_q, n_k, is_causal=is_causal, left=left, right=right, offset=offset, lengths=lengths
        )
        mask = sliding_window_mask(n_q, n_k, left=left, right=right, offset=offset)
        if is_causal:
            mask = mask & causal_mask(n_q, n_k, offset=offset)
        if lengths is not None:
            mask = mask & padding_mask(lengths, n_k)
        np.testing.assert_array_equal(ranges.mask, mask)
        np.testing.assert_array_equal(ranges.counts, mask.sum(axis=-1))
        for ends in (ranges.first, ranges.stop):
            assert ((ends >= 0) & (ends <= n_k)).all()

    def test_offsets_and_lengths_broadcast(self):
        ranges = key_ranges(2, 3, is_causal=True, offset=[[0], [1]], lengths=[3, 2, 1])
        assert ranges.first.shape == ranges.stop.shape == (2, 3, 2)
        assert ranges.mask.shape == (2, 3, 2, 3)
        np.testing.assert_array_equal(ranges.counts[1], [[2, 3], [2, 2], [1, 1]])

    def test_without_a_rule_everything_is_allowed(self):
        assert key_ranges(2, 3).mask.all()

    @pytest.mark.parametrize("lengths", [-1, 4, [1, 9]])
    def test_lengths_out_of_range(self, lengths):
        with pytest.raises(ValueError, match="lengths must lie between 0 and n_keys = 3"):
            key_ranges(2, 3, lengths=lengths)

    def test_shapes_that_do_not_fit(self):
        with pytest.raises(ValueError, match=r"do not broadcast: \(2,\) and \(3,\)"):
            key_ranges(2, 3, offset=[0, 0], lengths=[1, 2, 3])

    def test_negative_window(self):
        with pytest.raises(ValueError, match="left must be 0 or more; got -1"):
            key_ranges(2, 3, left=-1)
        with pytest.raises(ValueError, match="right must be 0 or more; got -2"):
            key_ranges(2, 3, is_causal=True, right=-2)

    def test_fractions(self):
        with pytest.raises(TypeError, match="lengths must hold integers"):
            key_ranges(2, 3, lengths=1.5)


class TestCountTiles:
    def test_causal_square(self):
        # n(n + 1)/2 of n² tiles, as of single keys.
        ranges = key_ranges(4096, 4096, is_causal=True)
        assert count_tiles(ranges, query_tile=512, key_tile=512) == (36, 64)
        assert count_tiles(ranges, query_tile=1, key_tile=1) == (4096 * 4097 // 2, 4096**2)

    @given(LENGTH, LENGTH, SIDE, SIDE, OFFSET, st.integers(1, 4), st.integers(1, 4))
    def test_visits_every_tile_with_an_allowed_key(self, n_q, n_k, left, right, offset, rows, cols):
        ranges = key_ranges(n_q, n_k, left=left, right=right, offset=offset)
        visited, tiles = count_tiles(ranges, query_tile=rows, key_tile=cols)
        blocks = [
            ranges.mask[i : i + rows, j : j + cols].any()
            for i in range(0, n_q, rows)
            for j in range(0, n_k, cols)
        ]
        # A run of keys has no gap, nor have the runs of neighbouring queries together.
        assert (visited, tiles) == (sum(blocks), len(blocks))

    def test_leading_axes(self):
        ranges = key_ranges(4, 4, lengths=[4, 1, 0])
        assert count_tiles(ranges, query_tile=2, key_tile=2) == (4 + 2, 12)

    def test_tile(self):
        with pytest.raises(ValueError, match="at least 1; got 1 and 0"):
            count_tiles(key_ranges(2, 2), query_tile=1, key_tile=0)
