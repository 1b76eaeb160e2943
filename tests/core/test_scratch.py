import numpy as np
import pytest

from core import _scratch
from core._scratch import KEPT, KEPT_NUMBERS, Scratch, borrowed


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch):
    monkeypatch.setattr(_scratch, "_kept", [])


class TestScratch:
    def test_same_name_same_memory(self):
        scratch = Scratch()
        first = scratch("a", 3, 4)
        assert first.shape == (3, 4)
        assert np.shares_memory(first, scratch("a", 2))
        assert not np.shares_memory(first, scratch("b", 3, 4))

    def test_grows(self):
        scratch = Scratch()
        scratch("a", 3)
        assert scratch("a", 5, 2).shape == (5, 2)
        assert scratch.size == 10

    def test_two_take_turns(self):
        turns = Scratch().two("a", 4)
        first, second, third = next(turns), next(turns), next(turns)
        assert not np.shares_memory(first, second)
        assert np.shares_memory(first, third)

    def test_turns_go_on_with_the_next_width(self):
        scratch = Scratch()
        first = next(scratch.two("a", 4))
        second = next(scratch.two("a", 3))
        assert not np.shares_memory(first, second)


class TestBorrowed:
    def test_is_lent_again(self):
        with borrowed() as first:
            pass
        with borrowed() as second:
            assert second is first

    def test_two_runs_never_share(self):
        with borrowed() as first, borrowed() as second:
            assert first is not second

    def test_comes_back_from_a_run_that_fails(self):
        with pytest.raises(ZeroDivisionError), borrowed() as first:
            raise ZeroDivisionError
        with borrowed() as second:
            assert second is first

    def test_few_and_small_ones_are_kept(self):
        with borrowed() as large:
            large("a", KEPT_NUMBERS + 1)
        assert _scratch._kept == []
        runs = [borrowed() for _ in range(KEPT + 1)]
        for run in runs:
            run.__enter__()
        for run in runs:
            run.__exit__(None, None, None)
        assert len(_scratch._kept) == KEPT
