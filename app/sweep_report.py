"""A sweep in words: what its points show, why they lie there, and how they were made."""

from __future__ import annotations

from typing import Any

import formulas
import words
from runs import Setting
from sweep_status import ENGINES

from core.expectation import Expectation, expected
from core.intervals import Estimate
from core.sweep_result import Sweep

GUESSED_WIDTH, GUESSED_KEYS = 1024, 4096
MANY = float(expected(GUESSED_WIDTH, n_keys=GUESSED_KEYS, scaled=False).max_weight)
"""Mean largest raw weight at that width among that many keys: what the page's guess is about."""

FEW_SCORES = 100
"""Below this many scores a width, the page says how little they tell."""


def spread_name(sweep: Sweep) -> str:
    """Name the statistic that stands for the spread of the scores."""
    return "standard deviation" if sweep.mean_removed else "root mean square"


OPTIONS = ("under 0.1", "0.1 to 0.9", "over 0.9")
RIGHT = OPTIONS[int(MANY > 0.1) + int(MANY > 0.9)]
ANSWER = (
    f"It is {words.probability(MANY)}, exactly, even among 4,096 keys. Try it: a button at the "
    "foot of the page sets them."
)
SHOWN = "The chart shows it already, at width 1,024 among 4,096 keys."


def settles(setting: Setting) -> bool:
    """Tell whether a setting shows what the page's guess asks for."""
    return setting.n_keys == GUESSED_KEYS and GUESSED_WIDTH in setting.widths


def sentences(sweep: Sweep, exact: tuple[Expectation, Expectation]) -> list[str]:
    """Say what the points at the largest width show, and what they do not."""
    raw, scaled, d_k = sweep.raw, sweep.scaled, int(sweep.widths[-1])
    width = words.count(d_k)
    at_512 = expected(512, n_keys=sweep.n_keys, scaled=False).score_std
    rows = sweep.n_trials * sweep.n_queries
    found = [
        f"At width {width} the {spread_name(sweep)} of the raw scores is "
        f"{words.significant(raw.score_std.value[-1])}, of the scaled ones "
        f"{words.significant(scaled.score_std.value[-1])}. "
        f"The model says √{width} {_equals(float(exact[0].score_std[-1]))} and 1.",
        f"There, a raw row puts {words.soft_probability(raw.max_weight.value[-1])} on one key on "
        f"average, a scaled row {words.soft_probability(scaled.max_weight.value[-1])}. "
        f"Even weights would be {words.probability(1 / sweep.n_keys)}.",
        f"Raw rows with a weight above 0.9: {_share(raw.saturated_share, rows)}. "
        f"Scaled rows: {_share(scaled.saturated_share, rows)}.",
        f"Mean entropy is {words.nats(raw.entropy.value[-1])} raw and "
        f"{words.nats(scaled.entropy.value[-1])} scaled. It measures spread, not accuracy.",
        _precision(sweep),
        (
            f"At width 512 the model’s raw standard deviation is √512 ≈ "
            f"{words.significant(at_512)}. That is a spread, not a bound."
            if 512 in sweep.widths
            else "A standard deviation is a spread, not a bound."
        ),
        "A wider head’s bigger scores carry no information by themselves: these vectors are "
        "random.",
        "The percentages depend on the keys, the widths and the seed. The mechanism is the result.",
    ]
    if d_k == 1:
        found.insert(1, "At width 1, dividing by √1 changes nothing.")
    return found


def formula(sweep: Sweep, exact: tuple[Expectation, Expectation]) -> str:
    """Write the rule at the largest width, beside what was measured there, for KaTeX."""
    d_k = formulas.math_text(words.count(int(sweep.widths[-1])))
    root = float(exact[0].score_std[-1])
    raw, scaled = (
        formulas.math_text(words.significant(statistics.score_std.value[-1]))
        for statistics in (sweep.raw, sweep.scaled)
    )
    spread = r"\operatorname{std}"
    return formulas.aligned(
        rf"{spread}(q \cdot k) &= \sqrt{{d_k}} = \sqrt{{{d_k}}} "
        rf"{formulas.math_text(_equals(root))} \quad \text{{measured }} {raw}",
        rf"{spread}\left(\tfrac{{q \cdot k}}{{\sqrt{{d_k}}}}\right) &= "
        rf"\frac{{\sqrt{{{d_k}}}}}{{\sqrt{{{d_k}}}}} = 1 \quad \text{{measured }} {scaled}",
    )


def _equals(root: float) -> str:
    return f"= {words.count(int(root))}" if root.is_integer() else f"≈ {words.significant(root)}"


def _share(estimate: Estimate, rows: int) -> str:
    share, low, high = (float(x[-1]) for x in (estimate.value, estimate.low, estimate.high))
    if share == 0.0:
        return f"none of {words.count(rows)} (the interval reaches {words.percent(high, places=2)})"
    if share == 1.0:
        return f"all of {words.count(rows)} (the interval starts at {words.percent(low, places=2)})"
    return words.percent(share)


def _precision(sweep: Sweep) -> str:
    """Say how far the points can be trusted, and why so few scores say so little."""
    trials, scores = sweep.n_trials, sweep.n_trials * sweep.n_queries * sweep.n_keys
    if trials == 1:
        return (
            f"One trial, {words.count(scores)} scores: it tells nothing about precision, so the "
            "intervals span all that is possible."
        )
    spread = sweep.raw.score_std
    if scores < FEW_SCORES:
        return (
            f"A sample of {words.count(scores)} scores a width says little: here the raw spread "
            f"may lie anywhere from {words.significant(spread.low[-1])} to "
            f"{words.significant(spread.high[-1])}."
        )
    return (
        f"Bars are 95 % intervals over {words.count(trials)} independent trials. Scores that "
        "share a query or keys are not counted as independent."
    )


LEGEND = (
    "Points with bars: measured, with 95 % intervals. Thin lines: exact expectations, no sampling. "
    "Dotted: √dₖ and 1, the exact spreads. The share above 0.9 has no such formula, so its points "
    "are joined instead."
)

TABLE_NOTE = (
    "Measured values with their 95 % intervals, and exact expectations where there are any."
)

DERIVATION = r"""
Components are independent, with mean 0 and variance 1. Each product of two has the same:

$$
\operatorname{E}[q_i k_i] = 0, \qquad \operatorname{Var}(q_i k_i) = 1.
$$

A score adds $d_k$ of them, so variances add up, and the spread is the root. At width 512 that is
$\sqrt{512} \approx 22.6$: a spread, not a bound.

$$
\operatorname{Var}(q \cdot k) = d_k, \qquad \operatorname{std}(q \cdot k) = \sqrt{d_k}, \qquad
\operatorname{std}\left(\frac{q \cdot k}{\sqrt{d_k}}\right) = 1.
$$

**Exact law.** Given $q$, the scores of independent keys are independent and normal with variance
$\|q\|^2$, and $\|q\|^2$ is chi-squared with $d_k$ degrees of freedom. Shared keys:
$QK^\top$ has the law of $LZ$, with $L$ the Bartlett factor of $QQ^\top$ and $Z$ standard normal.

**Exact curves.** With $s_j = \sigma z_j$ and $\varphi(t) = \operatorname{E}[\exp(-t e^{s})]$,

$$
\operatorname{E}[\log Z] = \int_0^\infty \frac{e^{-t} - \varphi(t)^n}{t}\,dt, \qquad
\operatorname{E}[H] = \operatorname{E}[\log Z] - \operatorname{E}\Big[\sum_j w_j s_j\Big],
$$

averaged over $\sigma = \|q\|$, divided by $\sqrt{d_k}$ when scaled. Largest weights have an
integral of the same kind. The share above 0.9 has none.
"""

AGREEMENT_NOTE = """
A value agrees if it rounds to the published one: |x − published| ≤ ½ · 10⁻ᵖˡᵃᶜᵉˢ. The number
beside the verdict says how many standard errors the two lie apart. Entropies here are exact; the
published self-attention code adds 1e-15 inside the logarithm, which changes no printed place. The
same seed need not give the same numbers for ever: NumPy may change its streams between versions.
So the values themselves are shipped, in full precision.
"""

SOURCES = (
    "Attention Is All You Need, arXiv:1706.03762, section 3.2.1 and its footnote on the variance.",
    "Wilson, Probable inference, the law of succession, and statistical inference, "
    "doi:10.1080/01621459.1927.10502953: the intervals of shares.",
    "Bartlett, On the theory of statistical regression, doi:10.1017/S0370164600014851: the factor "
    "of a Wishart matrix.",
    "NumPy Enhancement Proposal 19, Random number generator policy: streams may change.",
    "The published values: CC0-1.0, in the download beside their comparison.",
)


def record(sweep: Sweep) -> str:
    """Say how the points were made, apart from why they lie where they do."""
    drawn = sweep.engine == "drawn-vectors"
    if drawn and sweep.n_queries == 1:
        order = (
            "One generator serves all widths. For each width, batches of 200 queries are drawn, "
            "each followed by all its keys."
        )
    elif drawn:
        order = (
            "One generator serves all widths. For each width and trial, the queries are drawn, "
            "then the keys."
        )
    else:
        order = "Each width has a random stream of its own, so a point depends on no other."
    entropy = "Entropies are log Z − Σ w s, in nats; nothing is added inside the logarithm."
    spread = (
        "Spread: standard deviation over all scores of a width, mean removed."
        if sweep.mean_removed
        else "Spread: root mean square over all scores of a width, as published; the population "
        "mean is zero. Elsewhere on this page it is the standard deviation."
    )
    unit = (
        "Intervals: Student’s t over trials for means and, on a log scale, for the spread; "
        "Wilson’s for shares, clustered by trial. That of the spread is never shorter than the "
        "law of so many scores makes it: a few trials may agree by chance."
    )
    lines = (
        f"Engine: {ENGINES[sweep.engine]}. {order}",
        f"Seed {sweep.seed}, {words.count(sweep.n_trials)} trials a width, "
        f"queries a trial: {words.count(sweep.n_queries)}, keys: {words.count(sweep.n_keys)}.",
        f"NumPy {sweep.versions['numpy']}, Python {sweep.versions['python']}.",
        spread,
        entropy,
        unit,
    )
    return "\n".join(f"- {line}" for line in lines)


def script(setting: Setting) -> tuple[str, dict[str, Any]]:
    """Return the script that repeats a setting, and the values to put into it."""
    shared = setting.n_queries > 1
    drawn = setting.engine == "drawn-vectors"
    values: dict[str, Any] = {
        "widths": setting.widths,
        "n_keys": setting.n_keys,
        "n_trials": setting.n_trials,
        "seed": setting.seed,
    }
    if shared:
        values["n_queries"] = setting.n_queries
    if shared and drawn:
        values["mean_removed"] = setting.mean_removed
    names = {
        (True, False): "sweep_independent",
        (True, True): "sweep_shared",
        (False, False): "sweep_exact",
        (False, True): "sweep_exact_shared",
    }
    return names[drawn, shared], values
