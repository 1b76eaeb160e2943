"""What a page that was left still asks for is not taken; all else is."""

import inspect
from types import SimpleNamespace

import page_changes
import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession


@pytest.fixture
def taken(monkeypatch):
    """Requests that reach Streamlit, in order."""
    taken = []
    monkeypatch.setattr(page_changes, "_request_rerun", lambda _, request: taken.append(request))
    return taken


class TestRequestRerun:
    def ask(self, *requests):
        session = SimpleNamespace(_client_state=ClientState())
        for request in requests:
            page_changes.request_rerun(session, request)

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
        assert [*inspect.signature(page_changes._request_rerun).parameters] == [
            "self",
            "client_state",
        ]
        assert "self._client_state.page_script_hash = page_script_hash" in inspect.getsource(
            AppSession._handle_scriptrunner_event_on_event_loop
        )
