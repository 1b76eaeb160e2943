"""Open pages without a server or a browser."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
import pytest
from charts import base
from streamlit.testing.v1 import AppTest

SHELL = Path(__file__).resolve().parents[2] / "app" / "shell.py"


def checked(described: dict[str, Any]) -> go.Figure:
    """Have Plotly check a figure, and find that it says nothing that Plotly would have rewritten.

    Abbreviations (``line_color``, a title that is a string) mean nothing to a browser.
    """
    figure = go.Figure(described)
    for trace in described["data"]:
        trace.setdefault("type", "scatter")  # as a browser takes it
    assert names_in(described) == names_in(figure.to_plotly_json())
    return figure


def names_in(part: Any) -> Any:
    """Return the names in a figure's description and in all its parts that say anything."""
    if isinstance(part, dict) and "bdata" not in part:  # an array, encoded
        named = {name: names_in(inner) for name, inner in part.items() if name != "template"}
        return {
            name: inner for name, inner in named.items() if part[name] is not None and inner != []
        }
    if isinstance(part, list | tuple) and all(isinstance(inner, dict) for inner in part):
        return [names_in(inner) for inner in part]
    return None


@pytest.fixture(autouse=True)
def check_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check every figure, as it is not while pages are served."""
    monkeypatch.setattr(base, "make", checked)


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
