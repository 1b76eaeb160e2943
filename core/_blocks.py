"""How much is drawn, multiplied and measured at once in a sweep."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Jobs = Iterator[tuple[int, Callable[[], FloatArray]]]

BATCH = 200
"""Queries in a batch of the published independent-keys run."""

BLOCK = 3 * 2**14
"""Scores measured at once: 384 KiB, which a processor keeps close by. The 4,000 rows of 12 keys of
the published run are one block."""

HELD = 2**19
"""Components drawn at once, 4 MiB: some milliseconds of work, so that handing a job to another
thread costs little beside it. Only a query or two keys of more components are drawn at once too.
"""

ROWS = 64
"""Rows multiplied at once, at least, where a single trial is larger than a block."""


def row_blocks(rows: FloatArray, n_keys: int) -> Iterator[FloatArray]:
    """Split rows into blocks whose scores take some milliseconds to work on."""
    step = max(ROWS, BLOCK // n_keys)
    for i in range(0, len(rows), step):
        yield rows[i : i + step]


def passed_on(scores: FloatArray, /) -> FloatArray:
    """Return the scores: the job where nothing is left to multiply."""
    return scores
