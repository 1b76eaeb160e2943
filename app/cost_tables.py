"""The tables of the page on cost: numbers, caches, and the variants of attention."""

from __future__ import annotations

import words
from charts.cost import size
from cost_report import TOKENS, costs, tile_format
from frames import Frame, frame

from core.key_value_cache import kv_caches
from core.variants import VARIANTS, Variant


def numbers(width: int, heads: int, dtype: str, causal: bool) -> tuple[Frame, Frame]:
    """Tabulate costs at every number of tokens: as printed, and in full."""
    seen = costs(width, heads, dtype, causal)
    printed = frame(
        {
            "tokens": [words.count(n) for n in TOKENS],
            "operations": [words.significant(c.operations) for c in seen],
            "without skipping": [words.significant(c.dense_operations) for c in seen],
            "all scores": [size(c.dense_bytes) for c in seen],
            f"one tile in {tile_format(dtype)}": [size(c.tile_bytes) for c in seen],
            "Q, K, V": [size(c.input_bytes) for c in seen],
            "tiles visited": [
                f"{words.count(c.tiles_visited)} of {words.count(c.tiles)}" for c in seen
            ],
        }
    )
    full = frame(
        {
            "tokens": TOKENS,
            "operations": [c.operations for c in seen],
            "dense_operations": [c.dense_operations for c in seen],
            "dense_bytes": [c.dense_bytes for c in seen],
            "tile_bytes": [c.tile_bytes for c in seen],
            "input_bytes": [c.input_bytes for c in seen],
        }
    )
    return printed, full


def caches(n: int, width: int, heads: int, dtype: str) -> Frame:
    """Tabulate the key-value cache for every way to share heads, one layer."""
    seen = kv_caches(n, n_heads=heads, d_k=width, dtype=dtype)
    return frame(
        {
            "attention": [c.name for c in seen],
            "heads of keys and values": [words.count(c.n_kv_heads) for c in seen],
            "cache": [size(c.bytes) for c in seen],
            "a token adds": [size(c.bytes_per_token) for c in seen],
            "share": [words.percent(c.share) for c in seen],
            "scores divided by": [f"√{width} = {words.short(width**0.5)}"] * len(seen),
        }
    )


def _result(variant: Variant) -> str:
    """Say what a variant's result is next to that of dense attention."""
    if variant.same_model:
        return "the same"
    return "another model's, nothing approximated" if variant.exact else "another model's"


def variants() -> Frame:
    """Tabulate the variants with what becomes of the rule."""
    return frame(
        {
            "variant": [v.title for v in VARIANTS],
            "changes": [v.changes for v in VARIANTS],
            "arithmetic": [v.arithmetic for v in VARIANTS],
            "memory": [v.memory for v in VARIANTS],
            "result": [_result(v) for v in VARIANTS],
            "√dₖ": ["kept" if v.keeps_rule else "lost" for v in VARIANTS],
            "why": [v.rule for v in VARIANTS],
        }
    )
