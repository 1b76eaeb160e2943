"""Controls beside a part ask for it; what a page that was left still asks for is not taken."""

import inspect
from types import SimpleNamespace

import pytest
import what_runs
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.fragment import MemoryFragmentStorage
from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState


@pytest.fixture
def taken(monkeypatch):
    """Requests that reach Streamlit, in order."""
    taken = []
    monkeypatch.setattr(what_runs, "_request_rerun", lambda _, request: taken.append(request))
    return taken


@pytest.fixture
def session():
    """A session whose page has two parts."""
    parts = MemoryFragmentStorage()
    for name in ("one", "two"):
        parts.register(f"id of {name}", lambda: None, target_key=name)
    return SimpleNamespace(_client_state=ClientState(), _fragment_storage=parts)


class TestBeside:
    def ask(self, session, name):
        ThreadState.initialize()
        with what_runs.beside(name):
            fragment_id = ThreadState.get().fragment_id
        assert ThreadState.get().fragment_id is None
        what_runs.request_rerun(session, ClientState(page_name="page", fragment_id=fragment_id))

    @pytest.mark.parametrize("name", ["one", "two"])
    def test_a_control_asks_for_the_part_that_it_decides(self, session, taken, name):
        self.ask(session, name)
        assert taken == [ClientState(page_name="page", fragment_id=f"id of {name}")]

    def test_the_whole_page_runs_where_it_did_not_come_to_the_part(self, session, taken):
        self.ask(session, "three")
        assert taken == [ClientState(page_name="page")]


class TestRequestRerun:
    def ask(self, *requests):
        session = SimpleNamespace(_client_state=ClientState())
        for request in requests:
            what_runs.request_rerun(session, request)

    def test_parts_of_the_page_that_is_open_or_was_just_asked_for_run(self, taken):
        requests = [
            ClientState(),  # the first of all does not name its page
            ClientState(page_script_hash="old", fragment_id="part"),
            ClientState(page_script_hash="old"),
            ClientState(page_script_hash="old", fragment_id="part"),
            ClientState(page_script_hash="new"),
            ClientState(page_script_hash="new", fragment_id="other"),
            None,  # whatever ran last, again
        ]
        self.ask(*requests)
        assert taken == requests

    def test_parts_of_a_page_that_was_left_do_not(self, taken):
        left = ClientState(page_script_hash="old", fragment_id="part")
        opened = [ClientState(page_script_hash="old"), ClientState(page_script_hash="new")]
        self.ask(*opened, left)
        assert taken == opened

    def test_streamlit_asks_and_notes_the_page_as_this_expects(self):
        assert [*inspect.signature(what_runs._request_rerun).parameters] == [
            "self",
            "client_state",
        ]
        assert "self._client_state.page_script_hash = page_script_hash" in inspect.getsource(
            AppSession._handle_scriptrunner_event_on_event_loop
        )
