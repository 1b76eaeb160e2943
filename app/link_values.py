"""What the link of a page carries, and what of it no control accepts.

Streamlit drops a bad value from a link without a word; `ignored` reads the link first and says what
was wrong and what is accepted.
"""

from collections.abc import Sequence

import streamlit as st
from control_types import Control
from streamlit.errors import StreamlitAPIException

_REFUSED, _SAID = "refused in the link", "said of the link"

#: Names a link may always carry: Streamlit's own and the presenter's.
EVERYWHERE = frozenset({"embed", "embed_options", "present", "path", "step"})


def ignored(controls: Sequence[Control]) -> list[str]:
    """List what the link of this page carries that no control accepts, in plain text.

    Call it before the controls are drawn: once a widget is bound, Streamlit has already removed
    what it could not use. A value that is not accepted is taken out of the link first, and the
    page starts anew without it, because Streamlit would keep the good half of a bad pair.
    """
    known = {control.key: control for control in controls}
    unknown = [name for name in st.query_params if name not in known and name not in EVERYWHERE]
    refused = {}
    for name in known.keys() & st.query_params.keys():
        control, texts = known[name], st.query_params.get_all(name)
        bad = [text for text in texts if not control.valid(text)]
        many = isinstance(control.default, list)
        pair = isinstance(control.default, tuple)
        if bad or (len(texts) != 1 + pair and not many):
            shown = ", ".join(_clip(text) for text in texts)
            count = "" if bad else "two values, each " if pair else "one value, "
            refused[name] = f"{name}={shown}: {name} takes {count}{control.accepts()}."
    if refused:
        st.session_state[_REFUSED] = [refused[name] for name in known if name in refused]
        for name in refused.keys() & st.session_state.keys():
            # Back in the history of a page that stands: what the session holds outweighs the link.
            st.session_state[name] = known[name].default
        kept = {n: st.query_params.get_all(n) for n in st.query_params if n not in refused}
        try:
            st.query_params.from_dict(kept)
        except StreamlitAPIException:
            # The names of widgets that stand may not be written; theirs put the link right.
            pass
        else:
            st.rerun()
    messages: list[str] = st.session_state.pop(_REFUSED, [])
    st.session_state[_SAID] = messages
    if (present := st.query_params.get("present", "1")) != "1":
        messages = [*messages, f"present={_clip(present)}: present takes 1."]
    return messages + [f"“{_clip(name)}” is not a control of this page." for name in unknown]


def say_again() -> None:
    """Keep what `ignored` said of the link: the page is about to start anew by itself."""
    st.session_state[_REFUSED] = st.session_state.get(_SAID, [])


def _clip(text: str) -> str:
    printable = "".join(c if c.isprintable() else "·" for c in text)
    return printable if len(printable) <= 40 else printable[:39] + "…"
