"""Lessons, presenter and codes without a browser."""

import re

import controls_break
import controls_limits
import controls_prove
import controls_see
import controls_teach
import pages
import presenter
import pytest
import qr
import streamlit as st
import words
from control_types import Control
from lessons import PATHS

from core import sweep

ALL = {
    control.key: control
    for page in (controls_see, controls_limits, controls_break, controls_prove, controls_teach)
    for control in vars(page).values()
    if hasattr(control, "accepts") and hasattr(control, "key")
}


class TestLessons:
    @pytest.mark.parametrize("minutes", list(PATHS))
    def test_every_step_is_a_state_its_page_accepts(self, minutes):
        for step in PATHS[minutes]:
            assert step.page in pages.PAGES
            for name, value in step.state.items():
                control: Control = ALL[name]
                for text in [value] if isinstance(value, str) else value:
                    assert control.valid(text), (step.page, name, text)

    def test_longer_lessons_hold_more(self):
        assert [len(PATHS[m]) for m in sorted(PATHS)] == sorted(len(p) for p in PATHS.values())

    @pytest.mark.parametrize("minutes", ["10", "25", "50"])
    def test_the_page_lists_the_path(self, open_app, minutes):
        app = open_app("teach.py", minutes=minutes)
        text = "\n".join(element.value for element in app.markdown)
        assert text.count("**Ask:**") == len(PATHS[int(minutes)])

    @pytest.mark.parametrize("step", PATHS[50], ids=lambda step: step.page)
    def test_no_step_starts_at_what_it_says_to_do(self, step):
        # "Drag to 10", "Pick width 4", "Set Trials to 2": the control stands elsewhere.
        (told,) = re.findall(
            r"^(?:Tap the mark at|Drag to|Pick width|Pull the right end to|Set Trials to|Pick|Tap|"
            r"Move the keys up to) (“[^”]+”|[\d,]+|cosine)",
            step.show,
        )
        start: list[str] = []
        for name, value in step.state.items():
            if "Set Trials" in step.show and name != "trials":
                continue
            start += [value] if isinstance(value, str) else value
        assert told.replace(",", "").strip("“”") not in start
        assert step.state or told == "“Just show me”"

    def test_four_scores_have_the_spread_and_the_bar_that_are_quoted(self):
        (step,) = (step for step in PATHS[50] if "four scores" in step.ask)
        spread = sweep([4, 8], n_keys=2, n_trials=2, seed=1).raw.score_std
        value, low, high = (
            words.significant(x[0]) for x in (spread.value, spread.low, spread.high)
        )
        assert f"got {value}, not 2" in step.ask
        assert f"from {low} to {high}" in step.show


class TestPresenter:
    @pytest.mark.parametrize("page", presenter.WAITING)
    def test_a_chart_that_waits_for_a_guess_keeps_its_question(self, open_app, monkeypatch, page):
        monkeypatch.setattr(
            type(st.context), "url", property(lambda _: f"http://localhost:8501/{page}")
        )
        app = open_app(f"{page.replace('-', '_')}.py", present="1")
        assert presenter.UNASKED not in app.get("html")[0].proto.body

    @pytest.mark.parametrize("step", ["1", "0", "99", "x", "-1", ""])
    def test_leaves_the_way_to_other_pages_out(self, open_app, step):
        app = open_app("divisor.py", present="1", path="10", step=step)
        assert not app.sidebar.children

    @pytest.mark.parametrize(
        ("query", "position"),
        [
            ({}, presenter.Position(None, 1)),
            ({"path": "25", "step": "2"}, presenter.Position(25, 2)),
            (
                {"path": "10", "step": "999"},
                presenter.Position(10, 1, "step=999: step takes a whole number from 1 to 3."),
            ),
            (
                {"path": "10", "step": "9" * 5000},
                presenter.Position(
                    10, 1, f"step={'9' * 59}…: step takes a whole number from 1 to 3."
                ),
            ),
            ({"path": "10"}, presenter.Position(10, 1, "step takes a whole number from 1 to 3.")),
            (
                {"path": "zz", "step": "-1"},
                presenter.Position(None, 1, "path=zz: path takes one of 10, 25, 50."),
            ),
            (
                {"step": "2"},
                presenter.Position(None, 1, "A step without a path: path takes one of 10, 25, 50."),
            ),
        ],
    )
    def test_a_place_that_is_none_is_said(self, monkeypatch, query, position):
        monkeypatch.setattr(st, "query_params", {"present": "1", **query})
        assert presenter.current_step() == position

    def test_addresses_end_with_the_lesson(self):
        assert presenter.address(10, 0) is None
        assert presenter.address(10, 4) is None
        assert presenter.address(10, 1) == "./divisor?divisor=10&present=1&path=10&step=1"

    def test_a_step_carries_its_state(self):
        query = presenter.query_of(10, 1)
        assert query == {"divisor": "10", "present": "1", "path": "10", "step": "1"}


class TestCodes:
    def test_a_code_is_a_png_of_the_link(self):
        assert qr._png("http://localhost:8501/divisor?divisor=2").startswith(b"\x89PNG")

    def test_a_link_too_long_is_refused_in_words(self, open_app):
        app = open_app("teach.py", link="x" * (qr.LONGEST + 1))
        assert f"link takes a line of at most {qr.LONGEST} characters" in app.text[0].value
