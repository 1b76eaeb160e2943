"""Every page of the explorer, in the order of the navigation."""

from pathlib import Path

import streamlit as st

VIEWS = Path(__file__).resolve().parent / "views"


def _page(view: str, title: str, icon: str, url_path: str, *, default: bool = False) -> st.Page:
    """Declare one page: its file in ``views``, its title, icon and address."""
    file = VIEWS / f"{view}.py"
    return st.Page(file, title=title, icon=f":material/{icon}:", url_path=url_path, default=default)


HOME = _page("home", "Why √dₖ?", "home", "", default=True)

GROUPS = {
    "See it": (
        _page("divisor", "Change the divisor", "tune", "divisor"),
        _page("head_width", "Widen the head", "width", "head-width"),
        _page("sweep", "Sweep the width", "monitoring", "sweep"),
    ),
    "Break it": (
        _page("assumptions", "When the assumptions fail", "link", "assumptions"),
        _page("more_keys", "More keys", "key", "more-keys"),
    ),
    "Teach it": (_page("teach", "Lessons", "school", "teach"),),
}

PAGES = {page.url_path: page for page in (HOME, *(p for g in GROUPS.values() for p in g))}
