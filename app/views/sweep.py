"""Sweep the width: random queries and keys get wider, raw and scaled rows are measured."""

from collections.abc import Sequence
from typing import Any

import streamlit as st
import sweep_parts as parts
import sweep_report as report
import sweep_tables as tables
from components import (
    BLIND,
    download,
    fold,
    heading,
    link_to_state,
    reset_button,
    snippet,
    sources,
    stage,
    table,
)
from controls_see import PRESET
from demonstrations import demonstration
from runs import Setting
from streamlit.delta_generator import DeltaGenerator
from sweep_choice import FREE, GUESS, chosen, draw_free_controls, settled
from sweep_run import measure

from core.sweep_result import Sweep

CONTROLS = (PRESET, *FREE, GUESS.control)
HINT = "the guess of the sweep is settled"
TRIES = {
    "Four scores only": {"trials": 2, "sweep_keys": 2},
    "4,096 keys": {"sweep_keys": 4096},
    "Widths to 2²⁰": {"widths": (1, 2**20)},
}


def attempt(values: dict[str, Any]) -> None:
    """Put the free controls to one of the settings worth trying."""
    for control in FREE:
        st.session_state[control.key] = values.get(control.key, control.default)
    st.session_state[PRESET.key] = "free"


@demonstration
def measured(
    said: DeltaGenerator, status: DeltaGenerator, places: Sequence[DeltaGenerator]
) -> tuple[Setting, Sweep] | None:
    """Show figures and what they mean; return what was swept unless it was stopped."""
    setting = chosen(said)
    sweep = measure(setting, status, places, dark=st.context.theme.type == "dark")
    if sweep is None:
        return None
    parts.findings(label=str(setting), _sweep=sweep)
    if PRESET.value != "free":
        parts.comparison(name=PRESET.value, _sweep=sweep)
        download(
            "Download the published values (CSV, CC0-1.0)",
            tables.PUBLISHED.read_bytes,
            tables.PUBLISHED.name,
            "text/csv",
            key="published_csv",
        )
    return setting, sweep


def changed() -> None:
    """Run the whole page where an open guess is settled by what was changed, or no longer."""
    if st.session_state[GUESS.key] is None and st.session_state.get(HINT) != settled():
        st.rerun()


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
    link_to_state(CONTROLS if PRESET.value == "free" else (PRESET, GUESS.control))


heading(
    "What does width do to the weights?",
    "Random queries and keys get wider. Set them freely, or run one of two published experiments.",
    CONTROLS,
)
with stage():
    with st.container(key="controls", gap="small"):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            free = PRESET.draw() == "free"
            reset_button(CONTROLS)
            status = st.container(
                key="status", horizontal=True, vertical_alignment="center", width="stretch"
            )
        if free:
            draw_free_controls(measured, changed)
        said = st.container(key="said" if free else "as_published")
    GUESS.play(report.RIGHT, report.ANSWER, hint=report.SHOWN if settled() else BLIND)
    places = st.columns(2)
st.session_state[HINT] = settled()
swept = measured(said, status, places)
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
