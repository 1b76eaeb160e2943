"""When the assumptions fail: a key that leans towards the query, and components of another law."""

from typing import Any

import assumptions_report as report
import assumptions_words as told
import streamlit as st
from components import (
    controls_row,
    fold,
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
from controls_limits import (
    COMPONENT_CORRELATION,
    COMPONENT_MEAN,
    COMPONENT_STD,
    PLANTED_KEYS,
    PLANTED_RHO,
    PLANTED_SEED,
)
from demonstrations import demonstration
from streamlit.delta_generator import DeltaGenerator

from core.assumptions import Components

FREE = (
    PLANTED_RHO,
    PLANTED_KEYS,
    PLANTED_SEED,
    COMPONENT_MEAN,
    COMPONENT_STD,
    COMPONENT_CORRELATION,
)
CONTROLS = (*FREE, told.GUESS.control)
TRIES: dict[str, dict[str, Any]] = {
    "No lean: ρ = 0": {"planted_rho": 0.0},
    "A copy of the query: ρ = 1": {"planted_rho": 1.0},
    "As assumed: μ = 0, s = 1, r = 0": {"component_mean": 0.0},
    "Correlated: r = 0.1": {"component_mean": 0.0, "component_correlation": 0.1},
}


def attempt(values: dict[str, Any]) -> None:
    """Put the controls to one of the settings worth trying."""
    for control in FREE:
        st.session_state[control.key] = values.get(control.key, control.default)


@demonstration
def leaning(figure: DeltaGenerator, *, revealed: bool) -> None:
    """Show what a key gets that leans towards the query."""
    rho, n_keys, seed = PLANTED_RHO.value, PLANTED_KEYS.value, PLANTED_SEED.value
    dark = st.context.theme.type == "dark"
    with figure:
        report.planted_chart(rho=rho, n_keys=n_keys, seed=seed, revealed=revealed, dark=dark)
    found = report.planted(rho=rho, n_keys=n_keys, seed=seed)
    lines = told.planted_sentences(found, rho, report.shown(revealed))
    what_you_see(
        "\n".join(f"- {line}" for line in lines), told.planted_formula(rho), caption=told.CAPTION
    )


@demonstration
def shaped() -> None:
    """Show the scores of components with a mean, another spread, or a correlation."""
    rows = {"n_keys": PLANTED_KEYS.value, "seed": PLANTED_SEED.value}
    components = Components(COMPONENT_MEAN.value, COMPONENT_STD.value, COMPONENT_CORRELATION.value)
    with side_by_side():
        report.score_charts(components=components, **rows, dark=st.context.theme.type == "dark")
    found, assumed = (report.scores(components=c, **rows) for c in (components, Components()))
    lines = "\n".join(f"- {line}" for line in told.score_sentences(found, assumed, components))
    st.markdown(f"{lines}\n\n$$\n{told.score_formula(found, components)}\n$$")


heading(
    "What if queries and keys are not independent?",
    "One key leans towards the query. Change how much, and see which divisor lets softmax find it.",
    CONTROLS,
)
with stage():
    with controls_row():
        rho = leaning.draw(PLANTED_RHO, width=150)
        n_keys = leaning.draw(PLANTED_KEYS, shaped, width=110)
        seed = leaning.draw(PLANTED_SEED, shaped, width=130)
        reset_button(CONTROLS)
    revealed = told.GUESS.play(told.RIGHT, told.ANSWER)
    figure = st.container()
leaning(figure, revealed=revealed)
st.header("And if components have a mean, another spread, or correlate?", anchor=False)
with st.container(key="component_controls", horizontal=True, vertical_alignment="bottom"):
    mu = shaped.draw(COMPONENT_MEAN, width=150)
    s = shaped.draw(COMPONENT_STD, width=190)
    r = shaped.draw(COMPONENT_CORRELATION, width=150)
shaped()
with fold("Derivation", "function") as folded:
    if folded.open:
        st.markdown(told.DERIVATION)
table(
    lambda: report.planted_tables(rho=rho, n_keys=n_keys, seed=seed),
    name="planted-key",
    label="The planted key as a table",
    note="Mean weight of the planted key by divisor, and the share of rows in which it leads.",
)
table(
    lambda: report.score_tables(mu=mu, s=s, r=r, n_keys=n_keys, seed=seed),
    name="components",
    label="The scores as a table",
    note="Standard deviations of the scaled scores, and mean entropies of the rows in nats.",
)
snippet("assumptions", rho=rho, n_keys=n_keys, seed=seed, mu=mu, s=s, r=r)
link_to_state(CONTROLS)
sources(*told.SOURCES)
st.header("What to try next", anchor=False)
with st.container(horizontal=True, vertical_alignment="center"):
    for label, values in TRIES.items():
        st.button(label, on_click=attempt, args=(values,))
    st.page_link("views/more_keys.py", label="More keys")
