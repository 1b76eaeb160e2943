"""What is trimmed is still what Streamlit uses, and still answers as it did."""

import inspect

import pytest
import trims
import wakeups
from streamlit import config
from streamlit.components.v2.bidi_component import main as component
from streamlit.runtime import app_session

PLACES = (
    (config, "get_options_for_section"),
    (app_session, "to_snake_case"),
    (component, "make_bidi_component_presenter"),
)


@pytest.fixture
def trimmed(monkeypatch):
    """Streamlit, trimmed until the test ends; what stood in the places before."""
    theirs = [getattr(owner, name) for owner, name in PLACES]
    for (owner, name), function in zip(PLACES, theirs, strict=True):
        monkeypatch.setattr(owner, name, function)
    monkeypatch.setattr(wakeups, "install", lambda: None)
    trims.trim_streamlit()
    return theirs


class TestTrimStreamlit:
    def test_takes_the_place_of_what_each_run_calls(self, trimmed):
        for owner, name in PLACES:
            assert getattr(owner, name) not in trimmed
        for owner, call in (
            (app_session, "config.get_options_for_section("),
            (app_session, "to_snake_case("),
            (component, "presenter = make_bidi_component_presenter("),
        ):
            assert call in inspect.getsource(owner)

    def test_options_and_their_names_are_the_same(self, trimmed):
        options, spell, _ = trimmed
        assert config.get_options_for_section("theme") == options("theme")
        assert app_session.to_snake_case("linkColor") == spell("linkColor") == "link_color"

    def test_a_component_may_do_without_what_presents_its_state(self, trimmed):
        assert component.make_bidi_component_presenter("id", "component", set()) is None
