"""Lesson paths: exact states in order, each with a question, the usual guess, what to show.

A step starts beside its answer, not at it: a class that reads the answer under the question has
nothing to guess. So ``show`` begins with what to do.
"""

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
    "Tap the mark at 1: 86.7 %. Softmax weighs exponentials of scores, not scores. Then √3, 3.",
    {"divisor": "10"},
)
_ORDER = Step(
    "divisor",
    "Can a larger divisor make another key win?",
    "Some expect the order to turn at a large divisor.",
    "Drag to 10. Never: the bars come together, their order stays. Add 50 to all: nothing moves.",
    {"divisor": "1"},
)
_HEAD = Step(
    "head-width",
    "Here is one coordinate. With four, what do raw and scaled scores give?",
    "A class often guesses that scaling picks another winner.",
    "Pick width 4. Raw 0.867 on the winner, scaled 0.657: same order, softer. Then widen to 32.",
    {"width": "1"},
)
_SPREAD = Step(
    "sweep",
    "Heads grow from 4 to 1,024 wide. What happens to the spread of raw scores?",
    "It grows; many say in proportion to the width.",
    "Pull the right end to 1,024. It grows like √dₖ: 2 at width 4, 32 at 1,024. Scaled scores stay "
    "at 1.",
    {"widths": ["4", "4"]},
)
_PUBLISHED = Step(
    "sweep",
    "How many raw rows at width 1,024 put over 90 % on one key?",
    "Guesses run from a third to a half.",
    "Pick “independent keys”: 88.1 %, as published. Off the stage, the page compares this "
    "machine’s run value by value.",
    {"widths": ["4", "4"]},
)
_FEW = Step(
    "sweep",
    "Someone measured the spread of four scores at width 4 and got 1.06, not 2. Is the rule wrong?",
    "Half the class blames the code.",
    "Set Trials to 2. The bar at width 4 goes from 0.186 to 6.87: two rows tell almost nothing.",
    {"sweep_keys": "2"},
)
_PLANTED = Step(
    "assumptions",
    "Why not divide by dₖ, to be safe?",
    "Smaller scores sound safer.",
    "Tap “Just show me”. One key that leans to the query is found with √dₖ, and lost with dₖ.",
)
_MORE_KEYS = Step(
    "more-keys",
    "Does √dₖ also keep attention sharp when a sequence gets longer?",
    "Most say yes.",
    "Move the keys up to 65,536. No: entropy grows about like ln n. Another problem, other cures.",
    {"map_keys": "16"},
)
_GRADIENT = Step(
    "gradients",
    "Raw scores are huge. Do their gradients explode or vanish?",
    "Explode, by the size of the numbers.",
    "Pick 3 keys. They vanish, for a saturated row has no slope.",
    {"gradient_keys": "512"},
)
_GRADIENT_MANY = Step(
    "gradients",
    "And with 64 keys at width 64?",
    "Vanish again.",
    "Pick 64 keys. Not yet: about 0.20 raw against 0.18 scaled. Scaling moderates, it guarantees "
    "nothing.",
    {"gradient_keys": "3"},
)
_OTHER = Step(
    "other-ways",
    "Would cosine similarity do the same without any √dₖ?",
    "Yes, since it is bounded.",
    "Pick cosine too. It bounds scores and then needs a gain, learned or chosen. It may pick "
    "another winner.",
    {"rules": ["none", "√dₖ"]},
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
