import math

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.formats import FORMATS, checked_format, round_to_bfloat16, round_to_format

OTHERS = {
    "float16": np.finfo(np.float16),
    "bfloat16": ml_dtypes.finfo(ml_dtypes.bfloat16),
    "float32": np.finfo(np.float32),
    "float64": np.finfo(np.float64),
}


def exponential(score, name):
    with np.errstate(all="ignore"):
        return float(round_to_format(np.exp(round_to_format(score, name)), name))


class TestFloatFormat:
    @pytest.mark.parametrize("name", FORMATS)
    def test_limits_are_those_of_finfo(self, name):
        ours, theirs = FORMATS[name], OTHERS[name]
        assert ours.largest == float(theirs.max)
        assert ours.smallest_normal == float(theirs.smallest_normal)
        assert ours.smallest_subnormal == float(theirs.smallest_subnormal)
        assert ours.epsilon == float(theirs.eps)
        assert ours.bits == theirs.bits

    def test_published_boundary(self):
        assert round(FORMATS["float16"].exp_overflow, 2) == 11.09

    @pytest.mark.parametrize("name", FORMATS)
    def test_exponential_overflows_there_and_not_before(self, name):
        kind = FORMATS[name]
        safe = kind.largest_safe_score
        assert float(round_to_format(safe, name)) == safe
        assert math.isfinite(exponential(safe, name))
        step = kind.epsilon * 2.0 ** math.floor(math.log2(safe))
        assert exponential(safe + step, name) == math.inf
        assert safe <= kind.exp_overflow < safe + step

    @pytest.mark.parametrize("name", ["float16", "bfloat16", "float32"])
    def test_overflow_boundary_of_an_exact_exponential(self, name):
        # An exponential of float64 rounded once: the boundary itself, to a part in 10⁹.
        limit = FORMATS[name].exp_overflow
        assert np.isinf(round_to_format(np.exp(limit * (1 + 1e-9)), name))
        assert np.isfinite(round_to_format(np.exp(limit * (1 - 1e-9)), name))

    @pytest.mark.parametrize("name", ["float16", "bfloat16", "float32"])
    def test_underflow_boundary_of_an_exact_exponential(self, name):
        limit = FORMATS[name].exp_underflow
        assert round_to_format(np.exp(limit * (1 + 1e-5)), name) == 0
        assert round_to_format(np.exp(limit * (1 - 1e-5)), name) > 0

    def test_underflow_of_float64(self):
        with np.errstate(under="ignore"):
            limit = FORMATS["float64"].exp_underflow
            assert np.exp(np.nextafter(limit, -np.inf) - 1e-12) == 0
            assert np.exp(limit + 1e-12) > 0

    @pytest.mark.parametrize("name", FORMATS)
    def test_digits_are_lost_below_the_smallest_normal(self, name):
        kind = FORMATS[name]
        assert math.exp(kind.exp_subnormal) == pytest.approx(kind.smallest_normal, rel=1e-12)


class TestCheckedFormat:
    def test_unknown_format(self):
        with pytest.raises(ValueError, match="float16, bfloat16, float32, float64; got 'fp8'"):
            checked_format("fp8")


class TestRoundToBfloat16:
    def test_every_upper_half_and_its_neighbours(self):
        # All 65,536 bfloat16 numbers, with lower halves at, beside and between the ties.
        upper = np.arange(2**16, dtype=np.uint32)[:, np.newaxis] << np.uint32(16)
        lower = np.array([0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF], dtype=np.uint32)
        values = (upper | lower).view(np.float32)
        with np.errstate(all="ignore"):
            theirs = values.astype(ml_dtypes.bfloat16).astype(np.float32)
        np.testing.assert_array_equal(round_to_bfloat16(values), theirs)

    @given(st.floats(width=32, allow_nan=False))
    def test_rounding_again_changes_nothing(self, value):
        once = round_to_bfloat16(value)
        assert once.dtype == np.float32
        np.testing.assert_array_equal(round_to_bfloat16(once), once)

    def test_keeps_shape_and_nan(self):
        rounded = round_to_bfloat16([[np.nan, -np.inf], [-0.0, 1e-45]])
        np.testing.assert_array_equal(rounded, np.array([[np.nan, -np.inf], [0, 0]], np.float32))
        assert np.signbit(rounded[1, 0])

    def test_text(self):
        with pytest.raises(TypeError, match="values must hold real numbers"):
            round_to_bfloat16(["1"])


class TestRoundToFormat:
    @pytest.mark.parametrize("name", ["float16", "float32", "float64"])
    def test_is_numpys_cast(self, name):
        values = [0.1, -2.5e-8, 7e4, -1e300, 1e-320]
        rounded = round_to_format(values, name)
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal(rounded, np.array(values).astype(name))
        assert rounded.dtype.name == name

    def test_finite_sentinels(self):
        # −1e9 is too large for float16 only; −1e4 fits all four.
        held = {name: float(round_to_format(-1e9, name)) for name in FORMATS}
        assert held["float16"] == -math.inf
        assert held["float32"] == held["float64"] == -1e9
        assert held["bfloat16"] == float(np.array(-1e9).astype(ml_dtypes.bfloat16))
        assert [float(round_to_format(-1e4, name)) for name in FORMATS] == [
            -10_000,
            -9984,
            -10_000,
            -10_000,
        ]

    def test_unknown_format(self):
        with pytest.raises(ValueError, match="format must be one of"):
            round_to_format(1.0, "half")
