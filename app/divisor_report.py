"""The numbers of the page on the divisor, in words, formulas and tables."""

from functools import lru_cache

import formulas
import words
from components import Guess
from frames import Frame, frame
from live import CEILING, KEYS, SCORES, SQRT_D_K

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
ANSWER = (
    f"Undivided, key 1 gets {words.percent(RAW.weights[0])} and the entropy falls from "
    f"{words.nats(SCALED.entropy)} to {words.nats(RAW.entropy)}. Tap the mark at 1."
)


@lru_cache(maxsize=1024)
def seen(divisor: float, shift: float) -> tuple[str, str]:
    """Say what is seen, and write the three steps with the reader's numbers."""
    row = divide(SCORES, divisor, shift=shift)
    return sentences(divisor, shift, row), formula(divisor, shift, row)


def sentences(divisor: float, shift: float, row: DividedScores) -> str:
    """Say what is seen at this divisor."""
    percents = words.listing([words.soft_percent(w) for w in row.weights])
    plain = divide(SCORES, divisor) if shift else row
    unshifted = words.listing([words.soft_percent(w) for w in plain.weights])
    return (
        f"- Divided by {words.short(divisor)}, the scores are {words.vector(row.scores, 3)} "
        f"and the weights {percents}.\n"
        f"- The entropy is {words.nats(row.entropy)} of at most ln 3 = {words.nats(CEILING)}: "
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
