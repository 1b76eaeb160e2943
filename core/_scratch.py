"""Memory that is used again: the first touch of a page costs more than the work done on it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

KEPT = 1
"""Scratches kept for the next run, at most: runs beside it get fresh memory."""

KEPT_NUMBERS = 2**21
"""Numbers in a scratch that is kept, at most: 16 MiB."""


class Scratch:
    """Hand out arrays by name, with whatever a former use has left in them.

    An array of one name is the same memory as the last of that name, so that only one of them
    can be in use.

    Examples
    --------
    >>> scratch = Scratch()
    >>> first, second = scratch("scores", 4, 3), scratch("scores", 2, 5)
    >>> second.shape, bool(np.shares_memory(first, second))
    ((2, 5), True)
    """

    def __init__(self) -> None:
        self._arrays: dict[str, NDArray[np.float64]] = {}
        self._turns: dict[str, Iterator[str]] = {}

    def __call__(self, name: str, /, *shape: int) -> NDArray[np.float64]:
        """Return an array of this shape."""
        size = math.prod(shape)
        array = self._arrays.get(name)
        if array is None or array.size < size:
            array = self._arrays[name] = np.empty(size)
        return array[:size].reshape(shape)

    def two(self, name: str, /, *shape: int) -> Iterator[NDArray[np.float64]]:
        """Return two arrays in turn, for ever: one to draw into while a job reads the other.

        Turns go on from one call of this method to the next, whose first array is not the last
        one of the call before.
        """
        for turn in self._turns.setdefault(name, itertools.cycle(("first", "second"))):
            yield self(f"{name}, {turn}", *shape)

    @property
    def size(self) -> int:
        """How many numbers its arrays hold."""
        return sum(array.size for array in self._arrays.values())


_kept: list[Scratch] = []


@contextmanager
def borrowed() -> Iterator[Scratch]:
    """Lend a scratch to one run, the memory of an earlier one if there is any."""
    try:
        scratch = _kept.pop()
    except IndexError:
        scratch = Scratch()
    try:
        yield scratch
    finally:
        if scratch.size <= KEPT_NUMBERS and len(_kept) < KEPT:
            _kept.append(scratch)
