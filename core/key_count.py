r"""√d_k takes out the width and leaves the number of keys.

A row of n scores can be spread over at most n keys, an entropy of ln n. Raw scores have a standard
deviation of √d_k, so that a few keys take nearly all of the weight from a width of about 2 ln n,
14 with a thousand keys. Scaled scores have one of 1 at every width; their entropy is about
ln n − ½ and keeps growing with the number of keys. Division by √d_k does nothing about that, nor
is it meant to. All of it is read here from exact expectations; `core.freezing` is the guide.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.expectation import expected
from core.freezing import freezing_std, guide_entropy

FloatArray = NDArray[np.float64]

__all__ = ["MAP_KEYS", "MAP_WIDTHS", "EntropyMap", "Reading", "entropy_map", "reading", "readings"]

MAP_WIDTHS = tuple(sorted({2**i for i in range(11)} | {3 * 2**i for i in range(9)}))
"""Widths of the map, two to an octave: 1, 2, 3, 4, 6, 8, … 1,024."""

MAP_KEYS = (*(2**i for i in range(1, 17)), 100_000)
"""Numbers of keys of the map, one to an octave: 2, 4, 8, … 65,536, and 100,000."""


@dataclass(frozen=True, slots=True, eq=False)
class EntropyMap:
    """Exact mean normalized entropy over width and number of keys.

    Attributes
    ----------
    widths : ndarray of int, shape (w,)
    n_keys : ndarray of int, shape (n,)
    raw, scaled : ndarray, shape (n, w)
        Mean entropy over ln n, 0 to 1, of raw scores and of scores divided by √d_k.
    """

    widths: NDArray[np.int64]
    n_keys: NDArray[np.int64]
    raw: FloatArray
    scaled: FloatArray


@dataclass(frozen=True, slots=True)
class Reading:
    """One cell of the map, beside what the large-n guide says of it.

    Attributes
    ----------
    score_std : float
        Standard deviation σ of the scores that softmax is given.
    freezing_std : float
        √(2 ln n), where the guide has the weights freeze.
    entropy, guide : float
        Exact mean entropy and ln n − σ²/2 (0 where that is negative), nats.
    normalized_entropy : float
        Entropy over ln n.
    effective_keys : float
        Exponential of the mean entropy.
    ceiling : float
        ln n, nats.
    """

    score_std: float
    freezing_std: float
    entropy: float
    guide: float
    normalized_entropy: float
    effective_keys: float
    ceiling: float

    @property
    def frozen(self) -> bool:
        """Whether the guide calls the row frozen."""
        return self.score_std >= self.freezing_std


def entropy_map(
    widths: Sequence[int] = MAP_WIDTHS, n_keys: Sequence[int] = MAP_KEYS, /
) -> EntropyMap:
    """Give the exact mean normalized entropy for every width with every number of keys.

    Parameters
    ----------
    widths : sequence of int
        Widths d_k, 1 to 2²⁰.
    n_keys : sequence of int
        Numbers of keys, 1 to 100,000.

    Returns
    -------
    EntropyMap

    Raises
    ------
    ValueError
        If a width or a number of keys is out of bounds.

    Examples
    --------
    >>> small = entropy_map((4, 64), (12, 1000))
    >>> small.raw.round(2), small.scaled.round(2)
    (array([[0.63, 0.15],
           [0.75, 0.13]]), array([[0.85, 0.84],
           [0.93, 0.93]]))
    """
    d_k, n = np.array(widths, dtype=np.int64), np.array(n_keys, dtype=np.int64)
    raw, scaled = (
        expected(d_k, n_keys=n[:, None], scaled=divided).normalized_entropy
        for divided in (False, True)
    )
    return EntropyMap(d_k, n, raw, scaled)


def reading(width: int, n_keys: int, /, *, scaled: bool) -> Reading:
    """Read one cell of the map, exactly and by the guide.

    Parameters
    ----------
    width : int
        Head width d_k, 1 to 2²⁰.
    n_keys : int
        Number of keys, 1 to 100,000.
    scaled : bool
        Whether the scores are divided by √d_k.

    Returns
    -------
    Reading

    Raises
    ------
    ValueError
        If the width or the number of keys is out of bounds.

    Examples
    --------
    >>> cell = reading(64, 1000, scaled=True)
    >>> round(cell.entropy, 2), round(cell.guide, 2), round(cell.effective_keys)
    (6.41, 6.41, 608)
    """
    return readings((width,), (n_keys,), scaled=scaled)[width, n_keys]


def readings(
    widths: Sequence[int], n_keys: Sequence[int], /, *, scaled: bool
) -> dict[tuple[int, int], Reading]:
    """Read every width with every number of keys at once, which takes little longer than a few.

    Parameters
    ----------
    widths : sequence of int
        Widths d_k, 1 to 2²⁰.
    n_keys : sequence of int
        Numbers of keys, 1 to 100,000.
    scaled : bool
        Whether the scores are divided by √d_k.

    Returns
    -------
    dict
        Cells by width and number of keys.

    Raises
    ------
    ValueError
        If a width or a number of keys is out of bounds.

    Examples
    --------
    >>> cells = readings((4, 64), (12, 1000), scaled=True)
    >>> round(cells[64, 1000].effective_keys)
    608
    """
    d_k, n = np.array(widths, dtype=np.int64)[:, None], np.array(n_keys, dtype=np.int64)
    rows = expected(d_k, n_keys=n, scaled=scaled)
    columns = (
        rows.score_std,
        freezing_std(n),
        rows.entropy,
        guide_entropy(rows.score_std, n_keys=n),
        rows.normalized_entropy,
        np.exp(rows.entropy),
        np.log(n),
    )
    numbers = np.stack(np.broadcast_arrays(*columns), axis=-1).tolist()
    return {
        (int(width), int(keys)): Reading(*cell)
        for width, of_width in zip(widths, numbers, strict=True)
        for keys, cell in zip(n_keys, of_width, strict=True)
    }
