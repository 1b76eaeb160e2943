"""Cost and variants: what attention costs, what changes it, and what becomes of √dₖ."""

import cost_report as report
import cost_tables as tables
import streamlit as st
import words
from components import (
    Guess,
    controls_row,
    fold,
    heading,
    link_to_state,
    reset_button,
    side_by_side,
    snippet,
    sources,
    stage,
    table,
    what_you_see,
)
from controls_prove import COST_CAUSAL, COST_DTYPE, COST_HEADS, COST_TOKENS, COST_WIDTH
from demonstrations import demonstration

from core.variants import VARIANTS

GUESS = Guess(
    key="cost_guess",
    question="Guess: twice as many tokens. The table of all scores grows …",
    options=("× 2", "× 4", "× 8"),
)
CONTROLS = (COST_TOKENS, COST_WIDTH, COST_HEADS, COST_DTYPE, COST_CAUSAL, GUESS.control)


@demonstration
def counted() -> tuple[int, tuple[int, int, str, bool]]:
    """Show the page for its controls, which it returns."""
    dark = st.context.theme.type == "dark"
    with stage():
        with controls_row():
            n = COST_TOKENS.draw(width=130)
            width = COST_WIDTH.draw(width=140)
            heads = COST_HEADS.draw(width=100)
            dtype = COST_DTYPE.draw(width=140)
            causal = COST_CAUSAL.draw()
            reset_button(CONTROLS)
        settings = (width, heads, dtype, causal)
        GUESS.play(
            report.right_guess(*settings),
            "It holds n² scores a head. A tile stays as large as it is.",
        )
        with side_by_side():
            report.memory_chart(
                n=n, width=width, heads=heads, dtype=dtype, causal=causal, dark=dark
            )
            report.linear_chart(dark=dark)
    what_you_see(report.sentences(n, *settings), report.formula(n, *settings))
    return n, settings


heading(
    "What does attention cost, and what can be saved?",
    "Choose a size. Tiles save memory where tokens are many, and change no result; other variants "
    "change the model.",
    CONTROLS,
)
n, settings = counted()
width, heads, dtype, causal = settings
st.markdown(
    "Linear attention replaces softmax, so it is another model: on random tokens its outputs "
    "differ from softmax attention as the chart of its error shows. It has no scores to divide."
)
with fold("Variants, and what becomes of √dₖ", "alt_route") as folded:
    if folded.open:
        st.table(tables.variants(), hide_index=True, border="horizontal")
with fold("Shared keys and values: the cache", "database") as folded:
    if folded.open:
        st.markdown(
            f"Keys and values of {words.count(n)} tokens, one layer. Sharing them among heads "
            "shrinks the cache. The width of a dot product, and so √dₖ, stays."
        )
        frame = tables.caches(n, width, heads, dtype)
        st.table(frame, hide_index=True, border="horizontal")
table(lambda: tables.numbers(*settings), name="cost")
snippet("cost", n=min(n, 512), d_k=width, causal=causal)
link_to_state(CONTROLS)
sources(*dict.fromkeys(f"{source}." for one in VARIANTS for source in one.sources))
