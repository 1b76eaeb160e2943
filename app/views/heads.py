"""Trained heads: 72 of them, measured by the same numbers as the random model."""

import heads_report as report
import streamlit as st
import words
from components import (
    controls_row,
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
from controls_prove import HEAD, HEAD_DIVISOR, HEAD_STATISTIC, LAYER, SENTENCE
from demonstrations import demonstration
from streamlit.delta_generator import DeltaGenerator

CONTROLS = (SENTENCE, LAYER, HEAD, HEAD_STATISTIC, HEAD_DIVISOR, report.GUESS.control)


@demonstration
def read(charts: DeltaGenerator) -> None:
    """Show all heads, and one of them raw and divided."""
    at = {"sentence": SENTENCE.value, "layer": LAYER.value, "head": HEAD.value}
    divisor, dark = HEAD_DIVISOR.value, st.context.theme.type == "dark"
    with charts:
        report.grid_chart(**at, statistic=HEAD_STATISTIC.value, dark=dark)
        report.scores_chart(**at, dark=dark)
    place = report.Place(**at)
    what_you_see(
        f"The sentence: “{report.measured(sentence=place.sentence)[0].sentence}”",
        title=f"{place.name}: raw, and over {words.short(divisor)}",
    )
    with side_by_side("maps"):
        report.raw_map(**at, dark=dark)
        report.divided_map(**at, divisor=divisor, dark=dark)
    st.markdown(report.sentences(place, divisor))


heading(
    "Do trained heads obey the random model?",
    "72 heads of a small encoder read a plain sentence. Pick one and change its divisor.",
    CONTROLS,
)
with stage():
    with controls_row():
        sentence = SENTENCE.draw(width=180)
        read.draw(HEAD_STATISTIC, width=170)
        layer = read.draw(LAYER, width=100)
        head = read.draw(HEAD, width=100)
        divisor = read.draw(HEAD_DIVISOR, width=150)
        reset_button(CONTROLS)
    statistics = report.measured(sentence=sentence)[1]
    report.play(statistics)
    charts = side_by_side()
read(charts)
table(lambda: report.numbers(statistics), name="trained-heads", label="All 72 heads as a table")
snippet("heads", sentence=sentence, layer=layer, head=head, divisor=divisor)
link_to_state(CONTROLS)
sources(*report.SOURCES)
