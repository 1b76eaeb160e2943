"""The gradients page in a real browser: its numbers, the guess, links, looks."""

import re

import pytest

pytestmark = pytest.mark.browser

#: Tells of a column whether all of its formula, which nothing else bounds, lies in it.
ENDS_WITHIN = """column => [...column.querySelectorAll(".katex-html *")].every(part =>
  part.getBoundingClientRect().right <= column.getBoundingClientRect().right)"""


def box(tab, key):
    return tab.find(key).bounding_box()


class TestNumbers:
    def test_medians_saturation_matrix_and_guess(self, open_page):
        tab = open_page("/gradients")
        norms, shares = box(tab, "gradient_norms"), box(tab, "gradient_saturated")
        assert norms["y"] == shares["y"]
        assert norms["y"] + norms["height"] <= 800
        page = tab.text()
        # 0.009 raw against 0.437 scaled at width 64 with 3 keys.
        raw, scaled = re.search(
            r"median ‖J‖ is ([\d.]+) \(95 % interval [^)]*\) raw and ([\d.]+)", page
        ).groups()
        assert abs(float(raw) - 0.009) < 5e-4
        assert abs(float(scaled) - 0.437) < 2e-3
        assert "peaks at τ = 1.27 with 0.226" in page
        assert "0.1196" in page  # w₁(1 − w₁)/√3, in the matrix
        tab.pick(
            f"With 3 keys at width 64 and seed 1 the median ‖J‖ is {raw} raw and {scaled} scaled. "
            "Guess: with 64 keys, all else the same, the raw one is …",
            "half of scaled",
        )
        assert "You said “half of scaled”; it is “as large as scaled”." in tab.text()
        tab.expand("The numbers as a table")
        assert raw in tab.text("stTable")
        tab.set_number("Divisor τ", 8)
        assert "At τ = 8, ‖J‖ is 0.466 and ‖J/τ‖ is 0.0583" in tab.text()


class TestLinks:
    def test_a_copied_link_opens_the_same_state_and_reset_leaves_it(self, open_page):
        tab = open_page(
            "/gradients",
            query="gradient_keys=64&gradient_of=J/τ&gradient_width=256&gradient_divisor=0.1"
            "&gradients_guess=smaller+still",
        )
        state = tab.text()
        assert "What you see at width 256 with 64 keys" in state
        assert "derivative by the raw scores" in tab.find("gradient_norms").inner_text()
        # Entries with powers of ten are long: the matrix has to fit its column all the same.
        column = tab.page.locator("[data-testid=stColumn]", has=tab.page.locator(".katex")).last
        assert column.evaluate(ENDS_WITHIN)
        tab.expand("Link to this state")
        link = tab.find("stCode").last.inner_text().strip()
        again = open_page(link.removeprefix(tab.server))
        assert again.text() == state
        again.click("Reset")
        assert again.path == "/gradients"
        assert "What you see at width 64 with 3 keys" in again.text()


class TestLooks:
    @pytest.mark.parametrize(("width", "theme"), [(360, "light"), (1280, "dark")])
    def test_fits_and_is_accessible(self, open_page, width, theme):
        tab = open_page("/gradients", width=width, theme=theme, query="gradient_divisor=banana")
        assert "gradient_divisor=banana: gradient_divisor takes a number from 0.1" in tab.text()
        if width == 360:
            norms, shares = box(tab, "gradient_norms"), box(tab, "gradient_saturated")
            assert norms["y"] + norms["height"] <= shares["y"]
            assert shares["y"] < box(tab, "controls")["y"]
        else:
            steps = [tab.page.get_by_text(name, exact=True).last.bounding_box()
                     for name in ("A divisor of 8", "Other ways to tame scores")]  # fmt: skip
            middles = [step["y"] + step["height"] / 2 for step in steps]
            assert abs(middles[0] - middles[1]) < 3
        assert tab.overflow() == []
        assert tab.accessibility_findings() == []
