import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import dot_product_scores

REFERENCE = Path(__file__).parents[1] / "reference"


class TestDotProductScores:
    def test_divisor_example(self):
        # Sums of three products, done by hand.
        scores = dot_product_scores([[1, 1, 1]], [[1, 1, 1], [1, 0, 0], [-1, 0, 0]])
        np.testing.assert_array_equal(scores, [[3, 1, -1]])
        assert scores.dtype == np.float64

    def test_head_width_vectors(self):
        # The published head-width vectors: query 0 at width 4 scores [4, 0, 2, −4].
        vectors = json.loads((REFERENCE / "head_width_vectors.json").read_text())
        query, key = np.array(vectors["queries"])[:, :4], np.array(vectors["keys"])[:, :4]
        np.testing.assert_array_equal(dot_product_scores(query, key)[0], [4, 0, 2, -4])

    @given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.integers(1, 5), st.integers(1, 9))
    def test_is_a_sum_of_products(self, seed, n_q, n_k, d_k):
        rng = np.random.default_rng(seed)
        query, key = rng.standard_normal((2, 1, n_q, d_k)), rng.standard_normal((3, n_k, d_k))
        summed = (query[..., :, None, :] * key[..., None, :, :]).sum(axis=-1)
        np.testing.assert_allclose(dot_product_scores(query, key), summed, rtol=0, atol=1e-13)

    @pytest.mark.parametrize(
        ("query", "key", "result"),
        [
            (np.float16, np.float16, np.float16),
            (np.float32, np.float32, np.float32),
            (np.float16, np.float32, np.float32),
            (np.float32, np.float64, np.float64),
            (np.int8, np.int8, np.float64),
            (np.bool_, np.float32, np.float64),
            (np.dtype(">f4"), np.dtype(">f4"), np.dtype("=f4")),
        ],
    )
    def test_dtypes_promote(self, query, key, result):
        scores = dot_product_scores(np.ones((1, 4), query), np.ones((2, 4), key))
        assert scores.dtype == result
        assert scores.dtype.isnative
        np.testing.assert_array_equal(scores, [[4, 4]])

    def test_int8_does_not_wrap_around(self):
        ones = np.full((1, 4), 100, dtype=np.int8)
        assert dot_product_scores(ones, ones)[0, 0] == 40_000

    def test_float16_sums_in_float32(self):
        # Added up in float16 a count of ones stops at 2,048.
        ones = np.ones((1, 4096), dtype=np.float16)
        assert dot_product_scores(ones, ones)[0, 0] == 4096

    @pytest.mark.parametrize(
        ("dtype", "big"), [(np.float16, 6e4), (np.float32, 3e38), (np.float64, 1.7e308)]
    )
    def test_finite_vectors_never_give_nan(self, dtype, big):
        query = np.array([[big, big, big]], dtype)
        key = np.array([[big, -big, big], [-big, big, -big], [big, -big, 0], [1, -1, 1]], dtype)
        scores = dot_product_scores(query, key)
        assert not np.isnan(scores).any()
        assert scores[0, 0] == np.inf
        assert scores[0, 1] == -np.inf
        assert scores[0, 3] == query[0, 0]

    @pytest.mark.parametrize("dtype", [np.float32, np.float64])
    def test_products_beyond_range_whose_sum_is_within(self, dtype):
        # 2^e·2^e is out of range for either sign, and the two cancel exactly.
        big = np.ldexp(dtype(1), np.finfo(dtype).maxexp - 20)
        query = np.array([[big, big], [1, 3]], dtype)
        scores = dot_product_scores(query, np.array([[big, -big]], dtype))
        np.testing.assert_array_equal(scores, [[0], [-2 * big]])

    def test_no_queries_and_no_keys(self):
        assert dot_product_scores(np.ones((0, 3)), np.ones((4, 3))).shape == (0, 4)
        assert dot_product_scores(np.ones((2, 3)), np.ones((0, 3))).shape == (2, 0)
        assert dot_product_scores(np.ones((0, 2, 3)), np.ones((4, 3))).shape == (0, 2, 4)

    @pytest.mark.parametrize(
        ("query", "key", "message"),
        [
            (np.ones(3), np.ones((2, 3)), r"query must have shape \(\.\.\., n_q, d_k\).*\(3,\)"),
            (np.ones((2, 3)), np.ones(3), r"key must have shape .*key\[np.newaxis, :\]"),
            (
                np.ones((2, 3)),
                np.ones((2, 4)),
                r"last axis, d_k; got query \(2, 3\) and key \(2, 4",
            ),
            (np.ones((2, 0)), np.ones((2, 0)), "d_k must be at least 1"),
            (np.ones((2, 1, 3)), np.ones((5, 1, 3)), "leading axes do not broadcast"),
            ([[1, 2], [3]], [[1, 2]], "query is not a rectangular array"),
        ],
    )
    def test_shapes_that_do_not_fit(self, query, key, message):
        with pytest.raises(ValueError, match=message):
            dot_product_scores(query, key)

    @pytest.mark.parametrize("kind", [complex, str, object])
    def test_only_real_numbers(self, kind):
        with pytest.raises(TypeError, match="key must hold real numbers"):
            dot_product_scores([[1.0]], np.array([[1]]).astype(kind))
