r"""A mask as a rule: which run of neighbouring keys each query may attend.

Causal masks, padding after the end, sliding windows and any of them together have one thing in
common: the keys that a query may attend lie next to each other. So the whole mask is two whole
numbers a query, where its run begins and where it ends, in place of a row of n_k booleans. That
is what lets attention over 32,768 tokens skip what is masked without a table of a billion cells.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core._arrays import BoolArray
from core.masks import checked_integers, checked_length

IntArray = NDArray[np.int64]

QUERY_TILE, KEY_TILE = 512, 1024
"""Queries and keys in a tile: two MiB of float32 scores, enough to keep products fast."""


@dataclass(frozen=True, slots=True, eq=False)
class KeyRanges:
    """For each query the keys first ≤ key < stop.

    Attributes
    ----------
    first, stop : ndarray of int, shape (..., n_q)
        Between 0 and n_k; stop ≥ first, and equal where a query may attend no key.
    n_keys : int
        How many keys there are.
    """

    first: IntArray
    stop: IntArray
    n_keys: int

    @property
    def counts(self) -> IntArray:
        """Number of allowed keys of each query, shape (..., n_q)."""
        return self.stop - self.first

    @property
    def mask(self) -> BoolArray:
        """The same as a boolean mask, shape (..., n_q, n_k); True = the key takes part."""
        keys = np.arange(self.n_keys)
        return np.asarray((keys >= self.first[..., None]) & (keys < self.stop[..., None]))


def key_ranges(
    n_queries: int,
    n_keys: int,
    /,
    *,
    is_causal: bool = False,
    left: int | None = None,
    right: int | None = None,
    offset: ArrayLike = 0,
    lengths: ArrayLike | None = None,
) -> KeyRanges:
    r"""Return the keys of each query under a causal, window or padding rule, or all of them.

    .. math:: -\mathrm{left} \le j - (i + \mathrm{offset}) \le \mathrm{right}, \qquad
        0 \le j < \mathrm{length}

    Parameters
    ----------
    n_queries, n_keys : int
        Numbers of positions, 0 or more.
    is_causal : bool
        Block keys after the query's position i + `offset`.
    left, right : int or None
        How many positions before and after its own a query sees; None leaves that side open.
    offset : int or array_like of int
        Position of the first query among the keys, as in `core.causal_mask`: 0 aligns the
        upper-left corners, n_k − n_q the lower-right ones.
    lengths : int or array_like of int, optional
        Number of real keys of each sequence, as in `core.padding_mask`; all by default.

    Returns
    -------
    KeyRanges
        Its leading axes are those of `offset` and `lengths`, broadcast.

    Raises
    ------
    ValueError
        If a number is out of range, or `offset` and `lengths` do not broadcast.
    TypeError
        If one is not an integer.

    Examples
    --------
    >>> ranges = key_ranges(3, 4, is_causal=True, left=1)
    >>> ranges.first, ranges.stop
    (array([0, 0, 1]), array([1, 2, 3]))
    >>> key_ranges(2, 4, lengths=[4, 1]).counts
    array([[4, 4],
           [1, 1]])
    """
    n_q, n_k = checked_length(n_queries, "n_queries"), checked_length(n_keys, "n_keys")
    starts = checked_integers(offset, "offset")[..., np.newaxis]
    real = checked_integers(n_k if lengths is None else lengths, "lengths")[..., np.newaxis]
    if ((real < 0) | (real > n_k)).any():
        raise ValueError(
            f"lengths must lie between 0 and n_keys = {n_k}; got {real.min()} to {real.max()}"
        )
    try:
        np.broadcast_shapes(starts.shape, real.shape)
    except ValueError:
        raise ValueError(
            f"offset and lengths do not broadcast: {starts.shape[:-1]} and {real.shape[:-1]}"
        ) from None
    position = np.arange(n_q) + starts  # (..., n_q)
    after = None if right is None else checked_length(right, "right")
    before = None if left is None else checked_length(left, "left")
    if is_causal:
        after = 0
    stop = real if after is None else np.minimum(real, position + (after + 1))
    first = np.zeros_like(position) if before is None else np.maximum(position - before, 0)
    first, stop = np.broadcast_arrays(first, np.maximum(stop, 0), subok=False)
    first = np.minimum(first, n_k)
    return KeyRanges(first, np.maximum(first, stop), n_k)


def visits(
    first: IntArray, stop: IntArray, query_tile: int, key_tile: int
) -> Iterator[tuple[slice, range]]:
    """Yield tiles of queries, each with where its tiles of keys start: those not all masked."""
    for start in range(0, len(first), query_tile):
        rows = slice(start, min(start + query_tile, len(first)))
        able = stop[rows] > first[rows]
        low = int(first[rows].min(where=able, initial=np.iinfo(np.int64).max))
        high = int(stop[rows].max(where=able, initial=0))
        yield rows, range(low // key_tile * key_tile, high, key_tile) if able.any() else range(0)


def count_tiles(
    ranges: KeyRanges, /, *, query_tile: int = QUERY_TILE, key_tile: int = KEY_TILE
) -> tuple[int, int]:
    """Return how many tiles a mask rule leaves to compute, and how many there are.

    Parameters
    ----------
    ranges : KeyRanges
        The rule, from `key_ranges`; its leading axes are counted one by one.
    query_tile, key_tile : int
        Queries and keys in a tile.

    Returns
    -------
    visited, all : int

    Examples
    --------
    >>> count_tiles(key_ranges(4096, 4096, is_causal=True), query_tile=512, key_tile=512)
    (36, 64)
    >>> count_tiles(key_ranges(4096, 4096, is_causal=True, left=511), query_tile=512, key_tile=512)
    (15, 64)
    """
    check_tile(query_tile, key_tile)
    n_q = ranges.first.shape[-1]
    visited = sum(
        len(keys)
        for lead in np.ndindex(ranges.first.shape[:-1])
        for _, keys in visits(ranges.first[lead], ranges.stop[lead], query_tile, key_tile)
    )
    items = math.prod(ranges.first.shape[:-1])
    return visited, items * -(-n_q // query_tile) * -(-ranges.n_keys // key_tile)


def check_tile(query_tile: int, key_tile: int) -> None:
    """Raise unless a tile holds something."""
    if query_tile < 1 or key_tile < 1:
        raise ValueError(
            f"query_tile and key_tile must be at least 1; got {query_tile} and {key_tile}"
        )
