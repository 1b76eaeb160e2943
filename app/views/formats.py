"""Number formats: where exponentials overflow, and what subtracting the maximum does not mend."""

import formats_report as report
import formulas
import streamlit as st
import words
from charts.formats import chance_figure, limits_figure
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
from controls import FORMAT_SCALE, FORMAT_SEED, FORMAT_WIDTH, NUMBER_FORMAT

from core.format_softmax import FormatComparison, compare_formats

GUESS = Guess(
    key="formats_guess",
    question="Guess: divide by √64 = 8. What remains of the chance to overflow float16?",
    options=report.LESS,
)
CONTROLS = (FORMAT_SCALE, NUMBER_FORMAT, FORMAT_WIDTH, FORMAT_SEED, GUESS.control)


def charts(scale: float, name: str, width: int, seed: int, revealed: bool) -> None:
    """Show the score axis with each format's ends, and the chance to pass the chosen one."""
    raw, scaled = report.scores(scale, 1.0), report.scores(scale, width**0.5)
    exact, exact_scaled = report.chances(name)
    left, right = st.columns(2)
    with left:
        chart(
            limits_figure(colours(), raw, scaled, chosen=name),
            key="formats_limits",
            alt="Range of scores whose exponential each format holds. Your raw scores "
            f"{words.vector(raw)}, scaled {words.vector(scaled)}.",
        )
    with right:
        chart(
            chance_figure(
                colours(),
                report.CURVE,
                exact,
                exact_scaled if revealed else None,
                report.WIDTHS,
                report.drawn(name, seed),
                name=name,
                width=width,
            ),
            key="formats_chance",
            alt=f"Chance that a raw score passes the end of {name}: "
            + ", ".join(f"{report.share(report.chance(w, name))} at {w}" for w in report.WIDTHS),
        )


@demonstration
def broken() -> tuple[float, str, int, int, tuple[FormatComparison, ...]]:
    """Show the page for its controls, which it returns, and the formats side by side."""
    with stage():
        with controls_row():
            scale = FORMAT_SCALE.draw(width=190)
            name = NUMBER_FORMAT.draw(width=140)
            width = FORMAT_WIDTH.draw(width=150)
            seed = FORMAT_SEED.draw(width=130)
            reset_button(CONTROLS)
        revealed = GUESS.play(
            report.right_guess(),
            f"It falls from {report.share(report.chance(64, 'float16'))} to "
            f"{report.share(report.chance(64, 'float16', scaled=True))}.",
        )
        charts(scale, name, width, seed, revealed)
    raw = report.scores(scale, 1.0)
    seen = compare_formats(raw)
    what_you_see(
        report.sentences(scale, name, width, seen, revealed) + "\n\n" + report.softmax_table(seen),
        formulas.aligned(
            r"w_j &= \frac{e^{s_j}}{\sum_i e^{s_i}} = \frac{e^{s_j-m}}{\sum_i e^{s_i-m}}",
            r"s &= " + formulas.row(raw) + r",\ m = " + formulas.number(max(raw)),
        ),
    )
    return scale, name, width, seed, seen


heading(
    "When does a score break its number format?",
    "Make the scores larger, choose a format, and watch the exponentials overflow.",
    CONTROLS,
)
scale, name, width, seed, seen = broken()
with fold("Limits, and sentinels that do not fit", "straighten") as folded:
    if folded.open:
        st.markdown(
            "−1e9 is −∞ in float16: as a mask it turns a row without keys into NaN. "
            "bfloat16 is emulated: float32, rounded to eight significant bits after "
            "every operation."
        )
        st.table(report.limits(), hide_index=True, border="horizontal")
with fold("Dividing the query first", "swap_horiz") as folded:
    if folded.open:
        st.markdown(
            "Dividing q by √dₖ is the same as dividing the scores, up to rounding. "
            "Here dₖ = 3 and the raw scores are 3, 1 and −1."
        )
        st.table(report.query_first(), hide_index=True, border="horizontal")
with fold("The chances as a table", "table") as folded:
    if folded.open:
        st.table(report.chance_table(name, seed), hide_index=True, border="horizontal")
table(lambda: report.numbers(seen), name="formats")
script = "float32" if name == "bfloat16" else name
snippet("formats", scale=scale, d_k=width, format_name=script, seed=seed)
link_to_state(CONTROLS)
sources(
    "IEEE Standard for Floating-Point Arithmetic, doi:10.1109/IEEESTD.2019.8766229.",
    "A study of bfloat16 for deep learning training, arXiv:1905.12322.",
)
