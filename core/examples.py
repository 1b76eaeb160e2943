"""Three small examples whose every number can be checked by hand.

They are calculated, not trained: the vectors were written down so that the scores come out round.
`DIVISOR_EXAMPLE` gives one row, [3, 1, −1], to divide by this and that. `HEAD_WIDTH_EXAMPLE` has
vectors of ±1 that are cut to 1, 2, 4, … 32 coordinates; a wider cut is another dot product, not
the same one rescaled, and ±1 written by hand is not the random model. `FRACTIONAL_EXAMPLE` shows
that components need not be whole, nor scores.
"""

import operator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from core._arrays import FloatArray
from core.attention import attention
from core.entropy import effective_keys, entropy_from_scores, normalized_entropy


def _fixed(rows: ArrayLike) -> FloatArray:
    """Return a read-only float64 array."""
    array = np.array(rows, dtype=np.float64)
    array.setflags(write=False)
    return array


def _signs(*rows: str) -> FloatArray:
    """Return +1 and −1 for the plus and minus signs of each row."""
    return _fixed([[float(sign + "1") for sign in row] for row in rows])


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """Fixed vectors, read-only.

    Attributes
    ----------
    query : ndarray, shape (n_q, d_k)
    key : ndarray, shape (n_k, d_k)
    value : ndarray, shape (n_k, d_v)
    """

    query: FloatArray
    key: FloatArray
    value: FloatArray


_PLANE = _fixed([[2, 0], [0, 2], [-2, 0], [0, -2]])

DIVISOR_EXAMPLE = Example(
    query=_fixed([[1, 1, 1]]),
    key=_fixed([[1, 1, 1], [1, 0, 0], [-1, 0, 0]]),
    value=_fixed(np.eye(3)),
)
"""Raw scores [3, 1, −1] at d_k = 3; unit vectors as values, so the output is the weights."""

HEAD_WIDTHS = (1, 2, 4, 8, 16, 32)
"""The widths `HEAD_WIDTH_EXAMPLE` is shown at: its first d_k coordinates."""

HEAD_WIDTH_EXAMPLE = Example(
    query=_signs(
        "+++++----+++-+-+-++--+-++++-+++-",
        "+-+--+-+++++--+-+------------+++",
        "-+--++++--+-+++-++++--++-++--+-+",
        "--+-----+--+-+--++-++++-+--+----",
    ),
    key=_signs(
        "++++--+++--+----+-+-++--+---++--",
        "+-+-+----+++++++-+--+--+++---++-",
        "+++--+++++-+-----+--++++--+-+-++",
        "----++-+++----+++-++-++++++++-++",
    ),
    value=_PLANE,
)
"""Four queries and four keys of 32 signs, and values at the corners of a square.

Query 0 at width 4 scores [4, 0, 2, −4].
"""

FRACTIONAL_EXAMPLE = Example(
    query=_fixed([[1.0, -1.0, 0.5, 0.5]]),
    key=_fixed(
        [[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0], [1.0, -1.0, 0.5, 0.5], [0.5, -0.5, -1.0, 1.0]]
    ),
    value=_PLANE,
)
"""Raw scores [1.5, −0.5, 2.5, 1] at d_k = 4."""


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """One query's scores against n_k keys, and what softmax makes of them.

    Attributes
    ----------
    scores : ndarray, shape (n_k,)
        What softmax is given.
    weights : ndarray, shape (n_k,)
    entropy : float
        In nats, at most ln n_k.
    normalized_entropy : float
        Entropy / ln n_k, 0 to 1.
    effective_keys : float
        exp(entropy).
    output : ndarray, shape (d_v,)
        The value mixture.
    """

    scores: FloatArray
    weights: FloatArray
    entropy: float
    normalized_entropy: float
    effective_keys: float
    output: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class ScalingComparison:
    """One query of an example at one width, raw beside scaled.

    Attributes
    ----------
    query : ndarray, shape (d_k,)
        The coordinates in use.
    key : ndarray, shape (n_k, d_k)
    value : ndarray, shape (n_k, d_v)
    products : ndarray, shape (n_k, d_k)
        Query times key, coordinate by coordinate; each row sums to a raw score.
    raw, scaled : Row
        The scores as they are, and divided by √d_k.
    """

    query: FloatArray
    key: FloatArray
    value: FloatArray
    products: FloatArray
    raw: Row
    scaled: Row


def compare_scaling(
    example: Example, /, *, query: int = 0, width: int | None = None
) -> ScalingComparison:
    r"""Return everything there is to see of one query at one width, raw and scaled.

    .. math:: s_j = \sum_{c=1}^{d_k} q_c k_{jc}, \qquad
        w = \operatorname{softmax}(s) \text{ against } \operatorname{softmax}(s / \sqrt{d_k})

    Parameters
    ----------
    example : Example
    query : int
        Which query, from 0.
    width : int, optional
        How many leading coordinates to use as d_k; all of them by default.

    Returns
    -------
    ScalingComparison

    Raises
    ------
    ValueError
        If the example has no such query or width.
    TypeError
        If `query` or `width` is not an integer.

    Examples
    --------
    >>> seen = compare_scaling(HEAD_WIDTH_EXAMPLE, query=0, width=4)
    >>> seen.raw.scores, seen.scaled.scores
    (array([ 4.,  0.,  2., -4.]), array([ 2.,  0.,  1., -2.]))
    >>> seen.scaled.weights.round(4), round(seen.scaled.entropy, 4)
    (array([0.6572, 0.0889, 0.2418, 0.012 ]), 0.8875)
    """
    n_q, most = example.query.shape
    index, d_k = operator.index(query), most if width is None else operator.index(width)
    if not 0 <= index < n_q:
        raise ValueError(f"query must be 0 to {n_q - 1}; got {query}")
    if not 1 <= d_k <= most:
        raise ValueError(f"width must be 1 to {most}; got {width}")
    q, k = example.query[index : index + 1, :d_k], example.key[:, :d_k]

    def row(scale: float | None) -> Row:
        stages = attention(q, k, example.value, scale=scale)
        logits, weights = stages.logits[0], stages.weights[0]
        return Row(
            scores=logits,
            weights=weights,
            entropy=float(entropy_from_scores(logits)),
            normalized_entropy=float(normalized_entropy(weights)),
            effective_keys=float(effective_keys(weights)),
            output=stages.output[0],
        )

    return ScalingComparison(
        query=q[0], key=k, value=example.value, products=q * k, raw=row(1.0), scaled=row(None)
    )
