r"""Rules that turn raw scores into what softmax is handed: √d_k is one way among several.

Another divisor is another temperature. Cosine similarity forgets how long the vectors are, lies
between −1 and 1 at any width, and therefore needs a gain g. A soft cap, c·tanh(s/c), bends what is
large and leaves the rest. A 1 added to softmax's denominator is a *sink*, one more key whose score
is always 0: the keys' weights then sum to less than 1. In all of these but the cosine a key's
logit is an increasing function of its raw score alone: the order of the keys stays, as far as
rounding allows. The cosine depends on the key's length too.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

__all__ = ["RULES", "RandomRows", "random_rows", "rule_logits"]

RULES = ("none", "sqrt_d_k", "d_k/8", "d_k", "cosine", "softcap", "sink")
"""Names of the rules, in the order of their presentation."""


class RandomRows(NamedTuple):
    """Rows of raw scores, and the lengths of the vectors behind them."""

    scores: FloatArray
    """Shape (n_rows, n_keys)."""
    query_length: FloatArray
    """‖q‖, shape (n_rows,)."""
    key_length: FloatArray
    """‖k‖, shape (n_rows, n_keys)."""


def random_rows(rng: np.random.Generator, d_k: int, /, *, n_keys: int, n_rows: int) -> RandomRows:
    r"""Sample scores of independent standard-normal vectors together with the vectors' lengths.

    .. math:: s_j = \|q\|\, z_j, \qquad \|k_j\|^2 = z_j^2 + r_j

    with z_j, the part of k_j along q, standard normal, and r_j, from the other directions,
    chi-squared with d_k − 1 degrees of freedom: 2 n_keys + 1 random numbers a row at any width.
    Draw order: ``rng.chisquare(d_k, n_rows)`` for ‖q‖², ``rng.standard_normal((n_keys, n_rows))``,
    then ``rng.chisquare(d_k − 1, (n_keys, n_rows))``, which at width 1 is 0 and not drawn.

    Examples
    --------
    >>> rows = random_rows(np.random.default_rng(1), 64, n_keys=32, n_rows=1000)
    >>> float(rows.scores.std().round(1)), float((rows.key_length**2).mean().round(0))
    (7.9, 64.0)
    """
    query_length = np.sqrt(rng.chisquare(d_k, n_rows))
    along = rng.standard_normal((n_keys, n_rows))
    key_length = along * along
    if d_k > 1:
        key_length += rng.chisquare(d_k - 1, (n_keys, n_rows))
    np.sqrt(key_length, out=key_length)
    return RandomRows((along * query_length).T, query_length, key_length.T)


def rule_logits(
    rows: RandomRows, d_k: int, rule: str, /, *, gain: float, cap: float, after_scaling: bool
) -> tuple[FloatArray, FloatArray]:
    r"""Return what softmax is handed under a rule, and its derivative by the raw score.

    .. math:: s,\quad \frac{s}{\sqrt{d_k}},\quad \frac{8s}{d_k},\quad \frac{s}{d_k},\quad
        g\,\frac{s}{\|q\|\,\|k\|},\quad c \tanh\frac{s}{c},\quad s \text{ beside a sink}

    Parameters
    ----------
    rows : RandomRows
    d_k : int
        Head width.
    rule : str
        A name in `RULES`.
    gain, cap : float
        g and c, positive.
    after_scaling : bool
        Whether the soft cap and the sink act on s/√d_k instead of s, as published.

    Returns
    -------
    logits, slopes : ndarray, shape (n_rows, n_keys)
        The slopes broadcast: shape (1, 1) where all are the same.

    Raises
    ------
    ValueError
        If `rule` is no name of one.

    Examples
    --------
    >>> rows = RandomRows(np.array([[8.0, -8.0]]), np.array([4.0]), np.array([[4.0, 2.0]]))
    >>> rule_logits(rows, 16, "cosine", gain=10.0, cap=5.0, after_scaling=False)[0]
    array([[  5., -10.]])
    >>> rule_logits(rows, 16, "softcap", gain=10.0, cap=5.0, after_scaling=False)[0].round(3)
    array([[ 4.608, -4.608]])
    """
    if rule not in RULES:
        raise ValueError(f"rule must be one of {', '.join(map(repr, RULES))}; got {rule!r}")
    scores = rows.scores
    if rule == "cosine":
        slopes = gain / (rows.query_length[:, None] * rows.key_length)
        return scores * slopes, slopes
    slope = {"sqrt_d_k": d_k**-0.5, "d_k/8": 8.0 / d_k, "d_k": 1.0 / d_k}.get(rule, 1.0)
    if after_scaling and rule in ("softcap", "sink"):
        slope = d_k**-0.5
    if rule == "softcap":
        bent = scores * (slope / cap)
        # 1 − tanh² would be 0 long before sech² is.
        decay = np.exp(-np.minimum(np.abs(bent), 170.0))
        return cap * np.tanh(bent), slope * (2.0 * decay / (1.0 + decay * decay)) ** 2
    return scores * slope, np.full((1, 1), slope)
