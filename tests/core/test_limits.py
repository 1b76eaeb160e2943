import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import iter_sweep, largest_trials, limits, sweep_cost
from core.limits import ENGINES, checked_cost, checked_seed

WIDTHS = st.lists(st.sampled_from([1, 2, 7, 64, 1000, 2**20]), min_size=1, max_size=5)


class TestSweepCost:
    def test_published_independent_keys(self):
        cost = sweep_cost([4, 16, 64, 256, 1024], n_keys=12, n_trials=4000, engine="drawn-vectors")
        assert sum(cost.normals) == 4000 * 13 * 1364
        assert cost.scores == (48_000,) * 5
        assert cost.total == 4000 * 13 * 1364 + 240_000

    def test_exact_law_costs_the_same_at_any_width(self):
        cost = sweep_cost([4, 2**20], n_keys=12, n_trials=10, engine="exact-law")
        assert cost.normals == (130, 130)

    @given(
        WIDTHS,
        st.sampled_from(ENGINES),
        st.sampled_from([2, 3, 20]),
        st.sampled_from([1, 2, 20]),
        st.integers(1, 4),
    )
    def test_is_what_a_sweep_does(self, widths, engine, n_keys, n_queries, n_trials):
        widths = [min(width, 1000) for width in widths]
        setting = {"n_keys": n_keys, "n_queries": n_queries, "n_trials": n_trials, "engine": engine}
        *_, report = iter_sweep(widths, seed=1, **setting)
        assert report.done == report.total == sweep_cost(widths, **setting).total


class TestLargestTrials:
    @given(
        WIDTHS,
        st.sampled_from(ENGINES),
        st.sampled_from([2, 12, 4096]),
        st.sampled_from([1, 16, 1024]),
    )
    def test_fits_and_one_more_does_not(self, widths, engine, n_keys, n_queries):
        setting = {"n_keys": n_keys, "n_queries": n_queries, "engine": engine}
        most = largest_trials(widths, **setting)
        if most:
            checked_cost(widths, n_trials=most, **setting)
        with pytest.raises(ValueError, match=r"more than MAX_|at most MAX_TRIALS"):
            checked_cost(widths, n_trials=most + 1, **setting)

    def test_where_not_one_fits(self):
        setting = {"n_keys": 4096, "engine": "drawn-vectors"}
        assert largest_trials([2**20], **setting) == 0
        with pytest.raises(ValueError, match=r"MAX_NORMALS = 268,435,456: not even one trial fits"):
            checked_cost([2**20], n_queries=1, n_trials=1, **setting)


class TestBounds:
    GOOD = {"n_keys": 12, "n_queries": 1, "n_trials": 10}  # noqa: RUF012

    @pytest.mark.parametrize(
        ("name", "value", "message"),
        [
            ("n_keys", 1, "n_keys must be at least 2, not 1"),
            ("n_keys", 4097, "n_keys must be at most MAX_KEYS = 4,096, not 4,097"),
            ("n_queries", 0, "n_queries must be at least 1, not 0"),
            ("n_queries", 1025, "n_queries must be at most MAX_QUERIES = 1,024, not 1,025"),
            ("n_trials", 0, "n_trials must be at least 1, not 0"),
            ("n_trials", 2**20 + 1, "n_trials must be at most MAX_TRIALS = 1,048,576"),
        ],
    )
    @pytest.mark.parametrize("engine", ENGINES)
    def test_counts(self, name, value, message, engine):
        with pytest.raises(ValueError, match=re.escape(message)):
            sweep_cost([4], engine=engine, **self.GOOD | {name: value})

    @pytest.mark.parametrize(
        ("widths", "message"),
        [
            ([4, 0], "widths must be at least 1, not 0"),
            ([2**20 + 1], "widths must be at most MAX_WIDTH = 1,048,576, not 1,048,577"),
            ([], "1 to MAX_WIDTHS = 64 widths, not 0"),
            (range(1, 66), "1 to MAX_WIDTHS = 64 widths, not 65"),
        ],
    )
    def test_widths(self, widths, message):
        with pytest.raises(ValueError, match=re.escape(message)):
            sweep_cost(widths, **self.GOOD)

    @pytest.mark.parametrize("value", [2.0, "12", True, None, np.float64(3)])
    @pytest.mark.parametrize("name", ["n_keys", "n_queries", "n_trials"])
    def test_only_whole_numbers(self, name, value):
        with pytest.raises(TypeError, match=f"{name} must be whole numbers"):
            sweep_cost([4], **self.GOOD | {name: value})

    def test_numpy_integers_are_whole_numbers(self):
        cost = sweep_cost(np.array([4, 16]), n_keys=np.int64(12), n_trials=np.int32(5))
        assert cost.normals == (65, 65)

    def test_engine(self):
        with pytest.raises(ValueError, match="engine must be one of 'drawn-vectors', 'exact-law'"):
            sweep_cost([4], engine="exact", **self.GOOD)

    def test_seed(self):
        with pytest.raises(ValueError, match="seed must be at least 0, not -1"):
            checked_seed(-1)
        assert checked_seed(2**70) == 2**70

    @pytest.mark.parametrize(
        ("engine", "message"),
        [
            ("exact-law", "MAX_SCORES = 16,777,216: at most 4,096 trials fit"),
            ("drawn-vectors", "MAX_NORMALS = 268,435,456: at most 15 trials fit"),
        ],
    )
    def test_the_whole_sweep(self, engine, message):
        with pytest.raises(ValueError, match=message):
            checked_cost([4096], n_keys=4096, n_queries=1, n_trials=5000, engine=engine)

    def test_are_those_that_the_page_promises(self):
        assert limits.MAX_WIDTH == 2**20
        assert (limits.MIN_KEYS, limits.MAX_KEYS) == (2, 4096)
        assert (limits.MAX_NORMALS, limits.MAX_SCORES) == (2**28, 2**24)
