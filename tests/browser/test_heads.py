"""The page of trained heads in a real browser."""

import pytest

pytestmark = pytest.mark.browser


class TestPage:
    @pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (360, "dark")])
    def test_reads_fits_and_is_accessible(self, open_page, width, theme):
        tab = open_page("/heads", width=width, theme=theme, query="heads_guess=Just+show+me")
        for fact in ("60 of 72", "median 8.17", "least 3.71", "64.6", "stays saturated"):
            assert fact in tab.text()
        tab.expand("All 72 heads as a table")
        assert "64.591" in tab.text("stTable")
        assert tab.overflow() == []
        assert tab.accessibility_findings() == []

    def test_another_head_and_divisor(self, open_page):
        tab = open_page("/heads", query="layer=5&head=7")
        assert "Layer 5 head 7" in tab.text()
        tab.set_number("Divisor", 100)
        assert "head_divisor=100" in tab.path
        assert "Divided by 100 instead" in tab.text()

    def test_a_cell_of_the_map_names_both_tokens(self, open_page):
        tab = open_page("/heads")
        drawn = tab.find("head_map_raw").locator(".nsewdrag").first
        drawn.scroll_into_view_if_needed()
        box = drawn.bounding_box()
        cell = box["width"] / 16, box["height"] / 16
        tab.page.mouse.move(box["x"] + 3.5 * cell[0], box["y"] + 4.5 * cell[1])
        said = tab.find(".st-key-head_map_raw .hovertext").first.text_content()
        assert "' to didn: " in said
