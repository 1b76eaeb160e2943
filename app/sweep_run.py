"""A sweep under way, as its reader sees it: quick ones at once, others with progress and a stop.

A part of a page that runs by itself is not interrupted by what the reader does next. So a run that
takes longer than a moment is worked on in slices: after each, the page shows how far it has come
and starts anew with whatever the controls stand at by then. If that is another setting, what the
old one had so far is no longer asked for.
"""

from collections.abc import Sequence
from typing import Any, NoReturn

import streamlit as st
import sweep_parts as parts
import sweep_status
from charts.sweep_paper import PAIRS
from link_values import say_again
from runs import RUNS, Setting
from streamlit.errors import StreamlitAPIException

from core.sweep_result import Sweep

PATIENCE = 0.8
"""Seconds before a run shows progress: a shorter wait needs none."""

GLIMPSE = 0.4
"""Seconds from one sign of progress to the next."""

RUNNING, STOPPED = "sweep_running", "sweep_stopped"


def stop() -> None:
    """Leave the run where it stands; what it has measured stays."""
    st.session_state[STOPPED] = st.session_state.get(RUNNING)


def go_on() -> None:
    """Forget that a run was stopped."""
    st.session_state[STOPPED] = None


def measure(setting: Setting, status: Any, places: Sequence[Any], *, dark: bool) -> Sweep | None:
    """Run the setting and draw it; return the sweep, or None if it was stopped.

    A run that takes longer than a moment first clears all that an earlier setting left on the
    page. Until it is whole or stopped, the exact curves stand alone: a browser that has to redraw
    figures all the while falls behind.
    """
    stopped = st.session_state.get(STOPPED)
    if stopped and stopped[0] == setting:
        status.caption(sweep_status.stopped(*stopped))
        status.button("Run it again", key="sweep_again", on_click=go_on)
        draw(setting, stopped[1].sweep, places, dark=dark)
        return None
    go_on()
    running = st.session_state.get(RUNNING)
    known = running is not None and running[0] == setting
    progress = RUNS.advance(setting, GLIMPSE if known else PATIENCE)
    if progress.done < progress.total:
        st.session_state[RUNNING] = setting, progress
        status.progress(progress.fraction, sweep_status.under_way(setting, progress))
        status.button("Stop", key="sweep_stop", on_click=stop, icon=":material/stop:")
        draw(setting, None, places, dark=dark)
        st.empty()  # takes the place of all that was said of an earlier setting
        start_anew()
    st.session_state[RUNNING] = None
    assert progress.sweep is not None, "the last report has the whole sweep"
    status.caption(sweep_status.identity(progress.sweep, setting))
    draw(setting, progress.sweep, places, dark=dark)
    return progress.sweep


def start_anew() -> NoReturn:
    """Run this part of the page again, or all of it where that is what runs."""
    try:
        st.rerun(scope="fragment")
    except StreamlitAPIException:
        say_again()
        st.rerun()


def draw(setting: Setting, sweep: Sweep | None, places: Sequence[Any], *, dark: bool) -> None:
    """Draw both figures; what is not measured yet is missing from them."""
    measured = 0 if sweep is None else len(sweep.widths)
    for place, name in zip(places, PAIRS, strict=True):
        with place:
            # By name: Streamlit inspects the function for each argument that has none.
            parts.pair(
                name=name,
                label=str(setting),
                measured=measured,
                dark=dark,
                _setting=setting,
                _sweep=sweep,
            )
