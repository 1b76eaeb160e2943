"""The page on cost in a real browser: numbers, guess, links, looks."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


class TestNumbers:
    def test_counts_guess_variants_and_reset(self, open_page):
        tab = open_page("/cost")
        boxes = [tab.find(f"cost_{name}").bounding_box() for name in ("memory", "linear")]
        assert boxes[0]["y"] == boxes[1]["y"]
        assert boxes[0]["y"] + boxes[0]["height"] <= 800
        assert "All scores in float16 are 256 MiB" in tab.text()
        tab.pick("Guess: twice as many tokens. The table of all scores grows …", "× 8")
        assert "You said “× 8”; it is “× 4”." in tab.text()
        tab.pick("Tokens n", "8192")
        expect(tab.find("stMain")).to_contain_text(re.compile(r"All scores in float16 are 1\sGiB"))
        assert "cost_tokens=8192" in tab.path
        tab.click("Reset")
        assert tab.path == "/cost"


class TestLooks:
    @pytest.mark.parametrize(("width", "theme"), [(360, "dark"), (1280, "light")])
    def test_a_link_restores_fits_and_is_accessible(self, open_page, width, theme):
        tab = open_page(
            "/cost",
            width=width,
            theme=theme,
            query="cost_tokens=512&cost_width=128&cost_causal=true&cost_heads=banana",
        )
        page = tab.text()
        assert "cost_heads=banana: cost_heads takes one of 1, 2" in page
        assert "Run at n = 512, in float32" in page
        assert "Causal: tiles visit" in page
        with tab.rerun():
            tab.expand("Variants, and what becomes of √dₖ")
        assert "Kept: sharing keys changes whose they are" in tab.text()
        assert tab.overflow() == []
        assert tab.accessibility_findings() == []
