"""The masks page in a real browser: crosses, cells by clicking, links, looks."""

import re

import pytest

pytestmark = pytest.mark.browser


class TestNumbers:
    def test_crosses_guess_and_cells_by_clicking(self, open_page):
        tab = open_page("/masks")
        box = tab.find("masks_scaled").bounding_box()
        assert box["y"] + box["height"] <= 800
        assert tab.text("masks_scaled").count("×") == 10
        assert "0.38" in tab.text("masks_scaled")  # softmax([1, 2]/2)[0]
        tab.pick("Guess: every key is blocked with −∞. Plain softmax gives that query …", "zeros")
        assert "You said “zeros”; it is “NaN”." in tab.text()
        tab.pick("Mask", "custom")
        with tab.rerun():
            tab.find("mask_q1").get_by_text("k1", exact=True).click()
        assert "may attend 4, 5, 5, 5 and 5 of 5 keys" in tab.text()
        assert "mask_q1=k2&mask_q1=k3" in tab.path
        tab.click("Reset")
        assert tab.path == "/masks"
        assert "may attend 1, 2, 3, 4 and 5 of 5 keys" in tab.text()


class TestLinks:
    def test_cells_and_an_empty_row_come_back(self, open_page):
        tab = open_page(
            "/masks",
            query="mask_kind=custom&mask_queries=3&mask_q1=k2&mask_q2=&mask_policy=mean+of+V",
        )
        page = tab.text()
        assert "may attend 1, 0 and 5 of 5 keys" in page
        assert "No key is left for query 2. By your choice it gets the mean of V." in page
        tab.expand("Link to this state")
        link = tab.find("stCode").last.inner_text().strip()
        again = open_page(link.removeprefix(tab.server))
        assert again.text() == page


class TestLooks:
    @pytest.mark.parametrize(("width", "theme"), [(360, "dark"), (1280, "light")])
    def test_fits_and_is_accessible(self, open_page, width, theme):
        tab = open_page("/masks", width=width, theme=theme, query="mask_length=banana")
        assert "mask_length=banana: mask_length takes one of 0, 1" in tab.text()
        raw, scaled = (tab.find(f"masks_{name}").bounding_box() for name in ("raw", "scaled"))
        if width == 360:
            assert raw["y"] + raw["height"] <= scaled["y"]
        else:
            assert raw["y"] == scaled["y"]
        with tab.rerun():
            tab.expand("Boolean or additive: who means what")
        assert re.search(r"MultiheadAttention .*is left out", tab.text())
        assert tab.overflow() == []
        assert tab.accessibility_findings() == []
