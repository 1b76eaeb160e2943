"""What shapes alone say about the order of axes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import diagnose, layout_hints
from core.layout import fits, swapped

SHAPES = st.lists(st.integers(1, 4), min_size=2, max_size=4).map(tuple)


class TestFits:
    @given(SHAPES, SHAPES, st.none() | SHAPES)
    def test_agrees_with_what_diagnose_takes(self, query, key, value):
        arrays = [np.ones(query), np.ones(key)]
        options = {} if value is None else {"value": np.ones(value)}
        try:
            diagnose(*arrays, **options)
            taken = True
        except ValueError:
            taken = False
        assert fits(query, key, *([] if value is None else [value])) == taken

    def test_vectors_do_not(self):
        assert not fits((4,), (4,))


class TestLayoutHints:
    @pytest.mark.parametrize(
        ("shapes", "roles", "swap"),
        [
            (((10, 64), (64, 20)), ("key",), (-2, -1)),
            (((64, 10), (20, 64)), ("query",), (-2, -1)),
            (((64, 10), (64, 20)), ("query", "key"), (-2, -1)),
            (((10, 64), (12, 64), (64, 12)), ("value",), (-2, -1)),
            (((10, 12, 64), (14, 12, 64)), ("query", "key"), (-3, -2)),
            (((10, 12, 64), (12, 14, 64)), ("query",), (-3, -2)),
            (((12, 10, 64), (12, 64, 14)), ("key",), (-2, -1)),
        ],
    )
    def test_names_the_exchange_that_mends_it(self, shapes, roles, swap):
        hint = layout_hints(*shapes)[0]
        assert (hint.roles, hint.swap, hint.needed) == (roles, swap, True)
        assert all(
            str(shapes[("query", "key", "value").index(role)]) in hint.sentence for role in roles
        )

    @given(SHAPES, SHAPES, st.none() | SHAPES)
    def test_every_needed_exchange_makes_the_shapes_fit(self, query, key, value):
        shapes = {"query": query, "key": key} | ({} if value is None else {"value": value})
        for hint in layout_hints(query, key, value):
            mended = {r: swapped(s, hint.swap) if r in hint.roles else s for r, s in shapes.items()}
            assert fits(*mended.values())
            assert hint.needed == (not fits(*shapes.values()))

    @pytest.mark.parametrize(
        ("shape", "swap"),
        [((128, 12, 64), (-3, -2)), ((2, 128, 12, 64), (-3, -2)), ((64, 10), (-2, -1))],
    )
    def test_asks_about_the_unusual(self, shape, swap):
        (hint,) = layout_hints(shape, shape)
        assert (hint.swap, hint.needed) == (swap, False)

    @pytest.mark.parametrize(
        "shape", [(12, 128, 64), (128, 64), (2, 12, 128, 64), (3, 4), (1, 1, 8)]
    )
    def test_has_nothing_to_say_of_the_usual(self, shape):
        assert layout_hints(shape, shape) == ()

    def test_nothing_mends_it(self):
        assert layout_hints((10, 64), (12, 48)) == ()
        assert layout_hints((10,), (10, 64)) == ()
