"""Where gradients go: what softmax's Jacobian lets through, across widths and across divisors."""

import gradients_report as report
import streamlit as st
from components import (
    BLIND,
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
from controls_prove import (
    GRADIENT_DIVISOR,
    GRADIENT_KEYS,
    GRADIENT_OF,
    GRADIENT_SEED,
    GRADIENT_WIDTH,
)
from demonstrations import demonstration
from words import count

from core.gradients import GradientNorms

FEW, MANY = (report.norms(n_keys, int(GRADIENT_SEED.default)) for n_keys in (3, 64))
OPTIONS = ("smaller still", "half of scaled", "as large as scaled")
RATIOS = [report.ratio(found, 64) for found in (FEW, MANY)]
GUESS = Guess(
    key="gradients_guess",
    question=(
        f"With 3 keys at width 64 and seed {GRADIENT_SEED.default} the median ‖J‖ is "
        f"{report.at(FEW.raw, 64)} raw and {report.at(FEW.scaled, 64)} scaled. Guess: with 64 "
        "keys, all else the same, the raw one is …"
    ),
    options=OPTIONS,
)
FREE = (GRADIENT_KEYS, GRADIENT_OF, GRADIENT_WIDTH, GRADIENT_SEED, GRADIENT_DIVISOR)
CONTROLS = (*FREE, GUESS.control)
TRIES = {
    "Few keys: 2": {GRADIENT_KEYS.key: 2},
    "Many keys: 64": {GRADIENT_KEYS.key: 64},
    "Per raw score: J/τ": {GRADIENT_OF.key: "J/τ"},
    "A divisor of 8": {GRADIENT_DIVISOR.key: 8.0},
}


def attempt(values: dict[str, object]) -> None:
    """Put a control to a setting worth trying."""
    st.session_state.update(values)


@demonstration
def across_widths() -> tuple[GradientNorms, int]:
    """Show what softmax lets through as rows get wider; return it and its seed."""
    with stage():
        with controls_row():
            n_keys = GRADIENT_KEYS.draw(width=110)
            by_raw_score = GRADIENT_OF.draw() == "J/τ"
            width = GRADIENT_WIDTH.draw(width=260)
            seed = GRADIENT_SEED.draw(width=130)
            if reset_button(CONTROLS):
                st.rerun()  # one of the controls is in the other part
        revealed = GUESS.play(
            OPTIONS[(RATIOS[1] > RATIOS[0]) + (RATIOS[1] > 0.75)],
            f"It is {report.at(MANY.raw, 64)}, scaled {report.at(MANY.scaled, 64)}. It dies later: "
            f"{report.at(MANY.raw, 256)} at width 256.",
            hint=report.SHOWN if n_keys == MANY.n_keys else BLIND,
        )
        dark = st.context.theme.type == "dark"
        left, right = st.columns([3, 2])
        with left:
            report.norms_chart(n_keys, seed, by_raw_score, width, dark)
        with right:
            report.saturated_chart(n_keys, seed, width, dark)
    found = report.norms(n_keys, seed)
    what_you_see(
        report.sentences(
            found, width, (found if n_keys == MANY.n_keys else MANY) if revealed else None
        ),
        title=f"What you see at width {count(width)} with {n_keys} keys",
        caption=f"{count(found.n_rows)} sampled rows at each width. Lines are medians with 95 % "
        "intervals. Half of the rows lie in the dark band, nine tenths in the light one.",
    )
    return found, seed


@demonstration
def across_divisors() -> float:
    """Show it for one fixed row at every divisor; return the one that is picked."""
    divisor: float = GRADIENT_DIVISOR.draw(width=190)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        report.curve_chart(divisor, st.context.theme.type == "dark")
    with right:
        st.latex(report.formula(divisor))
    st.markdown(report.row_sentences(divisor))
    return divisor


heading(
    "Does a gradient still get through softmax?",
    "Random rows of scores get wider. Change the number of keys and see what is let through.",
    CONTROLS,
)
found, seed = across_widths()
st.header("One fixed row, every divisor", anchor=False)
divisor = across_divisors()
with fold("Derivation", "function") as folded:
    if folded.open:
        st.markdown(report.DERIVATION)
table(
    lambda: report.table(found),
    name="gradients",
    note="Medians over rows, the range of the middle nine tenths, and the share of rows with a "
    "weight above 0.9. The file has all quantiles and intervals.",
)
snippet("gradients", n_keys=found.n_keys, n_rows=found.n_rows, seed=seed, divisor=divisor)
link_to_state(CONTROLS)
sources(*report.SOURCES)
st.header("What to try next", anchor=False)
with st.container(horizontal=True, vertical_alignment="center"):
    for label, values in TRIES.items():
        st.button(label, on_click=attempt, args=(values,))
    st.page_link("views/other_ways.py", label="Other ways to tame scores")
