"""What of a page runs at a change of a control beside a part of it, as a browser is told."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.bench.load.reader import Reader

pytestmark = pytest.mark.browser


class Listener(Reader):
    """A reader who notes what runs: how many parts in each run, and what was sent."""

    def __init__(self, address: str, page: str) -> None:
        super().__init__(address, page)
        self.parts = 0
        self.runs: list[int] = []
        self.elements: list[str] = []

    def _take_in(self, message: Any) -> bool:
        if message.WhichOneof("type") == "new_session":
            self.runs.append(len(message.metadata.run.fragment_ids))
        if message.delta.WhichOneof("type") == "new_element":
            self.elements.append(message.delta.new_element.WhichOneof("type"))
        return super()._take_in(message) and sum(self.runs) >= self.parts


def listen(server: str, page: str, key: str, value: Any, parts: int = 0) -> Listener:
    """Open a page, change a control, and return what was heard until so many parts had run."""

    async def visit() -> Listener:
        listener = Listener(server, page)
        try:
            await listener.open()
            listener.runs.clear()
            listener.elements.clear()
            listener.parts = parts
            await listener.change(key, value)
        finally:
            await listener.close()
        return listener

    with ThreadPoolExecutor(1) as apart:  # where no browser has left a loop running
        return apart.submit(asyncio.run, visit()).result()


class TestBeside:
    @pytest.mark.parametrize(
        ("page", "key", "value", "sent"),
        [
            ("sweep", "trials", 50, ["markdown", "markdown", "plotly_chart", "plotly_chart"]),
            ("head-width", "width", ["8"], ["bidi_component", "markdown", "bidi_component"]),
            ("assumptions", "planted_rho", 0.5, ["plotly_chart"]),
            ("own", "own_divisor", 2.0, ["plotly_chart"]),
        ],
    )
    def test_a_change_runs_the_part_once_and_sends_no_control(self, server, page, key, value, sent):
        heard = listen(server, page, key, value, parts=1)
        assert heard.runs == [1]
        assert heard.elements[: len(sent)] == sent
        assert not {"button", "button_group", "number_input"} & set(heard.elements)

    def test_one_that_decides_two_parts_runs_both(self, server):
        heard = listen(server, "assumptions", "planted_keys", "32", parts=2)
        assert heard.runs[-1] == 2
        assert heard.elements.count("plotly_chart") == 3

    def test_a_guess_that_the_change_settles_takes_the_whole_page(self, server):
        heard = listen(server, "sweep", "sweep_keys", 4096)
        assert heard.runs[-1] == 0
        assert "button" in heard.elements
