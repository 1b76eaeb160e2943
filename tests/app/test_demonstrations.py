"""A control's change runs only the part it decides, where that is enough."""

import demonstrations
import pytest
import streamlit as st
from streamlit.errors import StreamlitInvalidLayoutContextError

SWEEP = "sweep.py"


@pytest.fixture
def alone(monkeypatch):
    """Record which demonstrations are asked to run alone."""
    asked = []
    monkeypatch.setattr(demonstrations, "run_alone", lambda *names: asked.append(names))
    return asked


class TestAgain:
    def test_a_page_that_stands_runs_the_part_alone(self, open_app, alone):
        open_app(SWEEP).number_input(key="trials").set_value(50).run()
        assert alone == [("measured",)]

    def test_an_open_fold_takes_the_whole_page(self, open_app, alone):
        app = open_app(SWEEP)
        app.session_state["fold Sources"] = True
        app.run()
        app.number_input(key="trials").set_value(50).run()
        assert alone == []

    def test_so_does_a_run_that_was_broken_off(self, open_app, alone):
        app = open_app(SWEEP)
        app.session_state[demonstrations._WHOLE] = False
        app.number_input(key="trials").set_value(50).run()
        assert alone == []
        app.number_input(key="trials").set_value(60).run()
        assert alone == [("measured",)]


class TestRunWhole:
    def test_only_a_page_that_comes_to_its_end_stands(self, monkeypatch):
        state = {}
        monkeypatch.setattr(st, "session_state", state)

        def broken_off():
            assert state[demonstrations._WHOLE] is False
            raise InterruptedError

        demonstrations.run_whole(lambda: None)
        assert state[demonstrations._WHOLE] is True
        with pytest.raises(InterruptedError):
            demonstrations.run_whole(broken_off)
        assert state[demonstrations._WHOLE] is False


class TestAlone:
    def test_where_the_page_broke_off_before_its_containers_the_page_runs_whole(self, monkeypatch):
        def rerun():
            raise InterruptedError

        def part():
            raise errors.pop(0)

        monkeypatch.setattr(st, "fragment", lambda key: lambda run: runs.append(run) or run)
        monkeypatch.setattr(st, "rerun", rerun)
        monkeypatch.setattr(st, "session_state", {demonstrations.OPEN: False})
        runs, errors = [], [StreamlitInvalidLayoutContextError("no place for it")]
        with pytest.raises(StreamlitInvalidLayoutContextError):  # the whole page: a fault of ours
            demonstrations.demonstration(part)()

        shown = demonstrations.demonstration(lambda: errors and part())
        shown()
        errors.append(StreamlitInvalidLayoutContextError("no place for it"))
        with pytest.raises(InterruptedError):
            runs[-1]()
