"""Lesson paths: exact states in order, each with a question, the usual guess, what to show."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Step:
    """One stop of a lesson: a page in an exact state, and the talk around it."""

    page: str
    ask: str
    guess: str
    show: str
    state: dict[str, str | list[str]] = field(default_factory=dict)


_DIVISOR = Step(
    "divisor",
    "Three scores: 3, 1, −1. Undivided, how much does the first key get?",
    "Most say about 60 %, because 3 is three of five points.",
    "86.7 %. Softmax weighs exponentials of scores, not scores. Drag to √3, then to 3.",
    {"divisor": "1"},
)
_ORDER = Step(
    "divisor",
    "Can a larger divisor make another key win?",
    "Some expect the order to turn at a large divisor.",
    "Never. Drag to 10: the bars come together, their order stays. Add 50 to all: nothing moves.",
    {"divisor": "10", "shift": "5"},
)
_HEAD = Step(
    "head-width",
    "The same query, four coordinates. What do raw and scaled scores give?",
    "A class often guesses that scaling picks another winner.",
    "Raw 0.867 on the winner, scaled 0.657: same order, softer. Then widen to 32.",
)
_SPREAD = Step(
    "sweep",
    "Heads grow from 4 to 1,024 wide. What happens to the spread of raw scores?",
    "It grows; many say in proportion to the width.",
    "It grows like √dₖ: 2 at width 4, 32 at 1,024. Scaled scores stay at 1.",
)
_PUBLISHED = Step(
    "sweep",
    "How many raw rows at width 1,024 put over 90 % on one key?",
    "Guesses run from a third to a half.",
    "88.1 %, as published; open the comparison: this machine agrees value by value.",
    {"preset": "independent keys"},
)
_FEW = Step(
    "sweep",
    "Someone measured the variance on four scores and got 1.6, not dₖ. Is the rule wrong?",
    "Half the class blames the code.",
    "Look at the bars: with two rows the interval is enormous.",
    {"sweep_keys": "2", "trials": "2"},
)
_PLANTED = Step(
    "assumptions",
    "Why not divide by dₖ, to be safe?",
    "Smaller scores sound safer.",
    "A key that leans to the query is found with √dₖ, and lost with dₖ.",
)
_MORE_KEYS = Step(
    "more-keys",
    "Does √dₖ also keep attention sharp when a sequence gets longer?",
    "Most say yes.",
    "No. Entropy grows like ln n, whatever the width: another problem, with other cures.",
)
_GRADIENT = Step(
    "gradients",
    "Raw scores are huge. Do their gradients explode or vanish?",
    "Explode, by the size of the numbers.",
    "They vanish with 3 keys, for a saturated row has no slope.",
    {"gradient_keys": "3"},
)
_GRADIENT_MANY = Step(
    "gradients",
    "And with 64 keys at width 64?",
    "Vanish again.",
    "Not yet: about 0.20 raw against 0.18 scaled. Scaling moderates, it guarantees nothing.",
    {"gradient_keys": "64"},
)
_OTHER = Step(
    "other-ways",
    "Would cosine similarity do the same without any √dₖ?",
    "Yes, since it is bounded.",
    "It bounds scores and then needs a gain, learned or chosen. It may pick another winner.",
)

#: Minutes -> steps.
PATHS: dict[int, tuple[Step, ...]] = {
    10: (_DIVISOR, _HEAD, _SPREAD),
    25: (_DIVISOR, _ORDER, _HEAD, _SPREAD, _PUBLISHED, _PLANTED),
    50: (
        _DIVISOR,
        _ORDER,
        _HEAD,
        _SPREAD,
        _PUBLISHED,
        _FEW,
        _PLANTED,
        _MORE_KEYS,
        _GRADIENT,
        _GRADIENT_MANY,
        _OTHER,
    ),
}
