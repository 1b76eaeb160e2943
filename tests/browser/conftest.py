"""Fixtures of the browser tests; `harness` says how to use them."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from tests.browser.harness import CHROMIUM_FLAGS, Tab, chromium, start_server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a running server."""
    with start_server(tmp_path_factory.mktemp("server") / "log") as running:
        yield running.address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of this process."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def contexts(browser: Browser) -> dict[tuple[str, bool], BrowserContext]:
    """Browser profiles by theme and touch, kept so that the front end is fetched once for each."""
    return {}


@pytest.fixture
def open_page(
    server: str, browser: Browser, contexts: dict[tuple[str, bool], BrowserContext]
) -> Iterator[Callable[..., Tab]]:
    """Open pages of the app; what they complain about fails the test at its end."""
    tabs: list[Tab] = []

    def open_page(
        path: str = "/",
        *,
        width: int = 1280,
        height: int = 800,
        theme: str = "light",
        query: str = "",
        touch: bool = False,
        address: str = server,
    ) -> Tab:
        if (theme, touch) not in contexts:
            contexts[theme, touch] = browser.new_context(
                color_scheme=theme, has_touch=touch, reduced_motion="reduce"
            )
        tab = Tab(contexts[theme, touch].new_page(), address)
        tabs.append(tab)
        tab.page.set_viewport_size({"width": width, "height": height})
        tab.goto(f"{path}?{query}" if query else path)
        return tab

    yield open_page
    for tab in tabs:
        tab.close()
    problems = [problem for tab in tabs for problem in tab.problems]
    assert not problems, "\n".join(problems)
