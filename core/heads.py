r"""A head is one pair of query and key; a model holds many, and they differ more than widths do.

One number a head makes them comparable: the spread of its raw scores in units of √d_k, which the
random model puts at 1. What the division leaves of a head's sharpness shows beside it, as entropy
and largest weight before and after. And one head can be looked at under any divisor at all: the
order of the keys in a row never changes, only how much the first one takes.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from core._arrays import FloatArray, as_floating
from core._rows import SATURATED
from core.entropy import entropy_from_scores, normalized_entropy
from core.finite import refuse_huge
from core.scores import dot_product_scores
from core.softmax import softmax


@dataclass(frozen=True, slots=True, eq=False)
class HeadStatistics:
    """One number a head for each statistic; arrays of the leading axes' shape.

    Attributes
    ----------
    score_mean, score_std : ndarray
        Mean and standard deviation (mean removed) over the head's whole raw score matrix.
    score_std_ratio : ndarray
        `score_std` / √d_k; 1 in the random model.
    within_row_std : ndarray
        Root mean square deviation of a raw score from its row's mean: the part softmax sees.
    normalized_entropy_raw, normalized_entropy_scaled : ndarray
        Mean over the rows, 0 to 1.
    max_weight_raw, max_weight_scaled : ndarray
        Mean over the rows of the largest weight.
    saturated_share_raw, saturated_share_scaled : ndarray
        Share of rows whose largest weight passes 0.9.
    """

    score_mean: FloatArray
    score_std: FloatArray
    score_std_ratio: FloatArray
    within_row_std: FloatArray
    normalized_entropy_raw: FloatArray
    normalized_entropy_scaled: FloatArray
    max_weight_raw: FloatArray
    max_weight_scaled: FloatArray
    saturated_share_raw: FloatArray
    saturated_share_scaled: FloatArray

    @property
    def above_random(self) -> int:
        """Number of heads whose raw scores spread wider than √d_k."""
        return int((self.score_std_ratio > 1).sum())

    @property
    def median_score_std(self) -> float:
        """Median of `score_std` over the heads."""
        return float(np.median(self.score_std))


@dataclass(frozen=True, slots=True, eq=False)
class DividedHead:
    """What softmax makes of heads' scores under one divisor; leading axes are kept.

    Attributes
    ----------
    divisor : float
    scores : ndarray, shape (..., n_q, n_k)
        Raw scores divided by it.
    weights : ndarray, shape (..., n_q, n_k)
        Rows sum to 1.
    entropy, normalized_entropy, max_weight : ndarray, shape (..., n_q)
        Of each row; entropy in nats.
    saturated_share : ndarray, shape (...)
        Share of rows whose largest weight passes 0.9.
    """

    divisor: float
    scores: FloatArray
    weights: FloatArray
    entropy: FloatArray
    normalized_entropy: FloatArray
    max_weight: FloatArray
    saturated_share: FloatArray


def divide_head(
    query: ArrayLike, key: ArrayLike, /, *, divisor: float | None = None
) -> DividedHead:
    r"""Return scores, weights and entropies of heads under one divisor.

    .. math:: W = \operatorname{softmax}(Q K^{\top} / \tau)

    Parameters
    ----------
    query : array_like, shape (..., n_q, d_k)
    key : array_like, shape (..., n_k, d_k)
        Leading axes broadcast. For long sequences see `diagnose`, which works by tiles.
    divisor : float, optional
        τ, finite and positive; default √d_k.

    Returns
    -------
    DividedHead

    Raises
    ------
    ValueError
        If shapes do not fit, an entry is not finite or beyond 1e60, or the divisor is not finite
        and positive.

    Examples
    --------
    >>> query, key = [[1, 1, 1]], [[1, 1, 1], [1, 0, 0], [-1, 0, 0]]
    >>> divide_head(query, key).weights.round(3)
    array([[0.707, 0.223, 0.07 ]])
    >>> divide_head(query, key, divisor=1).entropy.round(4)
    array([0.4411])
    """
    queries, keys = as_floating(query, "query"), as_floating(key, "key")
    refuse_huge(queries, "query")
    refuse_huge(keys, "key")
    scores = dot_product_scores(queries, keys).astype(np.float64)
    if not np.isfinite(scores).all():
        raise ValueError("query and key must be finite; diagnose finds where they are not")
    tau = math.sqrt(queries.shape[-1]) if divisor is None else float(divisor)
    if not 0 < tau < math.inf:
        raise ValueError(f"divisor must be finite and positive; got {divisor}")
    # Differences decide the weights, and stay in order where divided scores leave the range.
    with np.errstate(over="ignore"):
        gaps = (scores - scores.max(axis=-1, keepdims=True)) / tau
        divided = scores / tau
    weights = softmax(gaps)
    largest = weights.max(axis=-1)
    return DividedHead(
        divisor=tau,
        scores=divided,
        weights=weights,
        entropy=np.asarray(entropy_from_scores(gaps)),
        normalized_entropy=np.asarray(normalized_entropy(weights)),
        max_weight=largest,
        saturated_share=np.asarray((largest > SATURATED).mean(axis=-1)),
    )


def head_statistics(query: ArrayLike, key: ArrayLike, /) -> HeadStatistics:
    """Return one number a head: spread, and sharpness without and with the division by √d_k.

    Parameters
    ----------
    query : array_like, shape (..., n_q, d_k)
    key : array_like, shape (..., n_k, d_k)
        Leading axes (layer and head, say) broadcast and are kept.

    Returns
    -------
    HeadStatistics

    Raises
    ------
    ValueError
        As in `divide_head`.

    Examples
    --------
    >>> from core.trained import trained_heads
    >>> heads = trained_heads()
    >>> statistics = head_statistics(heads.query, heads.key)
    >>> statistics.score_std.shape, f"{np.median(statistics.score_std):.1f}"
    ((6, 12), '8.2')
    >>> int((statistics.score_std_ratio > 1).sum())
    60
    """
    raw, scaled = divide_head(query, key, divisor=1.0), divide_head(query, key)
    spread = raw.scores.std(axis=(-2, -1))
    return HeadStatistics(
        score_mean=raw.scores.mean(axis=(-2, -1)),
        score_std=spread,
        score_std_ratio=spread / scaled.divisor,
        within_row_std=np.sqrt(raw.scores.var(axis=-1).mean(axis=-1)),
        normalized_entropy_raw=raw.normalized_entropy.mean(axis=-1),
        normalized_entropy_scaled=scaled.normalized_entropy.mean(axis=-1),
        max_weight_raw=raw.max_weight.mean(axis=-1),
        max_weight_scaled=scaled.max_weight.mean(axis=-1),
        saturated_share_raw=raw.saturated_share,
        saturated_share_scaled=scaled.saturated_share,
    )
