"""What of a page runs when a reader changes something, as Streamlit 1.67 is asked for it.

A part of a page that runs alone is asked for by the controls inside it. Here a control beside it
can ask as well: from a callback it can only start the whole page and break it off at once, which
is an eighth to a quarter of the price of a change.

And a change of page holds. Between the click on a link and the new page, the old page still takes
clicks and keys. What they ask for reaches Streamlit with the old page's name: it starts the new
page, then "runs" the old page's part, which is no longer there, and the browser, told that the old
page is back, takes everything away. Such a request is not taken.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakKeyDictionary

from streamlit.errors import StreamlitAPIException
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner_utils.script_run_context import (
    ThreadState,
    get_script_run_ctx,
)

_BESIDE = "beside "
_request_rerun = AppSession.request_rerun

#: The page that a session's browser asked for last; empty where it gave a name instead.
_pages: WeakKeyDictionary[AppSession, str] = WeakKeyDictionary()


@contextmanager
def beside(part: str) -> Iterator[None]:
    """Draw controls that ask for this part of the page, the key of its fragment, to run alone."""
    with ThreadState.scoped(fragment_id=_BESIDE + part):
        yield


def runs_alone() -> bool:
    """Tell whether parts of the page were asked for, not the whole of it."""
    context = get_script_run_ctx()
    return context is not None and bool(context.fragment_ids_this_run)


def request_rerun(session: AppSession, client_state: ClientState | None) -> None:
    """Take a request to run, unless it is for a part of a page that the reader has left."""
    if client_state is None:
        _request_rerun(session, None)
        return
    # Not what Streamlit notes of it: until a page has run that was asked for by its name, as a
    # link from outside does, that is not yet the page.
    page = client_state.page_script_hash
    if not client_state.fragment_id:
        _pages[session] = page
    elif _pages.get(session, "") not in ("", page):
        return
    if client_state.fragment_id.startswith(_BESIDE):
        client_state.fragment_id = _part(session, client_state.fragment_id.removeprefix(_BESIDE))
    _request_rerun(session, client_state)


def _part(session: AppSession, key: str) -> str:
    """Return the fragment of a part; an empty name is the whole page."""
    try:
        return session._fragment_storage.resolve_target(key)[0]
    except StreamlitAPIException:  # a page that was broken off before it came to the part
        return ""


def install() -> None:
    """Have Streamlit's sessions look at what they are asked for."""
    AppSession.request_rerun = request_rerun  # type: ignore[method-assign,assignment]
