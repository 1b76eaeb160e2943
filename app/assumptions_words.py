"""What the assumptions page says: guess, sentences, formulas and sources, with core's numbers."""

from __future__ import annotations

from collections.abc import Sequence

import formulas
import words
from assumptions_report import AT, MEASURED, ROWS, Planted, Scores, planted
from charts.assumptions import DIVISORS
from components import Guess

from core.assumptions import Components, FloatArray
from core.intervals import Estimate
from core.planted import planted_moments

OPTIONS = {"0.99 too": 0.99, "about 0.5": 0.5, "about 0.15": 0.15, "about 0.02": 0.02}
ASKED = planted(rho=0.3, n_keys=64, seed=1).weights
BY_ROOT, BY_WIDTH = (float(ASKED[name][AT[1024]]) for name in ("sqrt_d_k", "d_k"))
GUESS = Guess(
    key="assumptions_guess",
    question=(
        "One of 64 keys leans by ρ = 0.3. At width 1,024, √dₖ gives it "
        f"{words.soft_probability(BY_ROOT, places=2)}. Guess: divided by dₖ, it gets …"
    ),
    options=tuple(OPTIONS),
)
RIGHT = min(OPTIONS, key=lambda option: abs(OPTIONS[option] - BY_WIDTH))
ANSWER = f"It gets {words.soft_probability(BY_WIDTH)}, and about that at every width."
CAPTION = (
    f"Lines are exact; points are {words.count(ROWS)} sampled rows each, with 95 % intervals. "
    "The dotted line “leads the row” is how often the planted key has the largest score, the one "
    "at 1 over the number of keys what even weights would give it."
)


def planted_sentences(found: Planted, rho: float, shown: Sequence[str]) -> list[str]:
    """Say what the headline chart shows at width 1,024."""
    at, moments = AT[1024], planted_moments(1024, rho=rho)
    weights = words.listing(
        f"{words.soft_probability(found.weights[name][at])} with {DIVISORS[name].label}"
        for name in shown
    )
    entropy = max(float(found.sample.entropy["sqrt_d_k"].value[MEASURED.index(1024)]), 1e-300)
    return [
        f"At width 1,024 the planted key gets {weights}. It has the largest score in "
        f"{words.soft_percent(found.lead[at])} of rows, whatever the divisor: dividing never "
        "changes the order.",
        f"Its mean score is ρdₖ = {words.significant(moments.mean)} there. The other keys' scores "
        "have mean 0 and standard deviation √dₖ = 32.",
        "Softmax sees spread. The spread of that noise is √dₖ, its variance dₖ: hence a square "
        "root.",
        f"Divided by √dₖ the noise keeps a spread of 1, and the mean is ρ√dₖ = "
        f"{words.significant(moments.scaled_mean)}. Divided by dₖ the noise fades and the mean "
        f"stays at ρ = {words.short(rho)}.",
        f"√dₖ does not make weights uniform. The sampled rows keep {words.nats(entropy)} of "
        f"entropy, of at most {words.nats(found.sample.ceiling)}.",
        "Here one key leans, and the others are noise that must keep a spread of 1. Where training "
        "aligns queries with keys in general, all scores grow like dₖ, and dividing by dₖ keeps "
        "them in range. That is μP's choice; dₖ/8 agrees with √dₖ at width 64.",
    ]


def planted_formula(rho: float) -> str:
    """Write the planted key's moments with the reader's numbers."""
    moments = planted_moments(1024, rho=rho)
    return formulas.aligned(
        r"k^* &= \rho\,q + \sqrt{1-\rho^2}\;e",
        r"E[q \cdot k^*] &= \rho\,d_k = "
        + rf"{formulas.number(rho)} \cdot 1024 = {_number(moments.mean)}",
        rf"\operatorname{{std}}(q \cdot k^*) &= \sqrt{{d_k(1+\rho^2)}} = {_number(moments.std)}",
    )


def score_sentences(found: Scores, assumed: Scores, components: Components) -> list[str]:
    """Say what the two lower charts show at width 64."""
    at, sampled = AT[64], MEASURED.index(64)
    total, within = found.spread.scaled_total, found.spread.scaled_within
    inside = (
        f"{words.significant(within[at], 4)}, sampled {_interval(found.sample.within, sampled)}"
    )
    if components.mean:
        common = (
            "Part of that comes from the query alone. It is common to a row, and softmax ignores "
            f"it. Within a row the spread is {inside}."
        )
    else:
        common = f"With μ = 0 no part of that is common to a row. Within a row it is {inside}."
    needed = words.significant(found.spread.within[at], 4)
    divisor = (
        "At width 64 the divisor √64 = 8 brings it to 1, as it should."
        if needed == "8.000"
        else f"At width 64 a divisor of {needed} instead of 8 would bring it to 1."
    )
    widest = (
        f"At width 4,096 it is {words.significant(within[-1], 4)}: no fixed multiple of √dₖ will do"
        if components.correlation
        else "It is the same multiple of √dₖ at every width"
    )
    return [
        f"At width 64 the scaled scores have standard deviation {words.significant(total[at], 4)}, "
        f"sampled {_interval(found.sample.total, sampled)}. The assumptions promise 1.",
        common,
        f"{widest}. {divisor}",
        f"Scaled rows of width 64 keep {words.nats(found.scaled.entropy[at])} of entropy. As "
        f"assumed they would keep {words.nats(assumed.scaled.entropy[at])}.",
        "Layer norm does not guarantee the assumptions. It acts on a token's features, before the "
        "projections to queries and keys.",
        "After random initialisation they hold roughly. Training can move all three: a bias gives "
        "μ, larger weights s, fewer directions in use r.",
    ]


def score_formula(found: Scores, components: Components) -> str:
    """Write the variance of the scores with the reader's numbers, at width 64."""
    mu, s, r = map(formulas.number, (components.mean, components.std, components.correlation))
    return formulas.aligned(
        r"\tfrac{1}{d_k}\operatorname{Var}(q \cdot k) &= s^4\left(1+(d_k-1)\,r^2\right)",
        r"&\quad + 2\,\mu^2 s^2\left(1+(d_k-1)\,r\right)",
        r"&= (s^2+\mu^2)^2-\mu^4 \quad\text{if } r = 0",
        r"\sqrt{\operatorname{Var}/d_k} &= "
        + _number(found.spread.scaled_total[AT[64]])
        + rf"\quad\text{{for }} \mu = {mu},\ s = {s},\ r = {r}",
    )


DERIVATION = (
    "Given the query, the planted key's score is ρ‖q‖² + √(1 − ρ²)‖q‖z, with z standard normal. "
    "‖q‖² has mean dₖ and variance 2dₖ, so the variance is 2ρ²dₖ + (1 − ρ²)dₖ = dₖ(1 + ρ²).\n\n"
    "For the components, split a vector into its part along (1, …, 1)/√dₖ and the rest. That part "
    "has mean μ√dₖ and variance λ₁ = s²(1 + (dₖ − 1)r); each of the dₖ − 1 other directions has "
    "variance λ₂ = s²(1 − r). Hence Var(q·k) = λ₁² + (dₖ − 1)λ₂² + 2μ²dₖλ₁. One of the two μ²dₖλ₁ "
    "comes from the query alone and is common to its row. Without it, and with r = 0, the spread "
    "within a row is s√(s² + μ²)·√dₖ."
)
SOURCES = (
    "Tensor Programs V (μP), arXiv:2203.03466: attention divided by dₖ instead of √dₖ, because "
    "queries and keys become aligned.",
    "Attention Is All You Need, arXiv:1706.03762, section 3.2.1: the assumption of independent "
    "components with mean 0 and variance 1.",
)


def _interval(estimate: Estimate, i: int) -> str:
    value, low, high = (float(x[i]) for x in (estimate.value, estimate.low, estimate.high))
    return f"{words.significant(value)} ({words.significant(low)} to {words.significant(high)})"


def _number(x: FloatArray) -> str:
    return formulas.math_text(words.significant(float(x), 4))
