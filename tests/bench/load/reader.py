"""One reader as the server sees one: a websocket that speaks Streamlit's protocol.

A browser opens ``/_stcore/stream``, asks for a run of the page with the values of its controls, and
is sent the page element by element until a message says that the run has finished. A `Reader` does
the same without drawing anything, so that hundreds fit beside the server that they measure.
"""

import asyncio
import json
from dataclasses import dataclass
from typing import Any
from urllib.request import urlopen

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

PATIENCE = 30.0
"""Seconds after which an answer is given up as lost."""

REMEMBERED = 200
"""Messages that a browser keeps, so that the server may send their hash instead."""


class ReaderError(Exception):
    """What a reader must never meet."""


@dataclass(frozen=True)
class Control:
    """One control as the server sent it."""

    kind: str
    id: str
    fragment: str
    sent: Any

    @property
    def key(self) -> str:
        """The control's name in the link, which ends its id."""
        return self.id.split("-", 2)[-1]

    def state(self, value: Any = None) -> WidgetState | None:
        """Write the message of the control's value, or of the one it came with.

        None stands for a control that says nothing until it is touched.
        """
        state, sent = WidgetState(id=self.id), self.sent
        match self.kind:
            case "number_input":
                state.double_value = float(sent.default if value is None else value)
            case "checkbox":
                state.bool_value = bool(sent.default if value is None else value)
            case "selectbox" | "radio":
                if value is None and not sent.HasField("default"):
                    return None
                state.string_value = sent.options[sent.default] if value is None else value
            case "slider" if sent.options:
                ends = [sent.options[int(place)] for place in sent.default]
                state.string_array_value.data.extend(ends if value is None else value)
            case "button_group":
                picked = [sent.options[place].content for place in sent.default]
                state.string_array_value.data.extend(picked if value is None else value)
            case "text_input":
                state.string_value = sent.default if value is None else value
            case "bidi_component" if value is not None:  # the live slider
                state.json_value = json.dumps(value)
            case "button" if value is not None:
                state.trigger_value = True
            case _:
                return None
        return state


class Reader:
    """A session on one page of the app at ``address``."""

    def __init__(self, address: str, page: str, *, query: str = "") -> None:
        self._address = address
        self._page = page
        self._query = query
        self._socket: websockets.ClientConnection | None = None
        self._page_hash = ""
        self._remembered: dict[str, ForwardMsg] = {}
        self._controls: dict[str, Control] = {}
        self._set: dict[str, WidgetState] = {}
        self.received = 0

    async def open(self) -> None:
        """Ask for the health first, as a browser does, connect, and open the page."""
        health = f"{self._address}/_stcore/health"
        answer = await asyncio.to_thread(urlopen, health, timeout=PATIENCE)
        cookie = answer.headers.get("Set-Cookie", "").partition(";")[0]
        token = cookie.partition("=")[2]
        self._socket = await websockets.connect(
            f"{self._address.replace('http', 'ws', 1)}/_stcore/stream",
            subprotocols=["streamlit", token or "none"],  # type: ignore[list-item]
            origin=self._address,  # type: ignore[arg-type]
            additional_headers={"Cookie": cookie} if cookie else None,
            max_size=None,
            compression=None,
            open_timeout=PATIENCE,
            ping_interval=None,
            close_timeout=1,
        )
        await self._run(BackMsg())  # the navigation tells what the page is called

    async def close(self) -> None:
        """Leave, as a closed tab does."""
        if self._socket is not None:
            await self._socket.close()

    async def change(self, key: str, value: Any) -> None:
        """Set a control to a value, or press a button, and take in what the page becomes."""
        control = self._find(key)
        state = control.state(value)
        if state is None:
            raise ReaderError(f"{key} takes no value")
        self._set[control.id] = state
        message = BackMsg()
        message.rerun_script.fragment_id = control.fragment
        await self._run(message)
        if control.kind == "button":
            del self._set[control.id]

    def _find(self, key: str) -> Control:
        for control in self._controls.values():
            if control.key == key:
                return control
        keys = ", ".join(control.key for control in self._controls.values())
        raise ReaderError(f"/{self._page} has no control {key}, but {keys}")

    async def _run(self, message: BackMsg) -> None:
        run = message.rerun_script
        run.SetInParent()
        run.query_string = self._query
        run.page_script_hash = self._page_hash
        if not self._page_hash:
            run.page_name = self._page
        for control in self._controls.values():
            state = self._set.get(control.id) or control.state()
            if state is not None:
                run.widget_states.widgets.append(state)
        run.context_info.url = f"{self._address}/{self._page}"
        run.context_info.color_scheme = "light"
        run.cached_message_hashes.extend(self._remembered)
        assert self._socket is not None
        await self._socket.send(message.SerializeToString())
        async with asyncio.timeout(PATIENCE):
            while not self._take_in(await self._next()):
                pass

    async def _next(self) -> ForwardMsg:
        assert self._socket is not None
        data = await self._socket.recv()
        self.received += len(data)
        message = ForwardMsg.FromString(data)  # type: ignore[arg-type]
        if message.WhichOneof("type") == "ref_hash":
            if message.ref_hash not in self._remembered:
                raise ReaderError("a message was sent by its hash that this reader does not hold")
            return self._remembered[message.ref_hash]
        if message.metadata.cacheable and message.hash:
            self._remembered[message.hash] = message
            while len(self._remembered) > REMEMBERED:
                del self._remembered[next(iter(self._remembered))]
        return message

    def _take_in(self, message: ForwardMsg) -> bool:
        """Note what a message says; tell whether it ends the run."""
        match message.WhichOneof("type"):
            case "navigation":
                self._page_hash = message.navigation.page_script_hash
            case "page_not_found":
                raise ReaderError(f"no page /{self._page}")
            case "delta":
                self._see(message.delta)
            case "script_finished":
                status = ForwardMsg.ScriptFinishedStatus
                if message.script_finished == status.FINISHED_WITH_COMPILE_ERROR:
                    raise ReaderError("the page does not compile")
                # A page that starts itself anew has not finished.
                return message.script_finished != status.FINISHED_EARLY_FOR_RERUN
        return False

    def _see(self, delta: Any) -> None:
        if delta.WhichOneof("type") != "new_element":
            return
        kind = delta.new_element.WhichOneof("type")
        sent = getattr(delta.new_element, kind)
        if kind == "exception":
            raise ReaderError(f"{sent.type}: {sent.message[:100]}")
        if getattr(sent, "id", ""):
            self._controls[sent.id] = Control(kind, sent.id, delta.fragment_id, sent)
            if getattr(sent, "set_value", False):  # the page itself has changed the control
                self._set.pop(sent.id, None)
