"""The head-width page in a real browser: quoted numbers, redrawing, links, looks."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

QUOTED = (
    ("0.8666", "0.0159", "0.1173", "0.0003", "0.4436"),
    ("0.6572", "0.0889", "0.2418", "0.0120", "0.8875"),
)
FRACTIONS = (
    ("1.5", "−0.5", "2.5", "0.224", "0.030", "0.609", "0.136"),
    ("0.75", "−0.25", "1.25", "0.5", "0.263", "0.097", "0.434", "0.205"),
)
#: Counts how often each picture is drawn anew.
COUNT = """() => {
  window.drawn = {};
  for (const key of ['bars', 'mixture', 'coordinates']) {
    window.drawn[key] = 0;
    const frame = document.getElementById(`why-sqrt-dk-head_width_${key}`);
    new MutationObserver(() => { window.drawn[key] += 1; }).observe(frame, {childList: true});
  }
}"""


def picture(tab, name):
    """Return the words in the one layout of a picture that is shown."""
    shown = tab.page.locator(f"#why-sqrt-dk-head_width_{name} svg >> visible=true")
    shown.wait_for()
    return [text for text in shown.locator("text").all_text_contents() if text]


class TestNumbers:
    def test_quoted_digits_stand_on_the_page(self, open_page):
        tab = open_page("/head-width")
        bars = picture(tab, "bars")
        scores = bars[bars.index("Scores") : bars.index("Weights, 0 to 1")]
        assert scores[-8:] == ["4", "0", "2", "−4", "2", "0", "1", "−2"]
        for number in (*QUOTED[0], *QUOTED[1]):
            assert bars.count(number) == 1
        assert "ceiling ln 4 = 1.3863" in bars
        assert "raw mixture (1.4986, 0.0312)" in picture(tab, "mixture")
        assert "scaled mixture (0.8309, 0.1538)" in picture(tab, "mixture")
        for part in (
            ".st-key-controls",
            ".st-key-ask",
            "#why-sqrt-dk-head_width_bars",
            "#why-sqrt-dk-head_width_mixture",
        ):
            box = tab.find(part).bounding_box()
            assert box["y"] + box["height"] <= 800, f"{part} is seen only by scrolling"

        fractions = tab.text("stTable").split()
        assert {*FRACTIONS[0], *FRACTIONS[1]} <= set(fractions)
        tab.expand("The numbers as a table")
        expect(tab.page.get_by_test_id("stTable")).to_have_count(2)
        printed = tab.page.get_by_test_id("stTable").last.inner_text().split()
        assert {*QUOTED[0], *QUOTED[1]} <= set(printed)

        with tab.page.expect_download() as download:
            tab.page.get_by_role("button", name="Save as image: mixture of the values").click()
        assert download.value.suggested_filename == "why-sqrt-dk-head_width_mixture.png"
        assert download.value.path().read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


class TestControls:
    def test_draws_only_what_changes_and_restores_it_from_a_link(self, open_page):
        tab = open_page("/head-width")
        picture(tab, "coordinates")
        tab.page.evaluate(COUNT)
        tab.pick("Score to take apart", "K2")
        tab.click("below 0.5", role="radio")
        assert "You said “below 0.5”; it is “over 0.99”." in tab.text()
        assert tab.page.evaluate("window.drawn") == {"bars": 0, "mixture": 0, "coordinates": 1}
        tab.pick("Head width dₖ", "16")
        assert tab.page.evaluate("window.drawn") == {"bars": 1, "mixture": 1, "coordinates": 2}
        tab.pick("Query", "Q1")
        bars, mixture = picture(tab, "bars"), picture(tab, "mixture")
        assert {"0.9773", "0.5512"} <= set(bars)
        assert {"Q1 × K2", "Running sum, up to the score 8"} <= set(picture(tab, "coordinates"))

        tab.expand("Link to this state")
        link = tab.page.get_by_test_id("stCode").last.inner_text().strip()
        again = open_page(link.removeprefix(tab.server))
        assert picture(again, "bars") == bars
        assert picture(again, "mixture") == mixture
        assert "Running sum, up to the score 8" in picture(again, "coordinates")
        assert "You said “below 0.5”" in again.text()

        tab.click("Reset")
        assert "0.8666" in picture(tab, "bars")
        assert "Q0 × K0" in picture(tab, "coordinates")
        assert "You said" not in tab.text()
        assert "width" not in tab.path.removeprefix("/head-width")


class TestLooks:
    @pytest.mark.parametrize(("width", "theme"), [(360, "dark"), (1280, "light")])
    def test_fits_and_is_accessible(self, open_page, width, theme):
        query = "width=32&query=banana&key=Q7"
        tab = open_page("/head-width", width=width, theme=theme, query=query)
        assert "query=banana: query takes one of Q0, Q1, Q2, Q3." in tab.text()
        assert "key=Q7: key takes one of K0, K1, K2, K3." in tab.text()
        assert ">0.9999" in picture(tab, "bars")
        assert tab.overflow() == []
        assert tab.accessibility_findings() == []
        left, right = (
            tab.find(f"#why-sqrt-dk-head_width_{name}").bounding_box()
            for name in ("bars", "mixture")
        )
        if width == 360:
            # One above the other, and both before the controls.
            assert left["y"] + left["height"] <= right["y"]
            assert right["y"] < tab.find(".st-key-controls").bounding_box()["y"]
        else:
            assert left["y"] == right["y"]
