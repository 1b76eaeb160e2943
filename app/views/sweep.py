"""Sweep the width: random queries and keys get wider, raw and scaled rows are measured."""

from typing import Any

import streamlit as st
import sweep_parts as parts
import sweep_report as report
import sweep_status
import sweep_tables as tables
import words
from components import (
    Guess,
    demonstration,
    fold,
    heading,
    link_to_state,
    reset_button,
    snippet,
    sources,
    stage,
    table,
)
from controls import ENGINE, PRESET, SEED, SWEEP_KEYS, SWEEP_QUERIES, SWEEP_WIDTHS, TRIALS
from runs import Setting, fit, powers_of_two, published_setting
from sweep_run import measure

from core.sweep_result import Sweep

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
    "Four scores only": {"trials": 2, "sweep_keys": 2},
    "4,096 keys": {"sweep_keys": 4096},
    "Widths to 2²⁰": {"widths": (1, 2**20)},
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
                st.markdown(sweep_status.setting_in_words(setting))
            return setting, status
        with st.container(horizontal=True, vertical_alignment="bottom"):
            keys = SWEEP_KEYS.draw(width=110)
            queries = SWEEP_QUERIES.draw(width=132)
            trials = TRIALS.draw(width=130)
            low, high = SWEEP_WIDTHS.draw(width=210)
            seed = SEED.draw(width=110)
            engine = ENGINE.draw(width=144)
        setting = fit(powers_of_two(low, high), keys, queries, trials, seed, engine)
        note = sweep_status.limited(trials, engine, setting)
        if note:
            st.markdown(f":material/compress: {note}")
        return setting, status


def attempt(values: dict[str, Any]) -> None:
    """Put the free controls to one of the settings worth trying."""
    for control in FREE:
        st.session_state[control.key] = values.get(control.key, control.default)
    st.session_state[PRESET.key] = "free"


@demonstration
def measured() -> tuple[Setting, Sweep] | None:
    """Show controls, figures and what they mean; return what was swept unless it was stopped."""
    with stage():
        setting, status = choose()
        GUESS.play(
            OPTIONS[int(report.MANY > 0.1) + int(report.MANY > 0.9)],
            f"It is {words.probability(report.MANY)}, exactly, even among 4,096 keys. Try it: a "
            "button at the foot of the page sets them.",
        )
        places = st.columns(2)
    sweep = measure(setting, status, places, dark=st.context.theme.type == "dark")
    if sweep is None:
        return None
    parts.findings(label=str(setting), _sweep=sweep)
    preset = st.session_state[PRESET.key]
    if preset != "free":
        parts.comparison(name=preset, _sweep=sweep)
        st.download_button(
            "Download the published values (CSV, CC0-1.0)",
            tables.PUBLISHED.read_bytes(),
            tables.PUBLISHED.name,
            "text/csv",
            key="published_csv",
            icon=":material/download:",
            on_click="ignore",
        )
    return setting, sweep


def fold_away(setting: Setting, sweep: Sweep) -> None:
    """Fold away how the points were made, their numbers, the script and the link."""
    with fold("How this was run", "history") as history:
        if history.open:
            st.markdown(report.record(sweep))
    table(
        lambda: tables.both(sweep, parts.exact(sweep)),
        name="why-sqrt-dk-sweep",
        note=report.TABLE_NOTE,
    )
    script, assigned = report.script(setting)
    snippet(script, **assigned)
    preset = st.session_state[PRESET.key]
    link_to_state(CONTROLS if preset == "free" else (PRESET, GUESS.control))


heading(
    "What does width do to the weights?",
    "Random queries and keys get wider. Take a setting of your own or a published experiment.",
    CONTROLS,
)
swept = measured()
if swept is not None:
    fold_away(*swept)
with fold("Derivation", "function") as derivation:
    if derivation.open:
        st.markdown(report.DERIVATION)
sources(*report.SOURCES)
st.header("What to try next", anchor=False)
with st.container(horizontal=True):
    for name, values in TRIES.items():
        st.button(name, on_click=attempt, args=(values,))
with st.container(horizontal=True):
    st.page_link("views/more_keys.py", label="Let the number of keys grow too")
    st.page_link("views/gradients.py", label="See what it does to gradients")
    st.page_link("views/assumptions.py", label="Break the random model")
