r"""Averages over a normal variable, at once for any mean and any spread.

A function that is smooth on the scale of a step δ is, but for a few 1e-9, a sum of Gaussians that
stand a step apart and are as wide as a step. The average of a Gaussian over a normal variable is a
wider and lower Gaussian. So once the terms of a function F are known,

.. math::
    E[F(m + \tau z)] = \sum_j c_j \frac{\delta}{\sqrt{\delta^2 + \tau^2}}
        \exp\left(-\frac{(m - x_j)^2}{2(\delta^2 + \tau^2)}\right)

takes one exponential a term, however narrow or wide the normal variable is. A function that rises
from 0 to 1 fades at neither end; its difference from a normal distribution function does, and the
average of that one is known in closed form.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core._race import LEAST_EXPONENT
from core._special import normal_cdf

FloatArray = NDArray[np.float64]

_APART = 40
"""Steps that keep the two ends of a lattice from each other."""


@dataclass(frozen=True, slots=True)
class Rises:
    """Functions that rise from 0 to 1, each a normal step and Gaussians on one lattice.

    Attributes
    ----------
    points : ndarray, shape (j,)
        The lattice.
    centre, spread : ndarray, shape (m,)
        Mean and standard deviation of each function's normal step.
    terms : ndarray, shape (m, j)
        Heights of the Gaussians.
    """

    points: FloatArray
    centre: FloatArray
    spread: FloatArray
    terms: FloatArray

    def average(self, mean: FloatArray, variance: FloatArray) -> FloatArray:
        """E[F(mean + √variance z)] of each function, shape (m,) as `mean` and `variance`."""
        step = self.points[1] - self.points[0]
        square = step * step + variance
        distance = mean[:, None] - self.points
        np.square(distance, out=distance)
        distance /= (-2.0 * square)[:, None]
        np.exp(np.maximum(distance, LEAST_EXPONENT, out=distance), out=distance)
        rest = np.einsum("mj,mj->m", distance, self.terms) * (step / np.sqrt(square))
        below = (self.centre - mean) / np.sqrt(2.0 * (self.spread**2 + variance))
        # They are a few dozen; an array function would take longer to begin.
        smooth = [math.erfc(x) / 2.0 for x in below.tolist()]
        return np.asarray(smooth + rest)


def rises(points: FloatArray, values: FloatArray, /) -> Rises:
    """Take functions apart that are known on a lattice.

    Parameters
    ----------
    points : ndarray, shape (j,)
        Equal steps, small enough for the functions to be smooth on their scale.
    values : ndarray, shape (m, j)
        0 at the first point and 1 at the last.

    Returns
    -------
    Rises
    """
    step = points[1] - points[0]
    density = np.diff(values)
    between = (points[1:] + points[:-1]) / 2.0
    centre = density @ between
    square = density @ between**2 - centre**2
    spread = np.sqrt(np.maximum(square, (2.0 * step) ** 2))
    rest = values - normal_cdf((points - centre[:, None]) / spread[:, None])
    # The rest fades at both ends, so that the lattice may as well be a ring, where a Gaussian at
    # each point is a product of Fourier transforms. A system of as many equations as points would
    # take a hundred times as long.
    size = len(points) + _APART
    away = np.minimum(np.arange(size), size - np.arange(size))
    gaussian = np.fft.rfft(np.exp(away**2 / -2.0)).real
    terms = np.fft.irfft(np.fft.rfft(rest, size) / gaussian, size)[:, : len(points)]
    return Rises(points, centre, spread, np.ascontiguousarray(terms))
