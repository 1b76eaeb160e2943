"""What counts as an array of real numbers here, and in which precision it is worked on.

Floating input keeps its dtype in what is returned, integers and booleans become float64, and
mixed dtypes promote as NumPy promotes them. Work is done in at least float32: sums of float16
numbers kept in float16 stop growing at 2,048 ones. Results go back to the input's dtype last.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

FloatArray = NDArray[np.floating[Any]]
BoolArray = NDArray[np.bool_]


def as_array(values: ArrayLike, name: str) -> NDArray[Any]:
    """Turn nested lists into an array, and name the argument when they are ragged."""
    try:
        return np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{name} is not a rectangular array: {error}") from None


def as_floating(values: ArrayLike, name: str) -> FloatArray:
    """Return `values` as a real floating array in native byte order, copying only if needed."""
    array = as_array(values, name)
    if array.dtype.kind not in "biuf":
        raise TypeError(
            f"{name} must hold real numbers (floats, integers or booleans); got dtype {array.dtype}"
        )
    dtype = np.result_type(array.dtype) if array.dtype.kind == "f" else np.dtype(np.float64)
    return array.astype(dtype, copy=False)


def as_boolean(values: ArrayLike, name: str) -> BoolArray:
    """Return `values` as a boolean array; 0/1 integers are refused, for conventions differ."""
    array = as_array(values, name)
    if array.dtype != np.bool_:
        raise TypeError(
            f"{name} must be boolean, True where an entry takes part; got dtype {array.dtype}"
        )
    return array


def working_dtype(*arrays: FloatArray) -> np.dtype[Any]:
    """Return the common dtype of `arrays`, but float32 where that would be float16."""
    return np.result_type(np.float32, *arrays)


def stored(values: FloatArray, dtype: DTypeLike) -> FloatArray:
    """Round a result to the dtype it is handed back in; too large a number becomes ±inf."""
    with np.errstate(over="ignore", under="ignore"):
        return values.astype(dtype, copy=False)
