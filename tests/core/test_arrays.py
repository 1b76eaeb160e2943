import numpy as np
import pytest

from core._arrays import as_boolean, as_floating, stored, working_dtype


class TestAsFloating:
    @pytest.mark.parametrize(
        ("given", "kept"),
        [
            (np.float16, np.float16),
            (np.float32, np.float32),
            (np.float64, np.float64),
            (np.dtype(">f8"), np.dtype("=f8")),
            (np.int8, np.float64),
            (np.uint64, np.float64),
            (np.bool_, np.float64),
        ],
    )
    def test_dtypes(self, given, kept):
        array = as_floating(np.ones(3, given), "x")
        assert array.dtype == kept
        assert array.dtype.isnative
        np.testing.assert_array_equal(array, 1)

    def test_does_not_copy_what_fits(self):
        array = np.ones(3, np.float16)
        assert as_floating(array, "x") is array

    @pytest.mark.parametrize("wrong", [1j, "1", None, np.datetime64("2017-06-12")])
    def test_refuses_what_is_not_real(self, wrong):
        with pytest.raises(TypeError, match=r"x must hold real numbers .* got dtype"):
            as_floating([wrong], "x")

    def test_refuses_ragged_lists(self):
        with pytest.raises(ValueError, match="x is not a rectangular array"):
            as_floating([[1, 2], [3]], "x")


class TestAsBoolean:
    def test_booleans(self):
        assert as_boolean([True, False], "x").tolist() == [True, False]

    @pytest.mark.parametrize("wrong", [1, 1.0, "True"])
    def test_refuses_the_rest(self, wrong):
        with pytest.raises(TypeError, match="x must be boolean, True where an entry takes part"):
            as_boolean([wrong], "x")


class TestWorkingDtype:
    @pytest.mark.parametrize(
        ("dtypes", "working"),
        [
            ([np.float16], np.float32),
            ([np.float16, np.float32], np.float32),
            ([np.float32, np.float64], np.float64),
        ],
    )
    def test_is_at_least_float32(self, dtypes, working):
        assert working_dtype(*(np.ones(1, dtype) for dtype in dtypes)) == working


class TestStored:
    def test_rounds_without_a_warning(self):
        rounded = stored(np.array([1e5, -1e5, 1e-9, 0.1], np.float32), np.float16)
        np.testing.assert_array_equal(rounded, np.array([np.inf, -np.inf, 0, 0.1], np.float16))
        assert rounded.dtype == np.float16
