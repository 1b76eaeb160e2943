"""A reader's own arrays, from an uploaded file or pasted text, as the pages need them.

Everything stays in the memory of the session: a file's bytes are read where they are, and nothing
is written. Extensions choose the reader; for .npy and .npz the first bytes have the last word.
All messages are plain text and may quote a file's names: show them with `as_markdown`.
"""

import re
import string
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

import numpy as np
from csv_text import read_matrix
from text_forms import decode, unbracketed

from core.finite import find_non_finite
from core.tensor_files import (
    MAX_FILE_BYTES,
    Member,
    Tensor,
    TensorFileError,
    check_size,
    read_npy,
    read_npz,
    scan_npz,
)
from core.text import printable

EXTENSIONS = ("npy", "npz", "csv", "tsv", "txt")
MAX_PASTED = 1_000_000
"""Characters that may be pasted."""
MAX_TOKENS = 4_096
"""Queries and keys of one head may be this many."""
MAX_HEADS = 1_024
MAX_SCORES = 2**28
"""Scores of all heads together; that many take a minute or so."""

_EXTENSION_ADVICE = f"accepted are {', '.join('.' + name for name in EXTENSIONS)}"


@dataclass(frozen=True, slots=True, eq=False)
class Upload:
    """An uploaded file whose arrays can be read one by one.

    Attributes
    ----------
    label : str
        The file's name, printable.
    members : tuple of Member
        What is in it; those with a fault cannot be read.
    notes : tuple of str
        What was unexpected about the file itself.
    """

    label: str
    members: tuple[Member, ...]
    notes: tuple[str, ...]
    _data: bytes
    _tensor: Tensor | None

    def read(self, name: str, /) -> Tensor:
        """Return the array of a `Member.name`.

        Raises
        ------
        TensorFileError
            If it is faulty, or not in the file.
        """
        if self._tensor is None:
            return read_npz(self._data, name, name=self.label)
        if name != self.members[0].name:
            raise TensorFileError(f"{self.label} has no array called '{printable(name)}'")
        return self._tensor


def open_upload(filename: str, data: bytes, /) -> Upload:
    """Open an uploaded file.

    Parameters
    ----------
    filename : str
        As the browser gives it; only its extension is used.
    data : bytes
        The whole file, at most 64 MiB.

    Returns
    -------
    Upload
        With one array of a .npy or text file, all of a .npz.

    Raises
    ------
    TensorFileError
        With a message that names the fault and what is accepted.
    """
    label = printable(PurePosixPath(filename).name) or "the file"
    extension = filename.rpartition(".")[2].lower() if "." in filename else ""
    if extension not in EXTENSIONS:
        kind = f"of type .{printable(extension)}" if extension else "without an extension"
        raise TensorFileError(f"{label} is a file {kind}; {_EXTENSION_ADVICE}")
    check_size(data, label)
    binary = "npy" if data.startswith(b"\x93NUMPY") else "npz" if data.startswith(b"PK") else ""
    if extension in ("npy", "npz"):
        notes: tuple[str, ...] = ()
        if binary and binary != extension:
            notes = (f"The file is named .{extension}, but is .{binary}; it was read as that.",)
        if (binary or extension) == "npz":
            return Upload(label, scan_npz(data, name=label), notes, data, None)
        return _single(label, read_npy(data, name=label), notes)
    if binary:
        raise TensorFileError(f"{label} is named .{extension}, but is .{binary}; rename it")
    return _single(label, _text_tensor(decode(data, label), label), ())


def read_pasted(text: str, /) -> Tensor:
    """Read a small matrix pasted as text, also as Python or NumPy prints it.

    Parameters
    ----------
    text : str
        One row a line, or [[…], […]].

    Returns
    -------
    Tensor

    Raises
    ------
    TensorFileError
        If it is not one matrix of numbers.
    """
    what = "the pasted text"
    if len(text) > MAX_PASTED:
        raise TensorFileError(
            f"{what} has {len(text):,} characters; at most {MAX_PASTED:,} are read. Upload a file"
        )
    return _text_tensor(unbracketed(text, what), what)


def _text_tensor(text: str, what: str) -> Tensor:
    matrix = read_matrix(text, what)
    values = matrix.values
    values.flags.writeable = False
    return Tensor(what, values, "text", matrix.notes, find_non_finite(values, name=what))


def _single(label: str, tensor: Tensor, notes: tuple[str, ...]) -> Upload:
    """Wrap a file of one array."""
    member = Member(label, label, tensor.values.shape, str(tensor.values.dtype), None)
    return Upload(label, (member,), notes, b"", tensor)


_ROLE_NAMES = {
    "query": r"q|quer(?:y|ies)(?:_states|_layer)?|xq",
    "key": r"k|keys?(?:_states|_layer)?|xk",
    "value": r"v|values?(?:_states|_layer)?|xv",
    "mask": r"m|(?:attention_|attn_)?masks?(?:_bias)?",
}


def guess_roles(members: Sequence[Member], /) -> dict[str, str]:
    """Guess from their names which arrays are query, key, value and mask.

    Parameters
    ----------
    members : sequence of Member

    Returns
    -------
    dict of str to str
        Role to `Member.name`; the first that fits, and no role that none fits.

    Examples
    --------
    >>> guess_roles([Member(name, name, (2, 2), "float32", None) for name in ("K", "layer0/q")])
    {'query': 'layer0/q', 'key': 'K'}
    """
    guessed = {}
    for role, pattern in _ROLE_NAMES.items():
        for member in members:
            last = re.split(r"[/.\s]", member.name.lower())[-1]
            if member.fault is None and re.fullmatch(pattern, last):
                guessed[role] = member.name
                break
    return guessed


def check_extent(query: tuple[int, ...], key: tuple[int, ...], /) -> None:
    """Raise if a diagnosis of arrays of these shapes would take too long for a page.

    Parameters
    ----------
    query, key : tuple of int
        Shapes (..., n_q, d_k) and (..., n_k, d_k).

    Raises
    ------
    TensorFileError
        If a sequence passes 4,096, the heads 1,024 or the scores 2²⁸.
    """
    if len(query) < 2 or len(key) < 2:
        return
    if max(query[-2], key[-2]) > MAX_TOKENS:
        raise TensorFileError(
            f"query {query} and key {key} are longer than {MAX_TOKENS:,} tokens. "
            "Choose fewer, or call core.diagnose in a notebook"
        )
    heads = max(int(np.prod(shape[:-2])) for shape in (query, key))
    if heads > MAX_HEADS or heads * query[-2] * key[-2] > MAX_SCORES:
        raise TensorFileError(
            f"query {query} and key {key} make {heads:,} heads and "
            f"{heads * query[-2] * key[-2]:,} scores; at most {MAX_HEADS:,} and {MAX_SCORES:,} "
            "are worked on. Choose fewer heads"
        )


def size_limit() -> str:
    """Return the limits in a sentence for the page."""
    return (
        f"Files up to {MAX_FILE_BYTES // 2**20} MiB, up to {MAX_TOKENS:,} tokens. "
        "They stay in this session's memory and are never written to disk."
    )


_ESCAPED = str.maketrans({character: f"\\{character}" for character in string.punctuation})


def as_markdown(message: str, /) -> str:
    r"""Escape plain text, so that a page's Markdown shows it as it is.

    Examples
    --------
    >>> print(as_markdown("<b> of [a](b)"))
    \<b\> of \[a\]\(b\)
    """
    return message.translate(_ESCAPED)
