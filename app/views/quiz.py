"""The quiz: one question at a time, its answer, and the page that shows why."""

import pages
import streamlit as st
from components import controls_row, heading, reset_button, stage
from controls_teach import QUESTION
from quiz import QUESTIONS

CONTROLS = (QUESTION,)


def tally(name: str, right: bool) -> tuple[int, int]:
    """Keep each question's first answer for this session; return how many were right of all."""
    first = st.session_state.setdefault("quiz_first_answers", {})
    first.setdefault(name, right)
    return sum(first.values()), len(first)


def turn(by: int) -> None:
    """Go to another question (a button's callback)."""
    st.session_state[QUESTION.key] = min(
        max(st.session_state[QUESTION.key] + by, 1), len(QUESTIONS)
    )


@st.fragment
def demonstration() -> None:
    """Show one question; answering or turning reruns this part alone."""
    with stage():
        with controls_row():
            number = QUESTION.draw(width=170)
            st.button("Previous", on_click=turn, args=(-1,), disabled=number == 1)
            st.button("Next", on_click=turn, args=(1,), disabled=number == len(QUESTIONS))
            reset_button(CONTROLS)
        question = QUESTIONS[number - 1]
        answer = st.radio(
            f"**{number} of {len(QUESTIONS)}.** {question.ask}",
            question.options,
            index=None,
            key=f"answer_{question.name}",
        )
        if answer is None:
            st.caption("Take your pick; the reason follows.")
            return
        right = answer == question.options[question.right]
        good, asked = tally(question.name, right)
        verdict = (
            ":material/check_circle: Right."
            if right
            else f":material/cancel: It is “{question.options[question.right]}”."
        )
        page = pages.PAGES[question.page]
        st.markdown(f"{verdict} {question.because}")
        st.page_link(
            page.file,
            label=f"See it: {page.title}",
            icon=page.symbol,
            query_params=dict(question.state),
        )
        st.markdown(f"Right at the first try: {good} of {asked}.")


heading(
    "What do you think?", "Answer before you look. Every answer is computed somewhere.", CONTROLS
)
demonstration()
