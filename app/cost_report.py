"""The numbers of the page on cost, measured or counted, in words, charts and tables.

What is measured is measured once for all readers, and by one thread: a dozen tables at once would
be most of the server's memory, and what a thread has freed stays with it.
"""

from __future__ import annotations

import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache

import formulas
import numpy as np
import streamlit as st
import words
from charts.base import palette
from charts.cost import linear_figure, memory_figure, size
from components import chart
from controls_prove import COST_TOKENS
from frames import Frame, frame

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
"""Most queries that are asked here, the last ones."""

AT_ONCE = 128
"""Queries that dense attention answers at a time: its table stays small."""

_MEASURING = ThreadPoolExecutor(max_workers=1)

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
    return _MEASURING.submit(_checked, min(n, LIVE_TOKENS), width, causal).result()


def _checked(n: int, width: int, causal: bool) -> Check:
    asked = min(n, ROWS)
    last = key_ranges(asked, n, is_causal=causal, offset=n - asked)
    mask = last.mask
    query, key, value = np.random.default_rng(1).standard_normal((3, n, width)).astype(np.float32)
    query = query[-asked:]
    tiled = tiled_attention(query, key, value, ranges=last).output
    dense = np.concatenate(
        [
            attention(query[start:][:AT_ONCE], key, value, mask=mask[start:][:AT_ONCE]).output
            for start in range(0, asked, AT_ONCE)
        ]
    )
    return Check(n, asked, float(np.abs(tiled - dense).max()), float(np.abs(dense).max()))


@st.cache_resource(max_entries=16, show_spinner=False)
def peaks(width: int) -> PeakMemory | None:
    """Measure the memory of both ways at a modest number of tokens, where a process can start."""
    try:
        return _MEASURING.submit(peak_memory, MEASURED_TOKENS, width).result()
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


@st.cache_resource(max_entries=512, show_spinner=False)
def memory_chart(*, n: int, width: int, heads: int, dtype: str, causal: bool, dark: bool) -> None:
    """Draw memory against the number of tokens."""
    seen = costs(width, heads, dtype, causal)
    chart(
        memory_figure(palette(dark), TOKENS, seen, n=n),
        key="cost_memory",
        alt="Memory against tokens. All scores: "
        + ", ".join(f"{size(one.dense_bytes)} at {m}" for m, one in zip(TOKENS, seen, strict=True))
        + f". One tile: {size(seen[-1].tile_bytes)}.",
    )


@st.cache_resource(max_entries=2, show_spinner=False)
def linear_chart(*, dark: bool) -> None:
    """Draw how far linear attention is from softmax attention."""
    error = linear()
    chart(
        linear_figure(palette(dark), error),
        key="cost_linear",
        alt="Relative error of linear attention: "
        + ", ".join(
            f"{value:.2f} at width {w}"
            for w, value in zip(error.widths, error.linear.value, strict=True)
        ),
    )


def formula(n: int, width: int, heads: int, dtype: str, causal: bool) -> str:
    """Count the operations with the reader's numbers."""
    one = counted(n, width, heads, dtype, causal)
    pairs = formulas.math_text(words.count(one.pairs // heads))
    return formulas.aligned(
        r"&2 \cdot \text{pairs} \cdot (d_k + d_v) \cdot \text{heads}",
        rf"&= 2 \cdot {pairs} \cdot {2 * width} \cdot {heads}",
        "&= " + formulas.math_text(words.count(one.operations)),
    )


@lru_cache(maxsize=512)
def sentences(n: int, width: int, heads: int, dtype: str, causal: bool) -> str:
    """Say what is seen."""
    one = counted(n, width, heads, dtype, causal)
    seen, memory = check(n=n, width=width, causal=causal), peaks(width=width)
    lines = [
        f"{words.count(n)} tokens take {words.significant(one.operations)} multiplications and "
        f"additions, in {words.count(heads)} head{'s' * (heads > 1)} of width {width}.",
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


def numbers(width: int, heads: int, dtype: str, causal: bool) -> tuple[Frame, Frame]:
    """Tabulate costs at every number of tokens: as printed, and in full."""
    seen = costs(width, heads, dtype, causal)
    printed = frame(
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


def variants() -> Frame:
    """Tabulate the variants with what becomes of the rule."""
    return frame(
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
