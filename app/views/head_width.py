"""Widen the head: one query against four keys, raw beside scaled, at six widths."""

import head_width_report as report
import streamlit as st
import words
from charts.head_width import compared
from components import (
    Guess,
    controls_row,
    fold,
    heading,
    link_to_state,
    reset_button,
    snippet,
    sources,
    stage,
    table,
    what_you_see,
)
from controls_see import KEY, QUERY, WIDTH
from demonstrations import demonstration
from drawing import drawing
from streamlit.delta_generator import DeltaGenerator

from core.examples import Row

START, WIDE = compared(0, 4), compared(0, 32)
GUESS = Guess(
    key="head_width_guess",
    question=(
        f"At width 4, Q0’s largest raw weight is {words.soft_probability(max(START.raw.weights))}. "
        "Guess: at width 32 it is …"
    ),
    options=("below 0.5", "0.5 to 0.99", "over 0.99"),
)
CONTROLS = (QUERY, WIDTH, KEY, GUESS.control)


def leader(row: Row) -> str:
    """Name the keys with the largest score."""
    return words.listing(report.leaders(row))


@demonstration
def compared_widths(figure: DeltaGenerator, said: DeltaGenerator) -> tuple[int, int, int]:
    """Show figure and what is said in their places; return query, width and key."""
    query, width, key = QUERY.value, WIDTH.value, KEY.value
    dark = st.context.theme.type == "dark"
    with figure:
        drawing(report.pictures(query, width, dark=dark), key="head_width")
    with said:
        what_you_see(report.said(query, width))
    apart, computed = report.apart(query, width, key, dark=dark)
    drawing(apart, key="head_width_apart")
    st.markdown(computed)
    return query, width, key


heading(
    "What does a wider head do to the weights?",
    "Pick a query and a head width. Compare the raw scores with the scaled ones.",
    CONTROLS,
)
with stage():
    with controls_row():
        compared_widths.draw(QUERY)
        compared_widths.draw(WIDTH)
        reset_button(CONTROLS)
    wide = max(WIDE.raw.weights)
    GUESS.play(
        GUESS.options[int(wide >= 0.5) + int(wide > 0.99)],
        f"{leader(WIDE.raw)} gets {words.soft_probability(wide)} raw and "
        f"{words.soft_probability(max(WIDE.scaled.weights))} scaled. At width 4 "
        f"{leader(START.raw)} led: a wider head is another dot product.",
    )
    figure = st.container()
with st.container(key="apart"):
    said = st.container()
    compared_widths.draw(KEY)
    query, width, key = compared_widths(figure, said)
st.header("A second example: fractions", anchor=False)
st.markdown(report.FRACTIONS_IN_WORDS)
st.table(report.FRACTIONS, hide_index=True, border="horizontal")

table(lambda: report.tables(query, width), name="head_width")
snippet("head_width", query=query, width=width, key=key)
link_to_state(CONTROLS)
sources("Attention Is All You Need, arXiv:1706.03762, section 3.2.1, where the rule is stated.")
with fold("What to try next", "explore") as folded:
    if folded.open:
        st.markdown(report.TRY)
        st.page_link("views/divisor.py", label="Scale one fixed row", icon=":material/tune:")
        st.page_link("views/sweep.py", label="Use random vectors", icon=":material/monitoring:")
