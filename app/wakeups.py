"""Wake the server once for the messages of a run that wait together, not once or twice for each.

A script runs in a thread of its own and hands every message to the event loop by itself: the loop
is woken through the operating system, takes the interpreter from the script, and gives it back.
With two hundred readers that was a tenth of the server's time. Here what is handed over while the
loop has not yet come round waits with what was handed over before.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from weakref import WeakKeyDictionary

from streamlit.runtime.app_session import AppSession
from streamlit.runtime.runtime import Runtime


class Mailbox:
    """What one session's scripts have handed over and the event loop has not yet taken."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: deque[Callable[[], None]] = deque()
        self._expected = False

    def put(self, callback: Callable[[], None]) -> None:
        """Have the loop call this, after all that was put before; from any thread."""
        # First put, then look, as `_empty` first notes that it comes, then takes: whichever thread
        # is quicker, nothing is left lying.
        self._waiting.append(callback)
        if self._expected:
            return
        self._expected = True
        try:
            self._loop.call_soon_threadsafe(self._empty)
        except RuntimeError:
            if not self._loop.is_closed():  # the server has not ended
                raise

    def _empty(self) -> None:
        self._expected = False
        while self._waiting:
            try:
                self._waiting.popleft()()
            except Exception as error:
                # One that fails must not keep the others from being called.
                self._loop.call_exception_handler(
                    {"message": "A message of a script was lost", "exception": error}
                )


_mailboxes: WeakKeyDictionary[AppSession, Mailbox] = WeakKeyDictionary()


def _call_soon(session: AppSession, callback: Callable[[], None]) -> None:
    mailbox = _mailboxes.get(session)
    if mailbox is None:
        mailbox = _mailboxes.setdefault(session, Mailbox(session._event_loop))
    mailbox.put(callback)


def _note_message(runtime: Runtime) -> None:
    objects = runtime._get_async_objs()
    try:
        here = asyncio.get_running_loop() is objects.eventloop
    except RuntimeError:
        here = False
    if here:
        objects.need_send_data.set()
    else:
        objects.eventloop.call_soon_threadsafe(objects.need_send_data.set)


def install() -> None:
    """Have Streamlit's sessions hand their messages over this way."""
    AppSession._call_soon_on_event_loop = _call_soon  # type: ignore[method-assign,assignment]
    Runtime._enqueued_some_message = _note_message  # type: ignore[method-assign,assignment]
