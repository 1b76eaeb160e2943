r"""Where softmax freezes: a large-n guide, borrowed from a model of disordered matter.

Give n states independent normal energies of standard deviation σ and weigh them by softmax. There
are about n e^(−x²/2) states whose energy lies x standard deviations out. As long as σ is below
√(2 ln n) the weight sits where there are still many of them, at x = σ, and the entropy is
ln n − σ²/2. From σ = √(2 ln n) on that place is empty: a handful of extreme states take
everything, however large n is. This is the freezing of the random energy model, with keys for
states and 1/σ for temperature; it is exact for n → ∞ and a guide at finite n.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]

__all__ = ["freezing_std", "freezing_width", "guide_entropy", "thawing_keys"]


def freezing_std(n_keys: ArrayLike, /) -> FloatArray:
    r"""Give the score standard deviation at which softmax over n keys freezes, for large n.

    .. math:: \sigma_c = \sqrt{2 \ln n}

    Parameters
    ----------
    n_keys : array_like, shape (...)
        Number of keys n, 1 or more.

    Returns
    -------
    ndarray, shape (...)
        In the unit of the scores that softmax is given. It is also about the largest of n
        standard normal numbers.

    Raises
    ------
    ValueError
        If a number of keys is below 1.

    References
    ----------
    Derrida, "Random-energy model: an exactly solvable model of disordered systems", Phys. Rev. B
    24, 2613 (1981), doi:10.1103/PhysRevB.24.2613.

    Examples
    --------
    >>> freezing_std([2, 1000, 100_000]).round(2)
    array([1.18, 3.72, 4.8 ])
    """
    return np.asarray(np.sqrt(freezing_width(n_keys)))


def freezing_width(n_keys: ArrayLike, /) -> FloatArray:
    r"""Give the width at which raw scores freeze, for large n.

    .. math:: d_k = \sigma_c^2 = 2 \ln n

    Parameters
    ----------
    n_keys : array_like, shape (...)
        Number of keys n, 1 or more.

    Returns
    -------
    ndarray, shape (...)
        A width, not rounded.

    Raises
    ------
    ValueError
        If a number of keys is below 1.

    Examples
    --------
    >>> freezing_width([2, 1000, 100_000]).round(1)
    array([ 1.4, 13.8, 23. ])
    """
    n = np.asarray(n_keys, dtype=np.float64)
    if not np.all(n >= 1.0):
        raise ValueError(f"n_keys must be at least 1; got {n_keys!r}")
    return np.asarray(2.0 * np.log(n))


def thawing_keys(widths: ArrayLike, /) -> FloatArray:
    r"""Give the number of keys that raw scores of a width would need not to be frozen.

    .. math:: n = e^{d_k / 2}

    Parameters
    ----------
    widths : array_like, shape (...)
        Widths d_k, up to 1,418 (beyond it the number leaves double precision).

    Returns
    -------
    ndarray, shape (...)
        Not rounded.

    Raises
    ------
    ValueError
        If a width is below 1 or above 1,418.

    Examples
    --------
    >>> thawing_keys([4, 16])
    array([   7.3890561 , 2980.95798704])
    """
    d_k = np.asarray(widths, dtype=np.float64)
    if not np.all((d_k >= 1.0) & (d_k <= 1418.0)):
        raise ValueError(f"widths must be between 1 and 1,418; got {widths!r}")
    return np.asarray(np.exp(d_k / 2.0))


def guide_entropy(score_std: ArrayLike, /, *, n_keys: ArrayLike) -> FloatArray:
    r"""Give the large-n guide to the mean entropy: right at small σ, 0 from the freezing on.

    .. math:: H \approx \max(\ln n - \sigma^2 / 2,\ 0)

    Parameters
    ----------
    score_std : array_like, shape (...)
        Standard deviation σ of the scores that softmax is given.
    n_keys : array_like, broadcasts against `score_std`
        Number of keys n, 1 or more.

    Returns
    -------
    ndarray, shape (...)
        In nats. The exact entropy of a frozen row is not 0 but stays finite as n grows.

    Raises
    ------
    ValueError
        If a number of keys is below 1.

    Examples
    --------
    >>> guide_entropy([1.0, 3.0, 8.0], n_keys=1000).round(2)
    array([6.41, 2.41, 0.  ])
    """
    sigma = np.asarray(score_std, dtype=np.float64)
    return np.asarray(np.maximum(freezing_width(n_keys) - sigma * sigma, 0.0) / 2.0)
