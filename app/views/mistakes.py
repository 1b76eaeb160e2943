"""Common mistakes: each made and avoided on the same numbers, with the symptom that betrays it."""

import mistakes_report as report
import streamlit as st
import words
from charts.weights import weight_map
from components import (
    Guess,
    chart,
    colours,
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
from controls_break import MISTAKE, MISTAKE_EXAMPLE, MISTAKE_EXAMPLES, MISTAKE_SEED
from demonstrations import demonstration

from core.examples import Example
from core.mistake_results import MistakeResult, make_mistake

GUESS = Guess(
    key="mistake_guess",
    question="Guess: by what would you notice this mistake in the weights?",
    options=report.NOTICED,
)
SEEDED = "no-seed"
"""The mistake that draws random numbers; no other has use for a seed."""
UNSEEDED = (MISTAKE, MISTAKE_EXAMPLE, GUESS.control)
CONTROLS = (*UNSEEDED, MISTAKE_SEED)


@demonstration
def made() -> tuple[MistakeResult, Example, int]:
    """Show one mistake; return it with the vectors it is made on, and the seed."""
    with stage():
        with controls_row():
            name = MISTAKE.draw(width=300)
            example = MISTAKE_EXAMPLE.draw(width=210)
            seed = MISTAKE_SEED.draw(width=130) if name == SEEDED else int(MISTAKE_SEED.default)
            reset_button(CONTROLS)
        vectors = MISTAKE_EXAMPLES[example]
        result = make_mistake(name, vectors.query, vectors.key, vectors.value, seed=seed)
        mistake = result.mistake
        GUESS.play(report.noticed(result), mistake.symptom)
        n_q, n_k = result.right.weights.shape
        queries = [f"q{i + 1}" for i in range(n_q)]
        keys = [f"k{j + 1}" for j in range(n_k)]
        palette = colours()
        for column, title, side, colour in zip(
            st.columns(2),
            ("Wrong", "Right"),
            (result.wrong, result.right),
            (palette.raw, palette.scaled),
            strict=True,
        ):
            sums = words.listing([words.short(total) for total in side.row_sums])
            with column:
                chart(
                    weight_map(
                        side.weights,
                        palette,
                        title=f"{title}: weights",
                        colour=colour,
                        queries=queries,
                        keys=keys,
                    ),
                    key=f"mistake_{title.lower()}",
                    alt=f"{title} weights of {n_q} queries over {n_k} keys; row sums {sums}.",
                )
    what_you_see(
        f"- **People think:** {mistake.belief}\n- **So it is:** {mistake.answer}\n"
        f"- **How to notice:** {mistake.symptom}{report.about_numbers(mistake, vectors)}",
        title=mistake.title,
    )
    wrong, right = st.columns(2)
    with wrong:
        st.markdown("**Wrong**")
        st.code(mistake.wrong, language="python", wrap_lines=True)
    with right:
        st.markdown("**Right**")
        st.code(mistake.right, language="python", wrap_lines=True)
    return result, vectors, seed


heading(
    "What goes wrong in attention code?",
    "Pick a mistake. Both sides run on the same numbers; look for the symptom.",
    CONTROLS,
)
result, vectors, seed = made()
with fold("What both start from", "code") as folded:
    if folded.open:
        st.code(report.setup(result.mistake, seed), language="python", wrap_lines=True)
table(lambda: report.numbers(result), name="mistake", label="The symptoms as a table")
snippet(
    "mistakes",
    query=vectors.query.tolist(),
    key=vectors.key.tolist(),
    value=vectors.value.tolist(),
    magnitude=result.mistake.magnitude,
)
link_to_state(CONTROLS if result.mistake.name == SEEDED else UNSEEDED)
sources(result.mistake.asked)
