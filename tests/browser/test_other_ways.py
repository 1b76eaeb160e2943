"""The page on other ways in a real browser: its numbers, the pills, the guess, links, looks."""

import re

import pytest

pytestmark = pytest.mark.browser


def box(tab, key):
    return tab.find(key).bounding_box()


class TestNumbers:
    def test_four_panels_on_one_screen_their_numbers_and_the_guess(self, open_page):
        tab = open_page("/other-ways")
        weights, scores = box(tab, "rules_weights"), box(tab, "rules_scores")
        assert weights["y"] == scores["y"]
        assert weights["y"] + weights["height"] <= 800
        page = tab.text()
        # Exact means at width 64, where both divisors agree: 3.0148 nats.
        assert abs(float(re.search(r"at width 64, ([\d.]+) nats", page)[1]) - 3.0148) < 0.02
        # A cosine has standard deviation 1/√dₖ, times g = 10.
        spread = re.search(r"about g/√dₖ: ([\d.]+) at width 4, ([\d.]+) at 4,096", page)
        assert abs(float(spread[1]) - 5.0) < 0.1
        assert abs(float(spread[2]) - 0.156) < 0.003
        assert "Another key leads in" not in page
        tab.pick(
            "Cosine similarity ignores how long a key is. Guess: at width 4, with 32 keys, "
            "another key than the raw winner leads in …",
            "none of the rows",
        )
        said = re.search(r"it is “most rows”. In ([\d.]+) %", tab.text())
        assert f"Another key leads in {said[1]} % of rows at width 4" in tab.text()

    def test_a_pill_takes_a_rule_away_and_a_low_cap_ties(self, open_page):
        tab = open_page("/other-ways", query="cap=5")
        assert "soft cap" in tab.find("rules_weights").inner_text()
        tied = re.search(r"the leaders tie in ([\d.]+) % of the rows in float32", tab.text())
        assert float(tied[1]) > 90
        with tab.rerun():
            tab.find("rules").get_by_role("button", name="soft cap", exact=True).click()
        assert "soft cap" not in tab.find("rules_weights").inner_text()
        assert "rules=none" in tab.path
        tab.expand("The numbers as a table")
        table = tab.text("stTable")
        assert "cosine" in table
        assert "soft cap" not in table


class TestLinks:
    def test_a_copied_link_opens_the_same_state_and_reset_leaves_it(self, open_page):
        tab = open_page(
            "/other-ways",
            query="other_keys=8&other_rows=200&gain=64&acts_on=s/√dₖ&rules=√dₖ&rules=cosine"
            "&other_guess=most+rows",
        )
        state = tab.text()
        assert "200 rows of 8 keys" in state
        assert tab.find("rules_weights").inner_text().count("cosine") == 2
        assert "soft cap" not in tab.find("rules_weights").inner_text()
        tab.expand("Link to this state")
        link = tab.find("stCode").last.inner_text().strip()
        again = open_page(link.removeprefix(tab.server))
        assert again.text() == state
        again.click("Reset")
        assert again.path == "/other-ways"
        assert "1,000 rows of 32 keys" in again.text()


class TestLooks:
    @pytest.mark.parametrize(("width", "theme"), [(360, "light"), (1280, "dark")])
    def test_fits_and_is_accessible(self, open_page, width, theme):
        tab = open_page("/other-ways", width=width, theme=theme, query="gain=banana")
        assert "gain=banana: gain takes a number from 0.1 to 1,000." in tab.text()
        if width == 360:
            weights, scores = box(tab, "rules_weights"), box(tab, "rules_scores")
            assert weights["y"] + weights["height"] <= scores["y"]
            assert scores["y"] < box(tab, "controls")["y"]
        assert tab.overflow() == []
        assert tab.accessibility_findings() == []
