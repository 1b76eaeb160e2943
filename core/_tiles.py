"""The scores of one head, a few rows at a time, so that no n × n array exists at once."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core._arrays import BoolArray
from core.masks import causal_mask, split_mask

FloatArray = NDArray[np.float64]

TILE = 1 << 16
"""Scores in a tile, half a MiB that stays in cache; more only where a single row is longer."""

BLOCK = 1 << 20
"""Scores in one matrix product, 8 MiB. A threaded product has to wait for its threads each time,
which on a busy machine costs more than the product, so there are few of them and they are large."""


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """Some rows of a head's raw scores.

    `allowed` is True where the mask lets a key take part and its score is finite; `scores` are 0
    elsewhere. `bias` is what a mask adds to the divided scores, `lost` how many allowed scores
    of each row were not finite.
    """

    rows: slice
    scores: FloatArray  # (rows, n_k)
    allowed: BoolArray  # (rows, n_k)
    bias: FloatArray | None  # (rows, n_k)
    lost: NDArray[np.int64]  # (rows,)


def iter_tiles(
    query: FloatArray,
    key: FloatArray,
    mask: NDArray[np.generic] | None,
    *,
    is_causal: bool,
    size: int = TILE,
) -> Iterator[Tile]:
    """Yield all rows of one head: `query` (n_q, d_k), `key` (n_k, d_k), `mask` (n_q, n_k).

    A tile has about `size` scores, at most `BLOCK`.
    """
    n_q, n_k = len(query), len(key)
    step = max(1, size // n_k)
    together = max(step, BLOCK // n_k // step * step)
    for start in range(0, n_q, step):
        if start % together == 0:
            with np.errstate(invalid="ignore", over="ignore"):
                block = query[start : start + together] @ key.T  # (together, n_k)
        rows = slice(start, min(start + step, n_q))
        count = rows.stop - start
        scores = block[start % together :][:count]  # (rows, n_k)
        permitted, added = split_mask(None if mask is None else mask[rows], count, n_k)
        if is_causal:
            permitted = permitted & causal_mask(count, n_k, offset=start)
        finite = np.isfinite(scores)
        allowed = permitted & finite
        bias = added.astype(np.float64) if added.any() else None
        yield Tile(
            rows,
            np.where(allowed, scores, 0.0),
            allowed,
            bias,
            np.count_nonzero(permitted & ~finite, axis=-1),
        )
