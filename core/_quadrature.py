r"""Rules for integrals that have no closed form, and a table for functions on the half-line.

A smooth function that fades at both ends of an interval is integrated by equal steps to nearly
machine precision; one that doesn't fade takes Gauss–Legendre nodes. A function of the spread σ
that settles at both σ → 0 and σ → ∞ is a short Chebyshev series in (σ − c)/(σ + c), which maps
the half-line to [−1, 1]: a few dozen values then give it everywhere.
"""

from functools import lru_cache

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

_CENTRE = 2.5
"""σ in the middle of the nodes, near where weights freeze: √(2 ln n) is 1.2 to 4.8."""

_AT_ONCE = 2048
"""Values of σ whose polynomials stay in the processor's cache."""

_CHI_BELOW, _CHI_ABOVE = 4.6, 5.5
"""A length lies below √d_k − 4.6 or above √d_k + 5.5 with probability 1e-10 or less."""


@lru_cache(maxsize=8)
def legendre(n: int, /) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights of the n-point Gauss–Legendre rule on [0, 1]."""
    x, w = np.polynomial.legendre.leggauss(n)
    return (x + 1.0) / 2.0, w / 2.0


def half_line_nodes(n: int, /) -> FloatArray:
    """N values of σ, in (0, ∞), at which :func:`half_line_series` wants a function."""
    x = chebyshev.chebpts1(n)
    return np.asarray(_CENTRE * (1.0 + x) / (1.0 - x))


def half_line_series(values: FloatArray, /) -> FloatArray:
    """Chebyshev coefficients, shape (n, m), of m functions known at the n nodes."""
    n = len(values)
    series = chebyshev.chebvander(chebyshev.chebpts1(n), n - 1).T @ values * (2.0 / n)
    series[0] /= 2.0
    return np.asarray(series)


def half_line_values(sigma: FloatArray, series: FloatArray, /) -> FloatArray:
    """Evaluate m functions at `sigma` ≥ 0: shape (m, *sigma.shape)."""
    x = ((sigma - _CENTRE) / (sigma + _CENTRE)).reshape(-1)
    values = np.empty((series.shape[1], x.size))
    # All functions have the polynomials in common, which a sum term by term would not use.
    for start in range(0, x.size, _AT_ONCE):
        here = slice(start, start + _AT_ONCE)
        polynomials = np.empty((len(series), x[here].size))
        polynomials[0], polynomials[1] = 1.0, x[here]
        double = 2.0 * x[here]
        for k in range(2, len(series)):
            np.multiply(double, polynomials[k - 1], out=polynomials[k])
            polynomials[k] -= polynomials[k - 2]
        np.matmul(series.T, polynomials, out=values[:, here])
    return values.reshape(-1, *sigma.shape)


def chi_rule(widths: FloatArray, nodes: int = 32, /) -> tuple[FloatArray, FloatArray]:
    r"""Nodes and weights for averages over the length of a standard normal vector.

    .. math:: p(\sigma) \propto \sigma^{d_k - 1} e^{-\sigma^2/2}

    Parameters
    ----------
    widths : ndarray, shape (...)
        Degrees of freedom d_k.
    nodes : int
        More of them for a function that turns within a few tenths of a length.

    Returns
    -------
    sigma, weight : ndarray, shape (..., m)
        Each row of weights sums to 1.
    """
    t, w = legendre(nodes)
    root = np.sqrt(widths)[..., None]
    low = np.maximum(root - _CHI_BELOW, 0.0)
    sigma = low + (root + _CHI_ABOVE - low) * t
    # The logarithm of the density less its value at √d_k, without large terms to subtract.
    step = sigma - root
    log_density = (root**2 - 1.0) * np.log1p(step / root) - root * step - step**2 / 2.0
    weight = w * np.exp(np.maximum(log_density, -200.0))
    return sigma, weight / weight.sum(axis=-1, keepdims=True)
