"""Trained heads: 72 of them, measured by the same numbers as the random model."""

import math
from dataclasses import dataclass, fields

import streamlit as st
import words
from charts.heads import head_grid, score_distribution, token_map
from components import (
    Guess,
    chart,
    colours,
    controls_row,
    demonstration,
    heading,
    link_to_state,
    reset_button,
    snippet,
    sources,
    stage,
    table,
    what_you_see,
)
from controls import HEAD, HEAD_DIVISOR, HEAD_STATISTIC, LAYER, SENTENCE
from frames import Frame, frame

from core.heads import DividedHead, HeadStatistics, divide_head, head_statistics
from core.histogram import score_histogram
from core.trained import TrainedHeads, trained_heads


@dataclass(frozen=True)
class Shown:
    """What the grid may be coloured by: its field in core's statistics and its fixed range."""

    field: str
    title: str
    span: tuple[float, float]


SHOWN = {
    "spread": Shown("score_std_ratio", "Score std ÷ √dₖ (random model: 1)", (0, 4)),
    "entropy scaled": Shown("normalized_entropy_scaled", "Normalized entropy, scaled", (0, 1)),
    "entropy raw": Shown("normalized_entropy_raw", "Normalized entropy, raw", (0, 1)),
    "largest weight": Shown("max_weight_scaled", "Mean largest weight, scaled", (0, 1)),
}
GUESS = Guess(
    key="heads_guess",
    question="Guess: how many of the 72 heads spread their raw scores wider than √dₖ?",
    options=("about none", "about half", "most"),
)
CONTROLS = (SENTENCE, LAYER, HEAD, HEAD_STATISTIC, HEAD_DIVISOR, GUESS.control)


@st.cache_resource(max_entries=8, show_spinner=False)
def measured(sentence: int) -> tuple[TrainedHeads, HeadStatistics]:
    """Load a sentence's heads and measure all 72, once for everyone."""
    heads = trained_heads(sentence)
    return heads, head_statistics(heads.query, heads.key)


def sentences(name: str, raw: DividedHead, scaled: DividedHead, yours: DividedHead) -> str:
    """Say what is seen of one head."""
    root = scaled.divisor
    spread = float(raw.scores.std())
    wide = "wider than" if spread > root else "narrower than"
    saturated = (
        "It stays saturated even when scaled."
        if scaled.saturated_share > 0.5
        else "Scaled, most of its rows choose between several keys."
    )
    return (
        f"- {name} spreads its raw scores by {words.significant(spread)}: {wide} the random "
        f"model's √dₖ = {words.significant(root)}.\n"
        f"- Mean largest weight: {words.soft_probability(raw.max_weight.mean())} raw, "
        f"{words.soft_probability(scaled.max_weight.mean())} scaled. {saturated}\n"
        f"- Divided by {words.short(yours.divisor)} instead, it is "
        f"{words.soft_probability(yours.max_weight.mean())}, and the mean entropy "
        f"{words.nats(yours.entropy.mean())}.\n"
        "- Scores of exactly unit variance are a property of the random model, "
        "not of trained heads. Layer norm before the projections does not change that.\n"
        "- Low entropy is no merit in itself: it describes spread, not accuracy."
    )


def numbers(statistics: HeadStatistics) -> tuple[Frame, Frame]:
    """Tabulate every head: what is printed, and everything in full."""
    layers, n_heads = statistics.score_std.shape
    places = [(layer, head) for layer in range(layers) for head in range(n_heads)]
    printed = {
        "std": statistics.score_std,
        "÷ √dₖ": statistics.score_std_ratio,
        "H / ln n, scaled": statistics.normalized_entropy_scaled,
        "top weight, scaled": statistics.max_weight_scaled,
    }
    full = {field.name: getattr(statistics, field.name) for field in fields(statistics)}
    return (
        frame(
            {"layer, head": [f"{layer}, {head}" for layer, head in places]}
            | {name: [words.fixed(x[at], 3) for at in places] for name, x in printed.items()}
        ),
        frame(
            {"layer": [layer for layer, _ in places], "head": [head for _, head in places]}
            | {name: [float(x[at]) for at in places] for name, x in full.items()}
        ),
    )


@demonstration
def read() -> tuple[HeadStatistics, int, int, int, float]:
    """Show all heads and one of them; return their statistics and the controls."""
    with stage():
        with controls_row():
            sentence = SENTENCE.draw(width=180)
            statistic = HEAD_STATISTIC.draw(width=170)
            layer = LAYER.draw(width=100)
            head = HEAD.draw(width=100)
            divisor = HEAD_DIVISOR.draw(width=150)
            reset_button(CONTROLS)
        heads, statistics = measured(sentence)
        query, key = heads.query[layer, head], heads.key[layer, head]
        raw, scaled = divide_head(query, key, divisor=1.0), divide_head(query, key)
        yours = divide_head(query, key, divisor=divisor)
        above = statistics.above_random
        GUESS.play(
            "most" if above > 48 else "about half" if above > 16 else "about none",
            f"{above} of 72: median {words.significant(statistics.median_score_std)}, "
            f"least {words.significant(statistics.score_std.min())}, against "
            f"√32 = {math.sqrt(32):.2f}.",
        )
        palette, shown = colours(), SHOWN[statistic]
        values = getattr(statistics, shown.field)
        left, right = st.columns(2)
        with left:
            chart(
                head_grid(values, (layer, head), palette, title=shown.title, span=shown.span),
                key="head_grid",
                alt=(
                    f"{shown.title} of 72 heads: from {words.significant(values.min())} to "
                    f"{words.significant(values.max())}; layer {layer} head {head}: "
                    f"{words.significant(values[layer, head])}."
                ),
            )
        with right:
            chart(
                score_distribution(score_histogram(raw.scores, 32), 32, palette),
                key="head_scores",
                alt=(
                    f"Raw scores of layer {layer} head {head}: standard deviation "
                    f"{words.significant(raw.scores.std())}; the random model has 5.66."
                ),
            )
    name = f"Layer {layer} head {head}"
    what_you_see(
        f"The sentence: “{heads.sentence}”",
        title=f"{name}: raw, and over {words.short(divisor)}",
    )
    for column, part, title, colour in zip(
        st.columns(2),
        (raw, yours),
        ("Raw weights", f"Scores ÷ {words.short(divisor)}"),
        (palette.raw, palette.scaled),
        strict=True,
    ):
        with column:
            chart(
                token_map(part.weights, heads.tokens, palette, title=title, colour=colour),
                key=f"head_map_{title.split()[0].lower()}",
                alt=(
                    f"{title} of {name} over {len(heads.tokens)} tokens; mean largest weight "
                    f"{words.soft_probability(part.max_weight.mean())}."
                ),
            )
    st.markdown(sentences(name, raw, scaled, yours))
    return statistics, sentence, layer, head, divisor


heading(
    "Do trained heads obey the random model?",
    "72 heads of a small encoder read a plain sentence. Pick one and change its divisor.",
    CONTROLS,
)
statistics, sentence, layer, head, divisor = read()
table(lambda: numbers(statistics), name="trained-heads", label="All 72 heads as a table")
snippet("heads", sentence=sentence, layer=layer, head=head, divisor=divisor)
link_to_state(CONTROLS)
sources(
    "all-MiniLM-L6-v2 (Apache-2.0): 6 layers of 12 heads, dₖ = 32; "
    "assets/trained_heads.md says how the numbers were made.",
    "Attention Is All You Need, arXiv:1706.03762, section 3.2.1.",
)
