import json
from dataclasses import FrozenInstanceError
from pathlib import Path

import numpy as np
import pytest
import scipy.special
from hypothesis import given
from hypothesis import strategies as st

from core import (
    DIVISOR_EXAMPLE,
    FRACTIONAL_EXAMPLE,
    HEAD_WIDTH_EXAMPLE,
    HEAD_WIDTHS,
    attention,
    compare_scaling,
)

VECTORS = json.loads(
    (Path(__file__).parents[1] / "reference" / "head_width_vectors.json").read_text()
)
EXAMPLES = [DIVISOR_EXAMPLE, HEAD_WIDTH_EXAMPLE, FRACTIONAL_EXAMPLE]


class TestExample:
    def test_head_width_vectors_are_the_published_ones(self):
        np.testing.assert_array_equal(HEAD_WIDTH_EXAMPLE.query, VECTORS["queries"])
        np.testing.assert_array_equal(HEAD_WIDTH_EXAMPLE.key, VECTORS["keys"])
        np.testing.assert_array_equal(HEAD_WIDTH_EXAMPLE.value, VECTORS["values"])
        assert list(HEAD_WIDTHS) == VECTORS["widths"]

    def test_divisor_example(self):
        np.testing.assert_array_equal(DIVISOR_EXAMPLE.query @ DIVISOR_EXAMPLE.key.T, [[3, 1, -1]])

    def test_values_of_the_divisor_example_show_the_weights(self):
        stages = attention(DIVISOR_EXAMPLE.query, DIVISOR_EXAMPLE.key, DIVISOR_EXAMPLE.value)
        np.testing.assert_array_equal(stages.output, stages.weights)

    @pytest.mark.parametrize("example", EXAMPLES)
    @pytest.mark.parametrize("part", ["query", "key", "value"])
    def test_cannot_be_changed(self, example, part):
        with pytest.raises(ValueError, match="read-only"):
            getattr(example, part)[0, 0] = 7
        with pytest.raises(FrozenInstanceError):
            setattr(example, part, np.zeros((1, 1)))


class TestCompareScaling:
    def test_query_0_at_width_4(self):
        # Published: scores, weights and entropies of the head-width example.
        seen = compare_scaling(HEAD_WIDTH_EXAMPLE, query=0, width=4)
        np.testing.assert_array_equal(seen.raw.scores, [4, 0, 2, -4])
        np.testing.assert_array_equal(seen.scaled.scores, [2, 0, 1, -2])
        half_a_place = {"rtol": 0, "atol": 5e-5}
        np.testing.assert_allclose(
            seen.raw.weights, [0.8666, 0.0159, 0.1173, 0.0003], **half_a_place
        )
        np.testing.assert_allclose(
            seen.scaled.weights, [0.6572, 0.0889, 0.2418, 0.0120], **half_a_place
        )
        np.testing.assert_allclose(seen.raw.entropy, 0.4436, **half_a_place)
        np.testing.assert_allclose(seen.scaled.entropy, 0.8875, **half_a_place)

    def test_fractional_example(self):
        # Published: raw [1.5, −0.5, 2.5, 1] and its halves.
        seen = compare_scaling(FRACTIONAL_EXAMPLE)
        np.testing.assert_array_equal(seen.raw.scores, [1.5, -0.5, 2.5, 1])
        np.testing.assert_array_equal(seen.scaled.scores, [0.75, -0.25, 1.25, 0.5])
        half_a_place = {"rtol": 0, "atol": 5e-4}
        np.testing.assert_allclose(seen.raw.weights, [0.224, 0.030, 0.609, 0.136], **half_a_place)
        np.testing.assert_allclose(
            seen.scaled.weights, [0.263, 0.097, 0.434, 0.205], **half_a_place
        )

    @given(st.integers(0, 3), st.sampled_from(HEAD_WIDTHS))
    def test_every_part_follows_from_the_vectors(self, query, width):
        seen = compare_scaling(HEAD_WIDTH_EXAMPLE, query=query, width=width)
        q, k = np.array(VECTORS["queries"])[query, :width], np.array(VECTORS["keys"])[:, :width]
        np.testing.assert_array_equal(seen.query, q)
        np.testing.assert_array_equal(seen.key, k)
        np.testing.assert_array_equal(seen.products, q * k)
        np.testing.assert_array_equal(seen.raw.scores, seen.products.sum(axis=1))
        for row, divisor in ((seen.raw, 1), (seen.scaled, np.sqrt(width))):
            weights = scipy.special.softmax(k @ q / divisor)
            nats = scipy.special.entr(weights).sum()
            np.testing.assert_allclose(row.weights, weights, rtol=1e-13)
            np.testing.assert_allclose(row.entropy, nats, rtol=1e-12)
            np.testing.assert_allclose(row.normalized_entropy, nats / np.log(4), rtol=1e-12)
            np.testing.assert_allclose(row.effective_keys, np.exp(nats), rtol=1e-12)
            np.testing.assert_allclose(row.output, weights @ VECTORS["values"], atol=1e-14)
            assert np.abs(row.output).sum() <= 2  # the hull of the values is |x| + |y| ≤ 2

    def test_scaling_does_nothing_at_width_1(self):
        seen = compare_scaling(HEAD_WIDTH_EXAMPLE, query=2, width=1)
        np.testing.assert_array_equal(seen.raw.weights, seen.scaled.weights)
        assert seen.raw.entropy == seen.scaled.entropy

    def test_all_coordinates_by_default(self):
        assert compare_scaling(HEAD_WIDTH_EXAMPLE).products.shape == (4, 32)

    @pytest.mark.parametrize("query", [-1, 4])
    def test_no_such_query(self, query):
        with pytest.raises(ValueError, match=f"query must be 0 to 3; got {query}"):
            compare_scaling(HEAD_WIDTH_EXAMPLE, query=query)

    @pytest.mark.parametrize("width", [0, 33])
    def test_no_such_width(self, width):
        with pytest.raises(ValueError, match=f"width must be 1 to 32; got {width}"):
            compare_scaling(HEAD_WIDTH_EXAMPLE, width=width)

    def test_width_must_be_whole(self):
        with pytest.raises(TypeError, match="integer"):
            compare_scaling(HEAD_WIDTH_EXAMPLE, width=2.5)
