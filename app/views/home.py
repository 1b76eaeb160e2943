"""Home: the claim, the divisor to drag at once, and three doors to what lies beyond."""

import pages
import streamlit as st
import words
from components import heading
from demonstrations import demonstration
from live import SCORES, SQRT_D_K, live_divisor

from core.divisor import divide
from core.expectation import expected

DOORS = {
    "See it": "One number changes; the weights follow.",
    "Break it": "Where the rule stops, and what people get wrong.",
    "Prove it": "What follows, in gradients, in real heads, in your own.",
}

#: The width at which the claim is put into numbers, and how many keys it is put for.
D_K, N_KEYS = 512, 12


def release(divisor: float) -> None:
    """Keep the divisor that the thumb was left at while the reader stays on this page."""
    st.session_state["home_divisor"] = divisor


@st.cache_resource(show_spinner=False)
def claim() -> tuple[str, str]:
    """Put the claim into numbers: the mean largest weight, raw and scaled, exactly."""
    raw, scaled = (
        expected([D_K], n_keys=N_KEYS, scaled=scaled).max_weight[0] for scaled in (False, True)
    )
    return words.percent(raw, places=0), words.percent(scaled, places=0)


@demonstration
def first_interaction() -> None:
    """Show the divisor to drag."""
    divisor = st.session_state.get("home_divisor", SQRT_D_K)
    live_divisor(divisor, key="home_live", on_release=release)


heading(
    "Why does attention divide by √dₖ?",
    "Wider heads make larger scores, and softmax turns larger scores into a single winner. "
    "Dividing by √dₖ takes the width out again. **Drag the divisor and see.**",
)
first_interaction()

raw, scaled = claim()
undivided, divided = divide(SCORES, 1.0), divide(SCORES, SQRT_D_K)
st.markdown(
    f"Undivided, the scores 3, 1 and −1 give {words.percent(undivided.weights[0])} of the weight "
    f"to key 1; divided by √3 they give it {words.percent(divided.weights[0])}. "
    f"With random queries and keys {D_K} wide, the strongest of {N_KEYS} keys takes {raw} "
    f"on average unscaled, and {scaled} scaled."
)

for column, (door, invitation) in zip(st.columns(3), DOORS.items(), strict=True):
    with column, st.container(gap="xsmall"):
        st.header(door, anchor=False)
        st.markdown(invitation)
        for entry in pages.GROUPS[door]:
            st.page_link(entry.file, label=entry.title, icon=entry.symbol)

st.markdown(
    "**For a class:** lessons of 10, 25 and 50 minutes open pages in exact states, and a quiz "
    "asks what people often think. Any state is a link; `?present=1` shows it large.  \n"
    "**For a host:** one small container, no outside request, no telemetry; the README says how."
)
with st.container(horizontal=True):
    for entry in pages.GROUPS["Teach it"]:
        st.page_link(entry.file, label=entry.title, icon=entry.symbol)
