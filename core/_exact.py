"""The exact-law engine: lengths of queries, or Bartlett factors, times standard normals."""

from __future__ import annotations

from functools import partial

import numpy as np

from core._blocks import BLOCK, HELD, FloatArray, Jobs, passed_on, row_blocks
from core._scratch import Scratch


def exact_independent(
    rng: np.random.Generator, d_k: int, scratch: Scratch, n_keys: int, n_trials: int
) -> Jobs:
    at_once = min(n_trials, max(1, BLOCK // n_keys))
    buffers = scratch.two("drawn", n_keys * at_once)
    for start in range(0, n_trials, at_once):
        rows = min(at_once, n_trials - start)
        square = rng.chisquare(d_k, rows)
        normal = next(buffers)[: n_keys * rows].reshape(n_keys, rows)
        rng.standard_normal(out=normal)
        yield square.size + normal.size, partial(_stretch, normal, square)


def _stretch(normal: FloatArray, square: FloatArray) -> FloatArray:
    normal *= np.sqrt(square)
    return normal.T


def exact_shared(
    rng: np.random.Generator,
    d_k: int,
    scratch: Scratch,
    n_keys: int,
    n_queries: int,
    n_trials: int,
) -> Jobs:
    # Queries and keys have one law, so the factor may be taken of the fewer of the two.
    few, many = min(n_queries, n_keys), max(n_queries, n_keys)
    rank = min(few, d_k)
    lower = np.tril_indices(few, -1, rank)
    diagonal = np.arange(rank)
    at_once = min(n_trials, max(1, BLOCK // (few * many)))
    factors = scratch.two("factors", at_once, few, rank)
    normals = scratch.two("drawn", at_once, rank, many)
    nothing = partial(passed_on, np.empty((0, n_keys)))
    for start in range(0, n_trials, at_once):
        trials = min(at_once, n_trials - start)
        L, Z = next(factors)[:trials], next(normals)[:trials]
        L.fill(0.0)
        L[:, diagonal, diagonal] = np.sqrt(rng.chisquare(d_k - diagonal, (trials, rank)))
        L[:, *lower] = rng.standard_normal((trials, len(lower[0])))
        yield trials * (rank + len(lower[0])), nothing
        for flat in np.split(Z.reshape(-1), range(HELD, Z.size, HELD)):
            rng.standard_normal(out=flat)
            yield flat.size, nothing
        left, right = (L, Z) if n_queries <= n_keys else (Z.swapaxes(1, 2), L.swapaxes(1, 2))
        if at_once > 1:
            yield 0, partial(_product, left, right)
        else:
            for block in row_blocks(left[0], n_keys):
                yield 0, partial(_product, block, right[0])


def _product(left: FloatArray, right: FloatArray) -> FloatArray:
    scores: FloatArray = left @ right  # (..., n_queries, n_keys)
    return scores.reshape(-1, scores.shape[-1])
