"""Your own Q, K, V: bring the arrays of any head and see whether √dₖ is its divisor."""

import streamlit as st
from components import (
    controls_row,
    heading,
    link_to_state,
    reset_button,
    sources,
    stage,
)
from controls_prove import OWN_CAUSAL, OWN_DIVISOR, OWN_HEAD, OWN_SAMPLE
from demonstrations import demonstration
from own_inputs import bench, roles, sample_bench, sample_files, say, typed, uploaded
from own_shown import Picked, explain, fold_away, show
from streamlit.delta_generator import DeltaGenerator

from core.diagnosis import Diagnosis

CONTROLS = (OWN_SAMPLE, OWN_HEAD, OWN_CAUSAL, OWN_DIVISOR)
SAMPLE, FILES, PASTE = "a sample", "files", "pasted text"


def look_at_sample() -> None:
    """Turn to the sample that was picked (a menu's callback)."""
    st.session_state["own_source"] = SAMPLE


@demonstration
def diagnosed(figures: DeltaGenerator, source: str) -> tuple[Diagnosis, int, Picked] | None:
    """Show the page for its arrays and controls; return what is diagnosed, if it can be."""
    with figures:
        held, sample = bench(), None
        offers, messages = {SAMPLE: lambda: ([], []), FILES: uploaded, PASTE: typed}[source]()
        say(messages)
        own = bool(offers)
        if not own:
            if source != SAMPLE:
                st.caption("Until your arrays are here, this is the sample.")
            sample = OWN_SAMPLE.value
            held, offers = sample_bench(name=sample)
        picked = Picked(
            roles(offers, ask=own), OWN_HEAD.value, OWN_CAUSAL.value, OWN_DIVISOR.value, sample
        )
        shown = show(picked, held)
    if shown is None:
        return None
    diagnosis, place, notes = shown
    explain(diagnosis, place, picked.place, notes)
    return diagnosis, place, picked


heading(
    "Is √dₖ the divisor of your own heads?",
    "Bring queries and keys of any model, not yet divided, or look at a sample first.",
    CONTROLS,
)
with stage():
    with controls_row():
        source = st.segmented_control(
            "Look at", (SAMPLE, FILES, PASTE), default=SAMPLE, required=True, key="own_source"
        )
        OWN_SAMPLE.draw(width=150, on_change=look_at_sample)
        diagnosed.draw(OWN_HEAD, width=110)
        diagnosed.draw(OWN_DIVISOR, width=130)
        diagnosed.draw(OWN_CAUSAL)
        reset_button(CONTROLS)
    figures = st.container()
seen = diagnosed(figures, source)
if seen is not None:
    fold_away(*seen)
sample_files()
link_to_state(CONTROLS)
sources(
    "Attention Is All You Need, arXiv:1706.03762, section 3.2.1.",
    "In a notebook: `core.diagnose(query, key)` gives all of this in one call.",
)
