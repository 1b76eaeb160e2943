r"""The same scores under several divisors: only how much the first key takes can change.

The division is a choice of scale. None leaves the scores as they are, √d_k is right where
components are independent with variance 1, d_k where queries and keys are aligned; the matched
divisor is measured: the one that brings the spread within the rows to exactly 1, which is what
√d_k does on average in the random model. What is compared is what softmax makes of each.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core._rows import SATURATED

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

NEAR_TIE = 0.95
"""A row is a near-tie when its second-largest weight is at least this share of the largest."""

_FLOOR = -80.0
"""Divided scores this far below the row's maximum weigh 1e-35, and float32 still holds that."""


@dataclass(frozen=True, slots=True, eq=False)
class AtDivisor:
    """What softmax makes of one head's rows under one divisor.

    Rows are those that choose between at least two keys; where there is none, the means and
    shares are None.

    Attributes
    ----------
    name : str
        "none", "sqrt_d_k", "d_k", "matched" or "chosen".
    divisor : float
    entropy : ndarray, shape (rows,)
        In nats.
    normalized_entropy : ndarray, shape (rows,)
        Entropy / ln(number of keys that take part), 0 to 1.
    max_weight : ndarray, shape (rows,)
    runner_up : ndarray, shape (rows,)
        Second-largest weight as a share of the largest.
    output_change : float or None
        ‖O − O′‖ / ‖O′‖ over these rows (Frobenius), with O′ the output under √d_k; None
        without a value, or where O′ is 0.
    """

    name: str
    divisor: float
    entropy: FloatArray
    normalized_entropy: FloatArray
    max_weight: FloatArray
    runner_up: FloatArray
    output_change: float | None

    @property
    def mean_entropy(self) -> float | None:
        """Mean entropy of the rows, in nats."""
        return _mean(self.entropy)

    @property
    def mean_normalized_entropy(self) -> float | None:
        """Mean normalized entropy of the rows."""
        return _mean(self.normalized_entropy)

    @property
    def mean_max_weight(self) -> float | None:
        """Mean of the rows' largest weights."""
        return _mean(self.max_weight)

    @property
    def saturated_share(self) -> float | None:
        """Share of rows whose largest weight passes 0.9."""
        return _mean(self.max_weight > SATURATED)

    @property
    def near_tie_share(self) -> float | None:
        """Share of rows whose second-largest weight is at least 0.95 of the largest."""
        return _mean(self.runner_up >= NEAR_TIE)


def _mean(values: NDArray[Any]) -> float | None:
    return float(values.mean()) if values.size else None


def divisors_for(d_k: int, within_row_std: float, chosen: float | None) -> dict[str, float]:
    """Return the divisors to compare, by name; there is no matched one for constant rows."""
    named = {"none": 1.0, "sqrt_d_k": math.sqrt(d_k), "d_k": float(d_k)}
    if within_row_std > 0:
        named["matched"] = within_row_std
    if chosen is not None:
        named["chosen"] = chosen
    return named


class Comparison:
    """Gathers what rows look like under one divisor, tile by tile."""

    def __init__(self, name: str, divisor: float) -> None:
        self.name, self.divisor = name, divisor
        self._rows: list[tuple[FloatArray, FloatArray, FloatArray]] = []
        self._changed = self._reference = 0.0

    def add(
        self, gaps: FloatArray, bias: FloatArray | None, *, exact: bool
    ) -> NDArray[np.floating[Any]]:
        """Take in rows of at least two keys, and return their divided scores below the maximum.

        `gaps` are raw scores minus their row's maximum, −inf where blocked; blocked keys come
        back as −80. Softmax sees only differences, so float32 (not `exact`) keeps seven digits
        of what matters.
        """
        with np.errstate(over="ignore"):
            divided = gaps / self.divisor
        if bias is not None:
            divided += bias
            divided -= divided.max(axis=-1, keepdims=True)
        np.maximum(divided, _FLOOR, out=divided)
        working = divided if exact else divided.astype(np.float32)
        weights = np.exp(working)
        total = weights.sum(axis=-1)
        entropy = np.log(total) - np.einsum("ij,ij->i", weights, working) / total
        second = np.partition(working, -2, axis=-1)[:, -2]
        self._rows.append((entropy, 1 / total, np.exp(second)))
        return working

    def add_output(self, output: FloatArray, reference: FloatArray) -> None:
        """Take in the same rows' mixtures, and those under √d_k."""
        change = output - reference
        self._changed += float(np.vdot(change, change))
        self._reference += float(np.vdot(reference, reference))

    def result(self, row_keys: IntArray) -> AtDivisor:
        """Return what was gathered; `row_keys` counts the keys of each row."""
        if self._rows:
            joined = (np.concatenate(part) for part in zip(*self._rows, strict=True))
            entropy, largest, second = (part.astype(np.float64) for part in joined)
        else:
            entropy = largest = second = np.empty(0)
        ceiling = np.log(row_keys)
        entropy = np.minimum(entropy, ceiling)
        return AtDivisor(
            self.name,
            self.divisor,
            entropy,
            entropy / ceiling,
            np.minimum(largest, 1.0),
            second,
            math.sqrt(self._changed / self._reference) if self._reference else None,
        )
