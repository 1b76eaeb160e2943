"""The shell around every page: its title, its width and the way from one page to the next."""

from pathlib import Path

import pages
import presenter
import streamlit as st
from loading import load_libraries
from reach import reach_wide_tables

HERE = Path(__file__).resolve().parent
TITLE = "Why √dₖ?"

# Before the pages are named, whose symbols would come from another host as icons of the tab.
st.set_page_config(
    page_title=TITLE,
    page_icon=str(HERE.parent / "assets" / "logo.svg"),
    layout="wide",
    initial_sidebar_state="auto",
)
st.html(HERE / "style.css")

# Links of our own: Streamlit's grouped list is not a list to a screen reader.
current = st.navigation(
    [
        st.Page(
            HERE / entry.file,
            title=entry.title,
            icon=entry.symbol,
            url_path=entry.url_path,
            default=entry is pages.HOME,
        )
        for entry in pages.PAGES.values()
    ],
    position="hidden",
)
if current.url_path:
    st.set_page_config(page_title=f"{current.title} · {TITLE}")
step = presenter.current_step()
if step is None:
    with st.sidebar:
        st.page_link(pages.HOME.file, icon=pages.HOME.symbol)
        for name, group in pages.GROUPS.items():
            st.markdown(f"**{name}**")
            for entry in group:
                st.page_link(entry.file, icon=entry.symbol)
        reach_wide_tables()
else:
    presenter.open_stage(step, current.url_path)
load_libraries()
current.run()
