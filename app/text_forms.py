"""Text as it arrives: bytes of some encoding, or a matrix in the brackets that Python prints."""

import re

from core.tensor_files import TensorFileError

_MARKS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
# A matrix as Python prints it: array([[1., 2.], [3., 4.]], dtype=float32)
_ROW = r"\[[^\[\]]*\]"
_OPENS = re.compile(r"\s*(?:[\w.]*\()?\s*\[")
_PRINTED = re.compile(
    rf"\s*(?:[\w.]*\()?\s*(?:{_ROW}|\[\s*{_ROW}(?:[\s,]*{_ROW})*[\s,]*\])"
    r"[\s,]*(?:\w+=[^\[\]]*)?\)?\s*"
)


def decode(data: bytes, what: str, /) -> str:
    """Return the text of UTF-8 bytes, with or without a byte-order mark.

    Raises
    ------
    TensorFileError
        In any other encoding, which is named as far as it can be told.
    """
    advice = "Save it as UTF-8"
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            raise TensorFileError(f"{what} is encoded in {encoding}. {advice}")
    if b"\0" in data:
        sample = data[:2000]
        even, odd = sample[::2].count(0), sample[1::2].count(0)
        if max(even, odd) > len(sample) // 4 > 10 * min(even, odd):
            raise TensorFileError(f"{what} is encoded in UTF-16, without a mark. {advice}")
        raise TensorFileError(f"{what} is not text: byte {data.index(0)} is zero")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TensorFileError(
            f"{what} is not UTF-8: byte 0x{data[error.start]:02x} in line {line}. It may be "
            f"Latin-1 (ISO 8859-1) or Windows-1252. {advice}"
        ) from None


def unbracketed(text: str, what: str, /) -> str:
    """Turn a matrix printed by Python, as [[1, 2], [3, 4]], into lines; leave other text alone.

    Raises
    ------
    TensorFileError
        If anything but rows stands between the brackets, or one is not closed: nothing that was
        pasted is passed over.
    """
    if _OPENS.match(text) is None:
        return text
    if re.search(r"\[\s*\[\s*\[", text):
        raise TensorFileError(f"{what} has three levels of brackets; paste one matrix at a time")
    if "..." in text:
        raise TensorFileError(
            f"{what} was shortened when it was printed: '...' stands for numbers. "
            "np.set_printoptions(threshold=np.inf) has NumPy print them all"
        )
    if _PRINTED.fullmatch(text) is None:
        raise TensorFileError(
            f"{what} begins as Python prints a matrix, and does not go on so. Each row stands in "
            "brackets of its own, nothing between them but commas, and every bracket is closed"
        )
    rows = re.findall(_ROW, text)
    return "\n".join(" ".join(row[1:-1].split()).strip(", ") for row in rows)
