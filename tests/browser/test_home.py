"""Home, lessons and presenter in a real browser."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

LIVE = '[data-testid="live-divisor"][data-ready]'


class TestHome:
    @pytest.mark.parametrize("theme", ["light", "dark"])
    def test_opens_with_the_claim_and_a_divisor_to_drag(self, open_page, theme):
        tab = open_page("/", theme=theme, width=1280 if theme == "light" else 360)
        assert "Why does attention divide by √dₖ?" in tab.text()
        assert "70.7" in tab.text(LIVE)
        tab.drag("#divisor-range", 0.523, 0.1)
        assert "99." in tab.text(LIVE)
        assert tab.overflow() == []
        assert tab.accessibility_findings() == []

    def test_every_page_is_one_click_away(self, open_page):
        tab = open_page("/")
        links = tab.find("stSidebar").get_by_role("link")
        for i in range(links.count()):
            name = links.nth(i).inner_text().split("\n")[-1]
            links.nth(i).click()
            # The page that was left may stand still for a moment before the next begins.
            expect(tab.page).to_have_title(name if i == 0 else f"{name} · Why √dₖ?")
            tab.settle()
            assert "error" not in tab.find("stMain").locator("h1").first.inner_text().lower()


class TestLeaving:
    def test_a_control_moved_after_the_click_on_a_link_does_not_empty_the_next_page(
        self, open_page
    ):
        tab = open_page("/")
        with tab.rerun():
            tab.find("#divisor-range").evaluate("""range => {
                document.querySelector('[data-testid="stPageLink"] a[href$="divisor"]').click();
                range.value = 10;
                range.dispatchEvent(new Event('change'));
            }""")
        assert "What does the divisor do to the weights?" in tab.text()
        assert tab.path == "/divisor"

    @pytest.mark.parametrize("path", ["/divisor?divisor=3", "/divisor"])
    def test_back_leads_to_the_page_as_it_was_left_and_forward_to_the_next(self, open_page, path):
        tab = open_page(path)
        before = tab.page.evaluate("() => history.length")
        tab.click("Masks", role="link")
        assert tab.path == "/masks"
        assert tab.page.evaluate("() => history.length") == before + 1
        for go, there in ((tab.page.go_back, path), (tab.page.go_forward, "/masks")):
            with tab.rerun():
                go()
            assert tab.path == there

    def test_a_browser_that_is_slow_to_draw_comes_to_the_last_of_many_pages(self, open_page):
        # All runs end before the browser looks at the first. What it held back then, it holds no
        # more when it comes to the last, and Streamlit gives up.
        tab = open_page("/head-width")
        with tab.rerun():
            tab.page.evaluate("""() => {
                for (const page of ['formats', 'quiz', 'teach', 'head-width']) {
                    document.querySelector(`[data-testid="stPageLink"] a[href$="${page}"]`).click();
                    const start = performance.now();
                    while (performance.now() - start < 700);
                }
            }""")
        assert "What does a wider head do to the weights?" in tab.text()
        assert tab.path == "/head-width"


class TestLessons:
    @pytest.mark.parametrize("width", [360, 1280])
    def test_the_lesson_is_picked_before_its_steps(self, open_page, width):
        tab = open_page("/teach", width=width)
        controls, step = (tab.find(name).bounding_box() for name in ("controls", "step_1"))
        assert controls["y"] + controls["height"] <= step["y"]


class TestPresenter:
    def test_keys_walk_the_lesson_and_only_the_stage_is_left(self, open_page):
        # Two steps of one page in two states, then another page.
        tab = open_page("/divisor", query="divisor=10&present=1&path=25&step=1")
        tab.page.get_by_text("1 of 6").wait_for()
        assert "86.7" not in tab.text(LIVE)
        assert not tab.page.get_by_text("What you see").is_visible()
        for step, path in ((2, "**/divisor?divisor=1&**"), (3, "**/head-width?**")):
            tab.page.keyboard.press("PageDown")
            tab.page.wait_for_url(path)
            tab.settle()
            tab.page.get_by_text(f"{step} of 6").wait_for()
        tab.page.keyboard.press("PageUp")
        tab.page.wait_for_url("**/divisor?**")
        tab.settle()
        tab.find(LIVE).wait_for()
        assert "Divisor 1" in tab.text(LIVE)
        tab.page.get_by_role("link", name="Leave").click()
        tab.page.wait_for_url("**/teach")
        tab.settle()
        assert "How do I teach this?" in tab.text()
