"""What a control is: one value, one name in the URL, one rule for what it accepts.

The widget itself is bound to the URL, so a link restores it. What a link may carry is looked at
in `link_values`.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Protocol

import streamlit as st
import words

#: A root or a point of a logarithmic slider has more, which nobody wants to read.
MOST_PLACES = 8


class Control(Protocol):
    """One value of a page's state."""

    @property
    def key(self) -> str:
        """Name in the URL and in the session."""

    @property
    def default(self) -> Any:
        """Value while nobody changed it; the link then leaves it out."""

    def accepts(self) -> str:
        """Say in words what a link may carry."""

    def valid(self, text: str) -> bool:
        """Tell whether ``text`` from a link is one of the accepted values."""

    @property
    def value(self) -> Any:
        """Value of the widget, which this run or one before has drawn."""


@dataclass(frozen=True, kw_only=True)
class Widget(ABC):
    """What all controls have."""

    key: str
    label: str
    help: str | None = None

    @property
    def value(self) -> Any:
        """Value of the widget, which this run or one before has drawn."""
        return st.session_state[self.key]

    @property
    def bound(self) -> dict[str, Any]:
        """What any widget is drawn with: its value stands in the URL."""
        return {"key": self.key, "help": self.help, "bind": "query-params"}

    @abstractmethod
    def draw(self, **options: Any) -> Any:
        """Show the widget and return its value."""


@dataclass(frozen=True, kw_only=True)
class Number(Widget):
    """A typed number between two bounds; whole where ``default`` is an int."""

    default: float
    low: float
    high: float
    step: float
    format: str | None = None

    def accepts(self) -> str:
        """Say in words what a link may carry."""
        kind = "a whole number" if isinstance(self.default, int) else "a number"
        return f"{kind} from {words.short(self.low)} to {words.short(self.high)}"

    def valid(self, text: str) -> bool:
        """Tell whether ``text`` is a number within the bounds (and whole, where it must be)."""
        try:
            x = float(text)
        except ValueError:
            return False
        whole = not isinstance(self.default, int) or x.is_integer()
        return math.isfinite(x) and self.low <= x <= self.high and whole

    def _shown(self) -> str | None:
        """Return the format, with more places where a value that was given has a few more."""
        held = st.session_state.get(self.key, st.query_params.get(self.key))
        if self.format is None or held is None or not self.valid(str(held)):
            return self.format
        places = -int(Decimal(str(float(held))).as_tuple().exponent)
        cut = float(self.format % float(held)) != float(held)
        return f"%0.{places}f" if cut and places <= MOST_PLACES else self.format

    def draw(self, **options: Any) -> Any:
        """Show the widget and return its value."""
        return st.number_input(
            self.label,
            self.low,
            self.high,
            self.default,
            self.step,
            self._shown(),
            **self.bound,
            **options,
        )


def seed(key: str, says: str) -> Number:
    """Return the control of a seed, as every page has it."""
    return Number(key=key, label="Seed", default=1, low=0, high=2**32 - 1, step=1, help=says)


@dataclass(frozen=True, kw_only=True)
class Switch(Widget):
    """On or off."""

    default: bool = False

    def accepts(self) -> str:
        """Say in words what a link may carry."""
        return "true or false"

    def valid(self, text: str) -> bool:
        """Tell whether ``text`` is true or false."""
        return text.lower() in {"true", "false"}

    def draw(self, **options: Any) -> Any:
        """Show the widget and return its value."""
        return st.toggle(
            self.label,
            self.default,
            **self.bound,
            **options,
        )


@dataclass(frozen=True, kw_only=True)
class Line(Widget):
    """A line of text of the reader's own."""

    default: str = ""
    longest: int

    def accepts(self) -> str:
        """Say in words what a link may carry."""
        return f"a line of at most {self.longest} characters"

    def valid(self, text: str) -> bool:
        """Tell whether ``text`` is one short, printable line."""
        return len(text) <= self.longest and text.isprintable()

    def draw(self, **options: Any) -> Any:
        """Show the widget and return its value."""
        return st.text_input(
            self.label,
            self.default,
            max_chars=self.longest,
            **self.bound,
            **options,
        )


def reset(controls: Sequence[Control]) -> None:
    """Put every control of a page back to its default (a button's callback)."""
    for control in controls:
        st.session_state[control.key] = control.default
