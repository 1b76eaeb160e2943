"""The assumptions page in a real browser: its numbers, what is redrawn, links, looks."""

import pytest

pytestmark = pytest.mark.browser

ANSWER = "0.021 with dₖ"


def labels(tab, key):
    """Words drawn into a chart."""
    return tab.find(f".st-key-{key} .annotation-text").all_text_contents()


def bottom(tab, key):
    box = tab.find(key).bounding_box()
    return box["y"] + box["height"]


class TestNumbers:
    def test_headline_on_one_screen_and_the_answer_after_a_guess(self, open_page):
        tab = open_page("/assumptions")
        assert bottom(tab, "planted") <= 800
        assert "0.988 with √dₖ and 0.148 with dₖ/8" in tab.text()
        assert ANSWER not in tab.text()
        assert labels(tab, "planted") == ["leads the row", "√dₖ", "dₖ/8", "1/64"]
        before = bottom(tab, "planted")
        tab.pick(
            "One of 64 keys leans by ρ = 0.3. At width 1,024, √dₖ gives it 0.99. "
            "Guess: divided by dₖ, it gets …",
            "about 0.15",
        )
        assert "You said “about 0.15”; it is “about 0.02”." in tab.text()
        assert ANSWER in tab.text()
        assert labels(tab, "planted") == ["leads the row", "√dₖ", "dₖ/8", "dₖ", "1/64"]
        assert abs(bottom(tab, "planted") - before) < 12
        tab.expand("The planted key as a table")
        for number in ("0.049", "0.132", "0.534", "0.988", "0.091", "0.145", "0.148"):
            assert number in tab.text("stTable")

    def test_a_mean_changes_the_lower_charts_and_leaves_the_headline(self, open_page):
        tab = open_page("/assumptions")
        assert "standard deviation 1.732, sampled" in tab.text()
        assert "the spread is 1.414, sampled" in tab.text()
        mark = "element => { element.dataset.kept = 'yes'; }"
        for key in ("planted", "component_spread"):
            tab.find(f".st-key-{key} .main-svg").first.evaluate(mark)
        tab.set_number("Mean μ", 0)
        assert "standard deviation 1.000, sampled" in tab.text()
        assert "component_mean=0" in tab.path
        assert tab.find(".st-key-planted [data-kept]").count() == 1
        assert tab.find(".st-key-component_spread [data-kept]").count() == 0

    def test_the_number_of_keys_changes_both_parts(self, open_page):
        tab = open_page("/assumptions")
        tab.pick("Keys", "8")
        assert labels(tab, "planted")[-1] == "1/8"
        assert "ln 8" in labels(tab, "component_entropy")


class TestLinks:
    def test_a_copied_link_opens_the_same_state_and_reset_leaves_it(self, open_page):
        tab = open_page(
            "/assumptions",
            query="planted_rho=0.5&planted_keys=8&component_correlation=0.1"
            "&assumptions_guess=Just+show+me",
        )
        state = tab.text()
        tab.expand("Link to this state")
        link = tab.find("stCode").last.inner_text().strip()
        again = open_page(link.removeprefix(tab.server))
        assert again.text() == state
        again.click("Reset")
        assert again.path == "/assumptions"
        assert "0.988 with √dₖ and 0.148 with dₖ/8" in again.text()


class TestLooks:
    @pytest.mark.parametrize(("width", "theme"), [(360, "light"), (1280, "dark")])
    def test_fits_and_is_accessible(self, open_page, width, theme):
        tab = open_page("/assumptions", width=width, theme=theme, query="planted_rho=banana")
        assert "planted_rho=banana: planted_rho takes a number from 0 to 1." in tab.text()
        assert tab.overflow() == []
        assert tab.accessibility_findings() == []
        if width == 360:
            assert bottom(tab, "planted") < tab.find("controls").bounding_box()["y"]
