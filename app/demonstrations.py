"""Parts of a page that run again by themselves, so that the rest of it is not sent again."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Generic, ParamSpec, TypeVar

import streamlit as st
from control_types import Widget
from streamlit.errors import StreamlitInvalidLayoutContextError
from what_runs import beside, runs_alone

P = ParamSpec("P")
R = TypeVar("R")

#: Where a session keeps whether any fold of its page is open.
OPEN = "a fold of this page is open"


class Demonstration(Generic[P, R]):
    """A part of a page that runs again by itself; made by `demonstration`."""

    def __init__(self, part: Callable[P, R]) -> None:
        self._part = part
        self._key = part.__name__

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Show the part, and return what it returns."""
        alone, found = False, False

        @st.fragment(key=self._key)
        @wraps(self._part)
        def run() -> R:
            nonlocal alone, found
            if alone and st.session_state[OPEN]:
                st.rerun()
            try:
                result = self._part(*args, **kwargs)
            except StreamlitInvalidLayoutContextError:
                # The last run of the page broke off before it came to what the part writes to.
                if alone:
                    st.rerun()
                raise
            if alone and found != (result is not None):
                st.rerun()
            alone, found = True, result is not None
            return result

        return run()

    def draw(self, control: Widget, *others: "Demonstration[..., Any]", **options: Any) -> Any:
        """Draw a control that stands beside the part and decides it; return its value.

        Its change runs the part alone, and ``others`` with it.
        """
        keys = [self._key, *(other._key for other in others)]

        def run_all() -> None:
            if runs_alone():
                st.rerun(keys)

        if others:
            options["on_change"] = run_all
        with beside(self._key):
            return control.draw(**options)


def demonstration(part: Callable[P, R]) -> Demonstration[P, R]:
    """Make a part of a page run again by itself when one of its controls changes.

    What lies around it is not sent again: a server's capacity is how much it sends. That goes for
    controls too, which a page draws around the part with its ``draw``; the part reads their
    ``value``. What is folded away lies around it as well, built from what the part returns, or not
    there where that is None. So while any of it is open, and when it is to come or go, the whole
    page runs instead.
    """
    return Demonstration(part)
