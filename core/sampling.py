r"""Random scores in two ways: every vector drawn, or the law of their products sampled.

Queries and keys have independent standard-normal components. **Drawn vectors** draws them all and
multiplies. **Exact law** uses what is known of the products: given q, the scores of independent
keys are independent normal with variance ‖q‖², and ‖q‖² is chi-squared with d_k degrees of
freedom, so a row of n_k scores needs n_k + 1 random numbers at any width. Queries that share keys
have the scores

.. math:: Q K^\top = L\,(O K^\top) \sim L Z, \qquad Q = L O,

with O orthonormal rows, L the lower-triangular (Bartlett) factor of the Wishart matrix QQᵀ and Z
standard normal. Its diagonal is chi with d_k, d_k − 1, … degrees of freedom, below it all is
standard normal; where d_k < n_q it has d_k columns only.

Either engine is a generator that draws, and leaves the multiplying to whom it yields to: pairs of
how many random numbers it has drawn and a job that returns scores, shape (rows, n_keys), possibly
of no rows. They follow each other row by row and trial by trial. Jobs are called in order, each
before the generator is asked for the next but one, so that one can run while the next is drawn.
Its scores are the caller's to overwrite, until the next job is called. Large arrays come from a
`Scratch`, so that a run touches fresh memory once.
"""

from __future__ import annotations

import numpy as np

from core._blocks import BATCH, BLOCK, HELD, Jobs
from core._drawn import drawn_independent, drawn_shared
from core._exact import exact_independent, exact_shared
from core._scratch import Scratch

__all__ = ["BATCH", "BLOCK", "HELD", "drawn_vectors", "exact_law"]


def drawn_vectors(
    rng: np.random.Generator,
    d_k: int,
    scratch: Scratch,
    /,
    *,
    n_keys: int,
    n_queries: int,
    n_trials: int,
) -> Jobs:
    r"""Draw every query and key, and yield their dot products.

    Draw order with one query a trial: batches of 200 queries (fewer where their components would
    number more than `HELD`), first all queries of the batch, ``(200, d_k)``, then all their keys,
    ``(200, n_keys, d_k)``. With more queries: for each trial Q, ``(n_queries, d_k)``, then K,
    ``(n_keys, d_k)``; where these number more than `HELD`, in slices of that many coordinates.
    The scores are to the bit those of the plain loops over batches and trials ::

        np.einsum("bd,bkd->bk", query, key)        query @ key.T

    Parameters
    ----------
    rng
        Generator to draw from; one for all widths, in the published runs.
    d_k
        Head width.
    scratch
        Memory to work in.
    n_keys, n_queries, n_trials
        Keys and queries a trial, and trials.

    Yields
    ------
    tuple of int and callable
        Random numbers drawn since the last pair, and a job that returns raw scores.

    Examples
    --------
    >>> rng = np.random.default_rng(20)
    >>> jobs = drawn_vectors(rng, 4, Scratch(), n_keys=3, n_queries=2, n_trials=1)
    >>> scores = np.concatenate([job() for _, job in jobs])
    >>> rng = np.random.default_rng(20)
    >>> Q, K = rng.standard_normal((2, 4)), rng.standard_normal((3, 4))
    >>> bool((scores == Q @ K.T).all())
    True
    """
    if n_queries == 1:
        return drawn_independent(rng, d_k, scratch, n_keys, n_trials)
    return drawn_shared(rng, d_k, scratch, n_keys, n_queries, n_trials)


def exact_law(
    rng: np.random.Generator,
    d_k: int,
    scratch: Scratch,
    /,
    *,
    n_keys: int,
    n_queries: int,
    n_trials: int,
) -> Jobs:
    """Sample the scores from their law, at a cost that does not grow with the width.

    Parameters, and what is yielded, are those of `drawn_vectors`.

    References
    ----------
    Smith and Hocking, "Algorithm AS 53: Wishart variate generator", doi:10.2307/2346290, for the
    Bartlett factor.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> jobs = exact_law(rng, 2**20, Scratch(), n_keys=12, n_queries=1, n_trials=1000)
    >>> scores = np.concatenate([job() for _, job in jobs])
    >>> scores.shape, float((scores.std() / 2**10).round(1))
    ((1000, 12), 1.0)
    """
    if n_queries == 1:
        return exact_independent(rng, d_k, scratch, n_keys, n_trials)
    return exact_shared(rng, d_k, scratch, n_keys, n_queries, n_trials)
