"""What Streamlit 1.67 does at every run and need not: its private parts, replaced in one place."""

from functools import cache, lru_cache
from typing import Any

import wakeups
from streamlit.components.v2.bidi_component import main as component
from streamlit.elements import markdown
from streamlit.proto.NewSession_pb2 import Config, CustomThemeConfig
from streamlit.runtime import app_session
from streamlit.runtime.state import register_widget
from streamlit.runtime.state.common import RegisterWidgetResult
from streamlit.string_util import clean_text

_write_config = app_session._populate_config_msg
_write_theme = app_session._populate_theme_msg


@cache
def _config() -> Config:
    """Write what the browser is told of the options. They do not change while the server runs."""
    message = Config()
    _write_config(message)
    return message


@cache
def _theme(section: str) -> CustomThemeConfig:
    """Write one section of the theme, which does not change either."""
    message = CustomThemeConfig()
    _write_theme(message, section)
    return message


def _fill_in_theme(message: CustomThemeConfig, section: str = "theme") -> None:
    written = _theme(section)
    if written.ByteSize():  # an empty one says nothing, not even that it is there
        message.MergeFrom(written)


def _register(element_id: str, *, callbacks: Any = None, **others: Any) -> Any:
    """Give a place in the session's state to a component that reports, and to no other."""
    if callbacks is None:
        return RegisterWidgetResult.failure(others["deserializer"])
    return register_widget(element_id, callbacks=callbacks, **others)


def trim_streamlit() -> None:
    """Spare the server what it pays for at every run; call it once, before a page is served."""
    # Six times a run all options are looked through for those of the theme.
    vars(app_session)["_populate_theme_msg"] = _fill_in_theme
    vars(app_session)["_populate_config_msg"] = lambda message: message.MergeFrom(_config())
    # Each picture is given two places in the session's state, and reports nothing to either.
    vars(component)["register_widget"] = _register
    # Whenever what a component holds is looked at, a new class is made, so that a script may write
    # to it as well. Ours only read.
    vars(component)["make_bidi_component_presenter"] = lambda *_: None
    # Texts are dedented line by line. Most are made once, for all readers.
    vars(markdown)["clean_text"] = lru_cache(maxsize=512)(clean_text)
    wakeups.install()
