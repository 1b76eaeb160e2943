"""Change the divisor: fixed scores, and one number that decides how sharp the weights are."""

import formulas
import streamlit as st
import words
from components import (
    Guess,
    controls_row,
    demonstration,
    heading,
    link_to_state,
    reset_button,
    snippet,
    sources,
    stage,
    table,
    what_you_see,
)
from controls import DIVISOR, SHIFT
from frames import Frame, frame
from live import CEILING, KEYS, SCORES, SQRT_D_K, live_divisor

from core.divisor import DividedScores, divide

SCALED, RAW = divide(SCORES, SQRT_D_K), divide(SCORES, 1.0)
GUESS = Guess(
    key="divisor_guess",
    question=(
        f"At √3, key 1 gets {words.percent(SCALED.weights[0])}. "
        "Guess: with no scaling, divided by 1, it gets …"
    ),
    options=("less", "the same", "slightly more", "over 85 %"),
)
CONTROLS = (DIVISOR, SHIFT, GUESS.control)


def release(divisor: float) -> None:
    """Take over the divisor that the thumb was left at."""
    st.session_state[DIVISOR.key] = divisor


def sentences(divisor: float, shift: float, row: DividedScores) -> str:
    """Say what is seen at this divisor."""
    percents = words.listing([words.soft_percent(w) for w in row.weights])
    plain = divide(SCORES, divisor) if shift else row
    unshifted = words.listing([words.soft_percent(w) for w in plain.weights])
    return (
        f"- Divided by {words.short(divisor)}, the scores are {words.vector(row.scores, 3)} "
        f"and the weights {percents}.\n"
        f"- The entropy is {words.nats(row.entropy)} of at most ln 3 = {CEILING:.4f}: "
        f"the spread of {words.significant(row.effective_keys)} evenly weighted keys. "
        "It measures spread, not accuracy.\n"
        "- Key 1 leads, then key 2, then key 3, at every divisor. "
        "Dividing never changes the order.\n"
        f"- You added {words.short(shift)} to every score. Without it the weights are "
        f"{unshifted}: a constant changes nothing.\n"
        "- Sampling temperature is the same operation in another place: there a free knob "
        "on output scores, here fixed by the head's width."
    )


def formula(divisor: float, shift: float, row: DividedScores) -> str:
    """Write the three steps with the reader's numbers."""
    return formulas.aligned(
        r"\frac{s}{\tau} &= "
        + rf"\frac{{{formulas.row(SCORES + shift)}}}{{{formulas.number(divisor)}}} = "
        + formulas.row(row.scores, words.significant),
        r"w &= \operatorname{softmax}\left(\tfrac{s}{\tau}\right) = "
        + formulas.row(row.weights, words.soft_probability),
        r"H &= -\textstyle\sum_j w_j \ln w_j = "
        + formulas.math_text(words.significant(row.entropy, 4))
        + r"\ \text{nats}",
    )


def numbers(divisor: float, shift: float) -> tuple[Frame, Frame]:
    """Tabulate the quoted divisors and the reader's: as printed, and in full."""
    shown = [("1 (no scaling)", RAW), ("√3", SCALED), ("2", divide(SCORES, 2.0))]
    if divisor not in (1.0, SQRT_D_K, 2.0) or shift:
        shown.append((f"{words.short(divisor)} (yours)", divide(SCORES, divisor, shift=shift)))
    printed = {"divisor": [name for name, _ in shown]}
    full = {"divisor": [float(row.divisor) for _, row in shown]}
    for k, key in enumerate(KEYS):
        printed[key] = [words.soft_probability(row.weights[k], places=6) for _, row in shown]
        full[f"{key} score"] = [float(row.scores[k]) for _, row in shown]
        full[f"{key} weight"] = [float(row.weights[k]) for _, row in shown]
    printed["entropy (nats)"] = [words.fixed(row.entropy, 4) for _, row in shown]
    printed["effective keys"] = [words.fixed(row.effective_keys, 4) for _, row in shown]
    full["entropy (nats)"] = [float(row.entropy) for _, row in shown]
    full["effective keys"] = [float(row.effective_keys) for _, row in shown]
    return frame(printed), frame(full)


@demonstration
def divided() -> tuple[float, float]:
    """Show the divided scores for the controls, which it returns: the divisor and the shift."""
    with stage():
        with controls_row():
            divisor: float = DIVISOR.draw(width=170)
            shift: float = SHIFT.draw(width=170)
            reset_button(CONTROLS)
        GUESS.play(
            "over 85 %",
            f"Undivided, key 1 gets {words.percent(RAW.weights[0])} and the entropy falls from "
            f"{words.nats(SCALED.entropy)} to {words.nats(RAW.entropy)}. Tap the mark at 1.",
        )
        row = divide(SCORES, divisor, shift=shift)
        live_divisor(row, key="live", shift=shift, on_release=release)
    what_you_see(sentences(divisor, shift, row), formula(divisor, shift, row))
    return divisor, shift


heading(
    "What does the divisor do to the weights?",
    "The scores stay fixed at 3, 1 and −1. Drag the divisor and watch the weights follow.",
    CONTROLS,
)
divisor, shift = divided()
st.caption(
    "A calculated example, not a trained model: q = (1, 1, 1) against k₁ = (1, 1, 1), "
    "k₂ = (1, 0, 0) and k₃ = (−1, 0, 0), so dₖ = 3."
)
table(lambda: numbers(divisor, shift), name="divisor")
snippet("divisor", divisor=divisor, shift=shift)
link_to_state(CONTROLS)
sources("Attention Is All You Need, arXiv:1706.03762, section 3.2.1, where the rule is stated.")
