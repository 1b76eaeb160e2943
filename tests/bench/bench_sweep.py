"""How fast a sweep is, and how much memory it takes, beside plain NumPy in the same run."""

from __future__ import annotations

import functools
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from core import published, sweep
from tests.bench import baselines
from tests.bench.table import Row, median_ratio

ROOT = Path(__file__).parent.parent.parent

MEMORY = """
import re, time
from core import iter_sweep, largest_trials, sweep

def peak():
    with open("/proc/self/status") as status:
        return int(re.search(r"VmHWM:\\s+(\\d+) kB", status.read())[1]) / 1024

sweep([4], n_keys=2, n_trials=2, seed=1)
start = peak()
for engine, d_k, n_keys, n_queries in (
    ("drawn-vectors", 2**20, 2, 1), ("drawn-vectors", 2**20, 12, 1), ("drawn-vectors", 4, 4096, 1),
    ("drawn-vectors", 2**14, 4096, 1), ("drawn-vectors", 2**15, 4096, 1024),
    ("drawn-vectors", 4, 4096, 1024), ("drawn-vectors", 2**20, 16, 16),
    ("drawn-vectors", 1, 2, 1), ("exact-law", 2**20, 4096, 1), ("exact-law", 2**20, 2, 1),
    ("exact-law", 2**20, 4096, 1024), ("exact-law", 2**20, 1024, 1024),
    ("exact-law", 2**20, 2, 1024), ("exact-law", 8, 4096, 1024), ("exact-law", 2**20, 4096, 2),
):
    setting = dict(n_keys=n_keys, n_queries=n_queries, engine=engine)
    reports = iter_sweep([d_k], n_trials=largest_trials([d_k], **setting), seed=1, **setting)
    until = time.monotonic() + 2  # memory is at its peak long before
    for _ in reports:
        if time.monotonic() > until:
            break
print(peak() - start)
"""


def peak_memory() -> float:
    """Return by how many MB the largest settings raise the peak of a process of their own."""
    run = subprocess.run(
        [sys.executable, "-c", MEMORY], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return float(run.stdout)


def rows() -> Iterator[Row]:
    """Yield the ratios of the sweep's two engines, and its memory."""
    exact = functools.partial(sweep, n_keys=12, n_trials=4000, seed=1, engine="exact-law")
    yield Row(
        "exact law, five published widths: times as fast as the plain loop",
        1
        / median_ratio(
            functools.partial(exact, baselines.WIDTHS), baselines.plain_independent_keys, runs=21
        ),
        at_least=120,
    )
    yield Row(
        "exact law, 12 keys: width 2²⁰ ÷ width 4",
        median_ratio(
            functools.partial(exact, [2**20]),
            functools.partial(exact, [4]),
            runs=101,
            baseline_runs=101,
        ),
        at_most=1.15,
    )
    for name, draw in (
        ("independent-keys", baselines.draw_independent_keys),
        ("self-attention", baselines.draw_self_attention),
    ):
        yield Row(
            f"drawn vectors, {name}: whole run ÷ its random numbers alone",
            median_ratio(functools.partial(published, name), draw),
            at_most=1.10,
        )
    yield Row("peak memory of the largest sweeps", peak_memory(), at_most=200, unit=" MB")
