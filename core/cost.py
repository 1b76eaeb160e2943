r"""What attention costs: arithmetic, and tables of scores.

Every allowed pair of query and key takes a dot product of d_k terms and adds a vector of d_v
numbers, so the arithmetic is 2·pairs·(d_k + d_v) operations a head: quadratic in the number of
tokens n. A table of scores has n² cells a head however many are masked; tiles need the memory of
one. The masked half of a causal table is computed for nothing unless tiles skip it. None of this
touches √d_k: it depends on the width of a head and on softmax, and on nothing else.
"""

import operator
from dataclasses import dataclass
from functools import lru_cache

from core.formats import checked_format
from core.key_ranges import KEY_TILE, QUERY_TILE, count_tiles, key_ranges

MAX_COUNT = 2**20
"""Most tokens, heads, coordinates and so on: a million of each."""


@dataclass(frozen=True, slots=True)
class AttentionCost:
    """Cost of one attention layer on one sequence, all heads together.

    Attributes
    ----------
    pairs : int
        Allowed pairs of query and key, counted exactly.
    operations : int
        Multiplications and additions of both products over allowed pairs.
    dense_operations : int
        The same over all pairs: what a table that is masked afterwards computes.
    exponentials : int
        One an allowed pair.
    dense_bytes : int
        One table of scores for every head.
    tile_bytes : int
        One tile of scores with its running maxima, totals and outputs, in float32 at least.
    input_bytes, output_bytes : int
        Query, key and value; output.
    tiles_visited, tiles : int
        Tiles that hold an allowed pair, and all.
    """

    pairs: int
    operations: int
    dense_operations: int
    exponentials: int
    dense_bytes: int
    tile_bytes: int
    input_bytes: int
    output_bytes: int
    tiles_visited: int
    tiles: int


def attention_cost(
    n: int,
    /,
    *,
    d_k: int,
    d_v: int | None = None,
    n_heads: int = 1,
    dtype: str = "float32",
    is_causal: bool = False,
    left: int | None = None,
    right: int | None = None,
    query_tile: int = QUERY_TILE,
    key_tile: int = KEY_TILE,
) -> AttentionCost:
    r"""Count what self-attention over n tokens costs.

    .. math:: 2 \cdot \text{pairs} \cdot (d_k + d_v) \cdot \text{heads}, \qquad
        \text{pairs} = n^2 \text{ or, causal, } \tfrac12 n (n + 1)

    Parameters
    ----------
    n : int
        Tokens: as many queries as keys.
    d_k, d_v : int
        Widths of a head; d_v is d_k by default.
    n_heads : int
        Query heads, each with scores of its own.
    dtype : {"float16", "bfloat16", "float32", "float64"}
        What the scores are stored in.
    is_causal, left, right
        Mask, as in `core.key_ranges`.
    query_tile, key_tile : int
        Queries and keys in a tile; a shorter sequence has smaller tiles.

    Returns
    -------
    AttentionCost
        Numbers of operations and bytes.

    Raises
    ------
    ValueError, TypeError
        If a number is not a whole one in its range, or there is no such format.

    References
    ----------
    A. Vaswani et al., "Attention is all you need", arXiv:1706.03762, table 1.

    Examples
    --------
    >>> cost = attention_cost(4096, d_k=64, n_heads=8, dtype="float16")
    >>> f"{cost.operations:,} operations, {cost.dense_bytes / 2**20:.0f} MiB of scores"
    '34,359,738,368 operations, 256 MiB of scores'
    >>> attention_cost(4096, d_k=64, is_causal=True).pairs
    8390656
    """
    n, heads = checked_count(n, "n"), checked_count(n_heads, "n_heads")
    width = checked_count(d_k, "d_k")
    mixed = width if d_v is None else checked_count(d_v, "d_v")
    size = checked_format(dtype).bits // 8
    pairs, visited, tiles = _table(n, is_causal, left, right, query_tile, key_tile)
    rows, columns = min(n, query_tile), min(n, key_tile)
    return AttentionCost(
        pairs=heads * pairs,
        operations=2 * heads * pairs * (width + mixed),
        dense_operations=2 * heads * n**2 * (width + mixed),
        exponentials=heads * pairs,
        dense_bytes=heads * n**2 * size,
        tile_bytes=rows * (columns + 2 + mixed) * max(size, 4),
        input_bytes=heads * n * (2 * width + mixed) * size,
        output_bytes=heads * n * mixed * size,
        tiles_visited=heads * visited,
        tiles=heads * tiles,
    )


@lru_cache(maxsize=256)
def _table(
    n: int, is_causal: bool, left: int | None, right: int | None, query_tile: int, key_tile: int
) -> tuple[int, int, int]:
    """Count the allowed pairs of one head, the tiles that hold one, and all tiles."""
    ranges = key_ranges(n, n, is_causal=is_causal, left=left, right=right)
    visited, tiles = count_tiles(ranges, query_tile=query_tile, key_tile=key_tile)
    return int(ranges.counts.sum()), visited, tiles


def checked_count(value: int, name: str) -> int:
    """Return a count as an int from 1 to `MAX_COUNT`."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number; got {value!r}") from None
    if not 1 <= number <= MAX_COUNT:
        raise ValueError(f"{name} must be 1 to MAX_COUNT = {MAX_COUNT:,}; got {number:,}")
    return number
