"""The quiz: what people often think of √dₖ, as questions, each with the page that settles it.

``right`` is the index of the true option; the tests recompute every one of them with core.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Question:
    """One question with its options, the true one, the reason, and the page that shows it."""

    name: str
    ask: str
    options: tuple[str, ...]
    right: int
    because: str
    page: str
    state: Mapping[str, str] = field(default_factory=dict)


QUESTIONS: tuple[Question, ...] = (
    Question(
        "order",
        "You divide a row of scores by a larger number. Can another key win?",
        ("yes, when the divisor is large", "never", "only with negative scores"),
        1,
        "Dividing by a positive number keeps the order within a row.",
        "divisor",
        {"divisor": "10"},
    ),
    Question(
        "shift",
        "You add 5 to every score of a row. What happens to the weights?",
        ("they become sharper", "they become flatter", "nothing"),
        2,
        "Softmax sees differences of scores only.",
        "divisor",
        {"shift": "5"},
    ),
    Question(
        "root",
        "A head gets 16 times wider. The spread of its raw scores grows by a factor of …",
        ("4", "16", "256"),
        0,
        "The variance grows like dₖ, the standard deviation like √dₖ. Softmax sees the spread.",
        "sweep",
    ),
    Question(
        "too_much",
        "Random model, dₖ = 1,024, 12 keys: you divide by dₖ instead of √dₖ. The weights are …",
        ("nearly uniform", "as with √dₖ", "on one key"),
        0,
        "Scores of spread 1/32 leave softmax nothing to choose.",
        "other-ways",
    ),
    Question(
        "planted",
        "64 keys, one leans to the query (ρ = 0.3), dₖ = 1,024. Which divisor lets it be found?",
        ("√dₖ", "dₖ", "both"),
        0,
        "Its score grows like dₖ, the noise of the others like √dₖ. Dividing by dₖ shrinks both: "
        "one key’s lead no longer stands out.",
        "assumptions",
    ),
    Question(
        "uniform",
        "Does dividing by √dₖ make all weights alike?",
        ("yes", "no, an aligned key stays sharp", "only in float16"),
        1,
        "It removes the sharpness that width alone brings, and no other.",
        "assumptions",
    ),
    Question(
        "two_by_two",
        "Two rows of two keys gave a variance far from dₖ. What does that show?",
        ("the rule is wrong", "almost nothing", "the seed was bad"),
        1,
        "With two rows the 95 % interval of the spread is wider than the value itself.",
        "sweep",
        {"sweep_keys": "2", "trials": "2"},
    ),
    Question(
        "length",
        "dₖ is …",
        ("the sequence length", "the model width", "the last axis of Q and K"),
        2,
        "It is the head width: model width over the number of heads.",
        "head-width",
    ),
    Question(
        "value_width",
        "Must the values be dₖ wide as well?",
        ("yes", "no, any width", "only in self-attention"),
        1,
        "The output takes the width of V; only Q and K must agree.",
        "head-width",
    ),
    Question(
        "width_one",
        "What does scaling do at width 1?",
        ("nothing", "halves the scores", "makes weights uniform"),
        0,
        "√1 = 1.",
        "head-width",
        {"width": "1"},
    ),
    Question(
        "more_keys",
        "Scaled scores, 16 keys become 4,096. The mean entropy in nats …",
        ("stays", "falls", "grows"),
        2,
        "It grows about like ln n. √dₖ has nothing to do with the number of keys.",
        "more-keys",
    ),
    Question(
        "freezing",
        "Raw scores, 1,000 keys: below which width does a row stay soft, as a rough guide?",
        ("about 14", "about 140", "about 1,000"),
        0,
        "The line is dₖ ≈ 2 ln n, a guide for many keys.",
        "more-keys",
    ),
    Question(
        "explode",
        "Raw scores at dₖ = 64, 3 keys. Compared with scaled ones their softmax gradient is …",
        ("far larger", "about the same", "far smaller"),
        2,
        "A saturated row has no slope: median ‖J‖ is about fifty times smaller.",
        "gradients",
        {"gradient_keys": "3"},
    ),
    Question(
        "always_vanish",
        "And with 64 keys at dₖ = 64: is the raw median gradient smaller than the scaled one?",
        ("yes, far smaller", "no, slightly larger", "it is zero"),
        1,
        "Many keys compete, so rows are not saturated yet.",
        "gradients",
        {"gradient_keys": "64"},
    ),
    Question(
        "large_divisor",
        "Scores 3, 1, −1. Why is the gradient small at a divisor of 8?",
        ("the row is saturated", "1/τ is small and the row flat", "rounding"),
        1,
        "Large divisors do not saturate; the gradient carries a factor 1/τ.",
        "gradients",
    ),
    Question(
        "entropy",
        "A head has low entropy. What follows?",
        ("it attends well", "it attends badly", "its weights sit on few keys, no more"),
        2,
        "Entropy measures spread, not accuracy.",
        "head-width",
    ),
    Question(
        "cosine",
        "Cosine similarity without any gain, 32 keys: the largest weight is …",
        ("near 1", "near 1/32", "as with √dₖ"),
        1,
        "Cosines lie between −1 and 1, and in wide heads near 0. A gain must sharpen them.",
        "other-ways",
    ),
    Question(
        "temperature",
        "Is dividing by √dₖ the same as a sampling temperature?",
        (
            "same operation, other place and purpose",
            "entirely the same",
            "no relation",
        ),
        0,
        "Temperature is a free knob on output scores; √dₖ is fixed by the head's width.",
        "divisor",
    ),
    Question(
        "mean",
        "Components with mean 1 and standard deviation 1: the scaled scores spread by …",
        ("1", "1.732", "dₖ"),
        1,
        "√3 in all; 1.414 of it within a row, which is what softmax sees.",
        "assumptions",
    ),
    Question(
        "seed",
        "Same seed next year, another NumPy: the same random scores?",
        ("always", "not promised", "never"),
        1,
        "Streams may change between versions; so the published data are shipped.",
        "sweep",
        {"preset": "independent keys"},
    ),
    Question(
        "wide_head",
        "A wider head has larger raw scores. Does it attend better for it?",
        ("yes", "no, their scale says nothing", "only beyond 64"),
        1,
        "In the random model there is nothing to find, and raw rows sharpen all the same.",
        "sweep",
    ),
    Question(
        "scale_query",
        "You scale Q by 1/√dₖ instead of the scores. What changes?",
        ("nothing but rounding", "the weights", "the gradient of V"),
        0,
        "(Q/√dₖ)Kᵀ and QKᵀ/√dₖ are one product. Doing both divides by dₖ.",
        "divisor",
    ),
)
