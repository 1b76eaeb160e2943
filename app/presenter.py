"""Presenter mode: large type, the control and the chart alone, and keys to walk through a path.

``?present=1`` on any page switches it on. A lesson adds ``path`` (its minutes) and ``step``.
"""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st
from lessons import PATHS, Step

from core.text import printable

#: Type grows with the root's size, inside the live component too; what is not stage goes, and what
#: says what to do on the page: the presenter does.
CSS = """<style>
html { font-size: 21px; }
[data-testid="stSidebar"], [data-testid="stExpandSidebarButton"] { display: none; }
[data-testid="stMainBlockContainer"] { max-width: 100rem; padding-top: 1rem;
  filter: contrast(1.15); }
[data-testid="stMainBlockContainer"] h1 { font-size: 1.4rem; padding: 0 0 0.4rem; }
.st-key-reset,
[data-testid="stElementContainer"]:has(h1) + [data-testid="stElementContainer"],
[data-testid="stMainBlockContainer"] :has(.st-key-stage) ~ * { display: none; }
</style>"""
#: The page's own question goes too, but where the chart waits for a guess.
UNASKED = "<style>.st-key-ask { display: none; }</style>"
WAITING = ("assumptions", "other-ways", "formats")


_live = Path(__file__).parent / "live"
_bar = st.components.v2.component(
    "why_sqrt_dk_presenter",
    html=(_live / "presenter.html").read_text(encoding="utf-8"),
    css=(_live / "presenter.css").read_text(encoding="utf-8"),
    js=(_live / "presenter.js").read_text(encoding="utf-8"),
)


@dataclass(frozen=True)
class Position:
    """Where a presenter stands: a step of a lesson, or a page alone."""

    minutes: int | None
    number: int
    fault: str = ""

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of the lesson; none for a page alone."""
        return PATHS[self.minutes] if self.minutes else ()


def current_step() -> Position | None:
    """Read from the link whether and where something is presented."""
    query = st.query_params
    if query.get("present") != "1":
        return None
    path, number = query.get("path"), query.get("step")
    if path is None and number is None:
        return Position(None, 1)
    lessons = {str(minutes): minutes for minutes in PATHS}
    if path not in lessons:
        given = f"path={printable(path)}: path" if path else "A step without a path: path"
        return Position(None, 1, f"{given} takes one of {', '.join(lessons)}.")
    minutes = lessons[path]
    steps = [str(step) for step in range(1, len(PATHS[minutes]) + 1)]
    if number in steps:
        return Position(minutes, int(number))
    given = f"step={printable(number)}: step" if number else "step"
    return Position(minutes, 1, f"{given} takes a whole number from 1 to {steps[-1]}.")


def query_of(minutes: int, number: int) -> dict[str, str | list[str]]:
    """Return what a link to a step carries: the page's state and the place in the lesson."""
    state = PATHS[minutes][number - 1].state
    return {**state, "present": "1", "path": str(minutes), "step": str(number)}


def address(minutes: int, number: int) -> str | None:
    """Return the link to a step, relative to any page; None beyond either end of the lesson."""
    if not 1 <= number <= len(PATHS[minutes]):
        return None
    page = PATHS[minutes][number - 1].page
    return f"./{page}?{urlencode(query_of(minutes, number), doseq=True)}"


def open_stage(position: Position, page: str) -> None:
    """Hide all but the stage of the page of this address, and show the question and the way on."""
    st.html(CSS if page in WAITING else CSS + UNASKED)
    ask, before, after = position.fault, None, None
    if position.minutes is not None:
        number = position.number
        question = position.steps[number - 1].ask
        ask = f"{position.fault} {number} of {len(position.steps)}: {question}".lstrip()
        before = address(position.minutes, number - 1)
        after = address(position.minutes, number + 1)
    _bar(
        key="presenter",
        data={"ask": ask, "before": before, "after": after, "leave": "./teach"},
    )
