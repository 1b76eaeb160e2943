"""From the bytes of an array to an array of floating numbers, and what was done on the way."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core._npy import Header, TensorFileError
from core.finite import NonFinite, find_non_finite

MAX_DECODED_BYTES = 256 * 2**20
"""An array, and all arrays of an archive together, may take this much memory: 256 MiB."""


@dataclass(frozen=True, slots=True, eq=False)
class Tensor:
    """An array as it was read, with what had to be done to it.

    Attributes
    ----------
    name : str
        Printable.
    values : ndarray, read-only
        Floating in native byte order and C order (float16 stays float16), or boolean.
    stored_dtype : str
        As in the file.
    notes : tuple of str
        What was converted, one sentence each.
    non_finite : NonFinite or None
        NaN and infinities, located.
    """

    name: str
    values: NDArray[Any]
    stored_dtype: str
    notes: tuple[str, ...]
    non_finite: NonFinite | None


def make_tensor(body: memoryview, header: Header, what: str, extra: int) -> Tensor:
    """Turn bytes into an array of floats or booleans, and say what that took."""
    stored = header.dtype
    notes = [f"{extra:,} bytes after the numbers were left out."] if extra else []
    target = stored.newbyteorder("=")
    if stored.kind in "iu":
        # float32 holds every whole number of 16 bits, float64 of 53.
        target = np.dtype(np.float32 if stored.itemsize <= 2 else np.float64)
        notes.append(f"Whole numbers ({stored.str}) were converted to {target}.")
        if header.nbytes // stored.itemsize * target.itemsize > MAX_DECODED_BYTES:
            raise TensorFileError(
                f"{what} takes more than {MAX_DECODED_BYTES:,} bytes once converted to {target}"
            )
    elif stored != target or not stored.isnative:
        notes.append(f"The byte order was turned around (stored as {stored.str}).")
    order: Any = "F" if header.fortran_order else "C"
    if header.fortran_order:
        notes.append("Stored column by column (Fortran order); read back into row order.")
    if stored.kind == "b":
        raw = np.frombuffer(body, np.uint8)
        if raw.max(initial=0) > 1:
            raise TensorFileError(f"{what} is boolean, but holds bytes other than 0 and 1")
        raw = raw.view(np.bool_)
    else:
        raw = np.frombuffer(body, stored)
    values = np.ascontiguousarray(raw.reshape(header.shape, order=order).astype(target, copy=False))
    if stored.kind in "iu" and stored.itemsize == 8 and _inexact(raw):
        notes.append("Some of them are beyond 2⁵³ and were rounded.")
    values.flags.writeable = False
    return Tensor(what, values, stored.str, tuple(notes), find_non_finite(values, name=what))


def _inexact(whole: NDArray[Any]) -> bool:
    return bool(int(whole.max()) > 2**53 or int(whole.min()) < -(2**53))
