"""Open pages without a server or a browser."""

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

SHELL = Path(__file__).resolve().parents[2] / "app" / "shell.py"


@pytest.fixture
def open_app() -> Callable[..., AppTest]:
    """Open a page by its file in ``app/views``, with controls as a link would set them.

    ``open_app("divisor.py", divisor="2")`` is ``/divisor?divisor=2``. The page has run and has
    raised nothing.
    """

    def open_app(view: str = "home.py", **query: str | list[str]) -> AppTest:
        app = AppTest.from_file(SHELL, default_timeout=30)
        if view != "home.py":
            # Pages are known once the navigation has run; home is what it runs.
            app.run()
            app.switch_page(f"views/{view}")
        app.query_params.update(query)
        app.run()
        assert not app.exception, [error.value for error in app.exception]
        return app

    return open_app
