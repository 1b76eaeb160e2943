"""What betrays a mistake: the symptoms of the wrong weights beside those of the right ones."""

import math

import words
from frames import Frame, frame

from core.mistake_results import MistakeResult, MistakeSide

NOTICED = ("rows no longer sum to 1", "entropy or order changes", "NaN or overflow", "nothing")


def noticed(result: MistakeResult) -> str:
    """Name the first symptom that the wrong weights show against the right ones."""
    wrong, right = result.wrong, result.right
    if wrong.n_undefined or wrong.overflowed:
        return NOTICED[2]
    if max(abs(total - 1) for total in wrong.row_sums) > 1e-6:
        return NOTICED[0]
    moved = max(abs(a - b) for a, b in zip(wrong.entropy, right.entropy, strict=True))
    return NOTICED[1] if moved > 1e-3 or wrong.order_kept != right.order_kept else NOTICED[3]


def symptoms(side: MistakeSide) -> list[str]:
    """Write one side's symptoms, in the order of `ROWS`."""
    entropies = [h for h in side.entropy if math.isfinite(h)]
    return [
        words.listing([words.short(total) for total in side.row_sums]),
        words.listing([words.fixed(h, 3) for h in entropies]) if entropies else "undefined",
        "kept" if side.order_kept else "broken",
        "yes" if side.overflowed else "no",
        str(side.n_undefined),
        words.probability(side.blocked_weight),
    ]


ROWS = (
    "row sums",
    "entropy of each row (nats)",
    "order of the keys",
    "an exponential overflowed",
    "weights that are NaN",
    "largest weight on blocked keys",
)


def numbers(result: MistakeResult) -> Frame:
    """Put the symptoms of both sides beside each other."""
    sides = {"wrong": symptoms(result.wrong), "right": symptoms(result.right)}
    return frame({"symptom": ROWS, **sides})
