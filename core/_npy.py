"""The header of an .npy file: magic, version, and a dictionary of three entries.

It is read here, byte by byte, because every claim in it can be false: a shape of 10³⁰ entries, a
dtype that asks for pickled objects, a header that never ends. The text is parsed as a literal
(nothing in it is evaluated), it may not be long, and nothing is allocated for what it claims until
the claim has been compared with the limits and with the bytes that are there.
"""

import ast
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.text import printable

MAGIC = b"\x93NUMPY"
MAX_HEADER_BYTES = 10_000
"""NumPy writes 128 bytes for plain arrays, and its own reader stops at this length too."""
MAX_AXES = 8
_LONGEST_AXIS = 10**12

_REFUSED_KINDS = {
    "O": "Python objects, which are pickled and could run code when loaded. Save plain numbers "
    "with array.astype(float)",
    "c": "complex numbers, and scores are real. Save array.real or abs(array)",
    "S": "byte strings, not numbers. Save array.astype(float)",
    "a": "byte strings, not numbers. Save array.astype(float)",
    "U": "text, not numbers. Save array.astype(float)",
    "V": "raw bytes of no type that NumPy knows (bfloat16 is saved so). Save "
    "array.astype(numpy.float32)",
    "M": "dates, not numbers",
    "m": "durations, not numbers",
}


class TensorFileError(ValueError):
    """A file that cannot be read as arrays of real numbers; the message says why, in plain text."""


@dataclass(frozen=True, slots=True)
class Header:
    """What an .npy header claims, checked for being a real array of allowed size."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    fortran_order: bool
    data_offset: int

    @property
    def nbytes(self) -> int:
        """Bytes of numbers that must follow."""
        return math.prod(self.shape) * self.dtype.itemsize


def read_header(head: bytes, what: str, /, *, max_bytes: int) -> Header:
    """Parse and check an .npy header.

    Parameters
    ----------
    head : bytes
        The start of the file, at least `MAX_HEADER_BYTES` + 12 of it where it is that long.
    what : str
        What to call the array in messages.
    max_bytes : int
        The most bytes of numbers that are accepted.

    Raises
    ------
    TensorFileError
        If it is not such a header, or claims what is not accepted.
    """
    if head[:6] != MAGIC[: len(head)] or not head:
        raise TensorFileError(f"{what} does not start as an .npy file: {recognize(head)}")
    if len(head) < 10:
        raise TensorFileError(f"{what} ends within its header: {len(head)} bytes in all")
    major = head[6]
    if major not in (1, 2, 3):
        raise TensorFileError(
            f"{what} is .npy of version {major}.{head[7]}; versions 1 to 3 are accepted"
        )
    start = 10 if major == 1 else 12
    length = int.from_bytes(head[8:start], "little")
    if length > MAX_HEADER_BYTES:
        raise TensorFileError(
            f"{what} claims a header of {length:,} bytes; at most {MAX_HEADER_BYTES:,} are read"
        )
    if len(head) < start + length:
        raise TensorFileError(f"{what} ends within its header: {len(head)} bytes in all")
    fields = _literal(head[start : start + length], what, "utf-8" if major == 3 else "latin-1")
    dtype = _dtype(fields["descr"], what)
    shape = _shape(fields["shape"], what)
    if not isinstance(fields["fortran_order"], bool):
        raise TensorFileError(f"{what} has a header whose fortran_order is not True or False")
    header = Header(dtype, shape, fields["fortran_order"], start + length)
    if header.nbytes > max_bytes:
        raise TensorFileError(
            f"{what} claims shape {_brief(shape)} of {dtype}, {header.nbytes:,} bytes; "
            f"at most {max_bytes:,} are accepted"
        )
    return header


def _literal(raw: bytes, what: str, encoding: str) -> dict[str, Any]:
    """Return the header's dictionary of exactly descr, fortran_order and shape."""
    broken = TensorFileError(f"{what} has a header that is not the dictionary .npy asks for")
    if b"\\" in raw or b"\0" in raw:
        raise broken
    try:
        fields = ast.literal_eval(raw.decode(encoding).strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise broken from None
    if not isinstance(fields, dict) or set(fields) != {"descr", "fortran_order", "shape"}:
        raise broken
    return fields


def _dtype(descr: object, what: str) -> np.dtype[Any]:
    """Return the dtype named, if it is one of real numbers or booleans."""
    if isinstance(descr, list):
        raise TensorFileError(
            f"{what} is a structured array, with named fields. Save one field: array['name']"
        )
    if not isinstance(descr, str):
        raise TensorFileError(f"{what} has a header whose dtype is not a name")
    code = descr.lstrip("<>|=")
    if code[:1] in _REFUSED_KINDS:
        raise TensorFileError(f"{what} holds {_REFUSED_KINDS[code[0]]}")
    if code in ("f12", "f16"):
        raise TensorFileError(
            f"{what} holds long doubles ({descr}), whose bytes differ between machines. "
            "Save array.astype(numpy.float64)"
        )
    accepted = {"b1", "f2", "f4", "f8"} | {
        f"{kind}{size}" for kind in "iu" for size in (1, 2, 4, 8)
    }
    if code not in accepted or len(descr) - len(code) > 1:
        raise TensorFileError(
            f"{what} has the unknown dtype '{printable(descr)}'; accepted are booleans, integers "
            "and floating numbers of 16, 32 or 64 bits"
        )
    return np.dtype(descr)


def _shape(shape: object, what: str) -> tuple[int, ...]:
    """Return the shape, if each axis has an entry and there are two axes at least."""
    if not isinstance(shape, tuple) or not all(type(n) is int and n >= 0 for n in shape):
        raise TensorFileError(f"{what} has a header whose shape is not a tuple of whole numbers")
    if 0 in shape:
        raise TensorFileError(
            f"{what} has shape {_brief(shape)}: axis {shape.index(0)} has length 0, so there are "
            "no numbers in it"
        )
    if len(shape) < 2:
        raise TensorFileError(
            f"{what} has shape {_brief(shape)}; at least two axes are needed, (n, d). "
            "One vector is array[numpy.newaxis, :]"
        )
    if len(shape) > MAX_AXES:
        raise TensorFileError(f"{what} has {len(shape)} axes; at most {MAX_AXES} are accepted")
    if max(shape) > _LONGEST_AXIS:
        raise TensorFileError(f"{what} claims an axis longer than {_LONGEST_AXIS:,}")
    return shape


def _brief(shape: tuple[int, ...]) -> str:
    """Return the shape, short enough for a message however many digits it has."""
    return printable(str(tuple(min(n, _LONGEST_AXIS) for n in shape)))


_SIGNATURES = (
    (b"PK\x03\x04", "it is a zip archive (.npz, or .pt and .xlsx, which are not accepted)"),
    (b"PK\x05\x06", "it is an empty zip archive"),
    (b"\x89HDF\r\n\x1a\n", "it is an HDF5 file. Save arrays with numpy.savez"),
    (b"\x1f\x8b", "it is compressed with gzip. Unpack it first"),
    (b"BZh", "it is compressed with bzip2. Unpack it first"),
    (b"\xfd7zXZ", "it is compressed with xz. Unpack it first"),
    (b"\x28\xb5\x2f\xfd", "it is compressed with Zstandard. Unpack it first"),
    (b"Rar!", "it is a RAR archive"),
    (b"7z\xbc\xaf", "it is a 7z archive"),
    (b"PAR1", "it is a Parquet file. Save arrays with numpy.save"),
    (b"MATLAB", "it is a MATLAB file. Save arrays with numpy.save"),
    (b"%PDF", "it is a PDF"),
    (b"\x89PNG", "it is a picture (PNG)"),
    (b"\xff\xd8\xff", "it is a picture (JPEG)"),
    (b"\x80", "it is a Python pickle, which could run code when loaded. Save with numpy.save"),
)


def recognize(head: bytes) -> str:
    """Say what the first bytes of a file that is not .npy look like.

    Examples
    --------
    >>> recognize(b"PAR1....")
    'it is a Parquet file. Save arrays with numpy.save'
    >>> recognize(b"1,2,3")
    'its first bytes are 312c322c33'
    """
    for signature, meaning in _SIGNATURES:
        if head.startswith(signature):
            return meaning
    if head[8:9] == b"{" and head[4:8] == bytes(4):
        return "it is a safetensors file. Save arrays with numpy.savez"
    return f"its first bytes are {head[:8].hex()}" if head else "it is empty"
