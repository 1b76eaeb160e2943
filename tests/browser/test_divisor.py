"""The divisor page in a real browser: the numbers, the drag, the keyboard, the link."""

import pytest
from live import table

pytestmark = pytest.mark.browser

TABLE = {
    "divisor=1": ("86.7", "11.7", "1.6", "0.441"),
    "": ("70.7", "22.3", "7.0", "0.766"),
    "divisor=2": ("66.5", "24.5", "9.0", "0.832"),
}


LIVE = '[data-testid="live-divisor"][data-ready]'


def shown(tab):
    return tab.text(LIVE)


class TestNumbers:
    @pytest.mark.parametrize("query", list(TABLE))
    def test_published_rows_stand_on_the_page(self, open_page, query):
        tab = open_page("/divisor", query=query)
        live = shown(tab)
        for number in TABLE[query]:
            assert number in live
        assert "ln 3 = 1.099 nats" in live

    def test_the_table_shows_six_places(self, open_page):
        tab = open_page("/divisor")
        tab.expand("The numbers as a table")
        table = tab.text("stTable")
        for number in ("0.866813", "0.117310", "0.015876", "0.4411", "0.7662", "0.8324"):
            assert number in table
        for number in ("0.665241", "0.244728", "0.090031"):
            assert number in table


class TestDrag:
    def test_follows_the_thumb_and_tells_the_server_on_release(self, open_page):
        tab = open_page("/divisor")
        before = tab.sent
        tab.drag("#divisor-range", 0.523, 0.9, release=False)
        assert "70.7" not in shown(tab)
        assert tab.sent == before
        with tab.rerun():
            tab.page.mouse.up()
        assert "divisor=" in tab.path
        field = tab.page.get_by_role("spinbutton", name="Divisor", exact=True).input_value()
        assert 5 < float(field) < 10
        assert f"Divisor {field[:4]}" in shown(tab)

    def test_every_position_shows_its_row(self, open_page):
        tab = open_page("/divisor")
        tab.find(LIVE).wait_for()
        seen = tab.page.evaluate(
            """() => {
              const host = [...document.querySelectorAll('*')].find(
                e => e.shadowRoot?.querySelector('#divisor-range'));
              const root = host.shadowRoot;
              const range = root.querySelector('#divisor-range');
              const rows = [];
              for (let i = 0; i <= range.max; i++) {
                range.value = i;
                range.dispatchEvent(new Event('input'));
                rows.push([...root.querySelectorAll('.row b')].map(b => b.textContent));
              }
              return rows;
            }"""
        )
        expected = [row["percent"] for row in table(0.0, dark=False)["rows"]]
        assert seen == expected

    def test_keyboard_moves_one_position_and_speaks(self, open_page):
        tab = open_page("/divisor")
        thumb = tab.find("#divisor-range")
        thumb.focus()
        with tab.rerun():
            thumb.press("ArrowRight")
        assert "Divisor 1.759" in (thumb.get_attribute("aria-valuetext") or "")
        assert "divisor=1.758" in tab.path
        with tab.rerun():
            thumb.press("Home")
        assert "Divisor 0.25: key 1" in (thumb.get_attribute("aria-valuetext") or "")

    def test_marks_jump(self, open_page):
        tab = open_page("/divisor")
        with tab.rerun():
            tab.page.get_by_role("button", name="Divide by d_k, 3: the common mistake").click()
        assert "divisor=3" in tab.path


class TestControls:
    def test_typing_resetting_and_shifting(self, open_page):
        tab = open_page("/divisor")
        tab.set_number("Divisor", 250)
        assert "33.6" in shown(tab)
        assert "beyond the slider" in shown(tab)
        tab.set_number("Add to every score", -4)
        assert "33.6" in shown(tab)
        assert "shift=-4" in tab.path
        with tab.rerun():
            tab.page.get_by_role("button", name="Reset").click()
        assert "70.7" in shown(tab)
        assert "divisor" not in tab.path.split("?")[-1] or "?" not in tab.path

    def test_a_copied_link_opens_the_same_state(self, open_page):
        tab = open_page("/divisor", query="divisor=0.5&shift=2&divisor_guess=less")
        state = shown(tab)
        tab.expand("Link to this state")
        link = tab.page.locator('[data-testid="stCode"]').last.inner_text().strip()
        again = open_page(link.removeprefix(tab.server))
        assert shown(again) == state
        assert "You said “less”" in again.text()


class TestLooks:
    @pytest.mark.parametrize(("width", "theme"), [(360, "dark"), (1280, "light")])
    def test_fits_and_is_accessible(self, open_page, width, theme):
        tab = open_page("/divisor", width=width, theme=theme, query="divisor=banana")
        assert "divisor=banana: divisor takes a number from 0.01 to 1,000." in tab.text()
        assert tab.overflow() == []
        assert tab.accessibility_findings() == []
