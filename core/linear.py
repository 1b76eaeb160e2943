r"""Linear attention gives up softmax, and with it the score table.

If a weight is a product of features, φ(q)·φ(k), then Σ φ(q)·φ(k_j) v_j = φ(q) · Σ φ(k_j) v_jᵀ,
and the sum over keys is the same for every query: it is taken once. The cost becomes linear in
the number of tokens. But such weights are not exponentials of scores: with φ(x) = elu(x) + 1 they
are far flatter than softmax's, and the output lies closer to the mean of the values. There are no
scores to divide, so √d_k has no place here.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core._arrays import FloatArray, as_floating, stored, working_dtype
from core.attention import attention
from core.intervals import Estimate, Point, spread_interval
from core.limits import MAX_NORMALS, checked_counts, checked_seed, checked_widths
from core.scores import check_query_and_key

_BLOCK = 1 << 18
"""Numbers worked on at a time."""


def elu_features(x: ArrayLike, /) -> FloatArray:
    r"""Return the positive features elu(x) + 1, coordinate by coordinate.

    .. math:: \phi(x) = x + 1 \text{ for } x > 0, \qquad e^x \text{ otherwise}

    Parameters
    ----------
    x : array_like, shape (...)
        Real numbers.

    Returns
    -------
    ndarray, shape (...)
        Not negative.

    Examples
    --------
    >>> elu_features([-1.0, 0.0, 2.0]).round(3)
    array([0.368, 1.   , 3.   ])
    """
    given = as_floating(x, "x")
    with np.errstate(under="ignore"):
        return np.where(given > 0, given + 1, np.exp(np.minimum(given, 0)))


def linear_attention(query: ArrayLike, key: ArrayLike, value: ArrayLike, /) -> FloatArray:
    r"""Return linear attention with the features elu(x) + 1, in both directions.

    .. math:: \frac{\phi(Q)\,(\phi(K)^{\top} V)}{\phi(Q) \sum_j \phi(k_j)}

    Parameters
    ----------
    query : array_like, shape (..., n_q, d_k)
    key : array_like, shape (..., n_k, d_k)
    value : array_like, shape (..., n_k, d_v)
        Leading axes broadcast. Query and key are taken as they are, not divided by anything.

    Returns
    -------
    ndarray, shape (..., n_q, d_v)
        A mixture of the values with positive weights that sum to 1.

    Raises
    ------
    ValueError
        If shapes do not fit, or there is no key.
    TypeError
        If an array is not real.

    References
    ----------
    A. Katharopoulos et al., "Transformers are RNNs: fast autoregressive transformers with linear
    attention", arXiv:2006.16236.

    Examples
    --------
    >>> linear_attention([[0.0, 1.0]], [[1.0, 0.0], [0.0, 0.0]], [[1.0], [0.0]]).round(3)
    array([[0.571]])
    """
    queries, keys = as_floating(query, "query"), as_floating(key, "key")
    values = as_floating(value, "value")
    check_query_and_key(queries, keys)
    if values.ndim < 2 or values.shape[-2] != keys.shape[-2] or keys.shape[-2] == 0:
        raise ValueError(
            "key and value must have one row per key, and at least one; "
            f"got key {keys.shape} and value {values.shape}"
        )
    working = working_dtype(queries, keys, values)
    asked, offered = (elu_features(a.astype(working)) for a in (queries, keys))
    memory = offered.swapaxes(-1, -2) @ values.astype(working)  # (..., d_k, d_v)
    total = offered.sum(axis=-2)[..., np.newaxis]  # (..., d_k, 1)
    mixed = asked @ memory / (asked @ total)  # (..., n_q, d_v)
    return stored(mixed, np.result_type(queries, keys, values))


@dataclass(frozen=True, slots=True)
class LinearError:
    """How far linear attention lies from softmax attention, against the width of a head.

    Attributes
    ----------
    widths : ndarray of int, shape (n_widths,)
    linear, mean : Estimate
        Relative error of linear attention, and that of answering every query with the mean of
        the values: ‖approximation − exact‖ / ‖exact‖ over a trial's outputs, root mean square
        over trials.
    """

    widths: NDArray[np.int64]
    linear: Estimate
    mean: Estimate


def linear_error(
    widths: ArrayLike, /, *, n_keys: int, n_queries: int, n_trials: int, seed: int
) -> LinearError:
    r"""Measure linear attention against softmax attention, scaled by √d_k, on random tokens.

    .. math:: \frac{\lVert \hat O - O \rVert_F}{\lVert O \rVert_F}

    Parameters
    ----------
    widths : array_like of int, shape (n_widths,)
        Head widths d_k; values have the same width.
    n_keys, n_queries, n_trials : int
        Keys and queries of a trial, and trials at each width.
    seed : int
        Of the generator: a trial draws queries, then keys, then values, standard normal.

    Returns
    -------
    LinearError
        With 95 % intervals, a trial being the unit.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range, or more than `core.limits.MAX_NORMALS` numbers would be
        drawn.

    Examples
    --------
    >>> error = linear_error([4, 64], n_keys=32, n_queries=16, n_trials=20, seed=1)
    >>> error.linear.value.round(2)
    array([0.77, 0.73])
    """
    sizes = np.array(checked_widths(np.atleast_1d(widths).tolist()))
    n_keys, n_queries, n_trials = checked_counts(n_keys, n_queries, n_trials)
    drawn = n_trials * (n_queries + 2 * n_keys) * int(sizes.sum())
    if drawn > MAX_NORMALS:
        raise ValueError(
            f"{drawn:,} numbers would be drawn, more than MAX_NORMALS = {MAX_NORMALS:,}: "
            "take fewer trials, tokens or widths"
        )
    rng = np.random.default_rng(checked_seed(seed))
    points = []
    for d_k in sizes.tolist():
        squares = np.empty((2, n_trials))
        block = max(1, _BLOCK // ((n_queries + n_keys) * (n_keys + d_k)))
        for start in range(0, n_trials, block):
            some = slice(start, min(start + block, n_trials))
            tokens = rng.standard_normal((some.stop - start, n_queries + 2 * n_keys, d_k))
            query, key, value = np.split(tokens, [n_queries, n_queries + n_keys], axis=1)
            exact = attention(query, key, value).output
            for row, other in enumerate(
                (linear_attention(query, key, value), value.mean(axis=1, keepdims=True))
            ):
                missed = ((other - exact) ** 2).sum(axis=(1, 2))
                squares[row, some] = missed / (exact**2).sum(axis=(1, 2))
        points.append([_root_mean_square(row) for row in squares])
    linear, mean = (
        Estimate(*(np.array(column) for column in zip(*series, strict=True)))
        for series in zip(*points, strict=True)
    )
    return LinearError(sizes, linear, mean)


def _root_mean_square(squares: NDArray[np.float64]) -> Point:
    mean = float(squares.mean())
    spread = float(squares.var(ddof=1)) if squares.size > 1 else 0.0
    return spread_interval(math.sqrt(mean), mean, spread, squares.size)
