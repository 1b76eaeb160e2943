"""More keys: entropy over width and number of keys, and what √dₖ leaves undone."""

import more_keys_report as report
import streamlit as st
import words
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
from controls_limits import MAP_N_KEYS, MAP_WIDTH
from demonstrations import demonstration

CONTROLS = (MAP_WIDTH, MAP_N_KEYS, report.GUESS.control)
TRIES = {
    "At the freezing guide": {MAP_WIDTH.key: 12, MAP_N_KEYS.key: 512},
    "A long context": {MAP_WIDTH.key: 128, MAP_N_KEYS.key: 65536},
    "Two keys, width 1": {MAP_WIDTH.key: 1, MAP_N_KEYS.key: 2},
}


def attempt(values: dict[str, int]) -> None:
    """Go to one of the cells worth reading."""
    st.session_state.update(values)


@demonstration
def mapped() -> tuple[int, int]:
    """Show both maps and the cell picked; return its width and its keys."""
    dark = st.context.theme.type == "dark"
    with stage():
        with controls_row():
            width: int = MAP_WIDTH.draw(width=300)
            n_keys: int = MAP_N_KEYS.draw(width=300)
            reset_button(CONTROLS)
        report.GUESS.play(report.RIGHT, report.ANSWER)
        with side_by_side():
            for name in ("raw", "scaled"):
                report.map_chart(name=name, width=width, n_keys=n_keys, dark=dark)
    what_you_see(
        report.sentences(width, n_keys),
        report.formula(width, n_keys),
        title=f"What you see at width {words.count(width)} with {words.count(n_keys)} keys",
    )
    report.column_chart(width=width, n_keys=n_keys, dark=dark)
    return width, n_keys


heading(
    "Does √dₖ make up for more keys?",
    "Pick a width and a number of keys. Both maps show how evenly a row spreads its weights.",
    CONTROLS,
)
width, n_keys = mapped()
st.markdown(report.OTHER_RULES)
with fold("Derivation", "function") as folded:
    if folded.open:
        st.markdown(report.DERIVATION)
table(
    lambda: report.numbers(width),
    name="more-keys",
    note=f"All numbers of keys at width {words.count(width)}. The file holds both whole maps.",
)
snippet("more_keys", width=width, n=n_keys)
link_to_state(CONTROLS)
sources(*report.SOURCES)
st.header("What to try next", anchor=False)
with st.container(horizontal=True, vertical_alignment="center"):
    for label, cell_to_read in TRIES.items():
        st.button(label, on_click=attempt, args=(cell_to_read,))
    st.page_link("views/assumptions.py", label="When the assumptions fail")
