r"""Exact attention without the n × n table, by softmax that can be continued.

Softmax seems to need a whole row at once: its maximum and its total. But both can be kept up to
date while the keys arrive in tiles. When a tile brings a larger maximum m', what was summed so far
is multiplied by exp(m − m'), and it is as if m' had been known from the start. So each tile of
scores is made, used and forgotten. The result is that of dense attention but for rounding; the
arithmetic is the same, less what tiles skip that are masked throughout; the memory is one tile.
Scores are divided by √d_k as ever.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from core._arrays import FloatArray, as_floating, stored, working_dtype
from core.attention import FullyMasked, attention
from core.key_ranges import (
    KEY_TILE,
    QUERY_TILE,
    IntArray,
    KeyRanges,
    check_tile,
    key_ranges,
    visits,
)
from core.scores import check_query_and_key
from core.softmax import logsumexp

_AGAIN = 1 << 18
"""Scores in a dense table for rows that need one."""


@dataclass(frozen=True, slots=True, eq=False)
class TiledAttention:
    """What tiled attention returns: no scores and no weights, for they never exist all at once.

    Attributes
    ----------
    output : ndarray, shape (..., n_q, d_v)
        Weights · V, in the common dtype of query, key and value.
    logsumexp : ndarray, shape (..., n_q)
        log Z of each row's logits, in nats; −inf where a query may attend no key. A single
        weight can be had from it: exp(logit − log Z).
    tiles_visited, tiles : int
        Tiles whose scores were computed, and all there are.
    """

    output: FloatArray
    logsumexp: FloatArray
    tiles_visited: int
    tiles: int


def tiled_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    /,
    *,
    ranges: KeyRanges | None = None,
    scale: float | None = None,
    fully_masked: FullyMasked = "raise",
    query_tile: int = QUERY_TILE,
    key_tile: int = KEY_TILE,
) -> TiledAttention:
    r"""Return the output of `core.attention`, computed tile by tile with an online softmax.

    .. math:: m' = \max(m, \max_j s_j), \quad z' = z e^{m - m'} + \sum_j e^{s_j - m'}, \quad
        o' = o e^{m - m'} + \sum_j e^{s_j - m'} v_j

    over the keys j of one tile after the other; the output is o/z, and log Z = m + ln z.

    Parameters
    ----------
    query : array_like, shape (..., n_q, d_k)
    key : array_like, shape (..., n_k, d_k)
    value : array_like, shape (..., n_k, d_v)
        Leading axes broadcast, with those of `ranges` too.
    ranges : KeyRanges, optional
        Mask as a rule, from `core.key_ranges` for n_q and n_k; without it all keys take part.
    scale : float, optional
        Factor on the raw scores, default 1/√d_k.
    fully_masked : {"raise", "zero", "nan", "mean"}
        What a query gets that may attend no key, as in `core.attention`.
    query_tile, key_tile : int
        Queries and keys in a tile: they trade memory for speed and change nothing else.

    Returns
    -------
    TiledAttention

    Raises
    ------
    ValueError
        If shapes do not fit, an option is out of range, or a query may attend no key under
        `fully_masked="raise"`.
    TypeError
        If an array is not real.

    Notes
    -----
    Rows that do not come out finite (scores past the largest float, NaN or infinity in the input)
    are done again by dense attention, a few at a time: it tells a blocked key's NaN, which may
    not matter, from one that does.

    References
    ----------
    M. Milakov, N. Gimelshein, "Online normalizer calculation for softmax", arXiv:1805.02867.
    M. N. Rabe, C. Staats, "Self-attention does not need O(n²) memory", arXiv:2112.05682.
    T. Dao et al., "FlashAttention: fast and memory-efficient exact attention with IO-awareness",
    arXiv:2205.14135.

    Examples
    --------
    >>> query, key = [[1, 1, 1]], [[1, 1, 1], [1, 0, 0], [-1, 0, 0]]
    >>> tiled_attention(query, key, np.eye(3), key_tile=2).output.round(3)
    array([[0.707, 0.223, 0.07 ]])
    """
    queries, keys = as_floating(query, "query"), as_floating(key, "key")
    values = as_floating(value, "value")
    check_query_and_key(queries, keys)
    check_tile(query_tile, key_tile)
    (n_q, d_k), n_k = queries.shape[-2:], keys.shape[-2]
    if values.ndim < 2 or values.shape[-2] != n_k:
        raise ValueError(
            f"value must have shape (..., n_k, d_v) with n_k = {n_k}, one row per key; "
            f"got value {values.shape} and key {keys.shape}"
        )
    # Dense attention of no query checks the rest of the input, in its own words.
    attention(
        queries[..., :0, :],
        keys[..., :1, :],
        values[..., :1, :],
        scale=scale,
        fully_masked=fully_masked,
    )
    rule = key_ranges(n_q, n_k) if ranges is None else ranges
    if (rule.first.shape[-1], rule.n_keys) != (n_q, n_k):
        raise ValueError(
            f"ranges are for {rule.first.shape[-1]} queries and {rule.n_keys} keys; "
            f"got {n_q} queries and {n_k} keys"
        )
    arrays = (queries, keys, values)
    try:
        lead = np.broadcast_shapes(*(a.shape[:-2] for a in arrays), rule.first.shape[:-1])
    except ValueError:
        raise ValueError(
            f"leading axes do not broadcast: query {queries.shape}, key {keys.shape}, "
            f"value {values.shape}, ranges {rule.first.shape[:-1]}"
        ) from None
    first, stop = (np.broadcast_to(a, (*lead, n_q)) for a in (rule.first, rule.stop))
    unable = stop <= first
    stuck = np.count_nonzero(unable)
    if stuck and (fully_masked == "raise" or (fully_masked == "mean" and n_k == 0)):
        raise ValueError(
            f"{stuck} of {unable.size} queries may attend no key (n_k = {n_k}); "
            "fully_masked says what they get: zero, nan, or mean where n_k > 0"
        )

    working = working_dtype(*arrays)
    factor = 1 / math.sqrt(d_k) if scale is None else float(scale)
    heads = [np.broadcast_to(a, (*lead, *a.shape[-2:])) for a in arrays]
    output = np.empty((*lead, n_q, values.shape[-1]), np.result_type(*arrays))
    log_total = np.full((*lead, n_q), -np.inf, working)
    visited = 0
    for item in np.ndindex(lead):
        q, k, v = (a[item].astype(working, copy=False) for a in heads)
        for rows, starts in visits(first[item], stop[item], query_tile, key_tile):
            low, high = first[item][rows, np.newaxis], stop[item][rows, np.newaxis]
            mixed, log_z = _continued(q[rows], k, v, low, high, factor, starts, key_tile)
            output[item][rows] = stored(mixed, output.dtype)
            log_total[item][rows] = log_z
            visited += len(starts)
        if fully_masked == "mean" and unable[item].any():
            alone = attention(q[:1], k, v, mask=np.zeros((1, n_k), np.bool_), fully_masked="mean")
            output[item][unable[item]] = stored(alone.output, output.dtype)
    if fully_masked != "mean":
        output[unable] = np.nan if fully_masked == "nan" else 0
    tiles = math.prod(lead) * -(-n_q // query_tile) * -(-n_k // key_tile)
    return TiledAttention(output, log_total, visited, tiles)


def _continued(
    query: FloatArray,
    key: FloatArray,
    value: FloatArray,
    low: IntArray,
    high: IntArray,
    factor: float,
    starts: range,
    step: int,
) -> tuple[FloatArray, FloatArray]:
    """Return one tile of queries' output and log Z, running through the keys once.

    `low` and `high`, shape (rows, 1), are the ends of each query's run of keys.
    """
    top = np.full((len(query), 1), -np.inf, query.dtype)
    total = np.zeros_like(top)
    mixed = np.zeros((len(query), value.shape[-1]), query.dtype)
    last = int(high.max(initial=0))
    with np.errstate(all="ignore"):
        scaled = query * query.dtype.type(factor)
        for start in starts:
            end = min(start + step, last)
            logits = scaled @ key[start:end].T  # (rows, keys)
            if start < low.max() or end > high.min():
                at = np.arange(start, end)
                np.copyto(logits, -np.inf, where=(at < low) | (at >= high))
            peak = np.maximum(top, logits.max(axis=-1, keepdims=True))
            # A row that has met no allowed key yet has nothing to be measured against.
            level = np.where(peak == -np.inf, 0, peak)
            exponentials = np.exp(np.subtract(logits, level, out=logits), out=logits)
            carried = np.exp(top - level)
            total = total * carried + exponentials.sum(axis=-1, keepdims=True)
            mixed = mixed * carried + exponentials @ value[start:end]  # (rows, d_v)
            top = peak
        mixed /= total
        log_z: FloatArray = (top + np.log(total))[:, 0]
    able = (high > low)[:, 0]
    lost = able & ~(np.isfinite(log_z) & np.isfinite(mixed).all(axis=-1))
    again = max(1, _AGAIN // max(1, len(key)))
    for start in range(0, np.count_nonzero(lost), again):
        rows = np.flatnonzero(lost)[start : start + again]
        at = np.arange(len(key))
        dense = attention(
            query[rows], key, value, mask=(at >= low[rows]) & (at < high[rows]), scale=factor
        )
        mixed[rows], log_z[rows] = dense.output, logsumexp(dense.logits)
    return mixed, np.where(able, log_z, -np.inf)
