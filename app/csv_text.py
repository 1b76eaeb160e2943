"""A matrix in text: what separates the cells, what is a header, what is only an index.

Spreadsheets and libraries write the same matrix in a dozen ways: with semicolons and decimal
commas, with names above the columns, with a running number before the rows. What is recognized is
said; what cannot be told apart is refused with the line where it goes wrong. Cells are counted
here, line by line, since a parser that pads short lines would hide the fault; the numbers are
pandas'.
"""

import csv
import re
from dataclasses import dataclass
from io import StringIO
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.tensor_files import TensorFileError
from core.text import printable

MAX_COLUMNS = 4_096
MAX_ROWS = 1_000_000
_NUMBER = re.compile(
    r"[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|nan|inf|infinity)", re.IGNORECASE | re.ASCII
)
_BOOLEAN = {"true", "false"}
_INDEX_NAMES = {"", "index", "id", "row", "unnamed: 0"}
_SEPARATORS = {"\t": "tabs", ";": "semicolons", ",": "commas", " ": "spaces"}


@dataclass(frozen=True, slots=True, eq=False)
class TextMatrix:
    """A matrix read from text, floating or boolean, and what was recognized on the way."""

    values: NDArray[Any]
    notes: tuple[str, ...]


def read_matrix(text: str, what: str, /) -> TextMatrix:
    """Read a matrix from text: one row a line, cells separated by the same character throughout.

    Parameters
    ----------
    text : str
        Commas, semicolons (then with decimal commas, if any), tabs or spaces separate the cells.
        Lines that are blank or begin with # are passed over.
    what : str
        What to call it in messages, printable.

    Returns
    -------
    TextMatrix

    Raises
    ------
    TensorFileError
        If the lines are not a matrix of numbers; the message names the line.
    """
    lines, notes = _lines(text, what)
    separator = _separator([line for _, line in lines[:20]])
    header = None
    first = _cells(lines[0], separator, what)
    # pandas writes an empty cell above its index, and numbers above unnamed columns.
    if len(lines) > 1 and (not first[0] or not (any(map(_is_cell, first)) or _digits(first))):
        header = first
        notes.append(f"Line {lines[0][0]} was taken as names of the columns.")
        lines = lines[1:]
    width = _width(lines, separator, what)
    starts = [_cells(line, separator, what, most=2)[:2] for line in lines]
    labels = [start[0] for start in starts]
    if width > 1 and not any(map(_is_cell, labels)) and _is_cell(starts[0][1]):
        index = "labels of the rows"
    else:
        index = "an index" if _is_index(header, labels, width) else ""
    if header is not None and len(header) != width and not (index and len(header) == width - 1):
        raise TensorFileError(
            f"{what} is ragged: {len(header)} names of columns above {width} cells in each line"
        )
    if index:
        notes.append(f"The first column was taken as {index} and left out.")
    values = _numbers(lines, separator, 1 if index else 0, what)
    infinite = int(np.isinf(values).sum()) - len(re.findall("inf", text, re.IGNORECASE))
    if infinite > 0:
        were = "1 number is" if infinite == 1 else f"{infinite:,} numbers are"
        notes.append(f"{were} beyond ±1.8 × 10³⁰⁸, where float64 ends, and became infinite.")
    if header is None and not index and _counts_up(labels):
        notes.append("The first column counts up by 1. If it is an index, remove it.")
    if header is None and _counts_up(first):
        notes.append("The first line counts up by 1. If it names the columns, remove it.")
    if len(values) > 1 and separator:
        notes.insert(0, f"Cells are separated by {_SEPARATORS[separator]}.")
    return TextMatrix(values, tuple(notes))


Line = tuple[int, str]


def _lines(text: str, what: str) -> tuple[list[Line], list[str]]:
    """Return the lines that hold cells, numbered from 1."""
    every = text.replace("\r\n", "\n").replace("\r", "\n").replace("−", "-").split("\n")
    filled = [(number, line) for number, line in enumerate(every, 1) if line.strip()]
    lines = [(number, line) for number, line in filled if not line.lstrip().startswith("#")]
    if not lines:
        raise TensorFileError(f"{what} has no line with numbers")
    if len(lines) > MAX_ROWS:
        raise TensorFileError(f"{what} has {len(lines):,} lines; at most {MAX_ROWS:,} are read")
    comments = len(filled) - len(lines)
    return lines, [f"Lines beginning with # were passed over: {comments:,}."] if comments else []


def _separator(lines: list[str]) -> str:
    """Return the first of tab, semicolon, comma and space that half the lines have; or ""."""
    for candidate in _SEPARATORS:
        if 2 * sum(candidate in line.strip() for line in lines) >= len(lines):
            return candidate
    return ""


def _cells(line: Line, separator: str, what: str, *, most: int = MAX_COLUMNS) -> list[str]:
    """Split a line; past `most` cells the rest stays together."""
    number, text = line
    if '"' in text:
        if text.count('"') % 2:
            raise TensorFileError(f"{what}, line {number} has a quotation mark that is not closed")
        try:
            return [cell.strip() for cell in next(csv.reader([text], delimiter=separator or ","))]
        except csv.Error as error:
            raise TensorFileError(f"{what}, line {number}: {error}") from None
    if separator in ("", " "):
        return re.split(r"[ \t]+", text.strip(" \t"), maxsplit=most)
    return [cell.strip() for cell in text.split(separator, most)]


def _width(lines: list[Line], separator: str, what: str) -> int:
    """Return the number of cells that every line has."""
    widths = []
    for line in lines:
        cells = len(_cells(line, separator, what))
        if cells > MAX_COLUMNS:
            raise TensorFileError(
                f"{what} has more than {MAX_COLUMNS:,} columns in line {line[0]}. "
                "Rows are tokens and columns are components"
            )
        widths.append(cells)
        if cells != widths[0]:
            raise TensorFileError(
                f"{what} is ragged: line {line[0]} has {cells} cells, line {lines[0][0]} has "
                f"{widths[0]}"
            )
    return widths[0]


def _is_cell(cell: str) -> bool:
    return bool(_NUMBER.fullmatch(cell.replace(",", ".", 1))) or cell.lower() in _BOOLEAN


def _digits(cells: list[str]) -> bool:
    """Return whether all cells begin as numbers do, in whatever writing: no names, but a fault."""
    return all(cell.lstrip("+-")[:1].isdigit() for cell in cells)


def _counts_up(labels: list[str]) -> bool:
    first = labels[0]
    if len(labels) < 3 or first not in ("0", "1"):
        return False
    return all(label == str(int(first) + i) for i, label in enumerate(labels))


def _is_index(header: list[str] | None, labels: list[str], width: int) -> bool:
    """Return whether the first column is named as an index (or not at all) and counts up."""
    if header is None or width < 2:
        return False
    nameless = len(header) == width - 1 or header[0].lower() in _INDEX_NAMES
    return nameless and (_counts_up(labels) or len(labels) < 3)


def _numbers(lines: list[Line], separator: str, skip: int, what: str) -> NDArray[Any]:
    """Let pandas read the cells, and find the one that is no number where there is one."""
    comma = separator not in ("", ",") and any("," in line for _, line in lines)
    try:
        frame = pd.read_csv(
            StringIO("\n".join(line for _, line in lines)),
            header=None,
            sep=r"\s+" if separator in ("", " ") else separator,
            decimal="," if comma else ".",
            skipinitialspace=True,
            keep_default_na=False,
            na_values=["nan", "NaN", "NAN", "-nan", "+nan"],
            low_memory=False,
        ).iloc[:, skip:]
    except (ValueError, OverflowError) as error:
        raise TensorFileError(f"{what} cannot be read: {printable(str(error))}") from None
    kinds = {dtype.kind for dtype in frame.dtypes}
    if kinds <= set("iuf") or kinds == {"b"}:
        values: NDArray[Any] = frame.to_numpy(np.bool_ if kinds == {"b"} else np.float64)
        return np.array(values, order="C")
    every = [_cells(line, separator, what)[skip:] for line in lines]
    for (number, _), cells in zip(lines, every, strict=True):
        for column, cell in enumerate(cells, 1 + skip):
            _check_cell(cell, f"{what}, line {number}, column {column}", comma=comma)
    # Whole numbers of more digits than pandas keeps.
    return np.array([[float(cell.replace(",", ".")) for cell in cells] for cells in every])


def _check_cell(cell: str, place: str, *, comma: bool) -> None:
    """Raise if a cell is not a number; ``comma`` where its decimals follow a comma."""
    if not cell:
        raise TensorFileError(f"{place} is empty. Write nan where a number is missing")
    grouped = "," in cell and not comma
    if grouped or not _is_cell(cell) or cell.lower() in _BOOLEAN:
        hint = ""
        if re.search(r"\d[ij]\b", cell):
            hint = ". Scores are real; complex numbers are not accepted"
        elif grouped and _is_cell(cell):
            hint = ". Write thousands without a comma; decimal commas need semicolons or tabs"
        elif "|" in cell:
            hint = f". Cells are separated by {', '.join(_SEPARATORS.values())}"
        elif " " in cell:
            hint = ". Decimal commas need semicolons or tabs between the cells"
        raise TensorFileError(f"{place}: '{printable(cell)}' is not a number{hint}")
