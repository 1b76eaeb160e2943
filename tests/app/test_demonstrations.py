"""A control's change runs only the part it decides, where that is enough."""

import demonstrations
import pytest
import streamlit as st
from streamlit.errors import StreamlitInvalidLayoutContextError
from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState


@pytest.fixture
def runs(monkeypatch):
    """What Streamlit keeps to run alone: parts, in the order in which they were shown."""

    def rerun():
        raise InterruptedError

    runs = []
    monkeypatch.setattr(st, "fragment", lambda key: lambda run: runs.append(run) or run)
    monkeypatch.setattr(st, "rerun", rerun)
    monkeypatch.setattr(st, "session_state", {demonstrations.OPEN: False})
    return runs


class TestDraw:
    def test_a_control_asks_for_the_part(self):
        class Asking:
            def draw(self, **options):
                return ThreadState.get().fragment_id, options

        def part(): ...

        ThreadState.initialize()
        part = demonstrations.demonstration(part)
        assert part.draw(Asking(), width=100) == ("beside part", {"width": 100})

    @pytest.mark.parametrize("alone", [True, False])
    def test_for_others_as_well_where_it_does_not_take_the_whole_page(self, monkeypatch, alone):
        class Changed:
            def draw(self, on_change):
                on_change()

        def part(): ...

        def other(): ...

        ThreadState.initialize()
        asked = []
        monkeypatch.setattr(st, "rerun", asked.append)
        monkeypatch.setattr(demonstrations, "runs_alone", lambda: alone)
        part, other = map(demonstrations.demonstration, (part, other))
        part.draw(Changed(), other)
        assert asked == ([["part", "other"]] if alone else [])


class TestAlone:
    def test_while_a_fold_is_open_the_page_runs_whole(self, runs):
        demonstrations.demonstration(lambda: 1)()
        assert runs[-1]() == 1
        st.session_state[demonstrations.OPEN] = True
        with pytest.raises(InterruptedError):
            runs[-1]()

    def test_where_the_page_broke_off_before_its_containers_the_page_runs_whole(self, runs):
        def part():
            raise errors.pop(0)

        errors = [StreamlitInvalidLayoutContextError("no place for it")]
        with pytest.raises(StreamlitInvalidLayoutContextError):  # the whole page: a fault of ours
            demonstrations.demonstration(part)()

        shown = demonstrations.demonstration(lambda: errors and part())
        shown()
        errors.append(StreamlitInvalidLayoutContextError("no place for it"))
        with pytest.raises(InterruptedError):
            runs[-1]()
