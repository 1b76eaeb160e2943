"""What betrays a mistake: the symptoms of the wrong weights beside those of the right ones."""

import math

import words
from frames import Frame, frame

from core.examples import Example
from core.mistake_results import DTYPE, N_HEADS, MistakeResult, MistakeSide
from core.mistakes import SETUP, Mistake

NOTICED = ("rows no longer sum to 1", "entropy or order changes", "NaN or overflow", "nothing")


def noticed(result: MistakeResult) -> str:
    """Name the first symptom that the wrong weights show against the right ones."""
    wrong, right = result.wrong, result.right
    if wrong.n_undefined or wrong.overflowed:
        return NOTICED[2]
    if any(math.isnan(h) for h in wrong.entropy):  # of a row whose sum is not 1, but for rounding
        return NOTICED[0]
    moved = max(abs(a - b) for a, b in zip(wrong.entropy, right.entropy, strict=True))
    return NOTICED[1] if moved > 1e-3 or wrong.order_kept != right.order_kept else NOTICED[3]


def symptoms(side: MistakeSide) -> list[str]:
    """Write one side's symptoms, in the order of `ROWS`."""
    entropies = [h for h in side.entropy if math.isfinite(h)]
    return [
        words.listing([words.short(total) for total in side.row_sums]),
        words.listing([words.fixed(h, 3) for h in entropies]) if entropies else "undefined",
        "kept" if side.order_kept else "lost",
        "yes" if side.overflowed else "no",
        str(side.n_undefined),
        words.probability(side.blocked_weight),
    ]


def setup(mistake: Mistake, seed: int) -> str:
    """Write the code that both sides start from, given the vectors."""
    code, lines = mistake.wrong + mistake.right, []
    if mistake.magnitude != 1:
        lines.append(f"query = query * {words.short(mistake.magnitude)}")
    if "mask" in code:
        lines.append("mask = np.tri(len(query), len(key), dtype=bool)  # causal")
    if "n_heads" in code:
        lines.append(f"n_heads = {N_HEADS}")
    if "dtype" in code:
        lines.append(f'dtype = "{DTYPE}"')
    if "seed" in code:
        lines.append(f"seed = {seed}")
    return "\n".join([SETUP.rstrip(), *lines])


def about_numbers(mistake: Mistake, example: Example) -> str:
    """Say what is done to an example's numbers first, or why nothing comes of the mistake there."""
    n, d_k = example.key.shape
    if mistake.magnitude != 1:
        return (
            "\n- **On these numbers:** it shows at large scores only, so the queries are first "
            f"multiplied by {words.short(mistake.magnitude)}. Exponentials are in {DTYPE}."
        )
    if mistake.name == "sequence-length" and n == d_k:
        return (
            f"\n- **On these numbers:** nothing shows, for n = d_k = {n} and both sides are the "
            "same. Choose others."
        )
    return ""


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
