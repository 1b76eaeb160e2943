"""Common mistakes: each made and avoided on the same numbers, with the symptom that betrays it."""

import math

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
from frames import Frame, frame

from core.examples import Example
from core.mistake_results import MistakeResult, MistakeSide, make_mistake
from core.mistakes import SETUP

NOTICED = ("rows no longer sum to 1", "entropy or order changes", "NaN or overflow", "nothing")
GUESS = Guess(
    key="mistake_guess",
    question="Guess: by what would you notice this mistake in the weights?",
    options=NOTICED,
)
CONTROLS = (MISTAKE, MISTAKE_EXAMPLE, MISTAKE_SEED, GUESS.control)


def noticed(result: MistakeResult) -> str:
    """Name the first symptom that the wrong weights show against the right ones."""
    wrong, right = result.wrong, result.right
    if wrong.n_undefined or wrong.overflowed:
        return NOTICED[2]
    if max(abs(total - 1) for total in wrong.row_sums) > 1e-6:
        return NOTICED[0]
    moved = max(abs(a - b) for a, b in zip(wrong.entropy, right.entropy, strict=True))
    return NOTICED[1] if moved > 1e-3 or wrong.order_kept != right.order_kept else NOTICED[3]


def symptoms(side: MistakeSide) -> list[str]:
    """Write one side's symptoms, in the order of `ROWS`."""
    entropies = [h for h in side.entropy if math.isfinite(h)]
    return [
        words.listing([words.short(total) for total in side.row_sums]),
        words.listing([words.fixed(h, 3) for h in entropies]) if entropies else "undefined",
        "kept" if side.order_kept else "broken",
        "yes" if side.overflowed else "no",
        str(side.n_undefined),
        words.probability(side.blocked_weight),
    ]


ROWS = (
    "row sums",
    "entropy of each row (nats)",
    "order of the keys",
    "an exponential overflowed",
    "weights that are NaN",
    "largest weight on blocked keys",
)


def numbers(result: MistakeResult) -> Frame:
    """Put the symptoms of both sides beside each other."""
    sides = {"wrong": symptoms(result.wrong), "right": symptoms(result.right)}
    return frame({"symptom": ROWS, **sides})


@demonstration
def made() -> tuple[MistakeResult, Example]:
    """Show one mistake; return it with the vectors it is made on."""
    with stage():
        with controls_row():
            name = MISTAKE.draw(width=300)
            example = MISTAKE_EXAMPLE.draw(width=210)
            seed = MISTAKE_SEED.draw(width=130)
            reset_button(CONTROLS)
        vectors = MISTAKE_EXAMPLES[example]
        result = make_mistake(name, vectors.query, vectors.key, vectors.value, seed=seed)
        mistake = result.mistake
        GUESS.play(noticed(result), mistake.symptom)
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
        f"- **How to notice:** {mistake.symptom}",
        title=mistake.title,
    )
    wrong, right = st.columns(2)
    with wrong:
        st.markdown("**Wrong**")
        st.code(mistake.wrong, language="python", wrap_lines=True)
    with right:
        st.markdown("**Right**")
        st.code(mistake.right, language="python", wrap_lines=True)
    return result, vectors


heading(
    "What goes wrong in attention code?",
    "Pick a mistake. Both sides run on the same numbers; look for the symptom.",
    CONTROLS,
)
result, vectors = made()
with fold("What both start from", "code") as folded:
    if folded.open:
        st.code(SETUP, language="python", wrap_lines=True)
table(lambda: numbers(result), name="mistake", label="The symptoms as a table")
snippet(
    "mistakes",
    query=vectors.query.tolist(),
    key=vectors.key.tolist(),
    value=vectors.value.tolist(),
    magnitude=result.mistake.magnitude,
)
link_to_state(CONTROLS)
sources(result.mistake.asked)
