"""The page on more keys in a real browser: its numbers, the sliders, links, looks."""

import pytest

pytestmark = pytest.mark.browser


def box(tab, key):
    return tab.find(key).bounding_box()


def frame(tab, key):
    """Path of the frame around the cell that is read."""
    return tab.find(f".st-key-{key} .shapelayer path").first.get_attribute("d")


class TestNumbers:
    def test_maps_side_by_side_on_one_screen_and_the_cell_read(self, open_page):
        tab = open_page("/more-keys")
        raw, scaled = box(tab, "map_raw"), box(tab, "map_scaled")
        assert raw["y"] == scaled["y"]
        assert raw["y"] + raw["height"] <= 800
        table = tab.find("stMain").locator("table").inner_text()
        for number in ("8.00", "0.668", "0 (frozen)", "0.138", "1.00", "4.366", "4.352", "0.900"):
            assert number in table
        tab.pick(
            "Scaled, 128 keys at width 64 are spread over as 78.7 equal ones. "
            "Guess: 8,192 keys are spread over …",
            "as many",
        )
        assert "You said “as many”; it is “60 times as many”. Over 4,970." in tab.text()

    def test_a_slider_moves_the_cell(self, open_page):
        tab = open_page("/more-keys")
        before = frame(tab, "map_raw"), frame(tab, "map_scaled")
        thumb = tab.page.get_by_role("slider", name="Head width dₖ")
        thumb.focus()
        with tab.rerun():
            thumb.press("ArrowRight")
        assert "map_width=96" in tab.path
        assert "What you see at width 96 with 128 keys" in tab.text()
        after = frame(tab, "map_raw"), frame(tab, "map_scaled")
        assert after[0] != before[0]
        assert after[1] != before[1]


class TestLinks:
    def test_a_copied_link_opens_the_same_state_and_reset_leaves_it(self, open_page):
        tab = open_page("/more-keys", query="map_width=12&map_keys=100000&more_keys_guess=as+many")
        state = tab.text()
        assert "What you see at width 12 with 100,000 keys" in state
        tab.expand("Link to this state")
        link = tab.find("stCode").last.inner_text().strip()
        again = open_page(link.removeprefix(tab.server))
        assert again.text() == state
        again.click("Reset")
        assert again.path == "/more-keys"
        assert "What you see at width 64 with 128 keys" in again.text()


class TestLooks:
    @pytest.mark.parametrize(("width", "theme"), [(360, "dark"), (1280, "light")])
    def test_fits_and_is_accessible(self, open_page, width, theme):
        tab = open_page("/more-keys", width=width, theme=theme, query="map_width=banana")
        assert "map_width=banana: map_width takes a step from 1 to 1024." in tab.text()
        assert tab.overflow() == []
        assert tab.accessibility_findings() == []
        if width == 360:
            raw, scaled = box(tab, "map_raw"), box(tab, "map_scaled")
            assert raw["y"] + raw["height"] <= scaled["y"]
            assert (raw["height"], raw["width"]) == (scaled["height"], scaled["width"])
            assert scaled["y"] + scaled["height"] < box(tab, "controls")["y"]
