"""Controls beside a part ask for it; what a page that was left still asks for is not taken."""

import inspect

import pytest
import what_runs
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.fragment import MemoryFragmentStorage
from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState


@pytest.fixture
def taken(monkeypatch):
    """Requests that reach Streamlit, in order."""
    taken = []
    monkeypatch.setattr(what_runs, "_request_rerun", lambda _, request: taken.append(request))
    return taken


class Session:
    """A session whose page has two parts."""

    def __init__(self):
        self._fragment_storage = MemoryFragmentStorage()
        for name in ("one", "two"):
            self._fragment_storage.register(f"id of {name}", lambda: None, target_key=name)


@pytest.fixture
def session():
    return Session()


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
        session = Session()
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
            ClientState(),  # by its name, from a link outside
            ClientState(page_script_hash="third", fragment_id="part"),
            None,  # whatever ran last, again
        ]
        self.ask(*requests)
        assert taken == requests

    def test_parts_of_a_page_that_was_left_do_not(self, taken):
        left = ClientState(page_script_hash="old", fragment_id="part")
        opened = [ClientState(page_script_hash="old"), ClientState(page_script_hash="new")]
        self.ask(*opened, left)
        assert taken == opened

    def test_streamlit_asks_as_this_expects(self):
        assert [*inspect.signature(what_runs._request_rerun).parameters] == [
            "self",
            "client_state",
        ]
