"""Numbers as a reader meets them: three significant places, true minus signs, no false zeros.

Every number in a sentence, a label or an alt text goes through one of these functions, so that
nothing prints as "0.000" that is not zero and nothing as "100 %" that is not one.
"""

import math
from collections.abc import Iterable
from typing import SupportsFloat

MINUS = "−"
SPACE = "\N{NO-BREAK SPACE}"
SMALLEST = 1e-3


def significant(x: SupportsFloat, places: int = 3) -> str:
    """Write ``x`` to ``places`` significant digits, without exponent where it stays readable."""
    x = float(x)
    if not math.isfinite(x):
        return {math.inf: "∞", -math.inf: f"{MINUS}∞"}.get(x, "not a number")
    if x == 0:
        return "0"
    mantissa, _, power = f"{x:.{places - 1}e}".partition("e")
    exponent = int(power)
    if not -4 <= exponent < 6:
        return f"{mantissa}{SPACE}×{SPACE}10{_superscript(exponent)}".replace("-", MINUS)
    return f"{x:,.{max(places - 1 - exponent, 0)}f}".replace("-", MINUS)


def _superscript(n: int) -> str:
    return str(n).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def short(x: SupportsFloat) -> str:
    """Write ``x`` without trailing zeros, to at most four significant digits: a control's value."""
    text = significant(x, 4)
    return text.rstrip("0").rstrip(".") if "." in text and "×" not in text else text


def fixed(x: SupportsFloat, places: int) -> str:
    """Write ``x`` to ``places`` decimals; what is not zero never prints as zero."""
    x = float(x)
    text = f"{x:,.{places}f}"
    if x != 0 and float(text.replace(",", "")) == 0:
        return f"<{10.0**-places:.{places}f}" if x > 0 else f">{MINUS}{10.0**-places:.{places}f}"
    if float(text.replace(",", "")) == 0:
        text = text.lstrip("-")
    return text.replace("-", MINUS)


def probability(w: SupportsFloat, *, places: int = 3) -> str:
    """Write a weight or a probability: "<0.001" and ">0.999" where rounding would lie."""
    w = float(w)
    if w in (0.0, 1.0):
        return str(int(w))
    step = 10.0**-places
    if w < step:
        return f"<{step:.{places}f}"
    if w > 1 - step:
        return f">{1 - step:.{places}f}"
    return f"{w:.{places}f}"


def percent(w: SupportsFloat, *, places: int = 1) -> str:
    """Write a share as a percentage: "<0.1 %" and ">99.9 %" where rounding would lie."""
    w = float(w)
    if w in (0.0, 1.0):
        return f"{int(100 * w)}{SPACE}%"
    step = 10.0**-places
    if 100 * w < step:
        return f"<{step:.{places}f}{SPACE}%"
    if 100 * w > 100 - step:
        return f">{100 - step:.{places}f}{SPACE}%"
    return f"{100 * w:.{places}f}{SPACE}%"


def soft_percent(w: SupportsFloat, *, places: int = 1) -> str:
    """Write a softmax weight among several finite scores: never exactly 0 % or 100 %."""
    w = float(w)
    return percent(min(max(w, 1e-300), 1 - 1e-15), places=places)


def soft_probability(w: SupportsFloat, *, places: int = 3) -> str:
    """Write a softmax weight among several finite scores: never exactly 0 or 1."""
    w = float(w)
    return probability(min(max(w, 1e-300), 1 - 1e-15), places=places)


def nats(h: SupportsFloat) -> str:
    """Write an entropy with its unit; a positive one never prints as zero."""
    h = float(h)
    if 0 < h < SMALLEST:
        return f"<0.001{SPACE}nats"
    # Three decimals, so that an entropy never seems to pass a ceiling given to three decimals.
    return f"{h:.3f}{SPACE}nats" if h >= 0.1 else f"{significant(h)}{SPACE}nats"


def vector(values: Iterable[SupportsFloat], places: int | None = None) -> str:
    """Write a list of numbers in brackets, to ``places`` decimals or to three digits."""
    write = short if places is None else lambda x: fixed(x, places)
    return "[" + ", ".join(write(float(x)) for x in values) + "]"


def count(n: int) -> str:
    """Write a whole number with thousands separators."""
    return f"{n:,}".replace("-", MINUS)


def listing(parts: Iterable[str]) -> str:
    """Join ``parts`` as prose does: "a, b and c"."""
    *head, last = list(parts)
    return f"{', '.join(head)} and {last}" if head else last
