"""Sweep the width: random queries and keys get wider, raw and scaled rows are measured."""

from collections.abc import Sequence
from typing import Any

import streamlit as st
import sweep_report as report
import words
from charts.sweep import PAIRS, Frame, describe, sweep_figure
from components import (
    Guess,
    chart,
    colours,
    heading,
    link_to_state,
    reset_button,
    snippet,
    sources,
    stage,
    table,
)
from controls import ENGINE, PRESET, SEED, SWEEP_KEYS, SWEEP_QUERIES, SWEEP_WIDTHS, TRIALS
from runs import RUNS, Setting, exact_curves, fit, powers_of_two, published_setting

from core.expectation import expected
from core.published import agreement
from core.sweep_result import Sweep

MANY = float(expected(1024, n_keys=4096, scaled=False).max_weight)
OPTIONS = ("under 0.1", "0.1 to 0.9", "over 0.9")
GUESS = Guess(
    key="sweep_guess",
    question=(
        "Guess: among 4,096 keys instead of 12, a raw row of width 1,024 gives its largest weight "
        "on average …"
    ),
    options=OPTIONS,
)
FREE = (SWEEP_KEYS, SWEEP_QUERIES, TRIALS, SWEEP_WIDTHS, SEED, ENGINE)
CONTROLS = (PRESET, *FREE, GUESS.control)
TRIES = {
    "Four scores only": {"trials": 2, "sweep_keys": 2, "sweep_queries": 1},
    "4,096 keys": {"trials": 2000, "sweep_keys": 4096, "sweep_queries": 1},
    "Widths to 2²⁰": {"trials": 2000, "sweep_keys": 12, "widths": (1, 2**20)},
}


def choose() -> tuple[Setting, Any]:
    """Draw the controls; return the setting they stand for and room for its status."""
    with st.container(key="controls", gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            preset = PRESET.draw(label_visibility="collapsed")
            reset_button(CONTROLS)
            status = st.container(
                key="status", horizontal=True, vertical_alignment="center", width="stretch"
            )
        if preset != "free":
            setting = published_setting(preset)
            with st.container(key="as_published"):
                st.markdown(report.setting_in_words(setting))
            return setting, status
        with st.container(horizontal=True, vertical_alignment="bottom"):
            keys = SWEEP_KEYS.draw(width=110)
            queries = SWEEP_QUERIES.draw(width=132)
            trials = TRIALS.draw(width=130)
            low, high = SWEEP_WIDTHS.draw(width=210)
            seed = SEED.draw(width=110)
            engine = ENGINE.draw(width=144)
        setting = fit(powers_of_two(low, high), keys, queries, trials, seed, engine)
        note = report.limited(trials, engine, setting)
        if note:
            st.markdown(f":material/compress: {note}")
        return setting, status


def stop() -> None:
    """Leave the run where it stands; what it has measured stays."""
    st.session_state["sweep_stopped"] = st.session_state.get("sweep_run")


def go_on() -> None:
    """Forget that a run was stopped."""
    st.session_state["sweep_stopped"] = None


def attempt(values: dict[str, Any]) -> None:
    """Put the free controls to one of the settings worth trying."""
    for control in FREE:
        st.session_state[control.key] = values.get(control.key, control.default)
    st.session_state[PRESET.key] = "free"


def draw(setting: Setting, sweep: Sweep | None, places: Sequence[Any], suffix: str = "") -> None:
    """Draw both figures at their places; what is not measured yet is missing from them."""
    frame = Frame(setting.widths[0], setting.widths[-1], setting.n_keys, setting.mean_removed)
    curves = exact_curves(frame.low, frame.high, frame.n_keys)
    for place, pair, name in zip(places, PAIRS, ("spread", "weights"), strict=True):
        figure = sweep_figure(
            pair, frame, colours(), curves=curves, sweep=sweep, of=len(setting.widths)
        )
        with place:
            chart(figure, key=f"sweep_{name}{suffix}", alt=describe(pair, sweep))


def measure(setting: Setting, status: Any, places: Sequence[Any]) -> tuple[Sweep | None, Any]:
    """Run the setting and draw it; return the sweep, None if stopped, and the room below it.

    A run that takes longer than a moment first clears all that an earlier setting left on the
    page, and marks what it draws as partial until it is whole.
    """
    stopped = st.session_state.get("sweep_stopped")
    if stopped and stopped[0] == setting:
        status.caption(report.stopped(*stopped))
        status.button("Run it again", key="sweep_again", on_click=go_on)
        draw(setting, stopped[1].sweep, places)
        return None, st.container()
    go_on()
    with RUNS.follow(setting) as reports:
        progress = next(reports)
        if progress.done == progress.total and progress.sweep is not None:
            status.caption(report.identity(progress.sweep, setting))
            draw(setting, progress.sweep, places)
            return progress.sweep, st.container()
        line, button = status.empty(), status.empty()
        slots, below = [place.empty() for place in places], st.empty()
        button.button("Stop", key="sweep_stop", on_click=stop, icon=":material/stop:")
        drawn = None
        for progress in reports:
            st.session_state["sweep_run"] = setting, progress
            line.progress(progress.fraction, report.under_way(setting, progress))
            widths = 0 if progress.sweep is None else len(progress.sweep.widths)
            if widths != drawn and progress.done < progress.total:
                draw(setting, progress.sweep, slots, f"_{widths}")
                drawn = widths
    sweep = progress.sweep
    assert sweep is not None, "the last report has the whole sweep"
    line.caption(report.identity(sweep, setting))
    button.empty()
    draw(setting, sweep, slots)
    return sweep, below.container()


def explain(sweep: Sweep, setting: Setting) -> None:
    """Say what the points show, and fold away derivation, record, numbers and script."""
    exact = (
        expected(sweep.widths, n_keys=sweep.n_keys, scaled=False),
        expected(sweep.widths, n_keys=sweep.n_keys, scaled=True),
    )
    at_512 = expected([512], n_keys=sweep.n_keys, scaled=False)
    st.caption(report.LEGEND)
    st.subheader("What you see", anchor=False)
    st.markdown("\n".join(f"- {line}" for line in report.sentences(sweep, exact, at_512)))
    if st.session_state[PRESET.key] != "free":
        compare(sweep, st.session_state[PRESET.key])
    with st.expander("Derivation", icon=":material/function:"):
        st.markdown(report.DERIVATION)
    with st.expander("How this was run", icon=":material/history:"):
        st.markdown(report.record(sweep))
    table(
        report.table(sweep, exact),
        name="why-sqrt-dk-sweep",
        note=report.TABLE_NOTE,
        full=report.file(sweep, exact),
    )
    script, assigned = report.script(setting)
    snippet(script, **assigned)
    link_to_state(CONTROLS if st.session_state[PRESET.key] == "free" else (PRESET, GUESS.control))
    sources(*report.SOURCES)
    st.subheader("What to try next", anchor=False)
    with st.container(horizontal=True):
        for label, values in TRIES.items():
            st.button(label, on_click=attempt, args=(values,))


def compare(sweep: Sweep, name: str) -> None:
    """Show value by value whether this machine's run agrees with the published table."""
    rows = agreement(name, sweep)
    with st.expander("Published against this machine", expanded=True, icon=":material/fact_check:"):
        st.markdown(report.verdict(rows))
        st.table(report.agreement_table(rows), hide_index=True, border="horizontal")
        st.download_button(
            "Download the published values (CSV, CC0-1.0)",
            report.PUBLISHED_CSV.read_bytes(),
            report.PUBLISHED_CSV.name,
            "text/csv",
            icon=":material/download:",
            on_click="ignore",
        )
        st.markdown(report.AGREEMENT_NOTE)


heading(
    "What does width do to the weights?",
    "Random queries and keys get wider. Take a setting of your own or a published experiment.",
    CONTROLS,
)
with stage():
    setting, status = choose()
    GUESS.play(
        OPTIONS[int(MANY > 0.1) + int(MANY > 0.9)],
        f"It is {words.probability(MANY)}, exactly, even among 4,096 keys. Try it below.",
    )
    places = st.columns(2)
sweep, below = measure(setting, status, places)
if sweep is not None:
    with below:
        explain(sweep, setting)
