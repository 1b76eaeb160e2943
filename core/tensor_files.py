"""Reading arrays out of a file from somewhere else, without trusting a byte of it.

An .npz is a zip archive of .npy files, and an .npy is a short header before the numbers. Both
can lie: about sizes, types and names. So nothing is unpickled, nothing is written to disk, no more
is unpacked than the limits below allow, and each fault has a message of its own that names it and
says what is accepted. The limits make room for the queries, keys and values of 16 heads of 4,096
tokens and width 64 in float32.
"""

import zipfile
from dataclasses import dataclass
from typing import IO

from core._npy import MAX_HEADER_BYTES, Header, TensorFileError, read_header
from core._npz import MAX_MEMBERS, member_name, open_archive, unpacking
from core._tensor import MAX_DECODED_BYTES, Tensor, make_tensor
from core.text import printable

__all__ = [
    "MAX_DECODED_BYTES",
    "MAX_FILE_BYTES",
    "MAX_MEMBERS",
    "Member",
    "Tensor",
    "TensorFileError",
    "read_npy",
    "read_npz",
    "scan_npz",
]

MAX_FILE_BYTES = 64 * 2**20
"""A file may be this large: 64 MiB."""


@dataclass(frozen=True, slots=True)
class Member:
    """An array in an archive, known by its header alone.

    Attributes
    ----------
    name : str
        As stored, without ".npy"; what `read_npz` takes. May hold anything: show `label`.
    label : str
        Printable.
    shape : tuple of int
        Empty where there is a fault.
    dtype : str
    fault : str or None
        Why it cannot be read, if so.
    """

    name: str
    label: str
    shape: tuple[int, ...]
    dtype: str
    fault: str | None


def check_size(data: bytes, what: str, /) -> None:
    """Raise if there is nothing, or more than `MAX_FILE_BYTES`."""
    if not data:
        raise TensorFileError(f"{what} is empty")
    if len(data) > MAX_FILE_BYTES:
        raise TensorFileError(
            f"{what} has {len(data):,} bytes; at most {MAX_FILE_BYTES:,} (64 MiB) are accepted"
        )


def read_npy(data: bytes, /, *, name: str = "the file") -> Tensor:
    """Read the array in an .npy file.

    Parameters
    ----------
    data : bytes
        The whole file.
    name : str
        What to call it in messages.

    Returns
    -------
    Tensor

    Raises
    ------
    TensorFileError
        If it is not an .npy file of real numbers within the limits; the message names the fault.

    Examples
    --------
    >>> import numpy as np
    >>> from io import BytesIO
    >>> file = BytesIO()
    >>> np.save(file, np.arange(6, dtype=">i2").reshape(2, 3))
    >>> tensor = read_npy(file.getvalue(), name="steps.npy")
    >>> tensor.values.dtype, tensor.notes
    (dtype('float32'), ('Whole numbers (>i2) were converted to float32.',))
    """
    what = printable(name)
    check_size(data, what)
    head = bytes(data[: MAX_HEADER_BYTES + 12])
    header = read_header(head, what, max_bytes=MAX_DECODED_BYTES)
    there = len(data) - header.data_offset
    if there < header.nbytes:
        raise _truncated(what, header, there)
    extra = there - header.nbytes
    body = memoryview(data)[header.data_offset : header.data_offset + header.nbytes]
    return make_tensor(body, header, what, extra)


def scan_npz(data: bytes, /, *, name: str = "the file") -> tuple[Member, ...]:
    """List the arrays of an .npz file from their headers, faulty ones with their fault.

    Parameters
    ----------
    data : bytes
        The whole file.
    name : str
        What to call it in messages.

    Returns
    -------
    tuple of Member
        In the order of the archive; at least one is without fault.

    Raises
    ------
    TensorFileError
        If the archive cannot be read, breaks a limit, or no array in it can be used.

    Examples
    --------
    >>> import numpy as np
    >>> from io import BytesIO
    >>> file = BytesIO()
    >>> np.savez(file, query=np.ones((2, 3)), names=np.array(["a", "b"]))
    >>> for member in scan_npz(file.getvalue()):
    ...     print(member.label, member.shape, member.fault)
    query (2, 3) None
    names () names holds text, not numbers. Save array.astype(float)
    """
    what = printable(name)
    check_size(data, what)
    archive = open_archive(data, what, max_bytes=MAX_DECODED_BYTES)
    members = tuple(_scan(archive, info) for info in archive.infolist() if not info.is_dir())
    if not members:
        raise TensorFileError(f"{what} is an archive without any array")
    if all(member.fault for member in members):
        others = len(members) - 1
        more = f" ({others} more {'is' if others == 1 else 'are'} faulty too)" if others else ""
        raise TensorFileError(f"{what} has no array that can be used: {members[0].fault}{more}")
    return members


def read_npz(data: bytes, member: str, /, *, name: str = "the file") -> Tensor:
    """Read one array of an .npz file.

    Parameters
    ----------
    data : bytes
        The whole file.
    member : str
        Its `Member.name`.
    name : str
        What to call the file in messages.

    Returns
    -------
    Tensor

    Raises
    ------
    TensorFileError
        As in `scan_npz`, and if there is no such array or this one is faulty.

    Examples
    --------
    >>> import numpy as np
    >>> from io import BytesIO
    >>> file = BytesIO()
    >>> np.savez_compressed(file, query=np.ones((2, 3), np.float16))
    >>> read_npz(file.getvalue(), "query").values.dtype
    dtype('float16')
    """
    what = printable(name)
    check_size(data, what)
    archive = open_archive(data, what, max_bytes=MAX_DECODED_BYTES)
    for info in archive.infolist():
        if member_name(info) == member and not info.is_dir():
            with unpacking(archive, info) as (stream, label):
                body, header, extra = _read(stream, label, info.file_size)
            return make_tensor(memoryview(body), header, label, extra)
    raise TensorFileError(f"{what} has no array called '{printable(member)}'")


def _scan(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Member:
    name = member_name(info)
    try:
        with unpacking(archive, info) as (stream, what):
            header, _ = _header(stream, what)
    except TensorFileError as error:
        return Member(name, printable(name), (), "", str(error))
    return Member(name, printable(name), header.shape, str(header.dtype), None)


def _header(stream: IO[bytes], what: str) -> tuple[Header, bytes]:
    """Return the header, and what was read beyond it."""
    head = stream.read(MAX_HEADER_BYTES + 12)
    header = read_header(head, what, max_bytes=MAX_DECODED_BYTES)
    return header, head[header.data_offset :]


def _read(stream: IO[bytes], what: str, claimed: int) -> tuple[bytearray, Header, int]:
    """Return the numbers' bytes, their header, and how many bytes follow them."""
    header, begun = _header(stream, what)
    if claimed - header.data_offset < header.nbytes:
        raise _truncated(what, header, claimed - header.data_offset)
    body, extra = bytearray(begun[: header.nbytes]), max(0, len(begun) - header.nbytes)
    while len(body) < header.nbytes and (
        piece := stream.read(min(1 << 20, header.nbytes - len(body)))
    ):
        body += piece
    if len(body) < header.nbytes:
        raise _truncated(what, header, len(body))
    # To the end, so that the archive's checksum is compared.
    while piece := stream.read(1 << 20):
        extra += len(piece)
    return body, header, extra


def _truncated(what: str, header: Header, there: int) -> TensorFileError:
    return TensorFileError(
        f"{what} is truncated: its header announces {header.nbytes:,} bytes of numbers, "
        f"shape {header.shape} of {header.dtype}, and {max(there, 0):,} are there"
    )
