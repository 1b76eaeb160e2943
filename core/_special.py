r"""The complementary error function and the normal distribution function, for whole arrays.

NumPy has neither, and ``math.erfc`` takes one number at a time. Both follow from one smooth
function: :math:`(1 + 2x)\,e^{x^2}\mathrm{erfc}(x)` falls from 1 at 0 to 2/√π at infinity with no
feature in between, so that a short Chebyshev series in t = (x − 3)/(x + 3) gives it on the whole
half-line. What remains is e^(−x²), whose exponent is split so that rounding x² costs nothing.
"""

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import ArrayLike, NDArray

__all__ = ["erfc", "normal_cdf"]

_CENTRE = 3.0
"""Where t = 0. Between 2 and 5 it hardly matters."""

_COEFFICIENTS = np.array(
    [
        1.177562574196560046,
        5.353904539615676769e-3,
        -9.377550342284209052e-2,
        5.436652555744322050e-2,
        -1.897659670784520739e-2,
        4.453426061462711570e-3,
        -6.335531710553146940e-4,
        1.766171952317159185e-5,
        1.284153286405667073e-5,
        -2.007228565905991444e-6,
        -1.807522790414837102e-7,
        7.549828343825092828e-8,
        1.885668523838602791e-9,
        -2.699519049798363997e-9,
        -1.460079119939104941e-11,
        1.036160744596948968e-10,
        1.475715976623473009e-12,
        -4.277340064396910825e-12,
        -2.079224928597989978e-13,
        1.813450200317696242e-13,
        1.973425574544738834e-14,
        -7.287943737592673157e-15,
        -1.516987869022811568e-15,
        2.351411225878140352e-16,
        1.000611169182166761e-16,
    ]
)
"""Chebyshev coefficients of (1 + 2x) e^(x²) erfc(x) in t, from 64 nodes in 40-digit arithmetic."""

_UNDERFLOW = 26.5
"""erfc(26.5) is 2e-307; beyond it are only subnormal numbers, which are slow, and zero."""


def erfc(x: ArrayLike, /) -> NDArray[np.float64]:
    r"""Complementary error function.

    .. math:: \mathrm{erfc}(x) = \frac{2}{\sqrt\pi} \int_x^\infty e^{-t^2}\,dt

    Parameters
    ----------
    x : array_like, shape (...)
        Real numbers.

    Returns
    -------
    ndarray, shape (...)
        Between 0 and 2, to a relative 1e-14; 0 where the value is below 2e-307.

    References
    ----------
    Shepherd and Laframboise, "Chebyshev approximation of (1 + 2x) exp(x²) erfc x in 0 ≤ x < ∞",
    doi:10.1090/S0025-5718-1981-0595058-X.

    Examples
    --------
    >>> erfc([0.0, 1.0, 10.0])
    array([1.00000000e+00, 1.57299207e-01, 2.08848758e-45])
    """
    x = np.asarray(x, dtype=np.float64)
    size = np.minimum(np.abs(x), _UNDERFLOW)
    smooth = chebyshev.chebval((size - _CENTRE) / (size + _CENTRE), _COEFFICIENTS)
    # The coarse part has few enough bits for its square to be exact.
    coarse = np.floor(size * 16.0) / 16.0
    tail = np.exp(-coarse * coarse) * np.exp((coarse - size) * (coarse + size))
    tail = np.where(np.abs(x) > _UNDERFLOW, 0.0, tail * smooth / (1.0 + 2.0 * size))
    return np.asarray(np.where(x < 0, 2.0 - tail, tail))


def normal_cdf(x: ArrayLike, /) -> NDArray[np.float64]:
    r"""Probability that a standard normal variable is at most x.

    .. math:: \Phi(x) = \tfrac12 \mathrm{erfc}(-x/\sqrt2)

    Parameters
    ----------
    x : array_like, shape (...)
        Real numbers.

    Returns
    -------
    ndarray, shape (...)
        Between 0 and 1. The relative error is below 1e-14 for |x| up to 6 and grows as x² in the
        lower tail, where rounding x/√2 alone costs that much.

    Examples
    --------
    >>> normal_cdf([-1.96, 0.0]).round(4)
    array([0.025, 0.5  ])
    """
    return 0.5 * erfc(np.asarray(x, dtype=np.float64) / -np.sqrt(2.0))
