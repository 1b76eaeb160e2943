"""A verdict is one word for a head, one sentence, and the numbers that led to it.

It is about the division by √d_k and about nothing else: whether softmax, given these scores over
√d_k, still chooses between several keys. It does not say whether the head attends to the right
ones. Where one word ends and the next begins is a convention, named here, not a law.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.head_diagnosis import HeadDiagnosis

Word = Literal[
    "not-finite", "no-choice", "constant", "saturated", "sharp", "flat", "as-modelled", "mixed"
]

SATURATED_HEAD = 0.5
"""A head is saturated when at least this share of its rows is, after division by √d_k."""
SHARP, FLAT = 2.0, 0.5
"""Spread within the rows, in units of √d_k, beyond which a head is sharp, or flat."""
COMMON = 0.25
"""Share of the variance common to a row from which on it is mentioned."""
ALREADY_DIVIDED = (0.8, 1.25)
"""A raw spread within the rows of about 1 suggests that the scores were divided before."""

_MEANING: dict[Word, str] = {
    "not-finite": "NaN or infinity reaches the scores: plain attention has no weights there.",
    "no-choice": "No row has two keys to choose between, so there is nothing to divide.",
    "constant": "Every row's scores are equal, so every divisor gives the same uniform weights.",
    "saturated": "Saturated even after division by √d_k: most rows give one key nearly all weight.",
    "sharp": "Sharper than the random model: division by √d_k leaves a wide spread.",
    "flat": "Flatter than the random model: division by √d_k leaves little to choose by.",
    "as-modelled": "Close to the random model: division by √d_k brings the spread within a row to "
    f"between {FLAT:g} and {SHARP:g}.",
    "mixed": "The heads differ.",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to make of one head, or of all.

    Attributes
    ----------
    word : str
        "not-finite", "no-choice", "constant", "saturated", "sharp", "flat" or "as-modelled"; of
        several heads that do not agree, "mixed".
    sentence : str
        What it means.
    reasons : tuple of str
        One sentence each, with the numbers.
    """

    word: Word
    sentence: str
    reasons: tuple[str, ...]


def _number(value: float) -> str:
    return f"{value:.3g}".replace("-", "−")


def _small(value: float) -> str:
    return "<0.001" if 0 < value < 0.001 else _number(value)


def _share(value: float) -> str:
    """Return a percentage that is 0 % or 100 % only where it is exactly so."""
    if 0 < value < 0.001:
        return "<0.1 %"
    if 0.999 < value < 1:
        return ">99.9 %"
    return f"{100 * value:.3g} %"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def judge(head: HeadDiagnosis, /) -> Verdict:
    """Return the verdict on one head.

    Parameters
    ----------
    head : HeadDiagnosis

    Returns
    -------
    Verdict

    Examples
    --------
    >>> from core import iter_diagnose, trained_heads
    >>> heads = trained_heads(0)
    >>> judge(next(iter_diagnose(heads.query[0, 2], heads.key[0, 2]))).word
    'saturated'
    """
    word = _word(head)
    return Verdict(word, _MEANING[word], (*_lost(head), *_spread(head), *_weights(head)))


def _word(head: HeadDiagnosis) -> Word:
    scaled = head.at("sqrt_d_k")
    if head.lost:
        return "not-finite"
    if scaled.saturated_share is None:
        return "no-choice"
    if head.within_row_std == 0:
        return "constant"
    if scaled.saturated_share >= SATURATED_HEAD:
        return "saturated"
    if head.within_row_ratio > SHARP:
        return "sharp"
    if head.within_row_ratio < FLAT:
        return "flat"
    return "as-modelled"


def _lost(head: HeadDiagnosis) -> list[str]:
    reasons = []
    if head.lost:
        are, them = ("is", "it") if head.lost == 1 else ("are", "them")
        reasons.append(
            f"{_count(head.lost, 'score')} of {head.scores + head.lost:,} that the mask allows "
            f"{are} NaN or infinite; the figures leave {them} out."
        )
    if head.masked_rows.size:
        first = "" if head.masked_rows.size == 1 else "the first is "
        reasons.append(
            f"{_count(head.masked_rows.size, 'row')} may attend no key "
            f"({first}row {head.masked_rows[0]}): plain softmax gives NaN there."
        )
    if head.single_key_rows.size:
        are, their = ("is", "its") if head.single_key_rows.size == 1 else ("are", "their")
        reasons.append(
            f"{_count(head.single_key_rows.size, 'row')} may attend one key only and {are} left "
            f"out of the means: {their} weight is 1 whatever the divisor."
        )
    return reasons


def _spread(head: HeadDiagnosis) -> list[str]:
    if not head.scores:
        return []
    reasons = [
        f"Raw scores have mean {_number(head.mean)} and standard deviation {_number(head.std)}; "
        f"the random model has 0 and √{head.d_k} = {_number(head.expected_std)}. "
        f"Within a row the standard deviation is {_number(head.within_row_std)}."
    ]
    if head.between_row_std**2 > COMMON * head.std**2 > 0:
        common = head.between_row_std**2 / head.std**2
        reasons.append(f"{_share(common)} of the variance is common to a row: softmax ignores it.")
    low, high = ALREADY_DIVIDED
    if head.d_k >= 4 and low <= head.within_row_std <= high:
        reasons.append(
            "Undivided, the spread within a row is already about 1. Perhaps the queries or keys "
            "were divided before: then dividing again is once too often."
        )
    return reasons


def _weights(head: HeadDiagnosis) -> list[str]:
    raw, scaled = head.at("none"), head.at("sqrt_d_k")
    if raw.mean_normalized_entropy is None or scaled.mean_normalized_entropy is None:
        return []
    shares = (raw.saturated_share or 0.0, scaled.saturated_share or 0.0)
    reasons = [
        f"Mean normalized entropy is {_small(raw.mean_normalized_entropy)} undivided and "
        f"{_small(scaled.mean_normalized_entropy)} with √d_k; the largest weight passes 0.9 in "
        f"{_share(shares[0])} and {_share(shares[1])} of the rows."
    ]
    if head.within_row_std > 0:
        reasons.append(
            f"A divisor of {_number(head.within_row_std)} would bring the spread within the rows "
            f"to 1; √d_k is {_number(head.expected_std)}."
        )
    if scaled.near_tie_share:
        reasons.append(
            f"In {_share(scaled.near_tie_share)} of the rows the two largest weights are within "
            "5 % of each other, with √d_k."
        )
    return reasons


def judge_all(verdicts: Sequence[Verdict], labels: Sequence[str], /) -> Verdict:
    """Return one verdict on several heads: their common word, or "mixed" with a count of each.

    Parameters
    ----------
    verdicts : sequence of Verdict
        At least one.
    labels : sequence of str
        The heads' labels, in the same order.

    Returns
    -------
    Verdict

    Examples
    --------
    >>> verdicts = [Verdict("sharp", "…", ()), Verdict("flat", "…", ()), Verdict("sharp", "…", ())]
    >>> judge_all(verdicts, ["head 0", "head 1", "head 2"]).reasons
    ('2 of 3 heads are sharp: head 0; head 2.', '1 of 3 heads is flat: head 1.')
    """
    if len(verdicts) == 1:
        return verdicts[0]
    counts = Counter(verdict.word for verdict in verdicts)
    reasons = []
    for word, count in counts.most_common():
        named = [label for label, v in zip(labels, verdicts, strict=True) if v.word == word]
        more = "; …" if len(named) > 5 else "."
        reasons.append(
            f"{count} of {len(verdicts)} heads {'is' if count == 1 else 'are'} {word}: "
            f"{'; '.join(named[:5])}{more}"
        )
    word = verdicts[0].word if len(counts) == 1 else "mixed"
    return Verdict(word, _MEANING[word], tuple(reasons))
