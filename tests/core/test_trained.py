"""The trained heads, projected again from the model's own weights."""

from pathlib import Path

import numpy as np
import pytest

from core import trained_heads, trained_sentences

ROOT = Path(__file__).resolve().parents[2]
ANIMAL = "The animal didn't cross the street because it was too tired."


@pytest.fixture(scope="module")
def reference():
    """A layer's input and the heads' slice of the weights, in float32 as the model has them."""
    with np.load(ROOT / "tests/reference/trained_projections.npz", allow_pickle=False) as stored:
        return dict(stored)


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
