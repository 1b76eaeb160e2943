r"""Exact expectations of softmax over normal scores, by way of a race.

Give key j an exponential clock of rate e^(s_j). The first clock to ring is key j's with
probability w_j, its softmax weight, and rings at a time whose rate is Z, the sum of e^(s_j). So
expectations of weights are properties of the winner. In logarithms, the time of a key is
:math:`Y = L - s`, with L the logarithm of a standard exponential (a Gumbel variable with its sign
turned) and s = σz its score; the keys are independent and the winner is the least Y. One
probability, :math:`S(u) = P(Y > u)`, therefore serves any number of keys:

.. math::
    E[H] &= -\gamma - n\int E[L; Y = u]\, S(u)^{n-1}\,du \\
    E\left[\textstyle\sum w^2\right] &= n\int E[e^L; Y = u]\, S(u)^{n-1}\,du

The first holds because log Z averages to −γ less the winning Y, Σws is the winner's mean score,
and what remains is the winner's L; no large numbers cancel, however large σ is. In E[·; Y = u] the
average is over the normal z where σ is small and over the Gumbel L where it is large: the
integrand is smooth on the scale of its step at every σ. References: Gumbel-max trick,
arXiv:1411.0030; random energy model, doi:10.1103/PhysRevB.24.2613.
"""

from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from core._special import normal_cdf

FloatArray = NDArray[np.float64]

# These leave less than 2e-8 in the entropy and in Σw², for 2 to 100,000 keys, at every σ.
_STEPS = 80
_TAIL = 22.0
"""Integrals leave out about e^-22 of the winners at each end."""
_TOP = 3.9
"""A standard exponential exceeds e^3.9 with probability e^-49."""
_GUMBEL_STEP = 0.42
_NORMAL_STEP, _NORMAL_REACH = 0.5, 7.0
_CROSSOVER = 0.8
"""σ up to which the average is over the normal."""
_SOFT_STEP = 0.5
"""Width of the smooth step that S is compared with."""

LEAST_EXPONENT = -300.0
"""Exponentials below e^-300 change nothing here, and subnormal ones would be slow."""


def entropy_and_squares(sigma: FloatArray, n: int, /) -> FloatArray:
    """E[H] and E[Σw²] for n scores of standard deviation `sigma`, shape (2, len(sigma))."""
    u = np.linspace(*race_span(sigma, n), _STEPS, axis=-1)
    narrow = sigma <= _CROSSOVER
    averages = np.empty((4, *u.shape))
    averages[:, narrow] = _over_normal(sigma[narrow], u[narrow])
    averages[:, ~narrow] = _over_gumbel(sigma[~narrow], u[~narrow], n)
    survival, density, of_logarithm, of_exponential = averages
    others_later = power(survival, n - 1)
    # Somebody wins: the densities of the winner sum to 1, which makes up for what is left out.
    total = (density * others_later).sum(axis=-1)
    entropy = -np.euler_gamma - (of_logarithm * others_later).sum(axis=-1) / total
    return np.stack([entropy, (of_exponential * others_later).sum(axis=-1) / total])


def power(probability: FloatArray, exponent: int, /) -> FloatArray:
    """probability**exponent, with what is next to zero left just above the subnormal numbers."""
    logarithm = exponent * np.log(np.maximum(probability, 1e-30))
    return np.asarray(np.exp(np.maximum(logarithm, LEAST_EXPONENT)))


def race_span(sigma: FloatArray, n: int, /) -> tuple[FloatArray, FloatArray]:
    """First and last u at which a race of n keys is won, for each `sigma`."""
    # P(Y < u) is at most e^(u + σ²/2), and about the normal's own tail once |u| > σ².
    tail = _TAIL + np.log(n)
    early = np.where(sigma**2 < 2.0 * tail, -tail - sigma**2 / 2.0, -sigma * np.sqrt(2.0 * tail))
    # Y > a + b needs L > a or −s > b: with both rare enough, all n keys pass e^-32 of the time.
    rare = 1.0 - np.sqrt(-np.expm1(-32.0 / n))
    late = np.log(-np.log(rare)) - sigma * NormalDist().inv_cdf(rare)
    return np.asarray(early), np.asarray(late)


def _over_normal(sigma: FloatArray, u: FloatArray) -> FloatArray:
    """S, the density of Y, and the averages of L and e^L at Y = u, by steps in the score."""
    z = np.arange(-_NORMAL_REACH, _NORMAL_REACH + _NORMAL_STEP / 2.0, _NORMAL_STEP)
    weight = np.exp(-(z**2) / 2.0)
    weight /= weight.sum()
    logarithm = u[..., None] + sigma[:, None, None] * z  # (sigma, u, z)
    exponential = np.exp(np.minimum(logarithm, _TOP))
    later = np.exp(-exponential)
    now = exponential * later
    return np.stack([f @ weight for f in (later, now, logarithm * now, exponential * now)])


def _over_gumbel(sigma: FloatArray, u: FloatArray, n: int) -> FloatArray:
    """S, the density of Y, and the averages of L and e^L at Y = u, by steps in L."""
    logarithm = np.arange(-_TAIL - np.log(n), _TOP, _GUMBEL_STEP)
    exponential = np.exp(logarithm)
    later = np.exp(-exponential)
    now = exponential * later
    # S is a step in L and does not fade to the left; its difference from a normal step does, and
    # the average of a normal step over a normal is a normal step again.
    faded = later - normal_cdf(-logarithm / _SOFT_STEP)
    functions = np.stack([faded, now, logarithm * now, exponential * now], axis=-1)
    averages = np.empty((4, *u.shape))
    for i, s in enumerate(sigma.tolist()):  # one σ at a time stays in the processor's cache
        distance = np.subtract.outer(u[i] / s, logarithm / s)
        np.square(distance, out=distance)
        distance /= -2.0
        density = np.exp(np.maximum(distance, LEAST_EXPONENT, out=distance), out=distance)
        averages[:, i] = (density @ functions).T * (_GUMBEL_STEP / (s * np.sqrt(2.0 * np.pi)))
    averages[0] += normal_cdf(-u / np.hypot(sigma, _SOFT_STEP)[:, None])
    return averages
