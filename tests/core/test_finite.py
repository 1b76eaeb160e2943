"""NaN and infinities, counted and located."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra import numpy as hnp

from core import find_non_finite
from core.finite import _BLOCK, refuse_huge


class TestFindNonFinite:
    def test_by_hand(self):
        found = find_non_finite([[1, np.nan], [-np.inf, np.nan]], name="key")
        assert (found.nan, found.positive_infinity, found.negative_infinity) == (2, 0, 1)
        assert found.first == ((0, 1), (1, 0), (1, 1))
        assert (
            found.sentence
            == "key holds 2 × NaN, 1 × −inf among 4 entries, at [0, 1], [1, 0], [1, 1]"
        )

    @given(hnp.arrays(np.float32, hnp.array_shapes(max_dims=4, min_side=0, max_side=5)))
    def test_agrees_with_numpy(self, values):
        found = find_non_finite(values)
        places = np.argwhere(~np.isfinite(values))
        if not len(places):
            assert found is None
            return
        assert found.count == len(places)
        assert found.first == tuple(map(tuple, places[:5].tolist()))

    def test_beyond_the_first_block(self):
        values = np.zeros((2, _BLOCK), dtype=np.float16)
        values[0, -1] = values[1, 0] = np.inf
        assert find_non_finite(values).first == ((0, _BLOCK - 1), (1, 0))

    def test_shows_a_few_only(self):
        found = find_non_finite(np.full(1000, np.nan))
        assert len(found.first) == 5
        assert found.sentence.endswith("[4], …")

    @pytest.mark.parametrize("values", [[1, 2], [True], 3.0, np.empty((0, 3))])
    def test_all_finite(self, values):
        assert find_non_finite(values) is None

    def test_complex(self):
        with pytest.raises(TypeError, match="key must hold real numbers"):
            find_non_finite([1j], name="key")


class TestRefuseHuge:
    @pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble])
    def test_takes_what_float32_can_hold(self, dtype):
        refuse_huge(
            np.array([np.finfo(dtype).max if dtype is np.float16 else 3e38, np.inf], dtype), "q"
        )

    def test_names_the_place(self):
        with pytest.raises(ValueError, match=r"q has 2e\+60 at \[1, 0\]; .* at most 1e\+60"):
            refuse_huge(np.array([[1.0], [2e60]]), "q")
