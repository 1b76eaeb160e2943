import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import sliding_window_mask
from core.cost import MAX_COUNT, attention_cost

SIDE = st.none() | st.integers(0, 5)


class TestAttentionCost:
    def test_formula(self):
        # 2·n²·(d_k + d_v)·heads operations and n² scores of two bytes a head.
        cost = attention_cost(4096, d_k=64, d_v=32, n_heads=8, dtype="float16")
        assert cost.operations == cost.dense_operations == 2 * 4096**2 * 96 * 8
        assert cost.pairs == cost.exponentials == 8 * 4096**2
        assert cost.dense_bytes == 8 * 4096**2 * 2
        assert cost.input_bytes == 8 * 4096 * (64 + 64 + 32) * 2
        assert cost.output_bytes == 8 * 4096 * 32 * 2

    def test_causal_is_counted_exactly(self):
        full, causal = (
            attention_cost(1000, d_k=64, is_causal=is_causal) for is_causal in (False, True)
        )
        assert causal.pairs == 500 * 1001
        assert causal.operations == 2 * causal.pairs * 128
        assert causal.dense_operations == full.operations
        assert causal.dense_bytes == full.dense_bytes

    @given(st.integers(1, 40), SIDE, SIDE, st.booleans(), st.integers(1, 3))
    def test_pairs_are_the_masks(self, n, left, right, is_causal, heads):
        cost = attention_cost(
            n, d_k=3, d_v=2, n_heads=heads, left=left, right=right, is_causal=is_causal
        )
        mask = sliding_window_mask(n, n, left=left, right=0 if is_causal else right)
        assert cost.pairs == heads * int(mask.sum())
        assert cost.operations == cost.pairs * 10

    def test_tiles(self):
        cost = attention_cost(1024, d_k=64, is_causal=True, n_heads=2, query_tile=256, key_tile=256)
        assert (cost.tiles_visited, cost.tiles) == (2 * 10, 2 * 16)
        assert cost.tile_bytes == 4 * 256 * (256 + 2 + 64)
        # A tile does not grow with the sequence, and no smaller format makes its sums smaller.
        longer = attention_cost(8192, d_k=64, dtype="float16", query_tile=256, key_tile=256)
        assert longer.tile_bytes == cost.tile_bytes
        assert attention_cost(8, d_k=64, dtype="float64").tile_bytes == 8 * 8 * (8 + 2 + 64)

    @pytest.mark.parametrize(("dtype", "size"), [("bfloat16", 2), ("float32", 4), ("float64", 8)])
    def test_formats(self, dtype, size):
        assert attention_cost(10, d_k=4, dtype=dtype).dense_bytes == 100 * size

    def test_largest(self):
        cost = attention_cost(MAX_COUNT, d_k=128, n_heads=128, is_causal=True)
        assert cost.operations == 128 * MAX_COUNT * (MAX_COUNT + 1) * 256

    def test_errors(self):
        with pytest.raises(ValueError, match="n must be 1 to MAX_COUNT = 1,048,576; got 0"):
            attention_cost(0, d_k=64)
        with pytest.raises(TypeError, match=r"d_k must be a whole number; got 6\.4"):
            attention_cost(8, d_k=6.4)
        with pytest.raises(ValueError, match="format must be one of"):
            attention_cost(8, d_k=64, dtype="int8")
