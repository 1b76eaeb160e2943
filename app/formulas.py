"""Formulas with the reader's own numbers in them, as KaTeX source."""

from collections.abc import Callable, Iterable
from typing import SupportsFloat

import words


def number(x: SupportsFloat) -> str:
    """Write a number for KaTeX."""
    return math_text(words.short(x))


def math_text(text: str) -> str:
    """Turn a number written for prose into KaTeX: its minus, thousands, ± and percent signs."""
    for plain, katex in ((words.MINUS, "-"), (",", "{,}"), ("%", r"\%"), ("∞", r"\infty")):
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
