r"""The exact expectation of the largest softmax weight over normal scores.

If the largest score is x, its weight is 1/(1 + Σ e^(s_j − x)) over the other keys, and
:math:`1/Z = \int_0^\infty e^{-\tau Z}\,d\tau` turns that into a product over keys:

.. math::
    E[\max w] = n \int p(x) \int_0^\infty e^{-\tau} g(\tau, x)^{n-1}\,d\tau\,dx, \qquad
    g = E\left[e^{-\tau e^{s - x}}; s < x\right]

with p the density of a score. Written over the gap r = x − s, the distance of another key below
the largest, g is the chance of lying below x less
:math:`\int_0^\infty p(x - r)\,(1 - e^{-\tau e^{-r}})\,dr`. The two factors know x and τ apart, so
that on a grid of both the integral is one matrix product, and the gap has to be followed only as
far as the score's spread or e^(−r), whichever is the shorter.
"""

from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from core._quadrature import legendre
from core._race import LEAST_EXPONENT, power
from core._special import normal_cdf

FloatArray = NDArray[np.float64]

# These leave less than 4e-8 in the largest weight, for 2 to 100,000 keys, at every σ.
_SCORE_NODES, _GAP_NODES = 32, 40
_REACH = 7.5
"""Standard deviations up to which a largest score is looked for."""
_STEP, _TAIL, _TOP = 0.45, 24.0, 3.7
"""Equal steps in log τ, from e^-24 of 1/n up to where e^(−τ) is e^-40."""
_GAP_REACH = 28.0


def largest(sigma: FloatArray, n: int, /) -> FloatArray:
    """E[max w] for n scores of standard deviation `sigma` > 0, of the same shape (m,)."""
    lowest = max(NormalDist().inv_cdf(np.exp(-34.0 / n)), -_REACH)
    x, score_weight = legendre(_SCORE_NODES)
    x = lowest + (_REACH - lowest) * x
    score_weight = score_weight * (_REACH - lowest) * n * _normal_density(x)
    tau = np.exp(np.arange(-_TAIL - np.log(n), _TOP, _STEP))
    tau_weight = _STEP * tau * np.exp(-tau)
    below = normal_cdf(x)[:, None]
    gap, gap_weight = legendre(_GAP_NODES)
    result = np.empty_like(sigma)
    for i, s in enumerate(sigma.tolist()):
        reach = min(2.0 * _REACH * s, _GAP_REACH + np.log(n))
        near = _normal_density(x[:, None] - reach / s * gap) * (gap_weight * (reach / s))
        lost = 1.0 - np.exp(-np.exp(-reach * gap)[:, None] * tau)
        result[i] = score_weight @ power(below - near @ lost, n - 1) @ tau_weight
    return result


def _normal_density(x: FloatArray) -> FloatArray:
    return np.asarray(np.exp(np.maximum(x**2 / -2.0, LEAST_EXPONENT)) / np.sqrt(2.0 * np.pi))
