"""Presenter mode: large type, the control and the chart alone, and keys to walk through a path.

``?present=1`` on any page switches it on. A lesson adds ``path`` (its minutes) and ``step``.
"""

from dataclasses import dataclass

import pages
import streamlit as st
from lessons import PATHS, Step

#: Type grows with the root's size, inside the live component too; what is not stage goes.
CSS = """<style>
html { font-size: 21px; }
[data-testid="stSidebar"], [data-testid="stExpandSidebarButton"] { display: none; }
[data-testid="stMainBlockContainer"] { max-width: 100rem; padding-top: 1rem;
  filter: contrast(1.15); }
[data-testid="stMainBlockContainer"] :has(> .st-key-stage) ~ *, .st-key-ask, .st-key-reset
  { display: none; }
</style>"""


@dataclass(frozen=True)
class Position:
    """Where a presenter stands: a step of a lesson, or a page alone."""

    minutes: int | None
    number: int

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of the lesson; none for a page alone."""
        return PATHS[self.minutes] if self.minutes else ()


def current_step() -> Position | None:
    """Read from the link whether and where something is presented."""
    query = st.query_params
    if query.get("present") != "1":
        return None
    path, number = query.get("path", ""), query.get("step", "")
    if path.isdecimal() and int(path) in PATHS and number.isdecimal():
        steps = len(PATHS[int(path)])
        return Position(int(path), min(max(int(number), 1), steps))
    return Position(None, 1)


def query_of(minutes: int, number: int) -> dict[str, str | list[str]]:
    """Return what a link to a step carries: the page's state and the place in the lesson."""
    state = PATHS[minutes][number - 1].state
    return {**state, "present": "1", "path": str(minutes), "step": str(number)}


def go(minutes: int, number: int) -> None:
    """Turn to a step of a lesson."""
    step = PATHS[minutes][number - 1]
    st.switch_page(pages.PAGES[step.page].file, query_params=query_of(minutes, number))


def open_stage(position: Position) -> None:
    """Hide all but the stage, and show the question and the way on."""
    st.html(CSS)
    with st.container(key="presenter", horizontal=True, vertical_alignment="center"):
        if position.minutes is None:
            if st.button("Leave", icon=":material/close:", shortcut="Esc"):
                st.query_params.pop("present", None)
                st.rerun()
            return
        steps, number = position.steps, position.number
        before = st.button(
            "Previous", shortcut="PageUp", disabled=number == 1, icon=":material/arrow_back:"
        )
        after = st.button(
            "Next",
            shortcut="PageDown",
            disabled=number == len(steps),
            icon=":material/arrow_forward:",
        )
        leave = st.button("Leave", shortcut="Esc", icon=":material/close:")
        st.markdown(f"**{number} of {len(steps)}** {steps[number - 1].ask}", width="stretch")
    if before or after:
        go(position.minutes, number + (1 if after else -1))
    if leave:
        st.switch_page(pages.PAGES["teach"].file)
