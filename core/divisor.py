r"""Dividing one fixed row of scores shows what temperature does: order stays, sharpness goes.

As the divisor tends to 0 the largest score takes everything; as it grows the row tends to
uniform; at no divisor does any score overtake another. √d_k is one point on that road, chosen by
the width of the head. It is not d_k: dividing by 3 where √3 was meant flattens the row too much.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from core._arrays import FloatArray, as_floating
from core.entropy import effective_keys, entropy_from_scores, normalized_entropy
from core.softmax import softmax

_STEPS = 36
"""Slider steps between 1 and √3, so that 1, √3 and 3 = √3² are positions 36 steps apart."""

DIVISORS: FloatArray = np.array(
    [0.25, *(3.0 ** (step / (2 * _STEPS)) for step in range(-90, 151)), 10.0]
)
"""Divisors under the slider: 0.25, then 3^(k/72) for k = −90 to 150, then 10.

Neighbours differ by a factor of 3^(1/72), 1.5 %; only the first and last step are a little
shorter, for 0.25 and 10 are no powers of that factor.
"""
DIVISORS.setflags(write=False)


@dataclass(frozen=True, slots=True, eq=False)
class DividedScores:
    """Rows of scores after division, and what softmax makes of them.

    Attributes
    ----------
    divisor : ndarray, shape (...)
    scores : ndarray, shape (..., n)
        Divided scores.
    weights : ndarray, shape (..., n)
        Their softmax.
    entropy : ndarray, shape (...)
        In nats.
    normalized_entropy : ndarray, shape (...)
        Entropy / ln n, 0 to 1.
    effective_keys : ndarray, shape (...)
        exp(entropy).
    """

    divisor: FloatArray
    scores: FloatArray
    weights: FloatArray
    entropy: FloatArray
    normalized_entropy: FloatArray
    effective_keys: FloatArray


def divide(scores: ArrayLike, divisor: ArrayLike, /, *, shift: float = 0.0) -> DividedScores:
    r"""Return one row of scores divided by one divisor or by each of several.

    .. math:: w_j \propto \exp\!\left(\frac{s_j + c}{\tau}\right)

    Parameters
    ----------
    scores : array_like, shape (n,)
        Raw scores.
    divisor : array_like, shape (...)
        Finite and positive: τ.
    shift : float
        Constant c added to every raw score. It changes the divided scores and, but for
        rounding, no weight.

    Returns
    -------
    DividedScores
        With the axes of `divisor` first.

    Raises
    ------
    ValueError
        If a divisor is not finite and positive, `shift` or a score not finite, or `scores` not
        a row of at least one.

    Examples
    --------
    >>> row = divide([3, 1, -1], np.sqrt(3.0))
    >>> row.weights.round(3), row.entropy.round(4)
    (array([0.707, 0.223, 0.07 ]), np.float64(0.7662))
    >>> divide([3, 1, -1], 2.0, shift=100.0).weights.round(4)
    array([0.6652, 0.2447, 0.09  ])
    """
    row, divisors = as_floating(scores, "scores"), as_floating(divisor, "divisor")
    if row.ndim != 1 or row.size == 0 or not np.isfinite(row).all():
        raise ValueError(
            f"scores must be one row of finite numbers; got shape {row.shape}, {row.tolist()}"
        )
    wrong = ~(np.isfinite(divisors) & (divisors > 0))
    if wrong.any():
        raise ValueError(f"divisor must be finite and positive; got {divisors[wrong][0]}")
    if not math.isfinite(shift):
        raise ValueError(f"shift must be finite; got {shift}")
    tau = divisors[..., np.newaxis]  # (..., 1)
    with np.errstate(over="ignore", under="ignore"):
        lifted = row + shift
        divided = lifted / tau  # (..., n)
        # Differences decide the weights, and stay in order where the scores leave the range.
        gaps = (lifted - lifted.max()) / tau
    weights = softmax(gaps)
    return DividedScores(
        divisor=divisors[()],
        scores=divided,
        weights=weights,
        entropy=entropy_from_scores(gaps),
        normalized_entropy=normalized_entropy(weights),
        effective_keys=effective_keys(weights),
    )


def divisor_table(scores: ArrayLike, /, *, shift: float = 0.0) -> DividedScores:
    """Return the row of scores divided by every position of the slider, `DIVISORS`.

    Parameters
    ----------
    scores : array_like, shape (n,)
        Raw scores.
    shift : float
        Constant added to every raw score.

    Returns
    -------
    DividedScores
        One row a position, 0.25 to 10, evenly spaced on a logarithmic travel.

    Raises
    ------
    ValueError
        As in `divide`.

    Examples
    --------
    >>> table = divisor_table([3, 1, -1])
    >>> table.weights.shape
    (243, 3)
    >>> table.entropy[divisor_position(1)].round(4)
    np.float64(0.4411)
    """
    return divide(scores, DIVISORS, shift=shift)


def divisor_position(divisor: float, /) -> int:
    """Return the position in `DIVISORS` nearest to a divisor on the logarithmic travel.

    Parameters
    ----------
    divisor : float
        Finite and positive; beyond 0.25 to 10 the nearest end is returned.

    Returns
    -------
    int
        Index into `DIVISORS` and the rows of `divisor_table`.

    Raises
    ------
    ValueError
        If the divisor is not finite and positive.

    Examples
    --------
    >>> DIVISORS[[divisor_position(1), divisor_position(1.7321), divisor_position(500)]]
    array([ 1.        ,  1.73205081, 10.        ])
    """
    if not 0 < divisor < math.inf:
        raise ValueError(f"divisor must be finite and positive; got {divisor}")
    return int(np.abs(np.log(DIVISORS) - math.log(divisor)).argmin())
