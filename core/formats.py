r"""A floating-point format has a largest number, and an exponential reaches it soon.

exp(11.1) is already too large for float16, exp(88.8) for float32 and for bfloat16, which has
float32's range and only eight significant bits. A raw score need not be rare to be that large:
it spreads as √d_k. Subtracting the row's maximum before the exponential removes the overflow for
good, whatever the scores, and changes no weight; dividing by √d_k makes it rarer and changes the
weights. At the other end exponentials become 0, and there subtracting helps nothing: what is far
below the maximum has no weight, in any format.

bfloat16 does not exist in NumPy. It is emulated: float32 rounded to the nearest number that
bfloat16 has, ties to even, after every operation.
"""

import math
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core._arrays import FloatArray, as_floating, stored


@dataclass(frozen=True, slots=True)
class FloatFormat:
    """A binary floating-point format and what its limits mean for exponentials.

    Parameters
    ----------
    name
        Name in `FORMATS`.
    bits
        Size of a number in memory.
    precision
        Significant bits, the leading one included.
    max_exponent
        The largest number lies just below 2 to this power.
    storage
        The NumPy dtype that holds its numbers: float32 for bfloat16, its own for the others.
    """

    name: str
    bits: int
    precision: int
    max_exponent: int
    storage: np.dtype[Any]

    @property
    def largest(self) -> float:
        """Largest finite number."""
        return math.ldexp(2 - 2.0 ** (1 - self.precision), self.max_exponent - 1)

    @property
    def smallest_normal(self) -> float:
        """Smallest positive number with full precision."""
        return math.ldexp(1.0, 3 - self.max_exponent - 1)

    @property
    def smallest_subnormal(self) -> float:
        """Smallest positive number."""
        return math.ldexp(self.smallest_normal, 1 - self.precision)

    @property
    def epsilon(self) -> float:
        """Step from 1 to the next number above it."""
        return 2.0 ** (1 - self.precision)

    @property
    def exp_overflow(self) -> float:
        """Score from which its exponential rounds to infinity: half a step past the largest."""
        return self.max_exponent * math.log(2) + math.log1p(-(2.0 ** -(self.precision + 1)))

    @property
    def largest_safe_score(self) -> float:
        """Largest number of the format whose exponential is finite in it."""
        step = 2.0 ** (math.floor(math.log2(self.exp_overflow)) + 1 - self.precision)
        return math.floor(self.exp_overflow / step) * step

    @property
    def exp_subnormal(self) -> float:
        """Score below which its exponential starts to lose digits."""
        return (2 - self.max_exponent) * math.log(2)

    @property
    def exp_underflow(self) -> float:
        """Score down from which its exponential rounds to 0: half the smallest number."""
        return (2 - self.max_exponent - self.precision) * math.log(2)


FORMATS = MappingProxyType(
    {
        "float16": FloatFormat("float16", 16, 11, 16, np.dtype(np.float16)),
        "bfloat16": FloatFormat("bfloat16", 16, 8, 128, np.dtype(np.float32)),
        "float32": FloatFormat("float32", 32, 24, 128, np.dtype(np.float32)),
        "float64": FloatFormat("float64", 64, 53, 1024, np.dtype(np.float64)),
    }
)
"""Number formats by name, smallest first. IEEE 754-2019, doi:10.1109/IEEESTD.2019.8766229; bfloat16
as in D. Kalamkar et al., "A study of bfloat16 for deep learning training", arXiv:1905.12322."""


def checked_format(name: str, /) -> FloatFormat:
    """Return a format by name, or say which there are."""
    if name not in FORMATS:
        raise ValueError(f"format must be one of {', '.join(FORMATS)}; got {name!r}")
    return FORMATS[name]


def round_to_bfloat16(values: ArrayLike, /) -> NDArray[np.float32]:
    """Return the nearest bfloat16 number of each value, ties to even, held in float32.

    bfloat16 is the upper half of a float32: sign, all eight exponent bits, seven bits of
    fraction. Adding half a step to the whole bit pattern and cutting off the lower half rounds
    it; a carry out of the fraction raises the exponent, up to infinity, as it should.

    Parameters
    ----------
    values : array_like, shape (...)
        Real numbers; float64 is rounded to float32 first.

    Returns
    -------
    ndarray of float32, shape (...)
        Numbers that bfloat16 has. NaN stays NaN.

    Examples
    --------
    >>> round_to_bfloat16([1.00390625, 1.01171875, 3.4e38])  # two ties, and too large
    array([1.      , 1.015625,      inf], dtype=float32)
    """
    single = stored(as_floating(values, "values"), np.float32)
    undefined = np.isnan(single)
    bits = np.where(undefined, np.float32(0), single).view(np.uint32)
    to_even = (bits >> np.uint32(16)) & np.uint32(1)
    bits = (bits + (np.uint32(0x7FFF) + to_even)) & np.uint32(0xFFFF0000)
    return np.where(undefined, np.float32(np.nan), bits.view(np.float32))


def round_to_format(values: ArrayLike, name: str, /) -> FloatArray:
    """Return values as a number format holds them; what is too large becomes ±inf.

    Parameters
    ----------
    values : array_like, shape (...)
        Real numbers.
    name : {"float16", "bfloat16", "float32", "float64"}
        The format.

    Returns
    -------
    ndarray, shape (...)
        In the format's own dtype; bfloat16 in float32.

    Raises
    ------
    ValueError
        If there is no such format.

    Examples
    --------
    >>> round_to_format(-1e9, "float16")
    array(-inf, dtype=float16)
    >>> float(round_to_format(-1e9, "bfloat16"))
    -998244352.0
    """
    if checked_format(name).name == "bfloat16":
        return round_to_bfloat16(values)
    return stored(as_floating(values, "values"), FORMATS[name].storage)
