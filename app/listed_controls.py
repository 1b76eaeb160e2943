"""Controls whose value is one, two or several of a few that have names."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st
from control_types import Widget


@dataclass(frozen=True, kw_only=True)
class Listed(Widget):
    """One or two of a few values that have names."""

    options: Sequence[Any]
    default: Any
    write: Callable[[Any], str] = str

    def valid(self, text: str) -> bool:
        """Tell whether ``text`` is one of the labels."""
        return text in [self.write(option) for option in self.options]


@dataclass(frozen=True, kw_only=True)
class Choice(Listed):
    """One of a few named values, shown as buttons or, where ``menu`` is set, as a list.

    The labels stand in the URL, so they are short and unique.
    """

    menu: bool = False

    def accepts(self) -> str:
        """Say in words what a link may carry."""
        labels = [self.write(option) for option in self.options]
        if len(labels) > 12:
            return f"one of {len(labels)} values, {labels[0]} to {labels[-1]}"
        return "one of " + ", ".join(labels)

    def draw(self, **options: Any) -> Any:
        """Show the widget and return its value."""
        shared = {"format_func": self.write, **self.bound, **options}
        if self.menu:
            return st.selectbox(
                self.label,
                self.options,
                list(self.options).index(self.default),
                **shared,
            )
        return st.segmented_control(
            self.label,
            self.options,
            default=self.default,
            required=True,
            **shared,
        )


@dataclass(frozen=True, kw_only=True)
class Choices(Widget):
    """Any of a few named values, shown as pills; a link names each. None picked means the default.

    Where ``empty`` is set, none picked is a choice like any other.
    The value is a list, so that ``default`` tells this control from one that takes a pair.
    """

    options: Sequence[Any]
    default: list[Any]
    write: Callable[[Any], str] = str
    empty: bool = False

    def accepts(self) -> str:
        """Say in words what a link may carry."""
        return "any of " + ", ".join(self.write(option) for option in self.options)

    def valid(self, text: str) -> bool:
        """Tell whether ``text`` is one of the labels, or empty for none."""
        return text in ["", *(self.write(option) for option in self.options)]

    def draw(self, **options: Any) -> list[Any]:
        """Show the widget and return what is picked, in the order of the options."""
        picked = st.pills(
            self.label,
            self.options,
            selection_mode="multi",
            default=self.default,
            format_func=self.write,
            **self.bound,
            **options,
        )
        return self._chosen(picked)

    @property
    def value(self) -> list[Any]:
        """What is picked, in the order of the options."""
        return self._chosen(st.session_state[self.key])

    def _chosen(self, picked: Sequence[Any]) -> list[Any]:
        chosen = [option for option in self.options if option in picked]
        return chosen if chosen or self.empty else self.default


@dataclass(frozen=True, kw_only=True)
class Steps(Listed):
    """A slider over named steps; a pair of them where ``default`` is a pair."""

    def accepts(self) -> str:
        """Say in words what a link may carry."""
        return f"a step from {self.write(self.options[0])} to {self.write(self.options[-1])}"

    def draw(self, **options: Any) -> Any:
        """Show the widget and return its value."""
        return st.select_slider(
            self.label,
            self.options,
            self.default,
            self.write,
            **self.bound,
            **options,
        )
