"""Widen the head: one query against four keys, raw beside scaled, at six widths."""

import head_width_report as report
import streamlit as st
import words
from charts import coordinates, mixture
from charts.head_width import bars, compared, describe
from components import (
    Guess,
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
from controls import KEY, QUERY, WIDTH
from drawing import drawing

from core.examples import HEAD_WIDTH_EXAMPLE

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


@demonstration
def compared_widths() -> tuple[int, int, int]:
    """Show the page for its controls, which it returns: query, width and the key picked."""
    with stage():
        with controls_row():
            query = QUERY.draw()
            width = WIDTH.draw()
            reset_button(CONTROLS)
        wide = max(WIDE.raw.weights)
        GUESS.play(
            GUESS.options[int(wide >= 0.5) + int(wide > 0.99)],
            f"{words.listing(report.leaders(WIDE.raw))} gets {words.soft_probability(wide)} raw "
            f"and {words.soft_probability(max(WIDE.scaled.weights))} scaled. At width 4 "
            f"{words.listing(report.leaders(START.raw))} led: a wider head is another dot product.",
        )
        seen = compared(query, width)
        left, right = st.columns([3, 2], gap="medium")
        with left:
            drawing(
                bars(seen, colours()),
                key="head_width_bars",
                alt=describe(seen, query),
                name="scores, weights and entropy",
            )
        with right:
            drawing(
                mixture.plane(seen, colours()),
                key="head_width_mixture",
                alt=mixture.describe(seen),
                name="mixture of the values",
            )

    what_you_see(
        "\n".join(f"- {sentence}" for sentence in report.sentences(query, width))
        + f"\n\n:small[{report.NOT_RANDOM}]\n\n## Take one score apart"
    )
    key = KEY.draw()
    drawing(
        coordinates.tiles(HEAD_WIDTH_EXAMPLE, seen, colours(), query=query, key=key),
        key="head_width_coordinates",
        alt=coordinates.describe(seen, query, key),
        name="vectors, products and running sum",
    )
    st.markdown(
        f"$$\n{report.score_formula(seen, query, key)}\n$$\n\n{report.cosine(seen, key)}\n\n"
        f"## Step by step\n\n{report.ORDER}"
    )
    columns = st.columns(2, gap="medium")
    for column, title, formula in zip(
        columns, ("Raw", "Scaled"), report.steps(seen, key), strict=True
    ):
        column.markdown(f"**{title}**\n\n$$\n{formula}\n$$")
    return query, width, key


heading(
    "What does a wider head do to the weights?",
    "Pick a query and a head width. Compare the raw scores with the scaled ones.",
    CONTROLS,
)
query, width, key = compared_widths()
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
