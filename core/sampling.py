r"""Random scores, drawn the long way or by their law.

Queries and keys have independent standard-normal components, so each score q·k has mean 0 and
variance d_k. *Drawn vectors* draws every component and multiplies. An engine is a generator of
``(normals drawn, rows of scores)``; the rows follow each other trial by trial, and a step may
bring none.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Blocks = Iterator[tuple[int, FloatArray]]

BATCH = 200
"""Queries in a batch of the published independent-keys run."""

BLOCK = 1 << 15
"""Normals drawn at once: 256 KiB, so that a block is multiplied while it is in the cache."""

HELD = 1 << 22
"""Normals held at once, at most: 32 MiB of queries."""


def drawn_vectors(
    rng: np.random.Generator, width: int, /, *, n_keys: int, n_queries: int, n_trials: int
) -> Blocks:
    """Draw every query and key."""
    if n_queries == 1:
        return _drawn_independent(rng, width, n_keys, n_trials)
    return _drawn_shared(rng, width, n_keys, n_queries, n_trials)


def _drawn_independent(rng: np.random.Generator, d_k: int, n_keys: int, n_trials: int) -> Blocks:
    batch = min(BATCH, max(1, HELD // d_k))
    row_step = max(1, BLOCK // (n_keys * d_k))
    key_step = min(n_keys, max(1, BLOCK // d_k))
    buffer = np.empty(min(row_step, batch) * key_step * d_k)
    for start in range(0, n_trials, batch):
        rows = min(batch, n_trials - start)
        query = rng.standard_normal((rows, d_k))
        yield query.size, query[:0, :0].reshape(0, n_keys)
        scores = np.empty((rows, n_keys))
        for i in range(0, rows, row_step):
            for j in range(0, n_keys, key_step):
                block = scores[i : i + row_step, j : j + key_step]
                key = buffer[: block.size * d_k].reshape(*block.shape, d_k)
                rng.standard_normal(out=key)
                np.einsum("bd,bkd->bk", query[i : i + row_step], key, out=block)
                yield key.size, scores[:0]
        yield 0, scores


def _drawn_shared(
    rng: np.random.Generator, d_k: int, n_keys: int, n_queries: int, n_trials: int
) -> Blocks:
    at_once = max(1, BLOCK // (n_queries + n_keys))
    for _ in range(n_trials):
        scores = np.zeros((n_queries, n_keys))
        for start in range(0, d_k, at_once):
            step = min(at_once, d_k - start)
            query = rng.standard_normal((n_queries, step))
            key = rng.standard_normal((n_keys, step))
            scores += query @ key.T
            yield query.size + key.size, scores[:0]
        yield 0, scores
