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
from controls_break import MASK_KIND, MASK_LENGTH, MASK_POLICY, MASK_QUERIES, MASK_ROWS, MASK_WINDOW
from demonstrations import demonstration
from masks_folds import folds

from core.mask_policies import MASK_CONVENTIONS

GUESS = Guess(
    key="masks_guess",
    question="Guess: every key is blocked with −∞. Plain softmax gives that query …",
    options=tuple(report.OUTCOMES.values()),
)
ALWAYS: tuple[Control, ...] = (
    MASK_KIND,
    MASK_QUERIES,
    MASK_LENGTH,
    MASK_WINDOW,
    MASK_POLICY,
    GUESS.control,
)
CONTROLS = (*ALWAYS, *MASK_ROWS)


@demonstration
def masked() -> tuple[report.Setting, Sequence[Control]]:
    """Show the maps for the controls; return their setting and the controls in use."""
    dark = st.context.theme.type == "dark"
    with stage():
        with controls_row():
            kind = MASK_KIND.draw(width=190)
            n_queries = MASK_QUERIES.draw(width=110)
            length = MASK_LENGTH.draw(width=110)
            window = MASK_WINDOW.draw(width=110)
            policy = MASK_POLICY.draw(width=150)
            picked = MASK_ROWS[:n_queries] if kind == "custom" else ()
            rows = tuple(tuple(control.draw(wrap=True)) for control in picked)
            reset_button(CONTROLS)
        GUESS.play(
            report.plain_outcome(),
            "The maximum is −∞, and −∞ − (−∞) is not a number. "
            "Set the real keys of a padding mask to 0.",
        )
        setting = report.Setting(kind, n_queries, length, window, policy, rows)
        with side_by_side():
            for name in ("raw", "scaled"):
                report.map_chart(name=name, setting=setting, dark=dark)
    what_you_see(report.sentences(setting))
    return setting, (*ALWAYS, *picked)


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
