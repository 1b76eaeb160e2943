"""Write sdpa_torch.npz: what PyTorch's scaled_dot_product_attention gives for fixed cases.

Run once with PyTorch 2.13.0 (CPU): `python tests/reference/make_sdpa_torch.py`. The tests read
the file and never need PyTorch. Every case holds query, key, value, perhaps a mask, the options
as JSON, and PyTorch's output of its plain ("math") kernel.
"""

import json
from pathlib import Path

import numpy as np
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

# name: shapes of query, key, value, mask; dtype; kind of mask; options of the call
CASES = {
    "self": ((5, 8), (5, 8), (5, 8), None, "float64", None, {}),
    "cross": ((2, 3, 4, 8), (2, 3, 6, 8), (2, 3, 6, 10), None, "float64", None, {}),
    "unscaled": ((4, 16), (7, 16), (7, 2), None, "float64", None, {"scale": 1.0}),
    "causal-wide": ((2, 3, 5), (2, 6, 5), (2, 6, 4), None, "float64", None, {"is_causal": True}),
    "causal-tall": ((2, 6, 5), (2, 3, 5), (2, 3, 4), None, "float64", None, {"is_causal": True}),
    "boolean": ((2, 4, 8), (2, 6, 8), (2, 6, 3), (4, 6), "float64", "boolean", {}),
    "boolean-batch": ((3, 2, 4, 8), (3, 2, 6, 8), (3, 2, 6, 3), (3, 1, 1, 6), "float64",
                      "boolean", {}),
    "bias": ((2, 4, 8), (2, 6, 8), (2, 6, 3), (2, 4, 6), "float64", "bias", {}),
    "bias-and-blocks": ((4, 8), (6, 8), (6, 3), (4, 6), "float64", "blocks", {"scale": 0.3}),
    "float32": ((2, 9, 32), (2, 12, 32), (2, 12, 32), (9, 12), "float32", "blocks", {}),
    "float16": ((2, 9, 32), (2, 12, 32), (2, 12, 32), (9, 12), "float16", "boolean", {}),
    "empty-rows": ((4, 8), (5, 8), (5, 3), (4, 1), "float64", "alternate", {}),
}  # fmt: skip


def main() -> None:
    rng = np.random.default_rng(1706)
    arrays: dict[str, np.ndarray] = {}
    for name, (q, k, v, m, dtype, kind, options) in CASES.items():
        case = {
            "query": 3 * rng.standard_normal(q),
            "key": rng.standard_normal(k),
            "value": rng.standard_normal(v),
        }
        case = {part: array.astype(dtype) for part, array in case.items()}
        if kind == "boolean":
            mask = rng.random(m) < 0.6
            mask[..., 0] = True
            case["mask"] = mask
        elif kind == "alternate":
            case["mask"] = np.arange(m[0])[:, None] % 2 == 0
        elif kind is not None:
            mask = rng.standard_normal(m).astype(dtype)
            if kind == "blocks":
                mask[..., 1::2][rng.random(mask[..., 1::2].shape) < 0.5] = -np.inf
            case["mask"] = mask
        tensors = {part: torch.from_numpy(array) for part, array in case.items()}
        with sdpa_kernel(SDPBackend.MATH):
            case["output"] = scaled_dot_product_attention(
                tensors["query"],
                tensors["key"],
                tensors["value"],
                attn_mask=tensors.get("mask"),
                **options,
            ).numpy()
        arrays |= {f"{name}.{part}": array for part, array in case.items()}
        arrays[f"{name}.options"] = np.array(json.dumps(options))
    np.savez_compressed(Path(__file__).with_name("sdpa_torch.npz"), **arrays)


if __name__ == "__main__":
    main()
