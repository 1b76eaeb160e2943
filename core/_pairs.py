"""The pairs of query and key in arrays with leading axes, checked once and taken one by one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core._arrays import FloatArray, as_array, as_floating
from core.finite import refuse_huge
from core.layout import layout_hints
from core.masks import split_mask
from core.scores import check_query_and_key


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """One head: `query` (n_q, d_k), `key` (n_k, d_k), `value` (n_k, d_v), `mask` (n_q, n_k)."""

    label: str
    index: tuple[int, ...]
    query: NDArray[np.float64]
    key: NDArray[np.float64]
    value: NDArray[np.float64] | None
    mask: NDArray[Any] | None


def _label(index: tuple[int, ...], axes: tuple[str, ...]) -> str:
    named = (f"{name} {place}" for name, place in zip(axes, index, strict=True))
    return ", ".join(named) or "the head"


def _axes(given: Sequence[str] | None, count: int) -> tuple[str, ...]:
    """Return names for the leading axes: as given, or head, or batch and head."""
    if given is None:
        usual = ("batch", "head")[max(0, 2 - count) :]
        return tuple(f"axis {i}" for i in range(count - 2)) + usual
    if len(given) != count:
        raise ValueError(f"axes must name the {count} leading axes; got {len(given)} names")
    return tuple(given)


def _checked(values: ArrayLike, name: str) -> FloatArray:
    array = as_floating(values, name)
    if array.size == 0:
        raise ValueError(f"{name} has nothing in it: its shape is {array.shape}")
    refuse_huge(array, name)
    return array


def _checked_mask(mask: ArrayLike, n_q: int, n_k: int) -> NDArray[Any]:
    """Check kind and lengths; entries are checked tile by tile."""
    array = np.atleast_2d(as_array(mask, "mask"))
    rows, columns = array.shape[-2:]
    if rows not in (1, n_q) or columns not in (1, n_k):
        raise ValueError(
            f"mask of shape {array.shape} does not broadcast to (..., n_q, n_k) = "
            f"(..., {n_q}, {n_k})"
        )
    split_mask(array[..., :1, :1], 1, 1)
    return array


def iter_pairs(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike | None,
    mask: ArrayLike | None,
    axes: Sequence[str] | None,
) -> Iterator[Pair]:
    """Check that the arrays fit, then return an iterator over every head, each in float64.

    Values that are not finite are read as 0.
    """
    queries, keys = _checked(query, "query"), _checked(key, "key")
    values = None if value is None else _checked(value, "value")
    try:
        check_query_and_key(queries, keys)
        if values is not None and (values.ndim < 2 or values.shape[-2] != keys.shape[-2]):
            raise ValueError(
                "key and value must have as many rows, n_k; "
                f"got key {keys.shape} and value {values.shape}"
            )
    except ValueError as error:
        shape = None if values is None else values.shape
        hints = layout_hints(queries.shape, keys.shape, shape)
        said = "".join(f". Note that {hint.sentence}" for hint in hints)
        raise ValueError(f"{error}{said}") from None
    masks = None if mask is None else _checked_mask(mask, queries.shape[-2], keys.shape[-2])
    given = {"query": queries, "key": keys, "value": values, "mask": masks}
    leading = {name: array.shape[:-2] for name, array in given.items() if array is not None}
    try:
        lead = np.broadcast_shapes(*leading.values())
    except ValueError:
        shapes = ", ".join(f"{name} {axes}" for name, axes in leading.items())
        raise ValueError(f"leading axes do not broadcast: {shapes}") from None
    return _pairs(queries, keys, values, masks, lead, _axes(axes, len(lead)))


def _pairs(
    query: FloatArray,
    key: FloatArray,
    value: FloatArray | None,
    mask: NDArray[Any] | None,
    lead: tuple[int, ...],
    axes: tuple[str, ...],
) -> Iterator[Pair]:
    queries = np.broadcast_to(query, (*lead, *query.shape[-2:]))
    keys = np.broadcast_to(key, (*lead, *key.shape[-2:]))
    values = None if value is None else np.broadcast_to(value, (*lead, *value.shape[-2:]))
    n_q, n_k = query.shape[-2], key.shape[-2]
    masks = None if mask is None else np.broadcast_to(mask, (*lead, n_q, n_k))
    for index in np.ndindex(lead):
        mixed = None
        if values is not None:
            mixed = np.where(np.isfinite(values[index]), values[index], 0).astype(np.float64)
        yield Pair(
            _label(index, axes),
            index,
            queries[index].astype(np.float64),
            keys[index].astype(np.float64),
            mixed,
            None if masks is None else masks[index],
        )
