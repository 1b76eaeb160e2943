"""What Streamlit 1.67 does at every run and need not: its private parts, replaced in one place."""

from functools import cache

import wakeups
from streamlit import config
from streamlit.components.v2.bidi_component import main as component
from streamlit.runtime import app_session
from streamlit.string_util import to_snake_case


def trim_streamlit() -> None:
    """Spare the server what it pays for at every run; call it once, before a page is served."""
    # Six times a run all options are looked through for those of the theme, and their names
    # respelt. They do not change while the server runs.
    config.get_options_for_section = cache(config.get_options_for_section)
    vars(app_session)["to_snake_case"] = cache(to_snake_case)
    # Whenever what a component holds is looked at, a new class is made, so that a script may write
    # to it as well. Ours only read.
    vars(component)["make_bidi_component_presenter"] = lambda *_: None
    wakeups.install()
