"""Averages over a normal variable against SciPy's integrals."""

import tracemalloc

import numpy as np
import pytest
from scipy import integrate, special, stats

from core._lattice import rises


def by_integral(f, mean, std):
    near = [mean, *(np.clip(x, mean - 9 * std, mean + 9 * std) for x in (-3, 0, 3))]
    return integrate.quad(
        lambda x: f(x) * stats.norm.pdf(x, mean, std),
        mean - 9 * std,
        mean + 9 * std,
        points=near,
        epsabs=1e-12,
        limit=500,
    )[0]


class TestRises:
    @pytest.mark.parametrize("std", [0.01, 0.3, 1.0, 40.0])
    def test_average_of_a_logistic(self, std):
        points = np.arange(-24, 24, 0.4)
        means = np.array([-30.0, -3.1, 0.0, 0.77, 12.0])
        found = rises(points, np.tile(special.expit(points), (len(means), 1))).average(
            means, np.full(means.shape, std**2)
        )
        expected = [by_integral(special.expit, mean, std) for mean in means]
        np.testing.assert_allclose(found, expected, atol=4e-9)

    def test_without_variance_it_is_the_function_itself(self):
        points, between = np.arange(-24, 24, 0.4), np.linspace(-30, 30, 301)
        together = rises(points, np.tile(special.expit(points), (len(between), 1)))
        found = together.average(between, np.zeros(between.shape))
        np.testing.assert_allclose(found, special.expit(between), atol=4e-9)

    def test_each_function_has_its_own_step(self):
        points = np.arange(-30, 30, 0.4)
        centres, spreads = np.array([-8.0, 0.0, 5.0]), np.array([1.0, 3.0, 0.9])
        values = stats.norm.cdf(points, centres[:, None], spreads[:, None])
        found = rises(points, values).average(centres + 1.0, np.full(3, 2.0))
        expected = stats.norm.cdf(1.0 / np.sqrt(spreads**2 + 2.0))
        np.testing.assert_allclose(found, expected, atol=4e-9)

    def test_many_points_take_no_system_of_as_many_equations(self):
        # A reader waited seconds for the planted key while dense systems were solved: here 72 MB.
        points = np.arange(-600, 600, 0.4)
        tracemalloc.start()
        rises(points, special.expit(points)[None])
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 2e6
