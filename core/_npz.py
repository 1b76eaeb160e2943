"""An .npz is a zip archive, opened here from memory and within limits.

The directory of an archive says how many files there are and how large each one is. It is believed
only as far as it can do no harm: the entries are counted before they are parsed, the sizes they
claim are added up before anything is unpacked, and unpacking stops at the size claimed. What an
archive really holds beyond its claim then shows as a wrong checksum.
"""

import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import IO

from core._npy import TensorFileError, recognize
from core.text import printable

MAX_MEMBERS = 1_000
"""An archive may hold this many arrays."""

_ENCRYPTED = 0x1
_COMPRESSIONS = {zipfile.ZIP_STORED: "none", zipfile.ZIP_DEFLATED: "deflate"}
_OTHER_COMPRESSIONS = {9: "Deflate64", 12: "bzip2", 14: "LZMA", 93: "Zstandard", 95: "xz"}
_BROKEN_ZIP = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    ValueError,  # and so UnicodeDecodeError
    RuntimeError,  # and so NotImplementedError
    OverflowError,
    IndexError,
    KeyError,
)


def open_archive(data: bytes, what: str, *, max_bytes: int) -> zipfile.ZipFile:
    """Open an archive whose directory is sound and claims at most `max_bytes` unpacked."""
    if data[:2] != b"PK":
        raise TensorFileError(f"{what} is not an .npz archive: {recognize(data[:16])}")
    # Counted before the directory is parsed: a million entries would fill the memory.
    if data.count(b"PK\x01\x02") > 2 * MAX_MEMBERS:
        raise TensorFileError(f"{what} holds more than {MAX_MEMBERS:,} arrays")
    try:
        archive = zipfile.ZipFile(BytesIO(data))
    except _BROKEN_ZIP as error:
        raise TensorFileError(
            f"{what} is a damaged or truncated .npz archive ({printable(str(error))})"
        ) from None
    infos = archive.infolist()
    if len(infos) > MAX_MEMBERS:
        raise TensorFileError(f"{what} holds more than {MAX_MEMBERS:,} arrays")
    name, count = Counter(map(member_name, infos)).most_common(1)[0] if infos else ("", 0)
    if count > 1:
        raise TensorFileError(f"{what} holds {count} arrays of the same name, '{printable(name)}'")
    claimed = sum(info.file_size for info in infos)
    if claimed > max_bytes:
        raise TensorFileError(
            f"{what} unpacks to {claimed:,} bytes from {len(data):,}; "
            f"at most {max_bytes:,} are accepted"
        )
    return archive


def member_name(info: zipfile.ZipInfo) -> str:
    """Return an array's name as `numpy.savez` was given it."""
    return info.filename.removesuffix(".npy")


@contextmanager
def unpacking(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Iterator[tuple[IO[bytes], str]]:
    """Open one array for reading, and turn whatever breaks meanwhile into a message.

    Yields the stream and the array's printable name.
    """
    what = printable(member_name(info)) or "an array without a name"
    if info.flag_bits & _ENCRYPTED:
        raise TensorFileError(f"{what} is encrypted; save the archive without a password")
    if info.compress_type not in _COMPRESSIONS:
        method = _OTHER_COMPRESSIONS.get(info.compress_type, f"method {info.compress_type}")
        raise TensorFileError(
            f"{what} is compressed by {method}; stored and deflated arrays are accepted, as "
            "numpy.savez and numpy.savez_compressed write them"
        )
    if info.filename.lower().endswith((".npz", ".zip")):
        raise TensorFileError(f"{what} is an archive within the archive; save arrays side by side")
    try:
        with archive.open(info) as stream:
            yield stream, what
    except TensorFileError:
        raise
    except _BROKEN_ZIP as error:
        raise TensorFileError(
            f"{what} is damaged, or larger than the archive declares ({printable(str(error))})"
        ) from None
