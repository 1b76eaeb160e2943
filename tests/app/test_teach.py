"""Lessons, presenter and codes without a browser."""

import controls_break
import controls_limits
import controls_prove
import controls_see
import controls_teach
import pages
import presenter
import pytest
import qr
from control_types import Control
from lessons import PATHS

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


class TestPresenter:
    @pytest.mark.parametrize("step", ["1", "0", "99", "x", "-1", ""])
    def test_leaves_the_way_to_other_pages_out(self, open_app, step):
        app = open_app("divisor.py", present="1", path="10", step=step)
        assert not app.sidebar.children

    def test_addresses_end_with_the_lesson(self):
        assert presenter.address(10, 0) is None
        assert presenter.address(10, 4) is None
        assert presenter.address(10, 1) == "./divisor?divisor=1&present=1&path=10&step=1"

    def test_a_step_carries_its_state(self):
        query = presenter.query_of(10, 1)
        assert query == {"divisor": "1", "present": "1", "path": "10", "step": "1"}


class TestCodes:
    def test_a_code_is_a_png_of_the_link(self):
        assert qr._png("http://localhost:8501/divisor?divisor=2").startswith(b"\x89PNG")

    def test_a_link_too_long_is_refused_in_words(self, open_app):
        app = open_app("teach.py", link="x" * (qr.LONGEST + 1))
        assert f"link takes a line of at most {qr.LONGEST} characters" in app.text[0].value
