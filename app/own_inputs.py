"""The ways in for a reader's own arrays: a sample, files, pasted text; and which array is which.

Everything a file or a reader wrote is shown with `st.text`, which reads neither Markdown nor HTML.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st
from components import download, fold
from own_report import (
    MAX_FILES,
    ROLES,
    SAMPLE_FOLDER,
    SAMPLES,
    Bench,
    Offer,
    assign,
    pasted,
)
from uploads import size_limit

from core.layout import LayoutHint
from core.tensor_files import TensorFileError

FOLDER = Path(__file__).resolve().parents[1] / SAMPLE_FOLDER
MIME = {".npz": "application/zip", ".csv": "text/csv"}

Brought = tuple[list[Offer], list[str]]


def say(messages: Sequence[str]) -> None:
    """Show sentences as plain text, one a line, each with its full stop."""
    if messages:
        st.text("\n".join(f"{text.rstrip('.')}." for text in messages), width="stretch")


def bench() -> Bench:
    """Return this session's bench."""
    found: Bench = st.session_state.setdefault("own_bench", Bench())
    return found


@st.cache_resource(show_spinner=False)
def sample_bench(*, name: str) -> tuple[Bench, list[Offer]]:
    """Open the files of a sample as if a reader had uploaded them, once for all readers."""
    shared = Bench(room=64)
    return shared, shared.open([(n, n, (FOLDER / n).read_bytes) for n in SAMPLES[name]])[0]


def uploaded() -> Brought:
    """Ask for files and open them."""
    files = st.file_uploader(
        "Files with your arrays: .npy, .npz, .csv, .tsv or .txt",
        accept_multiple_files=True,
        key="own_files",
    )
    st.caption(f"{size_limit()} A link cannot carry them.")
    offers, messages = bench().open(
        [(file.file_id, file.name, file.getvalue) for file in files[:MAX_FILES]]
    )
    if len(files) > MAX_FILES:
        messages.append(f"The first {MAX_FILES} of {len(files)} files are read.")
    return offers, messages


def typed() -> Brought:
    """Ask for two small matrices and read them."""
    texts = {}
    for column, role in zip(st.columns(2), ("query", "key"), strict=True):
        with column:
            texts[role] = st.text_area(
                f"{role.capitalize()}, one row a line",
                key=f"own_{role}_text",
                height=100,
                placeholder="0.1, 0.5, −1.2\n1.4, 0.3, 0.7".replace("−", "-"),
            )
    st.caption("Or as Python prints it, [[…], […]]. It stays in this session; no link carries it.")
    offers, messages = [], []
    for role, text in texts.items():
        if text.strip():
            offer = pasted(role, text)
            try:
                bench().tensor(offer)
            except TensorFileError as error:
                messages.append(f"{role.capitalize()}: {error}")
            else:
                offers.append(offer)
    if len(offers) == 1 and not messages:
        messages.append("Query and key are both needed; one is here.")
    return (offers if len(offers) == 2 else []), messages


def roles(offers: Sequence[Offer], *, ask: bool) -> dict[str, Offer]:
    """Guess which array is which, and let the reader choose otherwise."""
    guessed = assign(offers)
    if not ask:
        return {role: offer for role, offer in guessed.items() if offer is not None}
    known = {offer.identity: offer for offer in offers}
    # Other files are other questions: their menus start from the guess again.
    stamp = abs(hash(tuple(known)))
    chosen = {}
    with st.container(horizontal=True, key="own_roles"):
        for role in ROLES:
            options: list[tuple[str, str] | None]
            options = [*known] if role in ("query", "key") else [None, *known]
            guess = guessed[role]
            identity = st.selectbox(
                role.capitalize(),
                options,
                options.index(None if guess is None else guess.identity),
                lambda identity: "none" if identity is None else known[identity].label,
                key=f"own_{role}_{stamp}",
                width=210,
            )
            if identity is not None:
                chosen[role] = known[identity]
    return chosen


def exchange(stamp: Any, hints: tuple[LayoutHint, ...]) -> None:
    """Remember the exchanges of axes for these arrays (a button's callback)."""
    st.session_state["own_swaps"] = (stamp, hints)


def swaps(stamp: Any) -> tuple[LayoutHint, ...]:
    """Return the exchanges that were tapped for these arrays."""
    held, hints = st.session_state.get("own_swaps", (None, ()))
    return hints if held == stamp else ()


def ask_about_axes(stamp: Any, done: tuple[LayoutHint, ...], open_: Sequence[LayoutHint]) -> None:
    """Offer each exchange of axes that may be meant, and the way back."""
    for number, hint in enumerate(open_ if not done else ()):
        say([hint.sentence[0].upper() + hint.sentence[1:]])
        st.button(
            "Exchange these axes",
            icon=":material/swap_horiz:",
            key=f"own_swap_{number}",
            on_click=exchange,
            args=(stamp, (*done, hint)),
        )
    if done:
        st.button(
            "Put the axes back",
            icon=":material/undo:",
            key="own_unswap",
            on_click=exchange,
            args=(stamp, ()),
            help="Axes of " + " and ".join(done[0].roles) + " were exchanged.",
        )


def sample_files() -> None:
    """Fold away the samples, to try an upload with."""
    with fold("Sample files to download", "folder_zip") as folded:
        if folded.open:
            for name in (name for files in SAMPLES.values() for name in files):
                path = FOLDER / name
                download(name, path.read_bytes, name, MIME[path.suffix], key=f"own_get_{name}")
            st.markdown("Random numbers: CC0-1.0. The trained layer: Apache-2.0, all-MiniLM-L6-v2.")
