"""One NaN in a key reaches every weight of its column's rows, so it has to be found, not averaged.

NaN compares with nothing, survives every product and turns the softmax of its whole row into NaN:
a NaN in one query spoils one row, in one key it spoils all of them. An infinity does the same as
soon as it meets a zero or its opposite. Whatever is said of scores is therefore said of finite
ones, and what was left out is counted and located first.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core._arrays import FloatArray, as_floating

LARGEST_ENTRY = 1e60
"""Entries beyond this are refused: squares of their scores would leave the range of float64.

float32 ends at 3.4e38, so no such number comes from a model.
"""

_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class NonFinite:
    """How many entries of an array are NaN or infinite, and where the first of them are.

    Attributes
    ----------
    name : str
        Of the array.
    nan, positive_infinity, negative_infinity : int
        Counts.
    size : int
        Entries in all.
    first : tuple of tuple of int
        Positions of the first few, counted from 0, in the array's own axes.
    """

    name: str
    nan: int
    positive_infinity: int
    negative_infinity: int
    size: int
    first: tuple[tuple[int, ...], ...]

    @property
    def count(self) -> int:
        """Entries that are not finite."""
        return self.nan + self.positive_infinity + self.negative_infinity

    @property
    def sentence(self) -> str:
        """The same in words."""
        kinds = (
            ("NaN", self.nan),
            ("+inf", self.positive_infinity),
            ("−inf", self.negative_infinity),
        )
        counts = ", ".join(f"{count:,} × {kind}" for kind, count in kinds if count)
        places = ", ".join(f"[{', '.join(map(str, place))}]" for place in self.first)
        more = ", …" if self.count > len(self.first) else ""
        return f"{self.name} holds {counts} among {self.size:,} entries, at {places}{more}"


def find_non_finite(
    values: ArrayLike, /, *, name: str = "values", show: int = 5
) -> NonFinite | None:
    """Count NaN and infinities and locate the first of them; None where all is finite.

    Parameters
    ----------
    values : array_like
        Any shape. Read in blocks, so that a large array needs no second one of its size.
    name : str
        What to call it.
    show : int
        How many positions to give.

    Returns
    -------
    NonFinite or None

    Raises
    ------
    TypeError
        If `values` are not real.

    Examples
    --------
    >>> find_non_finite([[1.0, np.nan], [np.inf, 4.0]], name="key").sentence
    'key holds 1 × NaN, 1 × +inf among 4 entries, at [0, 1], [1, 0]'
    >>> find_non_finite([1.0, 2.0]) is None
    True
    """
    array = as_floating(values, name)
    flat: NDArray[Any] = array.reshape(-1)
    nan = positive = negative = 0
    first: list[tuple[int, ...]] = []
    for start in range(0, flat.size, _BLOCK):
        block = flat[start : start + _BLOCK]
        bad = np.flatnonzero(~np.isfinite(block))
        if not bad.size:
            continue
        found = block[bad]
        nan += int(np.isnan(found).sum())
        positive += int((found == np.inf).sum())
        negative += int((found == -np.inf).sum())
        for place in (bad[: show - len(first)] + start).tolist():
            first.append(tuple(int(i) for i in np.unravel_index(place, array.shape)))
    if not nan + positive + negative:
        return None
    return NonFinite(name, nan, positive, negative, flat.size, tuple(first))


def refuse_huge(values: FloatArray, name: str) -> None:
    """Raise where a finite entry is so large that scores or their squares would overflow."""
    if float(np.finfo(values.dtype).max) <= LARGEST_ENTRY:
        return
    flat: NDArray[Any] = values.reshape(-1)
    for start in range(0, flat.size, _BLOCK):
        size = np.abs(flat[start : start + _BLOCK])
        far = np.flatnonzero(np.isfinite(size) & (size > LARGEST_ENTRY))
        if far.size:
            place = np.unravel_index(far[0] + start, values.shape)
            raise ValueError(
                f"{name} has {values[place]:g} at [{', '.join(map(str, place))}]; "
                f"finite entries may be at most {LARGEST_ENTRY:g} in size"
            )
