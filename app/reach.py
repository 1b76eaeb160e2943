"""Let the keyboard reach what scrolls sideways: tables that are wider than the window."""

from pathlib import Path

import streamlit as st

_mount = st.components.v2.component(
    "why_sqrt_dk_reach",
    js=(Path(__file__).parent / "live" / "reach.js").read_text(encoding="utf-8"),
)


def reach_wide_tables() -> None:
    """Watch over the tables of every page; nothing of it is seen."""
    _mount(key="reach")
