"""The numbers of the page of trained heads in words, charts and tables, computed once for all."""

import math
from dataclasses import dataclass, fields
from functools import lru_cache

import streamlit as st
import words
from charts.base import palette
from charts.heads import head_grid, score_distribution, token_map
from components import Guess, chart
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
SOURCES = (
    "all-MiniLM-L6-v2 (Apache-2.0): 6 layers of 12 heads, dₖ = 32; "
    "assets/trained_heads.md says how the numbers were made.",
    "Attention Is All You Need, arXiv:1706.03762, section 3.2.1.",
)


@dataclass(frozen=True)
class Place:
    """One head reading one sentence."""

    sentence: int
    layer: int
    head: int

    @property
    def name(self) -> str:
        """The head as a sentence begins with it."""
        return f"Layer {self.layer} head {self.head}"


@st.cache_resource(max_entries=8, show_spinner=False)
def measured(*, sentence: int) -> tuple[TrainedHeads, HeadStatistics]:
    """Load a sentence's heads and measure all 72."""
    heads = trained_heads(sentence)
    return heads, head_statistics(heads.query, heads.key)


@lru_cache(maxsize=512)
def divided(place: Place, divisor: float | None) -> DividedHead:
    """Divide a head's scores, by √dₖ if no divisor is given."""
    heads, _ = measured(sentence=place.sentence)
    at = place.layer, place.head
    return divide_head(heads.query[at], heads.key[at], divisor=divisor)


def play(statistics: HeadStatistics) -> bool:
    """Ask the guess of the sentence that these statistics are of; tell whether it is answered."""
    above = statistics.above_random
    return GUESS.play(
        "most" if above > 48 else "about half" if above > 16 else "about none",
        f"{above} of 72: median {words.significant(statistics.median_score_std)}, "
        f"least {words.significant(statistics.score_std.min())}, against "
        f"√32 = {math.sqrt(32):.2f}.",
    )


@st.cache_resource(max_entries=300, show_spinner=False)
def grid_chart(*, sentence: int, layer: int, head: int, statistic: str, dark: bool) -> None:
    """Draw one number of all 72 heads, the picked one framed."""
    shown = SHOWN[statistic]
    values = getattr(measured(sentence=sentence)[1], shown.field)
    chart(
        head_grid(values, (layer, head), palette(dark), title=shown.title, span=shown.span),
        key="head_grid",
        alt=(
            f"{shown.title} of 72 heads: from {words.significant(values.min())} to "
            f"{words.significant(values.max())}; layer {layer} head {head}: "
            f"{words.significant(values[layer, head])}."
        ),
    )


@st.cache_resource(max_entries=300, show_spinner=False)
def scores_chart(*, sentence: int, layer: int, head: int, dark: bool) -> None:
    """Draw a head's raw scores beside the random model."""
    scores = divided(Place(sentence, layer, head), 1.0).scores
    chart(
        score_distribution(score_histogram(scores, 32), 32, palette(dark)),
        key="head_scores",
        alt=(
            f"Raw scores of layer {layer} head {head}: standard deviation "
            f"{words.significant(scores.std())}; the random model has 5.66."
        ),
    )


@st.cache_resource(max_entries=300, show_spinner=False)
def raw_map(*, sentence: int, layer: int, head: int, dark: bool) -> None:
    """Draw a head's weights, undivided."""
    colour = palette(dark).raw
    _map(Place(sentence, layer, head), 1.0, "Raw weights", colour, dark, key="head_map_raw")


@st.cache_resource(max_entries=300, show_spinner=False)
def divided_map(*, sentence: int, layer: int, head: int, divisor: float, dark: bool) -> None:
    """Draw a head's weights under the reader's divisor."""
    title, colour = f"Weights at ÷ {words.short(divisor)}", palette(dark).scaled
    _map(Place(sentence, layer, head), divisor, title, colour, dark, key="head_map_scores")


def _map(place: Place, divisor: float, title: str, colour: str, dark: bool, *, key: str) -> None:
    heads, _ = measured(sentence=place.sentence)
    part = divided(place, divisor)
    least, most = (words.soft_probability(w) for w in (part.weights.min(), part.weights.max()))
    span = f"{least} to {most}"
    chart(
        token_map(
            part.weights,
            heads.tokens,
            palette(dark),
            title=f"{title}: {span}",
            colour=colour,
        ),
        key=key,
        alt=(
            f"{title} of {place.name} over {len(heads.tokens)} tokens: {span}; mean largest "
            f"weight {words.soft_probability(part.max_weight.mean())}."
        ),
    )


def _passing(head: DividedHead) -> str:
    """Count the rows that one key all but fills."""
    rows = len(head.max_weight)
    passing = round(rows * float(head.saturated_share))
    verb = "has" if passing < 2 else "have"
    return f"{passing or 'none'} of its {rows} rows {verb} a weight above 0.9"


@lru_cache(maxsize=512)
def sentences(place: Place, divisor: float) -> str:
    """Say what is seen of one head."""
    raw, scaled, yours = (divided(place, tau) for tau in (1.0, None, divisor))
    root = scaled.divisor
    spread = float(raw.scores.std())
    wide = "wider than" if spread > root else "narrower than"
    passing = _passing(scaled)
    saturated = (
        f"It stays saturated even when scaled: {passing}."
        if scaled.saturated_share > 0.5
        else f"Scaled, {passing}."
    )
    other = (
        ""
        if words.short(divisor) in {words.short(raw.divisor), words.short(root)}
        else f" Divided by {words.short(divisor)} instead, it is "
        f"{words.nats(yours.entropy.mean())}, and the mean largest weight "
        f"{words.soft_probability(yours.max_weight.mean())}."
    )
    return (
        f"- {place.name} spreads its raw scores by {words.significant(spread)}: {wide} the random "
        f"model's √dₖ = {words.significant(root)}.\n"
        f"- Mean largest weight: {words.soft_probability(raw.max_weight.mean())} raw, "
        f"{words.soft_probability(scaled.max_weight.mean())} scaled. {saturated}\n"
        f"- Mean entropy: {words.nats(raw.entropy.mean())} raw, "
        f"{words.nats(scaled.entropy.mean())} scaled.{other}\n"
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
