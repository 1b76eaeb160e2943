"""The numbers of the page on cost, measured or counted, in words and tables."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd
import streamlit as st
import words
from charts.cost import size
from controls import COST_TOKENS

from core.attention import attention
from core.cost import AttentionCost, attention_cost
from core.key_ranges import key_ranges
from core.key_value_cache import kv_caches
from core.linear import LinearError, linear_error
from core.peak_memory import KEY_TILE, QUERY_TILE, PeakMemory, peak_memory
from core.tiled import tiled_attention
from core.variants import VARIANTS

TOKENS: tuple[int, ...] = tuple(COST_TOKENS.options)
LIVE_TOKENS = 4096
"""Most tokens at which both ways are run for the reader."""

ROWS = 512
"""Most queries that dense attention answers here, the last ones: its table stays small."""

MEASURED_TOKENS = 1024
LINEAR = {"n_keys": 64, "n_queries": 32, "n_trials": 24, "seed": 1}
LINEAR_WIDTHS = (4, 8, 16, 32, 64, 128, 256)


@dataclass(frozen=True)
class Check:
    """Tiled against dense attention on random tokens: how many queries, and the difference."""

    n: int
    n_queries: int
    difference: float
    largest: float
    tiles_visited: int
    tiles: int


@lru_cache(maxsize=2048)
def counted(n: int, width: int, heads: int, dtype: str, causal: bool) -> AttentionCost:
    """Count what attention costs at the reader's settings."""
    return attention_cost(n, d_k=width, n_heads=heads, dtype=dtype, is_causal=causal)


def costs(width: int, heads: int, dtype: str, causal: bool) -> list[AttentionCost]:
    """Count the same at every number of tokens."""
    return [counted(n, width, heads, dtype, causal) for n in TOKENS]


@st.cache_resource(max_entries=64, show_spinner=False)
def check(n: int, width: int, causal: bool) -> Check:
    """Run both ways on the same random tokens, one head in float32."""
    n = min(n, LIVE_TOKENS)
    asked = min(n, ROWS)
    rng = np.random.default_rng(1)
    query, key, value = rng.standard_normal((3, n, width)).astype(np.float32)
    ranges = key_ranges(n, n, is_causal=causal)
    tiled = tiled_attention(query, key, value, ranges=ranges)
    last = key_ranges(asked, n, is_causal=causal, offset=n - asked)
    dense = attention(query[-asked:], key, value, mask=last.mask).output
    gap = np.abs(tiled.output[-asked:] - dense).max()
    return Check(n, asked, float(gap), float(np.abs(dense).max()), tiled.tiles_visited, tiled.tiles)


@st.cache_resource(max_entries=16, show_spinner=False)
def peaks(width: int) -> PeakMemory | None:
    """Measure the memory of both ways at a modest number of tokens, where a process can start."""
    try:
        return peak_memory(MEASURED_TOKENS, width)
    except (OSError, subprocess.SubprocessError):
        return None


@st.cache_resource(max_entries=1, show_spinner=False)
def linear() -> LinearError:
    """Measure linear attention against softmax attention."""
    return linear_error(LINEAR_WIDTHS, **LINEAR)


def right_guess(width: int, heads: int, dtype: str, causal: bool) -> str:
    """Tell by what factor twice the tokens multiply the table of scores."""
    once, twice = (counted(n, width, heads, dtype, causal) for n in (4096, 8192))
    return f"× {twice.dense_bytes // once.dense_bytes}"


def sentences(n: int, width: int, heads: int, dtype: str, causal: bool) -> str:
    """Say what is seen."""
    one = counted(n, width, heads, dtype, causal)
    seen, memory = check(n, width, causal), peaks(width)
    lines = [
        f"{words.count(n)} tokens take {words.significant(one.operations)} multiplications and "
        f"additions, in {words.count(heads)} heads of width {width}.",
        f"All scores in {dtype} are {size(one.dense_bytes)}. One tile with its running maxima, "
        f"totals and outputs is {size(one.tile_bytes)}.",
    ]
    if causal:
        lines.append(
            f"Causal: tiles visit {words.percent(one.tiles_visited / one.tiles)} of the table; "
            "a dense table is computed whole and then masked."
        )
    live = f"at n = {words.count(seen.n)}" + ("" if seen.n == n else ", the most run here")
    lines += [
        f"Run {live}, in float32: tiled and dense outputs of the last "
        f"{words.count(seen.n_queries)} queries differ by at most "
        f"{words.significant(seen.difference)}.",
        f"That is rounding, next to outputs of up to {words.significant(seen.largest)}. "
        "Tiles, as in FlashAttention, approximate nothing; "
        "only the memory traffic changes.",
        "How much memory that took could not be measured on this server."
        if memory is None
        else f"Measured at n = {words.count(memory.n)}, one head, float32: dense attention took "
        f"{size(memory.dense)} above its inputs, tiles of {QUERY_TILE} × {KEY_TILE} took "
        f"{size(memory.tiled)}.",
        f"None of this touches √dₖ = {words.short(width**0.5)}: a score is still a dot product "
        f"of {width} terms.",
    ]
    return "\n".join(f"- {line}" for line in lines)


def numbers(width: int, heads: int, dtype: str, causal: bool) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Tabulate costs at every number of tokens: as printed, and in full."""
    seen = costs(width, heads, dtype, causal)
    printed = pd.DataFrame(
        {
            "tokens": [words.count(n) for n in TOKENS],
            "operations": [words.significant(c.operations) for c in seen],
            "without skipping": [words.significant(c.dense_operations) for c in seen],
            "all scores": [size(c.dense_bytes) for c in seen],
            "one tile": [size(c.tile_bytes) for c in seen],
            "Q, K, V": [size(c.input_bytes) for c in seen],
            "tiles visited": [
                f"{words.count(c.tiles_visited)} of {words.count(c.tiles)}" for c in seen
            ],
        }
    )
    full = pd.DataFrame(
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


def caches(n: int, width: int, heads: int, dtype: str) -> pd.DataFrame:
    """Tabulate the key-value cache for every way to share heads, one layer."""
    seen = kv_caches(n, n_heads=heads, d_k=width, dtype=dtype)
    return pd.DataFrame(
        {
            "attention": [c.name for c in seen],
            "heads of keys and values": [words.count(c.n_kv_heads) for c in seen],
            "cache": [size(c.bytes) for c in seen],
            "a token adds": [size(c.bytes_per_token) for c in seen],
            "share": [words.percent(c.share) for c in seen],
            "scores divided by": [f"√{width} = {words.short(width**0.5)}"] * len(seen),
        }
    )


def variants() -> pd.DataFrame:
    """Tabulate the variants with what becomes of the rule."""
    return pd.DataFrame(
        {
            "variant": [v.title for v in VARIANTS],
            "changes": [v.changes for v in VARIANTS],
            "arithmetic": [v.arithmetic for v in VARIANTS],
            "memory": [v.memory for v in VARIANTS],
            "exact": ["yes" if v.exact else "no" for v in VARIANTS],
            "√dₖ": ["kept" if v.keeps_rule else "lost" for v in VARIANTS],
            "why": [v.rule for v in VARIANTS],
        }
    )
