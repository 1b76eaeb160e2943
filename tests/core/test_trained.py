"""The trained heads: projected again from the model's own weights, and the facts shown of them."""

from pathlib import Path

import numpy as np
import pytest

from core import (
    diagnose,
    divide_head,
    dot_product_scores,
    head_statistics,
    trained_heads,
    trained_sentences,
)

ROOT = Path(__file__).resolve().parents[2]
ANIMAL = "The animal didn't cross the street because it was too tired."


@pytest.fixture(scope="module")
def reference():
    """A layer's input and the heads' slice of the weights, in float32 as the model has them."""
    with np.load(ROOT / "tests/reference/trained_projections.npz", allow_pickle=False) as stored:
        return dict(stored)


@pytest.fixture(scope="module")
def statistics():
    """Every head's statistics on the first sentence."""
    heads = trained_heads(0)
    return head_statistics(heads.query, heads.key)


class TestTrainedSentences:
    def test_lengths_differ(self):
        lengths = [len(trained_heads(i).tokens) for i in range(len(trained_sentences()))]
        assert lengths == [16, 5, 16, 14, 46]

    def test_animal_and_street_come_first(self):
        assert trained_sentences()[0] == ANIMAL


class TestTrainedHeads:
    @pytest.mark.parametrize(("layer", "head"), [(0, 2), (5, 7)])
    def test_projected_again(self, reference, layer, head):
        # x W^T + b, from all-MiniLM-L6-v2's own weights (see assets/trained_heads.md).
        states, weight, bias = (
            reference[f"layer{layer}_head{head}_{part}"].astype(np.float64)
            for part in ("states", "weight", "bias")
        )
        heads = trained_heads(0)
        for i, stored in enumerate((heads.query, heads.key, heads.value)):
            expected = states @ weight[i].T + bias[i]
            # float16 keeps 11 bits; the float32 states add a millionth.
            np.testing.assert_allclose(stored[layer, head], expected, rtol=2**-11, atol=5e-6)

    def test_tokens_of_the_first_sentence(self):
        assert trained_heads(0).tokens == (
            "[CLS]", "the", "animal", "didn", "'", "t", "cross", "the", "street", "because",
            "it", "was", "too", "tired", ".", "[SEP]",
        )  # fmt: skip

    @pytest.mark.parametrize("sentence", range(5))
    def test_shapes(self, sentence):
        heads = trained_heads(sentence)
        for array in (heads.query, heads.key, heads.value):
            assert array.shape == (6, 12, len(heads.tokens), 32)
            assert array.dtype == np.float32
            assert np.isfinite(array).all()

    def test_arrays_are_read_only(self):
        with pytest.raises(ValueError, match="read-only"):
            trained_heads(0).query[0] = 0

    def test_asset_is_small(self):
        assert (ROOT / "assets/trained_heads.npz").stat().st_size < 2_000_000

    @pytest.mark.parametrize("sentence", [-1, 5, 0.5, "x"])
    def test_unknown_sentence(self, sentence):
        with pytest.raises(ValueError, match="sentence must be 0 to 4"):
            trained_heads(sentence)


class TestHeadStatistics:
    """The facts are those of the model in float64; float16 holds them to the digits given."""

    def test_most_heads_spread_wider_than_the_random_model(self, statistics):
        assert (statistics.score_std > np.sqrt(32)).sum() == 60
        assert f"{np.median(statistics.score_std):.1f}" == "8.2"
        assert f"{statistics.score_std.min():.1f}" == "3.7"

    def test_layer_0_head_2_stays_saturated(self, statistics):
        assert f"{statistics.score_std[0, 2]:.1f}" == "64.6"
        assert statistics.score_std.argmax() == 2
        assert statistics.saturated_share_scaled[0, 2] == 1
        assert statistics.max_weight_scaled[0, 2] > 0.999

    def test_by_hand(self):
        # Scores 2 and 0 in one row, 0 and 2 in the other: mean 1, spread 1, e² : 1.
        statistics = head_statistics(np.eye(2) * 2, np.eye(2))
        largest = np.exp(2) / (np.exp(2) + 1)
        np.testing.assert_allclose(statistics.score_mean, 1)
        np.testing.assert_allclose(statistics.score_std, 1)
        np.testing.assert_allclose(statistics.score_std_ratio, 1 / np.sqrt(2))
        np.testing.assert_allclose(statistics.max_weight_raw, largest)
        assert statistics.saturated_share_raw == 0

    def test_row_common_part_is_not_within_rows(self):
        # Scores 5, 7 and −5, −3: each row spreads by 1 about its own mean.
        statistics = head_statistics([[1, 0], [-1, 0]], [[5, 0], [7, 0]])
        np.testing.assert_allclose(statistics.within_row_std, 1)
        np.testing.assert_allclose(statistics.score_std, np.std([5, 7, -5, -7]))

    def test_agrees_with_the_diagnosis(self, statistics):
        heads = trained_heads(0)
        diagnosis = diagnose(heads.query, heads.key)
        for name, values in (
            ("std", statistics.score_std),
            ("within_row_std", statistics.within_row_std),
        ):
            found = [getattr(head, name) for head in diagnosis.heads]
            np.testing.assert_allclose(found, values.ravel(), rtol=1e-6)
        found = [head.at("sqrt_d_k").mean_normalized_entropy for head in diagnosis.heads]
        np.testing.assert_allclose(found, statistics.normalized_entropy_scaled.ravel(), atol=1e-6)


class TestDivideHead:
    def test_default_is_the_root_of_the_width(self):
        heads = trained_heads(0)
        divided = divide_head(heads.query, heads.key)
        assert divided.divisor == np.sqrt(32)
        scores = dot_product_scores(heads.query, heads.key)
        np.testing.assert_allclose(divided.scores, scores / np.sqrt(32), rtol=1e-6)

    @pytest.mark.parametrize("divisor", [1e-300, 0.01, 1, 64, 1e300])
    def test_rows_are_distributions(self, divisor):
        heads = trained_heads(1)
        divided = divide_head(heads.query, heads.key, divisor=divisor)
        np.testing.assert_allclose(divided.weights.sum(axis=-1), 1, atol=1e-12)
        assert (divided.normalized_entropy >= 0).all()
        assert (divided.normalized_entropy <= 1).all()

    @pytest.mark.parametrize("divisor", [0.01, 1, 64, 1000])
    def test_order_of_the_keys_stays(self, divisor):
        heads = trained_heads(1)
        best = dot_product_scores(heads.query, heads.key).argmax(axis=-1)
        weights = divide_head(heads.query, heads.key, divisor=divisor).weights
        np.testing.assert_array_equal(weights.argmax(axis=-1), best)

    @pytest.mark.parametrize("divisor", [0, -1, np.nan, np.inf])
    def test_divisor_out_of_range(self, divisor):
        with pytest.raises(ValueError, match="divisor must be finite and positive"):
            divide_head([[1.0]], [[1.0]], divisor=divisor)

    def test_non_finite(self):
        with pytest.raises(ValueError, match="must be finite; diagnose finds where"):
            divide_head([[np.nan]], [[1.0]])
