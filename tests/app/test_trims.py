"""What is trimmed is still what Streamlit uses, and still answers as it did."""

import inspect

import pytest
import trims
import wakeups
from streamlit.components.v2.bidi_component import main as component
from streamlit.elements import markdown
from streamlit.proto.NewSession_pb2 import Config, CustomThemeConfig
from streamlit.runtime import app_session

PLACES = {
    (app_session, "_populate_theme_msg"): "_populate_theme_msg(",
    (app_session, "_populate_config_msg"): "_populate_config_msg(msg.new_session.config)",
    (component, "register_widget"): "component_state = register_widget(",
    (component, "make_bidi_component_presenter"): "presenter = make_bidi_component_presenter(",
    (markdown, "clean_text"): "body_text = clean_text(body)",
}


@pytest.fixture
def trimmed(monkeypatch):
    """Streamlit, trimmed until the test ends; what stood in the places before, by name."""
    theirs = {name: getattr(owner, name) for owner, name in PLACES}
    for owner, name in PLACES:
        monkeypatch.setattr(owner, name, theirs[name])
    monkeypatch.setattr(wakeups, "install", lambda: None)
    trims.trim_streamlit()
    return theirs


class TestTrimStreamlit:
    def test_takes_the_place_of_what_each_run_calls(self, trimmed):
        for (owner, name), call in PLACES.items():
            assert getattr(owner, name) is not trimmed[name]
            assert call in inspect.getsource(owner)

    @pytest.mark.parametrize("section", ["theme", "theme.light", "theme.dark", "theme.sidebar"])
    def test_browsers_are_told_of_the_theme_as_before(self, trimmed, section):
        for _ in range(2):
            ours, theirs = CustomThemeConfig(), CustomThemeConfig()
            app_session._populate_theme_msg(ours.light, section)
            trimmed["_populate_theme_msg"](theirs.light, section)
            assert ours.SerializeToString() == theirs.SerializeToString()

    def test_browsers_are_told_of_the_options_as_before(self, trimmed):
        for _ in range(2):
            ours, theirs = Config(), Config()
            app_session._populate_config_msg(ours)
            trimmed["_populate_config_msg"](theirs)
            assert ours == theirs != Config()

    def test_a_component_that_reports_nothing_has_no_place_in_the_state(self, trimmed):
        asked = {"deserializer": lambda _: "nothing", "serializer": str, "ctx": None}
        assert component.register_widget("id", value_type="json_value", **asked).value == "nothing"

    def test_one_that_reports_is_registered(self, trimmed, monkeypatch):
        registered = []
        monkeypatch.setattr(
            trims, "register_widget", lambda name, **others: registered.append((name, others))
        )
        callbacks = {"position": lambda: None}
        component.register_widget("id", callbacks=callbacks, ctx=None, deserializer=str)
        assert registered == [("id", {"callbacks": callbacks, "ctx": None, "deserializer": str})]

    def test_a_component_may_do_without_what_presents_its_state(self, trimmed):
        assert component.make_bidi_component_presenter("id", "component", set()) is None

    def test_texts_are_as_before(self, trimmed):
        for text in ("  a\n  b ", "a\n    b", "", "  a\n  b "):
            assert markdown.clean_text(text) == trimmed["clean_text"](text)
