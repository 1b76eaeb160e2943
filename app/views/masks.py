"""Masks: which keys a query may attend, and everything that can go wrong in saying so."""

from collections.abc import Sequence

import masks_report as report
import streamlit as st
from components import (
    Guess,
    controls_row,
    heading,
    link_to_state,
    reset_button,
    side_by_side,
    snippet,
    sources,
    stage,
    table,
    what_you_see,
)
from control_types import Control
from controls_break import (
    MASK_KIND,
    MASK_LENGTH,
    MASK_PARTS,
    MASK_POLICY,
    MASK_QUERIES,
    MASK_ROWS,
    MASK_WINDOW,
)
from demonstrations import demonstration
from masks_folds import folds

from core.mask_policies import MASK_CONVENTIONS

GUESS = Guess(
    key="masks_guess",
    question="Guess: every key is blocked with −∞. Plain softmax gives that query …",
    options=tuple(report.OUTCOMES.values()),
)
WIDTHS = {MASK_LENGTH: 110, MASK_WINDOW: 110, MASK_POLICY: 150}
CONTROLS: tuple[Control, ...] = (MASK_KIND, MASK_QUERIES, *WIDTHS, GUESS.control, *MASK_ROWS)


@demonstration
def masked() -> tuple[report.Setting, Sequence[Control]]:
    """Show the maps for the controls; return their setting and the controls in use."""
    dark = st.context.theme.type == "dark"
    with stage():
        with controls_row():
            kind = MASK_KIND.draw(width=190)
            n_queries = MASK_QUERIES.draw(width=110)
            parts = MASK_PARTS.get(kind, ())
            length, window, policy = (
                control.draw(width=width) if control in parts else control.default
                for control, width in WIDTHS.items()
            )
            picked = MASK_ROWS[:n_queries] if kind == "custom" else ()
            rows = tuple(tuple(control.draw(wrap=True)) for control in picked)
            reset_button(CONTROLS)
        setting = report.Setting(kind, n_queries, length, window, policy, rows)
        GUESS.play(
            report.plain_outcome(),
            "The maximum is −∞, and −∞ − (−∞) is not a number."
            + ("" if setting.has_empty_row else " Set the real keys of a padding mask to 0."),
        )
        with side_by_side():
            for name in ("raw", "scaled"):
                report.map_chart(name=name, setting=setting, dark=dark)
    what_you_see(report.sentences(setting))
    return setting, (MASK_KIND, MASK_QUERIES, *parts, GUESS.control, *picked)


heading(
    "What does a mask do to a row of weights?",
    "Five tokens, written by hand. Choose a mask, or pick cells of your own.",
    CONTROLS,
)
setting, drawn = masked()
some, mask = report.vectors(setting.n_queries), setting.mask
folds(some, mask)
table(lambda: report.numbers(report.masked(setting)), name="masks")
snippet("masks", query=some.query.tolist(), mask=mask.tolist())
link_to_state(drawn)
sources(
    "Attention Is All You Need, arXiv:1706.03762, section 3.2.3: masking out by −∞.",
    *dict.fromkeys(f"{one.source}." for one in MASK_CONVENTIONS),
)
