r"""Random scores in two ways: every vector drawn, or the law of their products sampled.

Queries and keys have independent standard-normal components. **Drawn vectors** draws them all and
multiplies. **Exact law** uses what is known of the products: given q, the scores of independent
keys are independent normal with variance ‖q‖², and ‖q‖² is chi-squared with d_k degrees of
freedom, so a row of n_k scores needs n_k + 1 random numbers at any width. Queries that share keys
have the scores

.. math:: Q K^\top = L\,(O K^\top) \sim L Z, \qquad Q = L O,

with O orthonormal rows, L the lower-triangular (Bartlett) factor of the Wishart matrix QQᵀ and Z
standard normal. Its diagonal is chi with d_k, d_k − 1, … degrees of freedom, below it all is
standard normal; where d_k < n_q it has d_k columns only.

Either engine is a generator that draws, and leaves the multiplying to whom it yields to: pairs of
how many random numbers it has drawn and a job that returns scores, shape (rows, n_keys), possibly
of no rows. They follow each other row by row and trial by trial. Jobs are called in order, each
before the generator is asked for the next but one, so that one can run while the next is drawn.
Its scores are the caller's to overwrite, until the next job is called. Large arrays come from a
`Scratch`, so that a run touches fresh memory once.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from core._scratch import Scratch

FloatArray = NDArray[np.float64]
Jobs = Iterator[tuple[int, Callable[[], FloatArray]]]

BATCH = 200
"""Queries in a batch of the published independent-keys run."""

BLOCK = 2**15
"""Scores measured at once: 256 KiB, which a processor keeps close by."""

HELD = 2**19
"""Components drawn at once, 4 MiB: some milliseconds of work, so that handing a job to another
thread costs little beside it. Only a query or two keys of more components are drawn at once too.
"""

_ROWS = 64
"""Rows multiplied at once, at least, where a single trial is larger than a block."""


def drawn_vectors(
    rng: np.random.Generator,
    d_k: int,
    scratch: Scratch,
    /,
    *,
    n_keys: int,
    n_queries: int,
    n_trials: int,
) -> Jobs:
    r"""Draw every query and key, and yield their dot products.

    Draw order with one query a trial: batches of 200 queries (fewer where their components would
    number more than `HELD`), first all queries of the batch, ``(200, d_k)``, then all their keys,
    ``(200, n_keys, d_k)``. With more queries: for each trial Q, ``(n_queries, d_k)``, then K,
    ``(n_keys, d_k)``; where these number more than `HELD`, in slices of that many coordinates.
    The scores are to the bit those of the plain loops over batches and trials ::

        np.einsum("bd,bkd->bk", query, key)        query @ key.T

    Parameters
    ----------
    rng
        Generator to draw from; one for all widths, in the published runs.
    d_k
        Head width.
    scratch
        Memory to work in.
    n_keys, n_queries, n_trials
        Keys and queries a trial, and trials.

    Yields
    ------
    tuple of int and callable
        Random numbers drawn since the last pair, and a job that returns raw scores.

    Examples
    --------
    >>> rng = np.random.default_rng(20)
    >>> jobs = drawn_vectors(rng, 4, Scratch(), n_keys=3, n_queries=2, n_trials=1)
    >>> scores = np.concatenate([job() for _, job in jobs])
    >>> rng = np.random.default_rng(20)
    >>> Q, K = rng.standard_normal((2, 4)), rng.standard_normal((3, 4))
    >>> bool((scores == Q @ K.T).all())
    True
    """
    if n_queries == 1:
        return _drawn_independent(rng, d_k, scratch, n_keys, n_trials)
    return _drawn_shared(rng, d_k, scratch, n_keys, n_queries, n_trials)


def _drawn_independent(
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


def _drawn_shared(
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
                yield drawn.size, partial(_multiply, query, key, out, first > 0)
        for block in _row_blocks(rows[: trials * n_queries], n_keys):
            yield 0, partial(_return, block)


def _multiply(query: FloatArray, key: FloatArray, out: FloatArray, add: bool) -> FloatArray:
    if add:
        out += query @ key  # (trials, n_queries, n_keys)
    else:
        np.matmul(query, key, out=out)
    return out[:0, 0]


def exact_law(
    rng: np.random.Generator,
    d_k: int,
    scratch: Scratch,
    /,
    *,
    n_keys: int,
    n_queries: int,
    n_trials: int,
) -> Jobs:
    """Sample the scores from their law, at a cost that does not grow with the width.

    Parameters, and what is yielded, are those of `drawn_vectors`.

    References
    ----------
    Smith and Hocking, "Algorithm AS 53: Wishart variate generator", doi:10.2307/2346290, for the
    Bartlett factor.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> jobs = exact_law(rng, 2**20, Scratch(), n_keys=12, n_queries=1, n_trials=1000)
    >>> scores = np.concatenate([job() for _, job in jobs])
    >>> scores.shape, float((scores.std() / 2**10).round(1))
    ((1000, 12), 1.0)
    """
    if n_queries == 1:
        return _exact_independent(rng, d_k, scratch, n_keys, n_trials)
    return _exact_shared(rng, d_k, scratch, n_keys, n_queries, n_trials)


def _exact_independent(
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


def _exact_shared(
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
    nothing = partial(_return, np.empty((0, n_keys)))
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
            for block in _row_blocks(left[0], n_keys):
                yield 0, partial(_product, block, right[0])


def _product(left: FloatArray, right: FloatArray) -> FloatArray:
    scores: FloatArray = left @ right  # (..., n_queries, n_keys)
    return scores.reshape(-1, scores.shape[-1])


def _return(scores: FloatArray) -> FloatArray:
    return scores


def _row_blocks(rows: FloatArray, n_keys: int) -> Iterator[FloatArray]:
    """Split rows into blocks whose scores take some milliseconds to work on."""
    step = max(_ROWS, BLOCK // n_keys)
    for i in range(0, len(rows), step):
        yield rows[i : i + step]
