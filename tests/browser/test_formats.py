"""The page on number formats in a real browser: numbers, guess, links, looks."""

import pytest

pytestmark = pytest.mark.browser


class TestNumbers:
    def test_overflow_guess_table_reset(self, open_page):
        tab = open_page("/formats")
        boxes = [tab.find(f"formats_{name}").bounding_box() for name in ("limits", "chance")]
        assert boxes[0]["y"] == boxes[1]["y"]
        assert boxes[1]["y"] + boxes[1]["height"] <= 800
        page = tab.text()
        assert "passes float16’s end is 8.20 %" in page
        assert "∞ from 11.09" in tab.text("formats_limits")
        assert "[NaN, 0" in page
        tab.pick(
            "Guess: at width 64, what does ÷ √64 leave of the chance to overflow float16?",
            "about a tenth",
        )
        assert "it is “below one in a million”" in tab.text()
        assert "below 0.0001 % at all widths" in tab.text("formats_chance")
        tab.set_number("Scores 3, 1, −1 times", 2)
        assert "Your largest raw score is 6 in float16 and stays below the upper end" in tab.text()
        assert "format_scale=2" in tab.path
        tab.click("Reset")
        assert tab.path == "/formats"


class TestLooks:
    @pytest.mark.parametrize(("width", "theme"), [(360, "dark"), (1280, "light")])
    def test_a_link_restores_fits_and_is_accessible(self, open_page, width, theme):
        tab = open_page(
            "/formats",
            width=width,
            theme=theme,
            query="number_format=float32&format_width=128&format_scale=30&format_seed=banana",
        )
        page = tab.text()
        assert "format_seed=banana: format_seed takes a whole number" in page
        assert "Your largest raw score is 90 in float32 and passes the upper end" in page
        assert "Divided by √128" in page
        with tab.rerun():
            tab.expand("Limits, and sentinels that do not fit")
        assert "65,504" in tab.text()
        assert tab.overflow() == []
        assert tab.accessibility_findings() == []
