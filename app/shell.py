"""The shell around every page: its title, its width and the way from one page to the next."""

from pathlib import Path

import streamlit as st

HERE = Path(__file__).resolve().parent

st.set_page_config(
    page_title="Why √dₖ?",
    page_icon=str(HERE.parent / "assets" / "logo.svg"),
    layout="wide",
    initial_sidebar_state="auto",
)
st.html(HERE / "style.css")


def page(file: str, title: str, icon: str, url_path: str, *, default: bool = False) -> st.Page:
    """Declare one page of the explorer."""
    return st.Page(
        HERE / "views" / f"{file}.py",
        title=title,
        icon=f":material/{icon}:",
        url_path=url_path,
        default=default,
    )


HOME = page("home", "Why √dₖ?", "home", "", default=True)
GROUPS = {
    "See it": [
        page("divisor", "Change the divisor", "tune", "divisor"),
        page("head_width", "Widen the head", "width", "head-width"),
        page("sweep", "Sweep the width", "monitoring", "sweep"),
    ],
    "Break it": [
        page("assumptions", "When the assumptions fail", "link", "assumptions"),
        page("more_keys", "More keys", "key", "more-keys"),
    ],
}

# Links of our own: Streamlit's grouped list is not a list to a screen reader.
current = st.navigation([HOME, *(p for group in GROUPS.values() for p in group)], position="hidden")
with st.sidebar:
    st.page_link(HOME)
    for name, pages in GROUPS.items():
        st.markdown(f"**{name}**")
        for target in pages:
            st.page_link(target)
current.run()
