"""The drawn-vectors engine: every component of every query and key, in the published order."""

from __future__ import annotations

import itertools
import math
from functools import partial

import numpy as np

from core._blocks import BATCH, BLOCK, HELD, FloatArray, Jobs, passed_on, row_blocks
from core._scratch import Scratch


def drawn_independent(
    rng: np.random.Generator, d_k: int, scratch: Scratch, n_keys: int, n_trials: int
) -> Jobs:
    batch = min(BATCH, n_trials, max(1, HELD // d_k))
    group = batch * max(1, BLOCK // (batch * n_keys))
    row_step = min(batch, max(1, HELD // (n_keys * d_k)))
    # Not one key alone: einsum drops axes of length 1 and then adds long products differently.
    parts = max(1, n_keys // max(2, HELD // d_k))
    cuts = [n_keys * part // parts for part in range(parts + 1)]
    keys = scratch.two("drawn", row_step * -(-n_keys // parts) * d_k)
    queries = scratch.two("queries", batch, d_k)
    gathered = scratch("scores", group, n_keys)
    for start in range(0, n_trials, batch):
        rows = min(batch, n_trials - start)
        offset = start % group
        scores = gathered[offset : offset + rows]
        query = next(queries)[:rows]
        rng.standard_normal(out=query)
        drawn = query.size
        for i in range(0, rows, row_step):
            for first, end in itertools.pairwise(cuts):
                block = scores[i : i + row_step, first:end]
                # The keys come block by block as they would in one call.
                key = next(keys)[: block.size * d_k].reshape(*block.shape, d_k)
                rng.standard_normal(out=key)
                last = end == n_keys and i + row_step >= rows
                full = offset + rows == group or start + rows == n_trials
                finished = offset + rows if last and full else 0
                yield (
                    drawn + key.size,
                    partial(_dot, query[i : i + row_step], key, block, gathered[:finished]),
                )
                drawn = 0


def _dot(query: FloatArray, key: FloatArray, out: FloatArray, finished: FloatArray) -> FloatArray:
    np.einsum("bd,bkd->bk", query, key, out=out)
    return finished


def drawn_shared(
    rng: np.random.Generator,
    d_k: int,
    scratch: Scratch,
    n_keys: int,
    n_queries: int,
    n_trials: int,
) -> Jobs:
    vectors, scores = n_queries + n_keys, n_queries * n_keys
    coordinates = min(d_k, max(1, HELD // vectors))
    at_once = min(n_trials, max(1, min(HELD // (vectors * d_k), BLOCK // scores)))
    group = at_once * max(1, BLOCK // (at_once * scores))
    buffers = scratch.two("drawn", at_once * vectors * coordinates)
    gathered = scratch("scores", min(group, n_trials), n_queries, n_keys)
    rows = gathered.reshape(-1, n_keys)
    for start in range(0, n_trials, group):
        trials = min(group, n_trials - start)
        for i in range(0, trials, at_once):
            out = gathered[i : min(i + at_once, trials)]
            for first in range(0, d_k, coordinates):
                shape = len(out), vectors, min(coordinates, d_k - first)
                drawn = next(buffers)[: math.prod(shape)].reshape(shape)
                rng.standard_normal(out=drawn)
                query, key = drawn[:, :n_queries], drawn[:, n_queries:].swapaxes(1, 2)
                last = i + at_once >= trials and first + coordinates >= d_k
                finished = trials * n_queries if last and scores <= BLOCK else 0
                yield drawn.size, partial(_multiply, query, key, out, first > 0, rows[:finished])
        if scores > BLOCK:
            for block in row_blocks(rows[: trials * n_queries], n_keys):
                yield 0, partial(passed_on, block)


def _multiply(
    query: FloatArray, key: FloatArray, out: FloatArray, add: bool, finished: FloatArray
) -> FloatArray:
    if add:
        out += query @ key  # (trials, n_queries, n_keys)
    else:
        np.matmul(query, key, out=out)
    return finished
