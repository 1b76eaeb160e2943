"""Formulas with the reader's own numbers in them, as KaTeX source."""

from collections.abc import Callable, Iterable
from typing import SupportsFloat

import words

_KATEX = {
    words.MINUS: "-",
    ",": "{,}",
    "%": r"\%",
    "∞": r"\infty",
    "<": "{<}",
    ">": "{>}",
    f"{words.SPACE}×{words.SPACE}": r" \times ",
}


def number(x: SupportsFloat) -> str:
    """Write a number for KaTeX."""
    return math_text(words.short(x))


def math_text(text: str) -> str:
    """Turn a number written for prose into KaTeX: its minus, thousands, and other signs.

    A bound's sign belongs to its number: bare, KaTeX would set it as a relation, and "= <0.001"
    would read as "≤ 0.001".
    """
    for plain, katex in _KATEX.items():
        text = text.replace(plain, katex)
    return text


def row(
    values: Iterable[SupportsFloat], write: Callable[[SupportsFloat], str] = words.short
) -> str:
    """Write a row vector in brackets."""
    return "[" + r",\,".join(math_text(write(x)) for x in values) + "]"


def aligned(*lines: str) -> str:
    """Stack equations; each line carries one ``&`` where it is aligned."""
    return r"\begin{aligned}" + r" \\[0.4em] ".join(lines) + r"\end{aligned}"
