"""Policies for rows without keys, beside what libraries do that can be called here."""

from pathlib import Path

import numpy as np
import pytest
import scipy.special
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

from core import additive_mask
from core.mask_policies import MASK_CONVENTIONS, compare_policies
from core.masking import MASKING_EXAMPLE, build_mask

VECTORS = (MASKING_EXAMPLE.query, MASKING_EXAMPLE.key, MASKING_EXAMPLE.value)
MASK = build_mask(5, 5, causal="upper-left")
MASK[2] = False


def plain_softmax(logits):
    exponentials = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def by_policy(mask=MASK):
    return {seen.policy: seen for seen in compare_policies(*VECTORS, mask=mask)}


def onnx_attention(mask):
    kinds = {"Q": TensorProto.DOUBLE, "K": TensorProto.DOUBLE, "V": TensorProto.DOUBLE}
    kinds["M"] = TensorProto.BOOL if mask.dtype == np.bool_ else TensorProto.DOUBLE
    graph = helper.make_graph(
        [helper.make_node("Attention", list(kinds), ["Y"])],
        "attention",
        [helper.make_tensor_value_info(name, kind, None) for name, kind in kinds.items()],
        [helper.make_tensor_value_info("Y", TensorProto.DOUBLE, None)],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)])
    arrays = dict(zip("QKV", (array[np.newaxis, np.newaxis] for array in VECTORS), strict=True))
    return ReferenceEvaluator(model).run(None, {**arrays, "M": mask})[0][0, 0]


class TestComparePolicies:
    def test_each_policy(self):
        seen = by_policy()
        assert list(seen) == ["raise", "zero", "nan", "mean"]
        assert seen["raise"].output is None
        assert seen["raise"].error.startswith("1 of 5 queries may attend no key")
        np.testing.assert_array_equal(seen["zero"].output[2], [0, 0])
        assert np.isnan(seen["nan"].output[2]).all()
        np.testing.assert_allclose(seen["mean"].output[2], VECTORS[2].mean(axis=0))
        np.testing.assert_allclose(seen["mean"].weights[2], 0.2)
        others = [0, 1, 3, 4]
        for policy in ("nan", "mean"):
            np.testing.assert_array_equal(seen[policy].output[others], seen["zero"].output[others])

    def test_nothing_to_decide(self):
        seen = by_policy(build_mask(5, 5))
        assert not any(result.error for result in seen.values())
        for result in seen.values():
            np.testing.assert_array_equal(result.output, seen["zero"].output)

    def test_numpy_and_scipy_give_nan(self):
        logits = VECTORS[0] @ VECTORS[1].T / 2 + additive_mask(MASK)
        ours = by_policy()["nan"]
        with np.errstate(invalid="ignore"):
            for softmax in (plain_softmax, lambda x: scipy.special.softmax(x, axis=-1)):
                np.testing.assert_allclose(softmax(logits), ours.weights, atol=1e-15)
        with pytest.warns(RuntimeWarning, match="invalid value encountered in subtract"):
            plain_softmax(logits)

    @pytest.mark.parametrize("mask", [MASK, additive_mask(MASK)], ids=["boolean", "additive"])
    def test_onnx_gives_zero(self, mask):
        np.testing.assert_allclose(onnx_attention(mask), by_policy()["zero"].output, atol=1e-15)

    def test_filling_gives_the_mean(self):
        logits = np.where(MASK, VECTORS[0] @ VECTORS[1].T / 2, 0.7 * np.finfo(np.float64).min)
        ours = by_policy()["mean"]
        np.testing.assert_allclose(plain_softmax(logits), ours.weights, atol=1e-15)

    def test_other_errors_are_not_swallowed(self):
        with pytest.raises(ValueError, match="does not broadcast"):
            compare_policies(*VECTORS, mask=np.ones((5, 4), bool))


class TestMaskConventions:
    def test_only_one_means_left_out(self):
        out = [row.function for row in MASK_CONVENTIONS if row.true_means == "is left out"]
        assert out == ["torch.nn.MultiheadAttention"]

    def test_onnx_is_as_stated(self):
        (row,) = (row for row in MASK_CONVENTIONS if row.library == "ONNX")
        assert row.true_means == "takes part"
        only_first = np.zeros((5, 5), bool)
        only_first[:, 0] = True
        np.testing.assert_allclose(onnx_attention(only_first), np.tile(VECTORS[2][0], (5, 1)))
        assert row.fully_masked == "zero"
        np.testing.assert_array_equal(onnx_attention(np.zeros((5, 5), bool)), np.zeros((5, 2)))

    def test_pytorch_is_as_stated(self):
        # Results of scaled_dot_product_attention itself, stored; see tests/reference.
        rows = [row for row in MASK_CONVENTIONS if row.function.endswith("dot_product_attention")]
        with np.load(Path(__file__).parents[1] / "reference" / "sdpa_torch.npz") as file:
            mask, output = file["empty-rows.mask"], file["empty-rows.output"]
        stuck = np.broadcast_to(~mask.any(axis=-1), output.shape[:-1])
        assert rows[0].fully_masked == "zero"
        assert (output[stuck] == 0).all()
        assert (np.abs(output[~stuck]).max(axis=-1) > 0).all()
