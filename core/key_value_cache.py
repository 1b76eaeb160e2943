r"""The keys and values kept while text is generated, and how many heads share them.

Text comes a token at a time, and every new query attends the keys of all earlier tokens. They are
kept, with the values, and so the memory grows with every token, layer and head. Queries are not
kept, and several query heads may use the same keys: one head of keys and values for a group of
them is grouped-query attention, one for all of them multi-query. A score remains the dot product
of a query and a key of width d_k, so it spreads as before and is divided by √d_k as before.
"""

from dataclasses import dataclass

from core.cost import checked_count
from core.formats import checked_format


@dataclass(frozen=True, slots=True)
class KeyValueCache:
    """Keys and values kept while text is generated, for one way to share them among heads.

    Attributes
    ----------
    name : str
        "multi-head", "grouped-query" or "multi-query".
    n_heads, n_kv_heads : int
        Query heads, and heads that have keys and values.
    bytes : int
        Of the whole cache.
    bytes_per_token : int
        Added by every token.
    share : float
        Of what multi-head attention keeps.
    """

    name: str
    n_heads: int
    n_kv_heads: int
    bytes: int
    bytes_per_token: int
    share: float


def kv_cache(
    n: int,
    /,
    *,
    n_heads: int,
    n_kv_heads: int,
    d_k: int,
    d_v: int | None = None,
    n_layers: int = 1,
    batch: int = 1,
    dtype: str = "float16",
) -> KeyValueCache:
    r"""Return the size of the key-value cache of n tokens.

    .. math:: \text{batch} \cdot \text{layers} \cdot n \cdot \text{key-value heads} \cdot
        (d_k + d_v) \cdot \text{bytes a number}

    Queries are not kept. Groups of n_heads / n_kv_heads query heads share one head of keys and
    values: one each is multi-head, one for all multi-query, anything between grouped-query
    attention. The scores stay dot products of width d_k, so √d_k stays too.

    Parameters
    ----------
    n : int
        Tokens of each sequence.
    n_heads, n_kv_heads : int
        Query heads, and heads of keys and values: a divisor of the former.
    d_k, d_v : int
        Widths of a head; d_v is d_k by default.
    n_layers, batch : int
        Layers, and sequences at a time.
    dtype : {"float16", "bfloat16", "float32", "float64"}
        What is stored.

    Returns
    -------
    KeyValueCache

    Raises
    ------
    ValueError, TypeError
        If a number is not a whole one in its range, `n_kv_heads` does not divide `n_heads`, or
        there is no such format.

    References
    ----------
    N. Shazeer, "Fast transformer decoding: one write-head is all you need", arXiv:1911.02150.
    J. Ainslie et al., "GQA: training generalized multi-query transformer models from multi-head
    checkpoints", arXiv:2305.13245.

    Examples
    --------
    >>> cache = kv_cache(4096, n_heads=32, n_kv_heads=8, d_k=128, n_layers=32)
    >>> cache.name, cache.bytes // 2**20, cache.share
    ('grouped-query', 512, 0.25)
    """
    heads, kept = checked_count(n_heads, "n_heads"), checked_count(n_kv_heads, "n_kv_heads")
    if heads % kept:
        raise ValueError(
            f"n_kv_heads must divide n_heads = {heads}, for equal groups; got {n_kv_heads}"
        )
    width = checked_count(d_k, "d_k")
    both = width + (width if d_v is None else checked_count(d_v, "d_v"))
    size = checked_format(dtype).bits // 8
    token = checked_count(batch, "batch") * checked_count(n_layers, "n_layers") * kept * both * size
    # With one head the three coincide.
    name = {heads: "multi-head", 1: "multi-query"} if heads > 1 else {1: "multi-head"}
    return KeyValueCache(
        name.get(kept, "grouped-query"),
        heads,
        kept,
        checked_count(n, "n") * token,
        token,
        kept / heads,
    )


def kv_caches(
    n: int,
    /,
    *,
    n_heads: int,
    d_k: int,
    d_v: int | None = None,
    n_layers: int = 1,
    batch: int = 1,
    dtype: str = "float16",
) -> tuple[KeyValueCache, ...]:
    """Return the cache for every way to share keys and values equally, from all heads to one.

    Parameters are those of `kv_cache`.

    Raises
    ------
    ValueError, TypeError
        As in `kv_cache`.

    Examples
    --------
    >>> [cache.n_kv_heads for cache in kv_caches(4096, n_heads=12, d_k=64)]
    [12, 6, 4, 3, 2, 1]
    """
    heads = checked_count(n_heads, "n_heads")
    return tuple(
        kv_cache(
            n,
            n_heads=heads,
            n_kv_heads=kept,
            d_k=d_k,
            d_v=d_v,
            n_layers=n_layers,
            batch=batch,
            dtype=dtype,
        )
        for kept in range(heads, 0, -1)
        if heads % kept == 0
    )
