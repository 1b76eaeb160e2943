"""Number formats: where exponentials overflow, and what subtracting the maximum does not mend."""

import formats_report as report
import streamlit as st
from components import (
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
from controls_break import FORMAT_SCALE, FORMAT_SEED, FORMAT_WIDTH, NUMBER_FORMAT
from demonstrations import demonstration
from streamlit.delta_generator import DeltaGenerator

CONTROLS = (FORMAT_SCALE, NUMBER_FORMAT, FORMAT_WIDTH, FORMAT_SEED, report.GUESS.control)


@demonstration
def broken(charts: DeltaGenerator, *, revealed: bool) -> None:
    """Show for the controls what each format holds, how often its end is passed, and the words."""
    scale, name, width = FORMAT_SCALE.value, NUMBER_FORMAT.value, FORMAT_WIDTH.value
    dark = st.context.theme.type == "dark"
    with charts:
        report.limits_chart(scale=scale, width=width, name=name, dark=dark)
        report.chance_chart(
            name=name, seed=FORMAT_SEED.value, width=width, revealed=revealed, dark=dark
        )
    of = report.seen(scale, width)
    what_you_see(
        f"{report.sentences(of, name, width, revealed)}\n\n{report.softmax_table(of.formats)}",
        report.formula(of),
    )


heading(
    "When does a score break its number format?",
    "Make the scores larger, choose a format, and watch the exponentials overflow.",
    CONTROLS,
)
with stage():
    with controls_row():
        scale = broken.draw(FORMAT_SCALE, width=190)
        name = broken.draw(NUMBER_FORMAT, width=140)
        width = broken.draw(FORMAT_WIDTH, width=150)
        seed = broken.draw(FORMAT_SEED, width=130)
        reset_button(CONTROLS)
    revealed = report.GUESS.play(
        report.right_guess(),
        f"It falls from {report.share(report.chance(64, 'float16'))} to "
        f"{report.share(report.chance(64, 'float16', scaled=True))}.",
    )
    charts = side_by_side()
broken(charts, revealed=revealed)
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
table(lambda: report.numbers(report.seen(scale, width).formats), name="formats")
script = "float32" if name == "bfloat16" else name
snippet("formats", scale=scale, d_k=width, format_name=script, seed=seed)
link_to_state(CONTROLS)
sources(
    "IEEE Standard for Floating-Point Arithmetic, doi:10.1109/IEEESTD.2019.8766229.",
    "A study of bfloat16 for deep learning training, arXiv:1905.12322.",
)
