"""Lessons: ready states in order, each with its question, and a code to hand them out."""

from urllib.parse import urlencode

import pages
import presenter
import streamlit as st
from components import controls_row, heading, reset_button, stage
from controls_teach import MINUTES, SHARED_LINK
from demonstrations import demonstration
from lessons import PATHS
from qr import qr_code

CONTROLS = (MINUTES, SHARED_LINK)


def base() -> str:
    """Return the address of the explorer, without this page."""
    return (st.context.url or "").split("?")[0].removesuffix("/teach").rstrip("/")


@st.fragment
def share() -> None:
    """Turn any link into a code to scan."""
    st.header("A link to scan", anchor=False)
    link = SHARED_LINK.draw() or f"{base()}/teach"
    qr_code(link)
    st.code(link, language=None, wrap_lines=True)


@st.cache_resource(max_entries=64, show_spinner=False)
def steps(minutes: int, address: str) -> None:
    """Show the steps of a lesson at an address: made once, and played back to all who open it."""
    for number, step in enumerate(PATHS[minutes], start=1):
        page = pages.PAGES[step.page]
        with st.container(key=f"step_{number}", gap="xsmall"):
            st.page_link(
                page.file,
                label=f"**{number}. {page.title}**",
                icon=page.symbol,
                query_params=step.state,
                help=f"Opens {page.title} in this state",
            )
            st.markdown(
                f"**Ask:** {step.ask}  \n**The class guesses:** {step.guess}  \n"
                f"**Show:** {step.show}"
            )
            query = urlencode(step.state, doseq=True)
            link = f"{address}/{step.page}" + (f"?{query}" if query else "")
            st.code(link, language=None, wrap_lines=True)


@demonstration
def lesson() -> None:
    """Show the steps of the lesson that is picked."""
    with stage():
        with controls_row():
            minutes = MINUTES.draw()
            first = PATHS[minutes][0]
            st.page_link(
                pages.PAGES[first.page].file,
                label="Present this lesson",
                icon=":material/slideshow:",
                query_params=presenter.query_of(minutes, 1),
            )
            reset_button(CONTROLS)
        st.markdown(
            "Presenting shows the question, the controls and the chart. A step starts beside its "
            "answer, so that the class can guess. Page Down goes on, Page Up goes back."
        )
        steps(minutes, base())


heading(
    "How do I teach this?",
    "Pick the time you have. Every step opens a page in an exact state.",
    CONTROLS,
)
lesson()
share()
