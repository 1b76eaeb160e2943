"""What the page on a reader's own arrays shows of them: charts, words, and what is folded away."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st
import words
from charts.base import palette
from charts.own import comparison, distribution
from components import chart, download_csv, fold, side_by_side, snippet, table, what_you_see
from frames import frame
from own_inputs import ask_about_axes, say, swaps
from own_report import (
    Bench,
    Offer,
    diagnose_all,
    exchanged,
    hints_for,
    only_head,
    with_divisor,
    with_head,
)
from own_words import PRINTED_ROWS, describe, numbers, told

from core.diagnosis import Diagnosis
from core.head_diagnosis import HeadDiagnosis
from core.layout import LayoutHint

ALL_ROWS = 20_000
"""Rows of all heads together that one file of rows may hold."""


@dataclass(frozen=True)
class Picked:
    """Which arrays are looked at, which of their heads, and how."""

    chosen: dict[str, Offer]
    place: int
    causal: bool
    divisor: float
    sample: str | None
    """The sample that they are, if they are one."""

    @property
    def stamp(self) -> tuple[tuple[str, tuple[str, str]], ...]:
        """Name the arrays, to tell whether they are still the same."""
        return tuple((role, offer.identity) for role, offer in self.chosen.items())


class Bar:
    """A bar that is there once there is something to tell."""

    def __init__(self) -> None:
        self._bar: Any = None

    def tell(self, part: float) -> None:
        """Say which share of the work is done."""
        text = "Going through the heads"
        self._bar = self._bar.progress(part, text) if self._bar else st.progress(part, text)

    def remove(self) -> None:
        """Take it away."""
        if self._bar:
            self._bar.empty()


def draw(head: HeadDiagnosis, dark: bool) -> None:
    """Draw a head's scores, and what each divisor makes of them."""
    chart(
        distribution(head, palette(dark)),
        key="own_scores",
        alt=(
            f"{words.count(head.scores)} raw scores of {head.label}: mean "
            f"{words.significant(head.mean)}, standard deviation "
            f"{words.significant(head.std)}. The random model has 0 and "
            f"{words.significant(head.expected_std)}."
        ),
    )
    chart(comparison(head, palette(dark)), key="own_divisors", alt=describe(head))


@st.cache_resource(max_entries=200, show_spinner=False)
def draw_sample(_head: HeadDiagnosis, *, which: str, dark: bool) -> None:
    """Draw a head of a sample, once for all readers; ``which`` names it and its divisor."""
    draw(_head, dark)


def show(picked: Picked, held: Bench) -> tuple[Diagnosis, int, list[str]] | None:
    """Diagnose the arrays and draw a head; return nothing where they cannot be diagnosed."""
    stamp, done = picked.stamp, swaps(picked.stamp)
    causal, divisor = picked.causal, picked.divisor
    if picked.sample is None:  # a sample's own are not many, and others look at them
        held.keep(picked.chosen.values())
    bar = Bar()
    try:
        tensors = {role: held.tensor(offer) for role, offer in picked.chosen.items()}
        arrays = exchanged({role: tensor.values for role, tensor in tensors.items()}, done)
        hints = hints_for(arrays)
        diagnosis = held.remember(
            (stamp, done, causal),
            lambda: diagnose_all(arrays, is_causal=causal, progress=bar.tell),
        )
        place = min(picked.place, len(diagnosis.heads) - 1)
        head = held.remember(
            (stamp, done, causal, place, divisor),
            lambda: with_divisor(arrays, diagnosis.heads[place], is_causal=causal, divisor=divisor),
        )
    except (ValueError, TypeError) as error:
        say([str(error)])
        ask_about_axes(stamp, done, hints_for(arrays) if "arrays" in locals() else ())
        return None
    finally:
        bar.remove()
    with side_by_side():
        dark = st.context.theme.type == "dark"
        if picked.sample is None:
            draw(head, dark)
        else:
            which = repr((picked.sample, done, causal, place, divisor))
            draw_sample(head, which=which, dark=dark)
    ask_about_axes(stamp, done, hints)
    notes = [note for tensor in tensors.values() for note in tensor.notes]
    found = [entry.sentence for entry in diagnosis.non_finite]
    return with_head(diagnosis, place, head), place, [*dict.fromkeys(notes), *found]


def explain(diagnosis: Diagnosis, place: int, asked: int, notes: list[str]) -> None:
    """Say what is seen of a head; ``asked`` is the number that was asked for."""
    head = diagnosis.heads[place]
    count = len(diagnosis.heads)
    if asked != place:
        notes = [
            f"There {'is 1 head' if count == 1 else f'are {count} heads'}: "
            f"number {asked} is none of them, so this is number {place}.",
            *notes,
        ]
    say(notes)
    what_you_see(
        told(head, diagnosis.verdicts[place], diagnosis)
        + "\n\n:small[The verdict is about the division alone: whether softmax still chooses "
        "between several keys. It does not say whether the head attends to the right ones.]"
    )


def fold_away(diagnosis: Diagnosis, place: int, picked: Picked) -> None:
    """Fold away the numbers and the script."""
    count = len(diagnosis.heads)
    note = (
        f"The first {PRINTED_ROWS} of {count} heads; the CSV has all."
        if count > PRINTED_ROWS
        else "Entropy is over ln n, its ceiling. The CSV has every divisor; yours for this head."
    )
    table(lambda: numbers(diagnosis), name="own-heads", label="Every head as a table", note=note)
    row_numbers(diagnosis, place)
    script(picked, swaps(picked.stamp), place)


def row_numbers(diagnosis: Diagnosis, place: int) -> None:
    """Fold away the numbers of every row, of one head where there are many."""
    with fold("Every row as CSV", "table_rows") as folded:
        if folded.open:
            many = sum(len(head.rows) for head in diagnosis.heads) > ALL_ROWS
            part = only_head(diagnosis, place) if many else diagnosis
            st.markdown("Keys, spread, entropy and largest weights of each row, raw and over √dₖ.")
            if many:
                st.markdown("There are many rows, so the file holds those of the head you picked.")
            download_csv(frame(part.row_table()), name="own-rows")


def script(picked: Picked, done: Sequence[LayoutHint], head: int) -> None:
    """Show the NumPy for these arrays."""
    found: dict[str, Any] = {}
    for role in ("query", "key", "mask"):
        offer = picked.chosen.get(role)
        found[f"{role}_file"] = "" if offer is None else offer.file
        found[f"{role}_name"] = "" if offer is None else offer.identity[1]
    exchanges = {role: [hint.swap for hint in done if role in hint.roles] for role in picked.chosen}
    found["swaps"] = {role: axes for role, axes in exchanges.items() if axes}
    snippet("own", **found, head=head, causal=picked.causal, divisor=picked.divisor)
