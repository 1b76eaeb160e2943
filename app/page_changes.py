"""Let a change of page hold: a part of the page that was left does not run after it.

Between the click on a link and the new page, the old page still takes clicks and keys. What they
ask for reaches Streamlit 1.67 with the old page's name: it starts the new page, then "runs" the
old page's fragment, which is no longer there, and the browser, told that the old page is back,
takes everything away. Here such a request is not taken.
"""

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession

_request_rerun = AppSession.request_rerun


def request_rerun(session: AppSession, client_state: ClientState | None) -> None:
    """Take a request to run, unless it is for a part of a page that the reader has left."""
    if client_state is not None:
        # Streamlit notes here which page has begun to run; noted now, it is known from the click.
        current = session._client_state
        if not client_state.fragment_id:
            current.page_script_hash = client_state.page_script_hash
        elif current.page_script_hash not in ("", client_state.page_script_hash):
            return
    _request_rerun(session, client_state)


def install() -> None:
    """Have Streamlit's sessions look at what they are asked for."""
    AppSession.request_rerun = request_rerun  # type: ignore[method-assign,assignment]
