r"""Diagnosis asks of real queries and keys what the random model only assumes.

Are the scores centred, and do they spread as √d_k? How much of the spread lies within the rows,
where softmax sees it? How sharp are the weights without division, with √d_k, with d_k, and with
the divisor that would bring the spread within the rows to 1? Heads are taken one after another
and each by tiles of rows, so memory stays at a few tiles however long the sequence.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from core._pairs import iter_pairs
from core.finite import NonFinite, find_non_finite
from core.head_diagnosis import HeadDiagnosis, diagnose_head
from core.layout import LayoutHint, layout_hints
from core.verdict import Verdict, judge, judge_all

Cell = str | int | float | None


@dataclass(frozen=True, slots=True, eq=False)
class Diagnosis:
    """Every head's diagnosis and verdict, and what the arrays themselves show.

    Attributes
    ----------
    heads : tuple of HeadDiagnosis
        In the order of the leading axes, the last fastest.
    verdicts : tuple of Verdict
        One a head.
    verdict : Verdict
        On all of them.
    non_finite : tuple of NonFinite
        One for each of query, key and value that holds NaN or infinity.
    hints : tuple of LayoutHint
        Axes that look out of order although the shapes fit.
    """

    heads: tuple[HeadDiagnosis, ...]
    verdicts: tuple[Verdict, ...]
    verdict: Verdict
    non_finite: tuple[NonFinite, ...]
    hints: tuple[LayoutHint, ...]

    def table(self) -> list[dict[str, Cell]]:
        """Return one flat record for each head and divisor, ready for CSV.

        Returns
        -------
        list of dict
            None where a statistic has no rows to speak of.
        """
        return [
            {
                "head": head.label,
                "verdict": verdict.word,
                "n_q": head.n_q,
                "n_k": head.n_k,
                "d_k": head.d_k,
                "scores": head.scores,
                "lost_scores": head.lost,
                "score_mean": head.mean,
                "score_std": head.std,
                "score_std_over_sqrt_d_k": head.std_ratio,
                "within_row_std": head.within_row_std,
                "between_row_std": head.between_row_std,
                "rows": len(head.rows),
                "masked_rows": len(head.masked_rows),
                "single_key_rows": len(head.single_key_rows),
                "divided_by": entry.name,
                "divisor": entry.divisor,
                "entropy_nats": entry.mean_entropy,
                "normalized_entropy": entry.mean_normalized_entropy,
                "max_weight": entry.mean_max_weight,
                "saturated_share": entry.saturated_share,
                "near_tie_share": entry.near_tie_share,
                "output_change": entry.output_change,
            }
            for head, verdict in zip(self.heads, self.verdicts, strict=True)
            for entry in head.divisors
        ]

    def row_table(self) -> list[dict[str, Cell]]:
        """Return one flat record for each head and row that has a choice, raw and scaled."""
        return [
            {
                "head": head.label,
                "row": int(row),
                "keys": int(keys),
                "score_std": float(spread),
                **{
                    f"{name}_{divisor}": float(values[place])
                    for divisor in ("none", "sqrt_d_k")
                    for name, values in (
                        ("entropy_nats", head.at(divisor).entropy),
                        ("normalized_entropy", head.at(divisor).normalized_entropy),
                        ("max_weight", head.at(divisor).max_weight),
                        ("runner_up", head.at(divisor).runner_up),
                    )
                },
            }
            for head in self.heads
            for place, (row, keys, spread) in enumerate(
                zip(head.rows, head.row_keys, head.row_std, strict=True)
            )
        ]


def iter_diagnose(
    query: ArrayLike,
    key: ArrayLike,
    /,
    *,
    value: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    is_causal: bool = False,
    divisor: float | None = None,
    axes: Sequence[str] | None = None,
) -> Iterator[HeadDiagnosis]:
    """Diagnose head by head, as `diagnose` does, yielding each as it is done.

    Parameters
    ----------
    query, key, value, mask, is_causal, divisor, axes
        As in `diagnose`. They are checked before the first head is asked for.

    Returns
    -------
    iterator of HeadDiagnosis
        As many as the leading axes have positions.

    Raises
    ------
    ValueError, TypeError
        As in `diagnose`.

    Examples
    --------
    >>> keys = np.eye(4)
    >>> [head.label for head in iter_diagnose(np.ones((2, 3, 4)), keys)]
    ['head 0', 'head 1']
    """
    if divisor is not None and not 0 < divisor < math.inf:
        raise ValueError(f"divisor must be finite and positive; got {divisor}")
    pairs = iter_pairs(query, key, value, mask, axes)
    return (diagnose_head(pair, is_causal=is_causal, divisor=divisor) for pair in pairs)


def collect_diagnosis(
    heads: Iterable[HeadDiagnosis],
    query: ArrayLike,
    key: ArrayLike,
    /,
    *,
    value: ArrayLike | None = None,
) -> Diagnosis:
    """Put heads that were diagnosed one by one together with what the arrays show.

    Parameters
    ----------
    heads : iterable of HeadDiagnosis
        From `iter_diagnose`, at least one.
    query, key, value : array_like
        The arrays that they came from.

    Returns
    -------
    Diagnosis

    Examples
    --------
    >>> query, key = np.ones((2, 3, 4)), np.eye(4)
    >>> collect_diagnosis(iter_diagnose(query, key), query, key).verdict.word
    'constant'
    """
    done = tuple(heads)
    verdicts = tuple(judge(head) for head in done)
    arrays = {"query": query, "key": key} | ({} if value is None else {"value": value})
    found = (find_non_finite(array, name=name) for name, array in arrays.items())
    return Diagnosis(
        heads=done,
        verdicts=verdicts,
        verdict=judge_all(verdicts, [head.label for head in done]),
        non_finite=tuple(entry for entry in found if entry is not None),
        hints=layout_hints(*(np.shape(array) for array in arrays.values())),
    )


def diagnose(
    query: ArrayLike,
    key: ArrayLike,
    /,
    *,
    value: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    is_causal: bool = False,
    divisor: float | None = None,
    axes: Sequence[str] | None = None,
) -> Diagnosis:
    r"""Say how the scores of real queries and keys spread, and what each divisor makes of them.

    Parameters
    ----------
    query : array_like, shape (..., n_q, d_k)
    key : array_like, shape (..., n_k, d_k)
        Not divided by √d_k. Leading axes (batch, head) broadcast; each of their positions is
        one head. NaN and infinities are located, and their scores left out.
    value : array_like, shape (..., n_k, d_v), optional
        To see how far the outputs move; entries that are not finite count as 0.
    mask : array_like of bool or float, broadcast to (..., n_q, n_k), optional
        Boolean: True = the key takes part. Floating: added to the divided scores, −inf blocks.
    is_causal : bool
        Block keys after the query's own position (upper-left), on top of `mask`.
    divisor : float, optional
        One more divisor to compare, named "chosen".
    axes : sequence of str, optional
        Names of the leading axes for the labels, as ("layer", "head"); default batch and head.

    Returns
    -------
    Diagnosis
        A verdict, one `HeadDiagnosis` a head, `table()` for CSV.

    Raises
    ------
    ValueError
        If shapes do not fit (with a hint where an exchange of axes would mend it), an array is
        empty, a finite entry is beyond 1e60, or the divisor is not finite and positive.
    TypeError
        If an array is not real, or the mask neither boolean nor floating.

    References
    ----------
    A. Vaswani et al., "Attention is all you need", arXiv:1706.03762, section 3.2.1.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> query, key = rng.standard_normal((2, 4, 256, 64))
    >>> diagnosis = diagnose(query, key, is_causal=True)
    >>> diagnosis.verdict.word
    'as-modelled'
    >>> head = diagnosis.heads[0]
    >>> f"{head.std:.1f}, where the random model has {head.expected_std:.0f}"
    '8.0, where the random model has 8'
    >>> [f"{head.at(name).mean_normalized_entropy:.2f}" for name in ("none", "sqrt_d_k", "d_k")]
    ['0.13', '0.89', '1.00']
    """
    heads = iter_diagnose(
        query, key, value=value, mask=mask, is_causal=is_causal, divisor=divisor, axes=axes
    )
    return collect_diagnosis(heads, query, key, value=value)
