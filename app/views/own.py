"""Your own Q, K, V: bring the arrays of any head and see whether √dₖ is its divisor."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st
import words
from charts.own import comparison, distribution
from components import (
    chart,
    colours,
    controls_row,
    demonstration,
    download_csv,
    fold,
    heading,
    link_to_state,
    reset_button,
    snippet,
    sources,
    stage,
    table,
    what_you_see,
)
from controls import OWN_CAUSAL, OWN_DIVISOR, OWN_HEAD, OWN_SAMPLE
from own_inputs import (
    ask_about_axes,
    bench,
    open_sample,
    roles,
    sample_files,
    say,
    swaps,
    typed,
    uploaded,
)
from own_report import Offer, diagnose_all, exchanged, hints_for, only_head, with_divisor, with_head
from own_words import PRINTED_ROWS, describe, numbers, told

from core.diagnosis import Diagnosis
from core.layout import LayoutHint

CONTROLS = (OWN_SAMPLE, OWN_HEAD, OWN_CAUSAL, OWN_DIVISOR)
SAMPLE, FILES, PASTE = "a sample", "files", "pasted text"
ALL_ROWS = 20_000
"""Rows of all heads together that one file of rows may hold."""


def row_numbers(diagnosis: Diagnosis, place: int) -> None:
    """Fold away the numbers of every row, of one head where there are many."""
    with fold("Every row as CSV", "table_rows") as folded:
        if folded.open:
            many = sum(len(head.rows) for head in diagnosis.heads) > ALL_ROWS
            part = only_head(diagnosis, place) if many else diagnosis
            st.markdown("Keys, spread, entropy and largest weights of each row, raw and over √dₖ.")
            if many:
                st.markdown("There are many rows, so the file holds those of the head you picked.")
            download_csv(pd.DataFrame(part.row_table()), name="own-rows")


def script(
    chosen: dict[str, Offer], done: Sequence[LayoutHint], head: int, causal: bool, divisor: float
) -> None:
    """Show the NumPy for these arrays."""
    found: dict[str, Any] = {}
    for role in ("query", "key", "mask"):
        offer = chosen.get(role)
        found[f"{role}_file"] = "" if offer is None else offer.file
        found[f"{role}_name"] = "" if offer is None else offer.identity[1]
    exchanges = {role: [hint.swap for hint in done if role in hint.roles] for role in chosen}
    found["swaps"] = {role: axes for role, axes in exchanges.items() if axes}
    snippet("own", **found, head=head, causal=causal, divisor=divisor)


def look_at_sample() -> None:
    """Turn to the sample that was picked (a menu's callback)."""
    st.session_state["own_source"] = SAMPLE


@demonstration
def diagnosed() -> tuple[Diagnosis, int, dict[str, Offer], bool, float] | None:
    """Show the page for its arrays and controls; return what is diagnosed, if it can be."""
    with stage():
        with controls_row():
            source = st.segmented_control(
                "Look at", (SAMPLE, FILES, PASTE), default=SAMPLE, required=True, key="own_source"
            )
            sample = OWN_SAMPLE.draw(width=150, on_change=look_at_sample)
            place = OWN_HEAD.draw(width=110)
            divisor = OWN_DIVISOR.draw(width=130)
            causal = OWN_CAUSAL.draw()
            reset_button(CONTROLS)
        offers: list[Offer]
        offers, messages = {SAMPLE: lambda: ([], []), FILES: uploaded, PASTE: typed}[source]()
        say(messages)
        own = bool(offers)
        if not own:
            if source != SAMPLE:
                st.caption("Until your arrays are here, this is the sample.")
            offers, _ = open_sample(sample)
        chosen = roles(offers, ask=own)
        shown = show(chosen, place, divisor, causal)
    if shown is None:
        return None
    explain(*shown)
    return *shown[:2], chosen, causal, divisor


def stamp_of(chosen: dict[str, Offer]) -> tuple[tuple[str, tuple[str, str]], ...]:
    """Name the arrays in use, to tell whether they are still the same."""
    return tuple((role, offer.identity) for role, offer in chosen.items())


def show(
    chosen: dict[str, Offer], place: int, divisor: float, causal: bool
) -> tuple[Diagnosis, int, list[str]] | None:
    """Diagnose the arrays and draw a head; return nothing where they cannot be diagnosed."""
    stamp = stamp_of(chosen)
    held, done = bench(), swaps(stamp)
    held.keep(chosen.values())
    try:
        tensors = {role: held.tensor(offer) for role, offer in chosen.items()}
        arrays = exchanged({role: tensor.values for role, tensor in tensors.items()}, done)
        hints = hints_for(arrays)
        bar = st.empty()
        diagnosis = held.remember(
            (stamp, done, causal),
            lambda: diagnose_all(
                arrays,
                is_causal=causal,
                progress=lambda part: bar.progress(part, "Going through the heads"),
            ),
        )
        bar.empty()
        place = min(place, len(diagnosis.heads) - 1)
        head = held.remember(
            (stamp, done, causal, place, divisor),
            lambda: with_divisor(arrays, diagnosis.heads[place], is_causal=causal, divisor=divisor),
        )
    except (ValueError, TypeError) as error:
        say([str(error)])
        ask_about_axes(stamp, done, hints_for(arrays) if "arrays" in locals() else ())
        return None
    left, right = st.columns(2)
    with left:
        chart(
            distribution(head, colours()),
            key="own_scores",
            alt=(
                f"{words.count(head.scores)} raw scores of {head.label}: mean "
                f"{words.significant(head.mean)}, standard deviation "
                f"{words.significant(head.std)}. The random model has 0 and "
                f"{words.significant(head.expected_std)}."
            ),
        )
    with right:
        chart(comparison(head, colours()), key="own_divisors", alt=describe(head))
    ask_about_axes(stamp, done, hints)
    notes = [note for tensor in tensors.values() for note in tensor.notes]
    found = [entry.sentence for entry in diagnosis.non_finite]
    return with_head(diagnosis, place, head), place, [*dict.fromkeys(notes), *found]


def explain(diagnosis: Diagnosis, place: int, notes: list[str]) -> None:
    """Say what is seen."""
    head = diagnosis.heads[place]
    count = len(diagnosis.heads)
    picked = st.session_state.get(OWN_HEAD.key, place)
    if picked != place:
        notes = [
            f"There {'is 1 head' if count == 1 else f'are {count} heads'}: "
            f"number {picked} is none of them, so this is number {place}.",
            *notes,
        ]
    say(notes)
    what_you_see(
        told(head, diagnosis.verdicts[place], diagnosis)
        + "\n\n:small[The verdict is about the division alone: whether softmax still chooses "
        "between several keys. It does not say whether the head attends to the right ones.]"
    )


def fold_away(
    diagnosis: Diagnosis, place: int, chosen: dict[str, Offer], causal: bool, divisor: float
) -> None:
    """Fold away the numbers and the script."""
    count = len(diagnosis.heads)
    note = (
        f"The first {PRINTED_ROWS} of {count} heads; the CSV has all."
        if count > PRINTED_ROWS
        else "Entropy is over ln n, its ceiling. The CSV has every divisor; yours for this head."
    )
    table(lambda: numbers(diagnosis), name="own-heads", label="Every head as a table", note=note)
    row_numbers(diagnosis, place)
    script(chosen, swaps(stamp_of(chosen)), place, causal, divisor)


heading(
    "Is √dₖ the divisor of your own heads?",
    "Bring queries and keys of any model, not yet divided, or look at a sample first.",
    CONTROLS,
)
seen = diagnosed()
if seen is not None:
    fold_away(*seen)
sample_files()
link_to_state(CONTROLS)
sources(
    "Attention Is All You Need, arXiv:1706.03762, section 3.2.1.",
    "In a notebook: `core.diagnose(query, key)` gives all of this in one call.",
)
