"""How much memory attention takes above its inputs, measured rather than counted.

Python traces what its objects and NumPy's arrays take, for a whole process at once. In a server
that would count every reader's arrays, and before Python 3.12.9 a trace that ends while another
thread allocates may crash the process. So the measurement runs in a process of its own, which has
nothing else to do.
"""

import json
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from core.attention import attention
from core.tiled import tiled_attention

QUERY_TILE, KEY_TILE = 128, 256


@dataclass(frozen=True, slots=True)
class PeakMemory:
    """Most memory at any time above the inputs, in bytes: one head of ``n`` tokens in float32."""

    n: int
    dense: int
    tiled: int


def peak_memory(n: int, d_k: int, /) -> PeakMemory:
    r"""Measure dense and tiled attention on random tokens in a new process.

    Dense attention holds scores, logits and weights, a few times :math:`4 n^2` bytes. Tiles of
    128 × 256 hold one tile of each and :math:`n` running maxima, totals and outputs.

    Parameters
    ----------
    n : int
        Number of tokens, queries and keys alike.
    d_k : int
        Width of queries, keys and values.

    Raises
    ------
    OSError
        If no process can be started.
    subprocess.SubprocessError
        If it does not end well within a minute.

    Examples
    --------
    >>> found = peak_memory(512, 16)
    >>> found.dense > 4 * 512**2 > found.tiled
    True
    """
    run = subprocess.run(
        [sys.executable, "-m", "core.peak_memory", str(n), str(d_k)],
        cwd=Path(__file__).resolve().parent.parent,
        capture_output=True,
        check=True,
        timeout=60,
    )
    return PeakMemory(**json.loads(run.stdout))


def trace(n: int, d_k: int, /) -> PeakMemory:
    """Measure in this process, which must have one thread only."""
    query, key, value = np.random.default_rng(1).standard_normal((3, n, d_k), dtype=np.float32)

    def peak(run: Callable[[], object]) -> int:
        tracemalloc.start()
        run()
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    return PeakMemory(
        n,
        dense=peak(lambda: attention(query, key, value)),
        tiled=peak(
            lambda: tiled_attention(query, key, value, query_tile=QUERY_TILE, key_tile=KEY_TILE)
        ),
    )


if __name__ == "__main__":
    print(json.dumps(asdict(trace(int(sys.argv[1]), int(sys.argv[2])))))
