"""When the assumptions fail: a key that leans towards the query, and components of another law."""

from typing import Any

import assumptions_report as report
import streamlit as st
import words
from charts.assumptions import (
    DIVISORS,
    describe_components,
    describe_planted,
    entropy_figure,
    planted_figure,
    spread_figure,
)
from components import (
    Guess,
    chart,
    colours,
    controls_row,
    demonstration,
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
from controls import (
    COMPONENT_CORRELATION,
    COMPONENT_MEAN,
    COMPONENT_STD,
    PLANTED_KEYS,
    PLANTED_RHO,
    PLANTED_SEED,
)

from core.assumptions import Components

OPTIONS = {"0.99 too": 0.99, "about 0.5": 0.5, "about 0.15": 0.15, "about 0.02": 0.02}
ASKED = report.planted(0.3, 64, 1).weights
BY_ROOT, BY_WIDTH = (float(ASKED[name][report.AT[1024]]) for name in ("sqrt_d_k", "d_k"))
GUESS = Guess(
    key="assumptions_guess",
    question=(
        "One of 64 keys leans by ρ = 0.3. At width 1,024, √dₖ gives it "
        f"{words.soft_probability(BY_ROOT, places=2)}. Guess: divided by dₖ, it gets …"
    ),
    options=tuple(OPTIONS),
)
FREE = (
    PLANTED_RHO,
    PLANTED_KEYS,
    PLANTED_SEED,
    COMPONENT_MEAN,
    COMPONENT_STD,
    COMPONENT_CORRELATION,
)
CONTROLS = (*FREE, GUESS.control)
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
def leaning() -> tuple[float, int, int, report.Planted, Components, report.Scores]:
    """Show both parts for their controls; return these and what they gave."""
    with stage():
        with controls_row():
            rho = PLANTED_RHO.draw(width=150)
            n_keys = PLANTED_KEYS.draw(width=110)
            seed = PLANTED_SEED.draw(width=130)
            reset_button(CONTROLS)
        revealed = GUESS.play(
            min(OPTIONS, key=lambda option: abs(OPTIONS[option] - BY_WIDTH)),
            f"It gets {words.soft_probability(BY_WIDTH)}, and about that at every width.",
        )
        planted = report.planted(rho, n_keys, seed)
        shown = tuple(name for name in DIVISORS if revealed or name != "d_k")
        weights = {name: planted.weights[name] for name in shown}
        figure = planted_figure(
            colours(), report.WIDTHS, weights, planted.lead, planted.sample, n_keys=n_keys
        )
        chart(figure, key="planted", alt=describe_planted(report.WIDTHS, weights, planted.lead))
    what_you_see(
        "\n".join(f"- {line}" for line in report.planted_sentences(planted, rho, shown)),
        report.planted_formula(rho),
        caption=f"Lines are exact; points are {words.count(report.ROWS)} sampled rows each, "
        "with 95 % intervals. The dotted line is how often the planted key has the largest score.",
    )
    st.header("And if components have a mean, another spread, or correlate?", anchor=False)
    with st.container(key="component_controls", horizontal=True, vertical_alignment="bottom"):
        components = Components(
            mean=COMPONENT_MEAN.draw(width=150),
            std=COMPONENT_STD.draw(width=190),
            correlation=COMPONENT_CORRELATION.draw(width=150),
        )
    scores = report.scores(components, n_keys, seed)
    assumed = report.scores(Components(), n_keys, seed)
    left, right = st.columns(2)
    described = describe_components(report.WIDTHS, scores.spread, scores.raw, scores.scaled)
    with left:
        figure = spread_figure(colours(), report.WIDTHS, scores.spread, scores.sample)
        chart(figure, key="component_spread", alt=described[0])
    with right:
        figure = entropy_figure(
            colours(),
            report.WIDTHS,
            {"raw": scores.raw, "scaled": scores.scaled, "assumed": assumed.scaled},
            scores.sample,
            n_keys=n_keys,
        )
        chart(figure, key="component_entropy", alt=described[1])
    lines = "\n".join(f"- {s}" for s in report.score_sentences(scores, assumed, components))
    st.markdown(f"{lines}\n\n$$\n{report.score_formula(scores, components)}\n$$")
    return rho, n_keys, seed, planted, components, scores


heading(
    "What if queries and keys are not independent?",
    "One key leans towards the query. Change how much, and see which divisor lets softmax find it.",
    CONTROLS,
)
rho, n_keys, seed, planted, components, scores = leaning()
with fold("Derivation", "function") as folded:
    if folded.open:
        st.markdown(report.DERIVATION)
table(
    lambda: (
        report.planted_table(planted),
        report.planted_file(planted, rho=rho, n_keys=n_keys, seed=seed),
    ),
    name="planted-key",
    label="The planted key as a table",
    note="Mean weight of the planted key by divisor, and the share of rows in which it leads.",
)
table(
    lambda: (
        report.score_table(scores),
        report.score_file(
            scores,
            mu=components.mean,
            s=components.std,
            r=components.correlation,
            n_keys=n_keys,
            seed=seed,
        ),
    ),
    name="components",
    label="The scores as a table",
    note="Standard deviations of the scaled scores, and mean entropies of the rows in nats.",
)
snippet(
    "assumptions",
    rho=rho,
    n_keys=n_keys,
    seed=seed,
    mu=components.mean,
    s=components.std,
    r=components.correlation,
)
link_to_state(CONTROLS)
sources(*report.SOURCES)
st.header("What to try next", anchor=False)
with st.container(horizontal=True, vertical_alignment="center"):
    for label, values in TRIES.items():
        st.button(label, on_click=attempt, args=(values,))
    st.page_link("views/more_keys.py", label="More keys")
