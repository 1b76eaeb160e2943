"""Tiled attention has to fit where dense attention cannot, and cost no more where both can."""

import time
import tracemalloc

import numpy as np

import core

LONG, SHORT, WIDTH = 32_768, 4_096, 64
MEGABYTES = 30.0
REPEATS = 3


def draw(n):
    return np.random.default_rng(n).standard_normal((3, n, WIDTH), dtype=np.float32)


def seconds(run) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def peak(run) -> float:
    """Most MB allocated at once during a run, over what was there before."""
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    tracemalloc.reset_peak()
    run()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return (most - before) / 1e6


def rows():
    """(what was measured, figure, largest allowed): MB, then ratios of times taken in turn."""
    long, short = draw(LONG), draw(SHORT)
    causal = core.key_ranges(SHORT, SHORT, is_causal=True)
    most = peak(lambda: core.tiled_attention(*long))
    full, halved = [], []
    for _ in range(REPEATS):
        dense = seconds(lambda: core.attention(*short))
        full.append(seconds(lambda: core.tiled_attention(*short)) / dense)
        dense = seconds(lambda: core.attention(*short, is_causal=True))
        halved.append(seconds(lambda: core.tiled_attention(*short, ranges=causal)) / dense)
    sizes = f"n = {SHORT:,}, d = {WIDTH}, float32"
    return [
        (f"tiled attention, n = {LONG:,}, d = {WIDTH}, float32: peak MB", most, MEGABYTES),
        (f"tiled ÷ dense attention, {sizes}", float(np.median(full)), 1.0),
        (f"tiled ÷ dense causal attention, {sizes}", float(np.median(halved)), 1.0),
    ]


if __name__ == "__main__":
    for what, measured, budget in rows():
        print(f"{what}: {measured:.3g} (at most {budget:g})")
