"""Cost and variants: what attention costs, what changes it, and what becomes of √dₖ."""

import cost_report as report
import formulas
import streamlit as st
import words
from charts.cost import linear_figure, memory_figure, size
from components import (
    Guess,
    chart,
    colours,
    controls_row,
    demonstration,
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
from controls import COST_CAUSAL, COST_DTYPE, COST_HEADS, COST_TOKENS, COST_WIDTH

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
        seen, error = report.costs(*settings), report.linear()
        left, right = st.columns(2)
        with left:
            chart(
                memory_figure(colours(), report.TOKENS, seen, n=n),
                key="cost_memory",
                alt="Memory against tokens. All scores: "
                + ", ".join(
                    f"{size(one.dense_bytes)} at {m}"
                    for m, one in zip(report.TOKENS, seen, strict=True)
                )
                + f". One tile: {size(seen[-1].tile_bytes)}.",
            )
        with right:
            chart(
                linear_figure(colours(), error),
                key="cost_linear",
                alt="Relative error of linear attention: "
                + ", ".join(
                    f"{value:.2f} at width {w}"
                    for w, value in zip(error.widths, error.linear.value, strict=True)
                ),
            )
    one = report.counted(n, *settings)
    pairs = formulas.math_text(words.count(one.pairs // heads))
    what_you_see(
        report.sentences(n, *settings),
        formulas.aligned(
            r"&2 \cdot \text{pairs} \cdot (d_k + d_v) \cdot \text{heads}",
            rf"&= 2 \cdot {pairs} \cdot {2 * width} \cdot {heads}",
            "&= " + formulas.math_text(words.count(one.operations)),
        ),
    )
    return n, settings


heading(
    "What does attention cost, and what can be saved?",
    "Choose a size. Tiles save memory and change no result; other variants change the model.",
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
        st.table(report.variants(), hide_index=True, border="horizontal")
with fold("Shared keys and values: the cache", "database") as folded:
    if folded.open:
        st.markdown(
            f"Keys and values of {words.count(n)} tokens, one layer. Sharing them among heads "
            "shrinks the cache. The width of a dot product, and so √dₖ, stays."
        )
        frame = report.caches(n, width, heads, dtype)
        st.table(frame, hide_index=True, border="horizontal")
table(lambda: report.numbers(*settings), name="cost")
snippet("cost", n=min(n, 512), d_k=width, causal=causal)
link_to_state(CONTROLS)
sources(*dict.fromkeys(f"{source}." for one in VARIANTS for source in one.sources))
