r"""One head's raw scores: how they spread, and what softmax makes of them under each divisor.

The variance of all scores splits in two: the mean variance within the rows, and the variance of
the rows' means,

.. math:: \sigma^2 = \sigma^2_\mathrm{within} + \sigma^2_\mathrm{between}.

Softmax ignores whatever is common to a row, so only the first decides how sharp it is. The head
is read by tiles of rows, twice: for its moments, then for the histogram and the weights, which
need them.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core._pairs import Pair
from core._tiles import BLOCK, TILE, Tile, iter_tiles
from core.comparison import AtDivisor, Comparison, divisors_for
from core.histogram import ScoreHistogram, bin_counts, expected_counts, histogram_edges

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

_EXACT = 1 << 18
"""Heads of at most this many scores are worked on in float64 throughout."""

_ROUNDING = 16 * float(np.finfo(np.float64).eps)
"""Spreads below this share of the largest score are rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class HeadDiagnosis:
    """What one head's queries and keys make of each other.

    Moments are over the finite scores that the mask allows, in units of the raw scores.

    Attributes
    ----------
    label : str
        Which head, as "head 3" or "batch 0, head 3".
    index : tuple of int
        Its position along the leading axes.
    n_q, n_k, d_k : int
    scores : int
        Scores counted: allowed and finite.
    lost : int
        Scores that are allowed, but NaN or infinite; everything else here leaves them out.
    mean, std, within_row_std, between_row_std, minimum, maximum : float
        Standard deviations remove the mean: of all scores, of each row, and of the rows' means.
        0 where no score is counted.
    rows : ndarray of int
        The rows with at least two keys to choose between; all that follows is about them.
    row_keys : ndarray of int
        How many keys each of them has.
    row_std : ndarray
        Spread of each of them.
    masked_rows, lost_rows, single_key_rows : ndarray of int
        Rows that the mask leaves no key, rows whose every score is lost, and rows with one key
        only: there is nothing to choose.
    histogram : ScoreHistogram
        Of all counted scores, with the counts expected under N(0, d_k).
    divisors : tuple of AtDivisor
        none (1), sqrt_d_k, d_k, matched (the within-row spread; absent where that is 0), chosen.
    """

    label: str
    index: tuple[int, ...]
    n_q: int
    n_k: int
    d_k: int
    scores: int
    lost: int
    mean: float
    std: float
    within_row_std: float
    between_row_std: float
    minimum: float
    maximum: float
    rows: IntArray
    row_keys: IntArray
    row_std: FloatArray
    masked_rows: IntArray
    lost_rows: IntArray
    single_key_rows: IntArray
    histogram: ScoreHistogram
    divisors: tuple[AtDivisor, ...]

    @property
    def expected_std(self) -> float:
        """Standard deviation under the random model, √d_k."""
        return math.sqrt(self.d_k)

    @property
    def std_ratio(self) -> float:
        """Standard deviation in units of √d_k."""
        return self.std / self.expected_std

    @property
    def within_row_ratio(self) -> float:
        """Spread within the rows in units of √d_k: what the divided scores have left."""
        return self.within_row_std / self.expected_std

    def at(self, name: str, /) -> AtDivisor:
        """Return the comparison under "none", "sqrt_d_k", "d_k", "matched" or "chosen"."""
        for entry in self.divisors:
            if entry.name == name:
                return entry
        names = ", ".join(entry.name for entry in self.divisors)
        raise KeyError(f"no divisor named {name!r}; there are {names}")


@dataclass(frozen=True, slots=True, eq=False)
class _Moments:
    """Per row: keys that count, their mean and variance, scores lost; and the extremes of all."""

    keys: IntArray
    mean: FloatArray
    variance: FloatArray
    lost: IntArray
    minimum: float
    maximum: float


def _first_pass(tiles: Iterator[Tile]) -> _Moments:
    parts = []
    low, high = math.inf, -math.inf
    for tile in tiles:
        count = np.count_nonzero(tile.allowed, axis=-1)
        divisor = np.maximum(count, 1)
        # From the row's maximum, so that a row of equal scores has variance 0 and not rounding.
        peak = tile.scores.max(axis=-1, keepdims=True, where=tile.allowed, initial=-math.inf)
        peak = np.where(count[:, np.newaxis] > 0, peak, 0.0)
        centered = np.where(tile.allowed, tile.scores - peak, 0.0)
        offset = centered.sum(axis=-1) / divisor
        centered = np.where(tile.allowed, centered - offset[:, np.newaxis], 0.0)
        mean = peak[:, 0] + offset
        variance = np.einsum("ij,ij->i", centered, centered) / divisor
        parts.append((count, mean, variance, tile.lost))
        low = min(low, float(tile.scores.min(where=tile.allowed, initial=math.inf)))
        high = max(high, float(tile.scores.max(where=tile.allowed, initial=-math.inf)))
    if low > high:
        low = high = 0.0
    keys, mean, variance, lost = (np.concatenate(part) for part in zip(*parts, strict=True))
    return _Moments(keys, mean, variance, lost, low, high)


def diagnose_head(pair: Pair, *, is_causal: bool, divisor: float | None) -> HeadDiagnosis:
    """Diagnose one head; `divisor` is one more to compare, named "chosen"."""
    (n_q, d_k), n_k = pair.query.shape, len(pair.key)
    moments = _first_pass(iter_tiles(pair.query, pair.key, pair.mask, is_causal=is_causal))
    total = int(moments.keys.sum())
    share = moments.keys / max(total, 1)
    mean = float(moments.mean[0] + share @ (moments.mean - moments.mean[0]))
    reach = max(abs(moments.minimum), abs(moments.maximum))
    within, between = float(share @ moments.variance), float(share @ np.square(moments.mean - mean))
    # Equal scores come out of a matrix product equal but for rounding.
    noise = (_ROUNDING * reach) ** 2
    within, between = (0.0 if part <= noise else part for part in (within, between))
    choice = moments.keys > 1
    named = divisors_for(d_k, math.sqrt(within), divisor)
    comparisons = [Comparison(name, tau) for name, tau in named.items()]
    edges = histogram_edges(reach, d_k)
    counts = np.zeros(len(edges) - 1, dtype=np.int64)
    # Values are mixed by a product a tile and divisor: few and large ones, see BLOCK.
    size = TILE if pair.value is None else BLOCK
    for tile in iter_tiles(pair.query, pair.key, pair.mask, is_causal=is_causal, size=size):
        counts += bin_counts(tile.scores[tile.allowed], edges)
        _add_rows(tile, choice[tile.rows], pair.value, comparisons, exact=n_q * n_k <= _EXACT)
    row_keys = moments.keys[choice]
    return HeadDiagnosis(
        label=pair.label,
        index=pair.index,
        n_q=n_q,
        n_k=n_k,
        d_k=d_k,
        scores=total,
        lost=int(moments.lost.sum()),
        mean=mean,
        std=math.sqrt(within + between),
        within_row_std=math.sqrt(within),
        between_row_std=math.sqrt(between),
        minimum=moments.minimum,
        maximum=moments.maximum,
        rows=np.flatnonzero(choice),
        row_keys=row_keys,
        row_std=np.sqrt(moments.variance[choice]),
        masked_rows=np.flatnonzero((moments.keys == 0) & (moments.lost == 0)),
        lost_rows=np.flatnonzero((moments.keys == 0) & (moments.lost > 0)),
        single_key_rows=np.flatnonzero(moments.keys == 1),
        histogram=ScoreHistogram(edges, counts, expected_counts(edges, d_k, total)),
        divisors=tuple(comparison.result(row_keys) for comparison in comparisons),
    )


def _add_rows(
    tile: Tile,
    choice: NDArray[np.bool_],
    value: FloatArray | None,
    comparisons: list[Comparison],
    *,
    exact: bool,
) -> None:
    """Show the rows of one tile that have a choice to every comparison."""
    if not choice.any():
        return
    allowed = tile.allowed[choice]
    gaps = np.where(allowed, tile.scores[choice], -np.inf)
    gaps -= gaps.max(axis=-1, keepdims=True)
    bias = None if tile.bias is None else tile.bias[choice]
    reference = None
    # √d_k comes first: the other outputs are compared with its own.
    for comparison in sorted(comparisons, key=lambda entry: entry.name != "sqrt_d_k"):
        divided = comparison.add(gaps, bias, exact=exact)
        if value is not None:
            weights = np.where(allowed, np.exp(divided), 0)
            output = (weights / weights.sum(axis=-1, keepdims=True)) @ value  # (rows, d_v)
            reference = output if reference is None else reference
            comparison.add_output(output, reference)
