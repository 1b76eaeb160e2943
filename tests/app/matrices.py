"""Matrices to write as text and read again."""

import numpy as np
from csv_text import TextMatrix, read_matrix
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

ONE_TO_FOUR = [[1, 2], [3, 4]]
MATRICES = hnp.arrays(
    np.float64,
    hnp.array_shapes(min_dims=2, max_dims=2, max_side=6),
    elements=st.floats(allow_nan=True, allow_infinity=True),
)


def read(text: str) -> TextMatrix:
    """Read what a page would read."""
    return read_matrix(text, "the text")
