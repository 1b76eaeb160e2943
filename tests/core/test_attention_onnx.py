"""ONNX's own node tests of the Attention operator, opsets 23 to 25, run on core.attention.

The operator splits heads, repeats them for groups, joins cached keys, pads masks and counts
positions; here the caller does that, and core does the attention.
"""

import numpy as np
import onnx.backend.test.case.node.attention  # noqa: F401 (its import gathers the cases)
import pytest
from onnx.backend.test.case import node as onnx_cases
from onnx.helper import get_node_attr_value

from core import attention, causal_mask, padding_mask, sliding_window_mask

CASES = {
    case.name.removeprefix("test_attention_"): case
    for case in onnx_cases._NodeTestCases
    if case.model.graph.node[0].op_type == "Attention"
}
NAMES = ["Q", "K", "V", "attn_mask", "past_key", "past_value", "nonpad_kv_seqlen"]


def split_heads(array, heads):
    batch, length, width = array.shape
    return array.reshape(batch, length, heads, width // heads).swapaxes(1, 2)


def run(case):
    """Return the operator's outputs for one case, by name."""
    graph_node = case.model.graph.node[0]
    options = {
        item.name: get_node_attr_value(graph_node, item.name) for item in graph_node.attribute
    }
    arrays, expected = case.data_sets[0]
    given = dict(zip([name for name in graph_node.input if name], arrays, strict=True))
    if given["Q"].dtype.name == "bfloat16":
        given = {
            name: array.astype(np.float32) if array.dtype.name == "bfloat16" else array
            for name, array in given.items()
        }
    query, key, value, mask, past_key, past_value, lengths = (given.get(name) for name in NAMES)

    joined = query.ndim == 3
    if joined:
        query = split_heads(query, options["q_num_heads"])
        key, value = (split_heads(array, options["kv_num_heads"]) for array in (key, value))
    offset = 0
    n_q = query.shape[-2]
    if past_key is not None:
        offset = past_key.shape[-2]
        key = np.concatenate([past_key, key], axis=-2)
        value = np.concatenate([past_value, value], axis=-2)
    if lengths is not None:
        offset = (lengths - n_q)[:, np.newaxis]  # room for heads
    present_key, present_value = key, value
    groups = query.shape[1] // key.shape[1]
    key, value = np.repeat(key, groups, axis=1), np.repeat(value, groups, axis=1)
    n_k = key.shape[-2]

    allowed = sliding_window_mask(
        n_q,
        n_k,
        left=None if (left := options.get("left_window_size", -1)) < 0 else left,
        right=None if (right := options.get("right_window_size", -1)) < 0 else right,
        offset=offset,
    )
    if options.get("is_causal"):
        allowed = allowed & causal_mask(n_q, n_k, offset=offset)
    if lengths is not None:
        allowed = allowed & padding_mask(lengths[:, np.newaxis], n_k)
    if mask is not None:
        short = [(0, 0)] * (mask.ndim - 1) + [(0, n_k - mask.shape[-1])]
        if mask.dtype == np.bool_:
            allowed = allowed & np.pad(mask, short)
            mask = None
        else:
            mask = np.pad(mask, short, constant_values=-np.inf)
    stages = attention(
        query,
        key,
        value,
        mask=allowed if mask is None else np.where(allowed, mask, mask.dtype.type(-np.inf)),
        scale=options.get("scale"),
        softcap=options.get("softcap") or None,
        fully_masked="zero",
    )
    scale = options.get("scale", query.shape[-1] ** -0.5)
    mode = options.get("qk_matmul_output_mode", 0)
    unmasked = attention(
        query, key, value, scale=scale, softcap=options.get("softcap") if mode else None
    )
    output = stages.output
    if joined:
        output = output.swapaxes(1, 2).reshape(output.shape[0], n_q, -1)
    outputs = {
        "Y": output,
        "present_key": present_key,
        "present_value": present_value,
        "qk_matmul_output": [unmasked.logits, unmasked.logits, stages.logits, stages.weights][mode],
    }
    named = zip([name for name in graph_node.output if name], expected, strict=True)
    return [(name, outputs[name], wanted) for name, wanted in named]


def test_onnx_brings_its_cases():
    assert len(CASES) >= 90


@pytest.mark.parametrize("name", CASES)
def test_attention(name):
    for output, ours, theirs in run(CASES[name]):
        brain = theirs.dtype.name == "bfloat16"
        assert ours.shape == theirs.shape, output
        assert brain or ours.dtype == theirs.dtype, output
        # One place of the output's own dtype: bfloat16 has 8 significant bits, float16 11.
        tolerance = {"bfloat16": 2e-2, "float16": 3e-3, "float32": 2e-6}[theirs.dtype.name]
        np.testing.assert_allclose(
            ours.astype(np.float64), theirs.astype(np.float64), rtol=tolerance, atol=tolerance
        )
