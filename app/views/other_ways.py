"""Other ways to tame scores: seven rules on the same random rows, side by side."""

import other_ways_report as report
import other_ways_table
import streamlit as st
import words
from charts.other_ways import PAIRS
from components import (
    Guess,
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
from controls_limits import ACTS_ON, CAP, GAIN, OTHER_KEYS, OTHER_ROWS, OTHER_SEED, SHOWN_RULES
from demonstrations import demonstration

from core.alternatives import Alternatives

FREE = (OTHER_KEYS, OTHER_ROWS, GAIN, CAP, ACTS_ON, OTHER_SEED)
ASKED = report.measured(setting=report.Setting(32, 1000, 10.0, 50.0, False, 1))
CHANGED = float(ASKED.rules["cosine"].changed.value[0])
OPTIONS = {"none of the rows": 0.0, "one in ten": 0.1, "one in three": 1 / 3, "most rows": 0.65}
GUESS = Guess(
    key="other_guess",
    question=(
        "Cosine similarity ignores how long a key is. Guess: at width 4, with 32 keys, another "
        "key than the raw winner leads in …"
    ),
    options=tuple(OPTIONS),
)
CONTROLS = (*FREE, SHOWN_RULES, GUESS.control)
TRIES: dict[str, dict[str, object]] = {
    "A low cap: c = 5": {CAP.key: 5.0},
    "A high gain: g = 64": {GAIN.key: 64.0},
    "Cap and +1 as published": {ACTS_ON.key: "s/√dₖ"},
    "Two keys and a sink": {OTHER_KEYS.key: 2, ACTS_ON.key: "s/√dₖ"},
    "Divisors only": {SHOWN_RULES.key: ["none", "sqrt_d_k", "d_k/8", "d_k"]},
}


def attempt(values: dict[str, object]) -> None:
    """Put the controls to one of the settings worth trying."""
    for control in (*FREE, SHOWN_RULES):
        st.session_state[control.key] = values.get(control.key, control.default)


@demonstration
def tamed() -> tuple[report.Setting, Alternatives, tuple[str, ...]]:
    """Show the rules for their controls; return the setting, what came of it, and which show."""
    with stage():
        with controls_row():
            n_keys = OTHER_KEYS.draw(width=90)
            asked = OTHER_ROWS.draw(width=130)
            gain = GAIN.draw(width=125)
            cap = CAP.draw(width=125)
            after_scaling = ACTS_ON.draw() == "s/√dₖ"
            seed = OTHER_SEED.draw(width=115)
            shown = tuple(SHOWN_RULES.draw(wrap=True))
            reset_button(CONTROLS)
        revealed = GUESS.play(
            min(OPTIONS, key=lambda option: abs(OPTIONS[option] - CHANGED)),
            f"In {words.percent(CHANGED)}. Longer vectors even out: at width 4,096 it is "
            f"{words.percent(ASKED.rules['cosine'].changed.value[-1])}.",
        )
        n_rows, limited = report.fit(n_keys, asked)
        setting = report.Setting(n_keys, n_rows, gain, cap, after_scaling, seed)
        dark = st.context.theme.type == "dark"
        with side_by_side():
            for name in PAIRS:
                report.rules_chart(name=name, setting=setting, shown=shown, dark=dark)
    found = report.measured(setting=setting)
    what_you_see(
        report.sentences(found, shown, revealed=revealed),
        report.formula(found),
        caption=f"{limited} {words.count(found.n_rows)} rows of {n_keys} keys at each width, "
        "the same for every rule, with 95 % intervals. Gradients are by the raw scores s; below "
        "10⁻⁶ they are drawn at 10⁻⁶.".strip(),
    )
    if "softcap" in shown or ("cosine" in shown and revealed):
        report.order_chart(setting=setting, shown=shown, revealed=revealed, dark=dark)
    return setting, found, shown


heading(
    "Are there other ways to tame scores?",
    "Seven rules get the same random rows. Change one and see what softmax makes of it.",
    CONTROLS,
)
setting, found, shown = tamed()
with fold("Derivation", "function") as folded:
    if folded.open:
        st.markdown(report.DERIVATION)
table(lambda: other_ways_table.table(found, shown), name="other-ways", note=other_ways_table.NOTE)
snippet(
    "other_ways",
    n_keys=setting.n_keys,
    n_rows=setting.n_rows,
    g=setting.gain,
    c=setting.cap,
    after_scaling=setting.after_scaling,
    seed=setting.seed,
)
link_to_state(CONTROLS)
sources(*report.SOURCES)
st.header("What to try next", anchor=False)
with st.container(horizontal=True, vertical_alignment="center"):
    for label, values in TRIES.items():
        st.button(label, on_click=attempt, args=(values,))
    st.page_link("views/gradients.py", label="Where gradients go")
    st.page_link("views/assumptions.py", label="Why not dₖ? A key that leans")
