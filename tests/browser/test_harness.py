"""The harness notices what it is there to notice."""

from collections.abc import Callable

import pytest

from tests.browser.harness import Tab

APPEND = """html => document.querySelector('[data-testid="stMain"] h1')
  .insertAdjacentHTML('afterend', html)"""


@pytest.fixture
def tab(open_page: Callable[..., Tab]) -> Tab:
    """Return the first page, of which nothing is to complain."""
    tab = open_page("/", width=360)
    assert tab.overflow() == []
    return tab


def test_overflow_names_what_makes_the_page_scroll_sideways(tab: Tab) -> None:
    tab.page.evaluate(APPEND, '<div class="wide" style="width: 900px; height: 1px"></div>')
    assert len(tab.overflow()) == 1
    assert tab.overflow()[0].startswith("div wide reaches")


def test_overflow_leaves_out_what_scrolls_by_itself(tab: Tab) -> None:
    inner = '<div style="width: 900px; height: 9px"></div>'
    tab.page.evaluate(APPEND, f'<div style="overflow-x: auto">{inner}</div>')
    assert tab.overflow() == []


def test_accessibility_findings_name_the_rule_and_the_element(tab: Tab) -> None:
    before = tab.accessibility_findings()
    tab.page.evaluate(APPEND, '<p id="faint" style="color: #eee; background: #fff">faint</p>')
    findings = set(tab.accessibility_findings()) - set(before)
    assert [finding[:14] for finding in findings] == ["color-contrast"]
    assert 'id="faint"' in findings.pop()
    assert tab.accessibility_findings(exclude=["#faint"]) == before


@pytest.mark.parametrize(
    ("trouble", "problem"),
    [
        ("() => console.error('odd')", "console: odd"),
        ("() => setTimeout(() => { throw new Error('odd') })", "exception: odd"),
        ("() => fetch('/media/no-such-file').then(answer => answer.text())", "404 "),
        # A fetch would be refused before it became a request.
        ("() => { location.href = 'http://elsewhere.example/' }", "another host: "),
    ],
    ids=["console", "exception", "status", "host"],
)
def test_problems_hold_what_the_browser_complains_of(tab: Tab, trouble: str, problem: str) -> None:
    assert tab.problems == []
    tab.page.route("http://elsewhere.example/", lambda route: route.abort("aborted"))
    tab.page.evaluate(trouble)
    tab.wait_for_problem(problem)
    tab.abandon()
