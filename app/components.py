"""The pieces every page is made of: heading, controls' frame, guess, chart, table, snippet, link.

A page reads from top to bottom as question, controls, chart, what you see; the rest is folded.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

import plotly.graph_objects as go
import snippets
import streamlit as st
from charts.base import Palette, palette
from control_types import Control, reset
from demonstrations import OPEN
from frames import Frame
from link_values import ignored
from listed_controls import Choice
from streamlit.elements.lib.mutable_expander_container import ExpanderContainer

SHOW_ME = "Just show me"
BLIND = "A wrong guess teaches most. Or tap “Just show me”."

#: Plotly's toolbar: only "save as image", out of the data's way; wheel and swipe scroll the page.
CHART_CONFIG = {
    "displaylogo": False,
    "displayModeBar": "hover",
    "modeBarButtons": [["toImage"]],
    "scrollZoom": False,
    "doubleClick": False,
}


def colours() -> Palette:
    """Return the palette of the theme the reader sees."""
    return palette(st.context.theme.type == "dark")


def stage() -> Any:
    """Hold controls, guess and headline chart; on a narrow screen the chart comes first."""
    return st.container(key="stage")


def controls_row() -> Any:
    """Hold a page's controls in one row, aligned at their boxes."""
    return st.container(key="controls", horizontal=True, vertical_alignment="bottom")


def side_by_side(key: str = "pair") -> Any:
    """Hold two charts beside each other, or one above the other on a narrow screen."""
    return st.container(key=key, horizontal=True)


def heading(question: str, lead: str, controls: Sequence[Control] = ()) -> None:
    """Open a page: its question, one sentence of what to do, and what its link got wrong."""
    st.session_state[OPEN] = False
    st.title(question, anchor=False)
    st.markdown(lead)
    messages = ignored(controls)
    if messages:
        with st.container(border=True, key="ignored"):
            st.markdown(":material/link_off: **Part of this link was ignored**")
            # Plain text: what a link carries is never read as Markdown or HTML.
            st.text("\n".join(messages), width="stretch")


def reset_button(controls: Sequence[Control]) -> bool:
    """Offer the page's defaults back; tell whether they were just taken."""
    taken: bool = st.button(
        "Reset",
        icon=":material/restart_alt:",
        key="reset",
        on_click=reset,
        args=(controls,),
        help="Put every control of this page back to its default.",
    )
    return taken


def chart(fig: go.Figure, *, key: str, alt: str) -> None:
    """Show a figure with its description in words; saving an image is in its toolbar."""
    config = {
        **CHART_CONFIG,
        "toImageButtonOptions": {"filename": f"why-sqrt-dk-{key}", "scale": 2},
    }
    st.plotly_chart(fig, key=key, alt=alt, config=config, theme=None)


@dataclass(frozen=True)
class Guess:
    """A question to settle before the answer is shown; ``key`` stands in the link."""

    key: str
    question: str
    options: tuple[str, ...]

    @property
    def control(self) -> Choice:
        """The guess as a control: bound to the URL, so that a link can arrive revealed."""
        return Choice(
            key=self.key,
            label=self.question,
            options=(*self.options, SHOW_ME),
            default=None,
        )

    def ask(self) -> str | None:
        """Show the question; return what was tapped, or None while nothing was."""
        guess: str | None = st.segmented_control(
            self.question,
            (*self.options, SHOW_ME),
            key=self.key,
            bind="query-params",
        )
        return guess

    def play(self, right: str, answer: str, *, hint: str = BLIND) -> bool:
        """Ask, and once something is tapped put the answer beside the guess; tell whether it is.

        The answer has its place before it is there, so that nothing jumps. Until then ``hint``
        stands there: where the controls show the answer already, it has to say so.
        """
        with st.container(key="ask", gap="xsmall"):
            guess = self.ask()
            if guess is None:
                st.caption(hint)
            elif guess == SHOW_ME:
                st.markdown(f":material/visibility: {answer}")
            elif guess == right:
                st.markdown(f":material/check_circle: “{guess}” is right. {answer}")
            else:
                st.markdown(f":material/cancel: You said “{guess}”; it is “{right}”. {answer}")
        return guess is not None


def what_you_see(
    text: str, formula: str = "", *, title: str = "What you see", caption: str = ""
) -> None:
    """Say under a heading what the chart shows, and write the formula with the same numbers.

    ``caption`` stands above it, beneath the chart. All is one element: each has its price at every
    change.
    """
    above = f":small[{caption}]\n\n" if caption else ""
    display = f"\n\n$$\n{formula}\n$$" if formula else ""
    st.markdown(f"{above}## {title}\n\n{text}{display}")


def fold(label: str, icon: str) -> ExpanderContainer:
    """Fold a part of the page away; ``.open`` tells whether the reader has opened it.

    What is folded is neither computed nor sent until then: most readers never open most folds,
    and a class of thirty changes its controls all the time.
    """
    folded = st.expander(label, icon=f":material/{icon}:", key=f"fold {label}", on_change="rerun")
    if folded.open:
        st.session_state[OPEN] = True
    return folded


def table(
    frames: Frame | Callable[[], Frame | tuple[Frame, Frame]],
    *,
    name: str,
    label: str = "The numbers as a table",
    note: str | None = None,
    alt: str | None = None,
    full: Frame | None = None,
) -> None:
    """Fold away the numbers of the chart: as text to read, and as a CSV to keep.

    ``frames`` is what is printed, or a function that builds it once the fold is open; it may
    return a second table, the same at full precision for the CSV (or give that as ``full``).
    """
    with fold(label, "table") as folded:
        if not folded.open:
            return
        built = frames() if callable(frames) else frames
        shown, exact = built if isinstance(built, tuple) else (built, full)
        if note:
            st.markdown(note)
        st.table(shown, hide_index=True, border="horizontal", alt=alt)
        download_csv(shown if exact is None else exact, name=name)


def download_csv(table: Frame, *, name: str) -> None:
    """Offer a table as a CSV file."""
    download(
        "Download CSV",
        lambda: table.to_csv(index=False).encode(),
        f"{name}.csv",
        "text/csv",
        key=f"{name}_csv",
    )


def download(
    label: str, content: Callable[[], bytes], name: str, media_type: str, *, key: str
) -> None:
    """Offer a file, made when it is asked for.

    One made beforehand is dropped with the run that made it, and a page that is left at once looks
    for it in vain.
    """
    st.download_button(
        label,
        content,
        name,
        media_type,
        key=key,
        icon=":material/download:",
        on_click="ignore",
    )


def snippet(name: str, **values: Any) -> None:
    """Show the NumPy script that gives this page's numbers, with the reader's own values in it."""
    with fold("Show the NumPy", "code") as folded:
        if folded.open:
            st.markdown("NumPy alone; run it anywhere. It prints the numbers of this page.")
            st.code(snippets.render(name, **values), language="python", wrap_lines=True)


def link_to_state(controls: Sequence[Control]) -> None:
    """Fold away the link that restores this page as it stands, ready to copy."""
    with fold("Link to this state", "link") as folded:
        if folded.open:
            values = {control.key: st.session_state[control.key] for control in controls}
            url = state_url(st.context.url or "", controls, values)
            st.code(url, language=None, wrap_lines=True)


def state_url(url: str, controls: Sequence[Control], values: Mapping[str, Any]) -> str:
    """Write the link to a page: its address and every control that is not at its default."""
    fields: list[tuple[str, str]] = []
    for control in controls:
        value = values[control.key]
        if value == control.default:
            continue
        write = getattr(control, "write", str)
        # None of several picked is said too: left out, it would be the default.
        parts = (value or [""]) if isinstance(value, tuple | list) else (value,)
        for part in parts:
            if isinstance(part, bool):
                part = str(part).lower()
            elif part != "":
                part = write(part)
            fields.append((control.key, part))
    parts_of_url = urlsplit(url)
    return urlunsplit((*parts_of_url[:3], urlencode(fields), ""))


def sources(*entries: str) -> None:
    """Fold away where the page's facts come from."""
    with fold("Sources", "menu_book") as folded:
        if folded.open:
            st.markdown("\n".join(f"- {entry}" for entry in entries))
