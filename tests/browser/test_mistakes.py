"""The page of common mistakes in a real browser."""

import pytest

pytestmark = pytest.mark.browser


class TestPage:
    @pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (360, "dark")])
    def test_reads_fits_and_is_accessible(self, open_page, width, theme):
        tab = open_page("/mistakes", width=width, theme=theme, query="mistake=scale-after-softmax")
        tab.expand("The symptoms as a table")
        assert "0.5, 0.5, 0.5, 0.5 and 0.5" in tab.text("stTable")
        assert "1, 1, 1, 1 and 1" in tab.text("stTable")
        assert tab.overflow() == []
        assert tab.accessibility_findings() == []

    def test_guessing_and_changing_the_mistake(self, open_page):
        tab = open_page("/mistakes")
        tab.pick("Mistake", "no-maximum")
        assert "mistake=no-maximum" in tab.path
        assert "Exponentials without subtracting the maximum" in tab.text()
        tab.click("Reset")
        assert "Dividing by d_k" in tab.text()
