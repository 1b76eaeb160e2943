"""What the sweep page shows of a finished sweep, kept by setting and played back.

Drawing a figure and formatting a table take longer than all else on the page. Every session that
comes to the same setting is sent the same elements, so Streamlit's cache records them once and
replays them; nothing in here is a control.
"""

import streamlit as st
import sweep_report as report
import sweep_tables as tables
from charts.base import palette
from charts.sweep import describe, sweep_figure
from charts.sweep_paper import PAIRS, Frame
from components import chart, what_you_see
from runs import Setting, exact_curves

from core.expectation import Expectation, expected
from core.published import agreement
from core.sweep_result import Sweep

KEPT = 64
"""Settings whose elements are kept; those of one take some hundred kilobytes."""


@st.cache_resource(max_entries=4 * KEPT, show_spinner=False)
def pair(
    name: str, label: str, measured: int, dark: bool, _setting: Setting, _sweep: Sweep | None
) -> None:
    """Draw one of the two figures; ``label`` names the setting, ``measured`` counts its widths."""
    panels, widths = PAIRS[name], _setting.widths
    frame = Frame(widths, _setting.n_keys, _setting.mean_removed)
    curves = exact_curves(widths[0], widths[-1], _setting.n_keys)
    figure = sweep_figure(panels, frame, palette(dark), curves=curves, sweep=_sweep)
    chart(figure, key=f"sweep_{name}", alt=describe(panels, _sweep))


@st.cache_resource(max_entries=KEPT, show_spinner=False)
def findings(label: str, _sweep: Sweep) -> None:
    """Say what the points show."""
    curves = exact(_sweep)
    lines = report.sentences(_sweep, curves)
    what_you_see(
        "\n".join(f"- {line}" for line in lines),
        report.formula(_sweep, curves),
        caption=report.LEGEND,
    )


@st.cache_resource(max_entries=2, show_spinner=False)
def comparison(name: str, _sweep: Sweep) -> None:
    """Compare this machine's run with the published table, value by value."""
    rows = agreement(name, _sweep)
    st.header("Published against this machine", anchor=False)
    st.markdown(tables.verdict(rows))
    st.table(tables.agreement_table(rows), hide_index=True, border="horizontal")
    st.markdown(report.AGREEMENT_NOTE)


def exact(sweep: Sweep) -> tuple[Expectation, Expectation]:
    """Return the exact expectations at a sweep's widths, raw and scaled."""
    return (
        expected(sweep.widths, n_keys=sweep.n_keys, scaled=False),
        expected(sweep.widths, n_keys=sweep.n_keys, scaled=True),
    )
