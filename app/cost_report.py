"""The numbers of the page on cost, measured or counted, in words and charts.

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

from core.attention import attention
from core.cost import AttentionCost, attention_cost
from core.key_ranges import KEY_TILE, QUERY_TILE, key_ranges
from core.linear import LinearError, linear_error
from core.peak_memory import KEY_TILE as MEASURED_KEYS
from core.peak_memory import QUERY_TILE as MEASURED_QUERIES
from core.peak_memory import PeakMemory, peak_memory
from core.tiled import tiled_attention

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


def tile_format(dtype: str) -> str:
    """Name the format of a tile: softmax is continued in float32 at least."""
    return dtype if dtype == "float64" else "float32"


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
        f"All scores in {dtype} are {size(one.dense_bytes)}. One tile of "
        f"{min(n, QUERY_TILE)} × {words.count(min(n, KEY_TILE))} with its running maxima, totals "
        f"and outputs is {size(one.tile_bytes)}, in {tile_format(dtype)} because softmax is "
        "continued in it.",
    ]
    if one.tile_bytes >= one.dense_bytes:
        more = zip(TOKENS, costs(width, heads, dtype, causal), strict=True)
        first = next(m for m, cost in more if cost.tile_bytes < cost.dense_bytes)
        lines.append(
            f"That is no less than the whole table: here tiles save memory from "
            f"{words.count(first)} tokens on."
        )
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
        f"{size(memory.dense)} above its inputs, as much as "
        f"{words.significant(memory.dense / (4 * memory.n**2), 2)} tables of scores: it keeps "
        "scores, logits and weights, and works on copies of them. Tiles, of "
        f"{MEASURED_QUERIES} × {MEASURED_KEYS} for so few tokens, took {size(memory.tiled)}.",
        f"None of this touches √dₖ = {words.short(width**0.5)}: a score is still a dot product "
        f"of {width} terms.",
    ]
    return "\n".join(f"- {line}" for line in lines)
