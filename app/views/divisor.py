"""Change the divisor: fixed scores, and one number that decides how sharp the weights are."""

import divisor_report as report
import streamlit as st
from components import (
    controls_row,
    heading,
    link_to_state,
    reset_button,
    snippet,
    sources,
    stage,
    table,
    what_you_see,
)
from controls_see import DIVISOR, SHIFT
from demonstrations import demonstration
from live import live_divisor
from streamlit.delta_generator import DeltaGenerator

CONTROLS = (DIVISOR, SHIFT, report.GUESS.control)


def release(divisor: float) -> None:
    """Take over the divisor that the thumb was left at."""
    st.session_state[DIVISOR.key] = divisor


@demonstration
def divided(boxes: DeltaGenerator, figure: DeltaGenerator) -> tuple[float, float]:
    """Show the controls in their place, and the scores that they divide; return both values."""
    with boxes:
        divisor: float = DIVISOR.draw(width=170)
        shift: float = SHIFT.draw(width=170)
    with figure:
        live_divisor(divisor, key="live", shift=shift, on_release=release)
    what_you_see(*report.seen(divisor, shift))
    return divisor, shift


heading(
    "What does the divisor do to the weights?",
    "The scores stay fixed at 3, 1 and −1. Drag the divisor and watch the weights follow.",
    CONTROLS,
)
with stage():
    with controls_row():
        boxes = st.container(horizontal=True, width="content")
        reset_button(CONTROLS)
    report.GUESS.play("over 85 %", report.ANSWER)
    figure = st.container()
divisor, shift = divided(boxes, figure)
st.caption(
    "A calculated example, not a trained model: q = (1, 1, 1) against k₁ = (1, 1, 1), "
    "k₂ = (1, 0, 0) and k₃ = (−1, 0, 0), so dₖ = 3."
)
table(lambda: report.numbers(divisor, shift), name="divisor")
snippet("divisor", divisor=divisor, shift=shift)
link_to_state(CONTROLS)
sources("Attention Is All You Need, arXiv:1706.03762, section 3.2.1, where the rule is stated.")
