"""The complementary error function and the normal distribution against libm and SciPy."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from core._special import erfc, normal_cdf

reals = st.floats(-40, 40, allow_nan=False)


class TestErfc:
    def test_tabulated_values(self):
        # Abramowitz and Stegun, table 7.1 (erf) and erfc(10) from DLMF 7.9's continued fraction.
        assert math.isclose(erfc(0.5), 0.4795001221869535, rel_tol=1e-15)
        assert math.isclose(erfc(2.0), 0.0046777349810472658, rel_tol=1e-15)
        assert math.isclose(erfc(10.0), 2.0884875837625448e-45, rel_tol=1e-14)

    def test_libm_over_the_whole_range(self):
        # SciPy's own erfc is off by 6e-14 in the tail, so libm is the reference here.
        x = np.linspace(-8, 26.4, 20_001)
        reference = np.array([math.erfc(value) for value in x])
        np.testing.assert_allclose(erfc(x), reference, rtol=1e-14, atol=0)

    @given(reals)
    def test_reflection(self, x):
        assert math.isclose(erfc(x) + erfc(-x), 2.0, rel_tol=1e-15)

    def test_far_out(self):
        np.testing.assert_array_equal(erfc([27.0, 1e300, np.inf, -np.inf]), [0, 0, 0, 2])

    def test_keeps_shape(self):
        assert erfc(np.zeros((2, 0, 3))).shape == (2, 0, 3)
        assert erfc(1.0).shape == ()


class TestNormalCdf:
    def test_scipy(self):
        x = np.linspace(-6, 8, 20_001)
        np.testing.assert_allclose(normal_cdf(x), special.ndtr(x), rtol=1e-14, atol=0)

    def test_lower_tail(self):
        x = np.linspace(-37, -6, 1001)
        np.testing.assert_allclose(normal_cdf(x), special.ndtr(x), rtol=5e-13, atol=0)

    @given(reals, reals)
    def test_increasing(self, x, y):
        low, high = min(x, y), max(x, y)
        assert normal_cdf(low) <= normal_cdf(high) * (1 + 1e-14)
