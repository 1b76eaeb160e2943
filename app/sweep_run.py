"""A sweep under way, as its reader sees it: quick ones at once, others with progress and a stop.

Streamlit ends a script at the next element it sends once the reader changes a control. A run that
takes longer than a moment therefore sends its progress about ten times a second: each time it can
be superseded, and what it has so far is thrown away with it.
"""

import time
from collections.abc import Sequence
from typing import Any

import streamlit as st
import sweep_parts as parts
import sweep_status
from charts.sweep_paper import PAIRS
from runs import RUNS, Setting

from core.sweep_result import Sweep

REDRAW = 1.0
"""Seconds from one partial figure to the next: a browser takes a while over each."""


def stop() -> None:
    """Leave the run where it stands; what it has measured stays."""
    st.session_state["sweep_stopped"] = st.session_state.get("sweep_run")


def go_on() -> None:
    """Forget that a run was stopped."""
    st.session_state["sweep_stopped"] = None


def measure(
    setting: Setting, status: Any, places: Sequence[Any], *, dark: bool
) -> tuple[Sweep | None, Any]:
    """Run the setting and draw it; return the sweep, None if stopped, and the room below it.

    A run that takes longer than a moment first clears all that an earlier setting left on the
    page, and marks what it draws as partial until it is whole.
    """
    stopped = st.session_state.get("sweep_stopped")
    if stopped and stopped[0] == setting:
        status.caption(sweep_status.stopped(*stopped))
        status.button("Run it again", key="sweep_again", on_click=go_on)
        draw_partial(setting, stopped[1].sweep, places, dark=dark)
        return None, st.container()
    go_on()
    with RUNS.follow(setting) as reports:
        progress = next(reports)
        if progress.done == progress.total and progress.sweep is not None:
            status.caption(sweep_status.identity(progress.sweep, setting))
            draw(setting, progress.sweep, places, dark=dark)
            return progress.sweep, st.container()
        line, button = status.empty(), status.empty()
        slots, below = [place.empty() for place in places], st.empty()
        button.button("Stop", key="sweep_stop", on_click=stop, icon=":material/stop:")
        drawn, due = None, 0.0
        for progress in reports:
            st.session_state["sweep_run"] = setting, progress
            line.progress(progress.fraction, sweep_status.under_way(setting, progress))
            widths = 0 if progress.sweep is None else len(progress.sweep.widths)
            if widths != drawn and time.monotonic() >= due and progress.done < progress.total:
                draw_partial(setting, progress.sweep, slots, f"_{widths}", dark=dark)
                drawn, due = widths, time.monotonic() + REDRAW
    sweep = progress.sweep
    assert sweep is not None, "the last report has the whole sweep"
    line.caption(sweep_status.identity(sweep, setting))
    button.empty()
    draw(setting, sweep, slots, dark=dark)
    return sweep, below.container()


def draw(setting: Setting, sweep: Sweep, places: Sequence[Any], *, dark: bool) -> None:
    """Draw both figures of a finished sweep."""
    for place, name in zip(places, PAIRS, strict=True):
        with place:
            parts.pair(name, str(setting), dark, setting, sweep)


def draw_partial(
    setting: Setting, sweep: Sweep | None, places: Sequence[Any], suffix: str = "", *, dark: bool
) -> None:
    """Draw both figures with what is measured so far."""
    for place, name in zip(places, PAIRS, strict=True):
        with place:
            parts.draw_pair(name, setting, sweep, dark=dark, suffix=suffix)
