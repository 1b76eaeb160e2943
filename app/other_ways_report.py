"""The other ways in words, charts and tables, and the measurement behind them.

Rules are measured and charts drawn once a setting, and played back to whoever comes to it later.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import formulas
import streamlit as st
import words
from charts.base import palette
from charts.gradients import norm
from charts.other_ways import PAIRS, describe_rules, rules_figure
from charts.rule_order import describe_order, order_figure
from charts.rule_styles import STYLES
from components import chart

from core.alternatives import Alternatives, RuleStatistics, alternatives
from core.intervals import Estimate

WIDTHS = (4, 16, 64, 256, 1024, 4096)
KEEPING = ("none", "sqrt_d_k", "d_k/8", "d_k", "softcap", "sink")
"""Rules that keep the order of the keys."""

MOST_SCORES = 2**17
"""Scores at each width: what a reader waits for while every rule works on them."""


class Setting(NamedTuple):
    """All that the measurement depends on."""

    n_keys: int
    n_rows: int
    gain: float
    cap: float
    after_scaling: bool
    seed: int


_MEASURING = ThreadPoolExecutor(max_workers=2)
"""However many readers ask for rows that nobody has measured, two threads work on them."""


@st.cache_resource(max_entries=200, show_spinner=False)
def measured(*, setting: Setting) -> Alternatives:
    """Measure every rule at a setting once for all readers."""
    return _MEASURING.submit(alternatives, WIDTHS, **setting._asdict()).result()


@st.cache_resource(max_entries=200, show_spinner=False)
def rules_chart(*, name: str, setting: Setting, shown: tuple[str, ...], dark: bool) -> None:
    """Draw one of the two figures of two panels."""
    found = measured(setting=setting)
    figure = rules_figure(palette(dark), PAIRS[name], found, shown)
    chart(figure, key=f"rules_{name}", alt=describe_rules(PAIRS[name], found, shown))


@st.cache_resource(max_entries=200, show_spinner=False)
def order_chart(*, setting: Setting, shown: tuple[str, ...], revealed: bool, dark: bool) -> None:
    """Draw how often a rule changes the leader."""
    found = measured(setting=setting)
    figure = order_figure(palette(dark), found, shown, revealed=revealed)
    chart(figure, key="rule_order", alt=describe_order(found, revealed=revealed))


def fit(n_keys: int, n_rows: int) -> tuple[int, str]:
    """Return the rows that fit, and a sentence where they are fewer than asked for."""
    most = MOST_SCORES // n_keys
    if n_rows <= most:
        return n_rows, ""
    return most, (
        f"{words.count(n_rows)} rows of {n_keys} keys are more than fits here; these are "
        f"{words.count(most)}."
    )


def sentences(found: Alternatives, shown: Sequence[str], *, revealed: bool) -> str:
    """Say of the rules shown what the panels show; the cosine's winners are for after the guess."""
    none, root, eighth, whole, cosine, cap, _ = found.rules.values()
    base = "s/√dₖ" if found.after_scaling else "s"
    beside = root if found.after_scaling else none
    g, c = words.short(found.gain), words.short(found.cap)
    said = {
        ("none",): f"**none**: the entropy goes from {_ends(none.entropy)} between width 4 and "
        "4,096.",
        ("sqrt_d_k",): f"**√dₖ**: the entropy goes from {_ends(root.entropy)} between width 4 and "
        "4,096.",
        ("d_k/8",): "**dₖ/8** agrees with √dₖ at width 64, "
        f"{words.nats(eighth.entropy.value[2])}. At 4,096 it leaves "
        f"{words.nats(eighth.entropy.value[-1])} of at most {words.nats(found.ceiling('d_k'))}: "
        "next to uniform.",
        ("d_k",): f"**dₖ** leaves {words.nats(whole.entropy.value[-1])} at 4,096, of at most "
        f"{words.nats(found.ceiling('d_k'))}: next to uniform.",
        (
            "sqrt_d_k",
            "d_k/8",
            "d_k",
        ): "Any divisor is a temperature. Sampling temperature is a free knob on a model's output "
        "scores; the divisor here is set by the head's width.",
        (
            "cosine",
        ): f"**cosine** is bounded, between −1 and 1, and so needs a gain: g = {g}. Its spread is "
        "about g/√dₖ: "
        f"{words.significant(cosine.logit_std.value[0])} at width 4, "
        f"{words.significant(cosine.logit_std.value[-1])} at 4,096. No fixed g suits every width, "
        "so g is learned.",
        (
            "softcap",
        ): f"**soft cap** bends {base} only where it nears c = {c}. At width 4 the entropy is "
        f"{words.nats(cap.entropy.value[0])}, uncapped {words.nats(beside.entropy.value[0])}; at "
        f"4,096 it is {words.nats(cap.entropy.value[-1])}, uncapped "
        f"{words.nats(beside.entropy.value[-1])}.",
        (
            "sink",
        ): f"**+1** is a sink: one more key with score 0 and nothing to give. The weights sum to "
        f"{_sum(found, 0)} at width 4, {_sum(found, -1)} at 4,096. Its entropy counts the sink, "
        f"with a ceiling of ln {found.n_keys + 1}. "
        "A sink lets a row give little. It does not narrow the spread of the scores.",
        tuple(found.rules): f"Gradients at width 1,024, by raw score: {_gradients(found, shown)}."
        + (" The cosine's holds the lengths fixed." if "cosine" in shown else ""),
        KEEPING: "Dividing, capping and the +1 keep the order of the keys."
        + (f" {_ties(cap)}" if "softcap" in shown else ""),
        ("cosine", "order"): "The cosine does not keep it: keys have different lengths. "
        + (
            f"Another key leads in {words.percent(cosine.changed.value[0])} of rows at width 4, "
            f"in {words.percent(cosine.changed.value[-1])} at 4,096, where lengths differ less."
            if revealed
            else "Guess above how often another key leads."
        ),
    }
    return "\n".join(f"- {line}" for of, line in said.items() if set(of) & set(shown))


def formula(found: Alternatives) -> str:
    """Write the rules with the reader's g and c."""
    s = r"\tfrac{s}{\sqrt{d_k}}" if found.after_scaling else "s"
    g, c = formulas.number(found.gain), formulas.number(found.cap)
    return formulas.aligned(
        r"z_j &= s_j,\quad \tfrac{s_j}{\sqrt{d_k}},\quad \tfrac{8 s_j}{d_k},\quad "
        r"\tfrac{s_j}{d_k}",
        rf"z_j &= {g}\cdot\tfrac{{q \cdot k_j}}{{\lVert q \rVert\,\lVert k_j \rVert}}"
        r"\quad\text{cosine}",
        rf"z_j &= {c}\,\tanh\left({s}\,/\,{c}\right)\quad\text{{soft cap}}",
        r"w_j &= \tfrac{e^{z_j}}{\sum_i e^{z_i}}",
        rf"w_j &= \tfrac{{e^{{z_j}}}}{{1+\sum_i e^{{z_i}}}},\quad z = {s}\quad\text{{+1}}",
    )


DERIVATION = (
    "**The draws.** Given the query, the part of a key along it is a standard normal z, so that "
    "s = ‖q‖z. All other directions add a chi-squared number with dₖ − 1 degrees of freedom to "
    "z²: that is ‖k‖². The cosine is z/‖k‖, of mean 0 and variance 1/dₖ. Every rule gets the same "
    "draws.\n\n"
    "**The order.** s/τ, c·tanh(s/c) and e^s/(1 + Σe^s) grow with s, so the order stays. The "
    "cosine divides every key by its own length. Lengths vary by about 1/√(2dₖ), and the gaps at "
    "the top stay the same: less and less often does that decide.\n\n"
    "**Rounding.** Far beyond c, c·tanh(s/c) is c − 2c·e^(−2s/c). Two scores there become one "
    "number once e^(−2s/c) falls below the format's precision: s ≈ 19c in float64, 9c in "
    "float32.\n\n"
    "**Gradients.** With z the rule's output, ∂w_i/∂s_j = w_i(δ_ij − w_j)·∂z_j/∂s_j: the slope is "
    "1/τ, g/(‖q‖‖k‖) or 1 − tanh²(s/c). For +1 the sink's weight is one of the w."
)
SOURCES = (
    "Henry, Dachapally, Pawar and Chen, “Query-Key Normalization for Transformers”, "
    "arXiv:2010.04245: cosine times g. g is learned and starts at log₂(L² − L) for sequences of L "
    "tokens: 9.95 for L = 32.",
    "Gemma Team, “Gemma 2: Improving Open Language Models at a Practical Size”, arXiv:2408.00118: "
    "attention scores are capped at c = 50, after scaling.",
    "Evan Miller, “Attention Is Off By One”, 2023, evanmiller.org/attention-is-off-by-one.html: "
    "the +1, after scaling.",
    "Xiao, Tian, Chen, Han and Lewis, “Efficient Streaming Language Models with Attention Sinks”, "
    "arXiv:2309.17453: trained models make a sink of their first tokens; a key of zeros, which is "
    "the +1, among the remedies tried.",
    "Yang et al., “Tensor Programs V”, arXiv:2203.03466: division by dₖ, up to a constant.",
)


def _ends(estimate: Estimate) -> str:
    first, last = (words.nats(estimate.value[i]) for i in (0, -1))
    return f"{first} to {last}"


def _sum(found: Alternatives, i: int) -> str:
    """Write what the keys' weights sum to, less than 1 however little the sink gets."""
    return words.soft_probability(1.0 - found.sink_weight.value[i])


def _ties(cap: RuleStatistics) -> str:
    """Say how often the cap's leaders become one number at width 4,096."""
    single, double = float(cap.tied_float32.value[-1]), float(cap.tied.value[-1])
    if not single + double:
        return (
            "A low cap can tie them by rounding; this one ties the leaders of none of the rows, "
            "so its lines below lie at 0."
        )
    return (
        "But the cap can tie them by rounding: at width 4,096 the leaders tie in "
        f"{share(single)} of the rows in float32, in {share(double)} of the rows in float64."
    )


def share(of_rows: float) -> str:
    """Write a share of rows, none and all in words."""
    return {0.0: "none", 1.0: "all"}.get(float(of_rows)) or words.percent(of_rows)


def _gradients(found: Alternatives, shown: Sequence[str]) -> str:
    at = WIDTHS.index(1024)
    return words.listing(
        f"{STYLES[name].name} {norm(float(of_rule.gradient.median[at]))}"
        for name, of_rule in found.rules.items()
        if name in shown
    )
