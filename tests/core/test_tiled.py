import math

import numpy as np
import pytest
import scipy.special
from hypothesis import given
from hypothesis import strategies as st

from core import attention
from core.key_ranges import key_ranges
from core.tiled import tiled_attention

SIZES = st.tuples(st.integers(0, 2**32 - 1), *[st.integers(1, 9)] * 2, *[st.integers(1, 4)] * 2)
TILES = st.tuples(st.integers(1, 10), st.integers(1, 10))
SIDE = st.none() | st.integers(0, 4)
POLICIES = ["zero", "nan", "mean"]


def draw(seed, n_q, n_k, d_k, d_v, lead=(), size=2.0):
    rng = np.random.default_rng(seed)
    return (
        size * rng.standard_normal((*lead, n_q, d_k)),
        rng.standard_normal((*lead, n_k, d_k)),
        rng.standard_normal((*lead, n_k, d_v)),
    )


@st.composite
def rules(draw_, n_q, n_k):
    """A rule with leading axes of its own, rows without any key included."""
    lengths = draw_(st.none() | st.lists(st.integers(0, n_k), min_size=2, max_size=2))
    return key_ranges(
        n_q,
        n_k,
        is_causal=draw_(st.booleans()),
        left=draw_(SIDE),
        right=draw_(SIDE),
        offset=draw_(st.integers(-3, 6)),
        lengths=None if lengths is None else np.array(lengths)[:, np.newaxis],
    )


def assert_as_dense(tiled, dense, rtol=1e-12, atol=1e-13):
    assert tiled.output.shape == dense.output.shape
    np.testing.assert_allclose(tiled.output, dense.output, rtol=rtol, atol=atol)


class TestTiledAttention:
    def test_divisor_example(self):
        # Published weights at √3 to three places; unit vectors as values.
        query, key = [[1, 1, 1]], [[1, 1, 1], [1, 0, 0], [-1, 0, 0]]
        tiled = tiled_attention(query, key, np.eye(3), key_tile=1)
        np.testing.assert_allclose(tiled.output, [[0.707, 0.223, 0.070]], atol=5e-4)
        scores = np.array([3, 1, -1]) / math.sqrt(3)
        np.testing.assert_allclose(tiled.logsumexp, [scipy.special.logsumexp(scores)], rtol=1e-14)
        assert (tiled.tiles_visited, tiled.tiles) == (3, 3)

    @given(SIZES, TILES, st.sampled_from(POLICIES), st.none() | st.floats(-2, 2), st.data())
    def test_is_dense_attention(self, sizes, tiles, policy, scale, data):
        query, key, value = draw(*sizes, lead=data.draw(st.sampled_from([(), (3,), (2, 1)])))
        ranges = data.draw(rules(query.shape[-2], key.shape[-2]))
        tiled = tiled_attention(
            query,
            key,
            value,
            ranges=ranges,
            scale=scale,
            fully_masked=policy,
            query_tile=tiles[0],
            key_tile=tiles[1],
        )
        dense = attention(query, key, value, mask=ranges.mask, scale=scale, fully_masked=policy)
        assert_as_dense(tiled, dense)
        with np.errstate(divide="ignore"):
            log_z = scipy.special.logsumexp(dense.logits, axis=-1)
        np.testing.assert_allclose(tiled.logsumexp, log_z, rtol=1e-12, atol=1e-13)
        assert 0 <= tiled.tiles_visited <= tiled.tiles

    @pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
    def test_keeps_the_dtype(self, dtype):
        query, key, value = (array.astype(dtype) for array in draw(1, 40, 50, 8, 3))
        tiled = tiled_attention(query, key, value, query_tile=16, key_tile=16)
        assert tiled.output.dtype == dtype
        epsilon = float(np.finfo(dtype).eps)
        assert_as_dense(tiled, attention(query, key, value), rtol=0, atol=8 * epsilon)

    def test_default_tiles_at_a_size_that_needs_several(self):
        query, key, value = (array.astype(np.float32) for array in draw(2, 1100, 2100, 16, 4))
        ranges = key_ranges(1100, 2100, is_causal=True, offset=1000, left=600)
        tiled = tiled_attention(query, key, value, ranges=ranges)
        assert (tiled.tiles_visited, tiled.tiles) == (6, 9)
        assert_as_dense(tiled, attention(query, key, value, mask=ranges.mask), rtol=0, atol=1e-5)

    def test_one_weight_from_log_z(self):
        query, key, value = draw(3, 4, 7, 4, 2)
        log_z = tiled_attention(query, key, value, key_tile=3).logsumexp
        dense = attention(query, key, value)
        np.testing.assert_allclose(np.exp(dense.logits - log_z[:, None]), dense.weights, rtol=1e-12)

    @pytest.mark.parametrize("size", [1e4, 1e160, 1e-320])
    def test_far_scores(self, size):
        # At 1e160 a product is past the largest float; dense attention knows the differences.
        query, key, value = draw(4, 5, 6, 3, 2)
        query, key = query * size, key * size
        tiled = tiled_attention(query, key, value, query_tile=2, key_tile=4)
        assert_as_dense(tiled, attention(query, key, value))

    @pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
    @pytest.mark.parametrize("where", ["query", "key", "value"])
    def test_what_is_not_finite_stays_in_its_rows(self, bad, where):
        arrays = dict(zip(["query", "key", "value"], draw(5, 8, 8, 3, 2), strict=True))
        arrays[where][5, 1] = bad
        ranges = key_ranges(8, 8, is_causal=True, left=1)
        tiled = tiled_attention(*arrays.values(), ranges=ranges, query_tile=4, key_tile=8)
        dense = attention(*arrays.values(), mask=ranges.mask)
        assert_as_dense(tiled, dense)
        assert np.isfinite(tiled.output[[0, 1, 2, 3, 4, 7]]).all()

    def test_no_queries_no_keys_no_batch(self):
        assert tiled_attention(np.ones((0, 2)), np.ones((3, 2)), np.ones((3, 4))).tiles == 0
        empty = tiled_attention(
            np.ones((2, 2)), np.ones((0, 2)), np.ones((0, 4)), fully_masked="zero"
        )
        np.testing.assert_array_equal(empty.output, np.zeros((2, 4)))
        assert tiled_attention(*draw(1, 2, 3, 4, 5, lead=(0,))).output.shape == (0, 2, 5)

    def test_tiles_skipped_are_never_read(self):
        query, key, value = draw(6, 8, 8, 3, 2)
        key[4:], value[4:] = np.nan, np.nan
        ranges = key_ranges(8, 8, lengths=4)
        tiled = tiled_attention(query, key, value, ranges=ranges, query_tile=4, key_tile=2)
        assert (tiled.tiles_visited, tiled.tiles) == (4, 8)
        assert np.isfinite(tiled.output).all()

    def test_fully_masked_rows(self):
        query, key, value = draw(7, 3, 4, 2, 2)
        ranges = key_ranges(3, 4, is_causal=True, offset=-1)
        with pytest.raises(ValueError, match="1 of 3 queries may attend no key"):
            tiled_attention(query, key, value, ranges=ranges)
        seen = [
            tiled_attention(query, key, value, ranges=ranges, fully_masked=policy)
            for policy in POLICIES
        ]
        expected = [[0, 0], [np.nan, np.nan], value.mean(axis=0)]
        for tiled, row in zip(seen, expected, strict=True):
            np.testing.assert_allclose(tiled.output[0], row, rtol=1e-14)
            assert tiled.logsumexp[0] == -np.inf
        with pytest.raises(ValueError, match="n_k = 0"):
            tiled_attention(query, key[:0], value[:0], fully_masked="mean")

    def test_shapes_that_do_not_fit(self):
        query, key, value = draw(8, 3, 4, 2, 2)
        with pytest.raises(ValueError, match="one row per key"):
            tiled_attention(query, key, value[:3])
        with pytest.raises(ValueError, match="share their last axis"):
            tiled_attention(query, key[:, :1], value)
        with pytest.raises(ValueError, match="ranges are for 3 queries and 3 keys"):
            tiled_attention(query, key, value, ranges=key_ranges(3, 3))
        with pytest.raises(ValueError, match=r"leading axes do not broadcast.*ranges \(3,\)"):
            tiled_attention(
                *draw(8, 3, 4, 2, 2, lead=(2,)), ranges=key_ranges(3, 4, lengths=[1, 2, 3])
            )

    def test_options(self):
        with pytest.raises(ValueError, match="at least 1; got 0 and 4"):
            tiled_attention(*draw(9, 3, 4, 2, 2), query_tile=0, key_tile=4)
        with pytest.raises(ValueError, match="scale must be finite"):
            tiled_attention(*draw(9, 3, 4, 2, 2), scale=math.inf)
        with pytest.raises(ValueError, match="fully_masked must be one of"):
            tiled_attention(*draw(9, 3, 4, 2, 2), fully_masked="ones")
