"""What is to be swept: the controls of a setting of the reader's own, or a published preset."""

from collections.abc import Callable
from typing import Any

import streamlit as st
import sweep_report as report
import sweep_status
from components import Guess
from controls_see import ENGINE, PRESET, SEED, SWEEP_KEYS, SWEEP_QUERIES, SWEEP_WIDTHS, TRIALS
from demonstrations import Demonstration
from runs import Setting, fit, powers_of_two, published_setting
from streamlit.delta_generator import DeltaGenerator

FREE = (SWEEP_KEYS, SWEEP_QUERIES, TRIALS, SWEEP_WIDTHS, SEED, ENGINE)
GUESS = Guess(
    key="sweep_guess",
    question=(
        "Guess: among 4,096 keys, a raw row of width 1,024 gives its largest weight on average …"
    ),
    options=report.OPTIONS,
)
WIDTHS_IN_ROW = (110, 132, 130, 210, 110, 144)


def draw_free_controls(measured: Demonstration[..., Any], on_change: Callable[[], None]) -> None:
    """Draw the controls of a setting of the reader's own, in one row, beside what they decide."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for control, width in zip(FREE, WIDTHS_IN_ROW, strict=True):
            measured.draw(control, width=width, on_change=on_change)


def setting_of_controls() -> Setting:
    """Return the setting that the free controls stand for, or what of it fits."""
    keys, queries, trials, (low, high), seed, engine = (control.value for control in FREE)
    return fit(powers_of_two(low, high), keys, queries, trials, seed, engine)


def settled() -> bool:
    """Tell whether the controls stand where the chart shows what the guess asks for."""
    # First what most often says no: every change asks, and to fit a setting costs half a run.
    asked = PRESET.value == "free" and SWEEP_KEYS.value == report.GUESSED_KEYS
    return asked and report.settles(setting_of_controls())


def chosen(said: DeltaGenerator) -> Setting:
    """Return the setting that the controls stand for, and say what they do not show."""
    if PRESET.value != "free":
        setting = published_setting(PRESET.value)
        said.markdown(sweep_status.setting_in_words(setting))
        return setting
    setting = setting_of_controls()
    note = sweep_status.limited(TRIALS.value, ENGINE.value, setting)
    # Something is written in any case: room that is not used at first could not be used later.
    said.markdown(f":material/compress: {note}" if note else "")
    return setting
