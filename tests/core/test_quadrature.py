"""Rules of integration against closed forms and SciPy's distributions."""

import numpy as np
import pytest
from scipy import stats

from core._quadrature import (
    chi_rule,
    half_line_nodes,
    half_line_series,
    half_line_values,
    legendre,
)


class TestLegendre:
    def test_polynomials_are_exact(self):
        x, w = legendre(32)
        for power in (0, 1, 7, 40, 63):
            assert w @ x**power == pytest.approx(1 / (power + 1), rel=1e-13)


class TestChiRule:
    @pytest.mark.parametrize("width", [1, 2, 3, 4, 16, 21, 22, 512, 1024, 2**20])
    def test_moments_of_the_length(self, width):
        sigma, weight = chi_rule(np.array(float(width)))
        law = stats.chi(width)
        assert weight @ sigma == pytest.approx(law.mean(), rel=1e-8)
        assert weight @ sigma**2 == pytest.approx(width, rel=1e-8)
        # A bounded, curved function of σ, as the averages in use are.
        expected = law.expect(np.log1p, lb=0, ub=law.ppf(1 - 1e-14), epsabs=1e-11)
        assert weight @ np.log1p(sigma) == pytest.approx(expected, abs=2e-9)

    def test_weights_sum_to_one(self):
        sigma, weight = chi_rule(np.geomspace(1, 2**20, 50).reshape(5, 10))
        assert sigma.shape == weight.shape == (5, 10, 32)
        np.testing.assert_allclose(weight.sum(axis=-1), 1, rtol=1e-14)
        assert (sigma > 0).all()


class TestHalfLine:
    def test_reproduces_functions_that_settle(self):
        functions = [lambda s: 1 / (1 + s), lambda s: s / np.hypot(s, 3), lambda s: 1 + 0 * s]
        nodes = half_line_nodes(48)
        series = half_line_series(np.stack([f(nodes) for f in functions], axis=-1))
        sigma = np.concatenate([[0.0], np.geomspace(1e-3, 1e6, 200)])
        found = half_line_values(sigma, series)
        np.testing.assert_allclose(found, [f(sigma) for f in functions], atol=1e-11)

    def test_many_values_of_any_shape(self):
        nodes = half_line_nodes(30)
        series = half_line_series(np.stack([1 / (1 + nodes), nodes / (2 + nodes)], axis=-1))
        sigma = np.geomspace(1e-3, 1e3, 6000).reshape(2, 30, 100)
        found = half_line_values(sigma, series)
        np.testing.assert_allclose(found, [1 / (1 + sigma), sigma / (2 + sigma)], atol=1e-11)
