"""Two published experiments, run as they were published and compared value by value.

Both are width sweeps on drawn vectors with a fixed seed, so that anybody can draw the very same
vectors again. In *independent keys* every query has 12 keys of its own; in *self-attention* 16
queries share the 16 keys of their sequence. The published tables have few places: a value agrees
with one if it rounds to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType

from core.sweep import iter_sweep, last
from core.sweep_result import Progress, Sweep

WIDTHS = (4, 16, 64, 256, 1024)
"""Head widths of both experiments."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """The setting of a published sweep, in the words of `core.sweep`."""

    n_keys: int
    n_queries: int
    n_trials: int
    seed: int
    mean_removed: bool


EXPERIMENTS = MappingProxyType(
    {
        "independent-keys": Experiment(
            n_keys=12, n_queries=1, n_trials=4000, seed=20_260_718, mean_removed=True
        ),
        "self-attention": Experiment(
            n_keys=16, n_queries=16, n_trials=300, seed=20, mean_removed=False
        ),
    }
)
"""Published experiments by name."""


@dataclass(frozen=True, slots=True)
class PublishedValue:
    """One entry of a published table.

    Parameters
    ----------
    experiment
        Name in `EXPERIMENTS`.
    width
        Head width d_k.
    quantity
        A field of `Statistics`, or "saturated_percent", 100 times its ``saturated_share``.
    variant
        "raw" or "scaled".
    value, places
        As printed, and how many decimal places that has.
    """

    experiment: str
    width: int
    quantity: str
    variant: str
    value: float
    places: int


def _column(
    experiment: str,
    quantity: str,
    variant: str,
    places: int,
    values: tuple[float, ...],
    widths: tuple[int, ...] = WIDTHS,
) -> tuple[PublishedValue, ...]:
    return tuple(
        PublishedValue(experiment, width, quantity, variant, value, places)
        for width, value in zip(widths, values, strict=True)
    )


_ENDS = (4, 1024)
"""Widths at which the independent-keys tutorial prints entropies and shares."""

PUBLISHED_VALUES: tuple[PublishedValue, ...] = (
    *_column("independent-keys", "score_std", "raw", 3, (1.990, 3.997, 8.015, 15.967, 31.774)),
    *_column("independent-keys", "score_std", "scaled", 3, (0.995, 0.999, 1.002, 0.998, 0.993)),
    *_column("independent-keys", "max_weight", "raw", 3, (0.460, 0.710, 0.857, 0.925, 0.962)),
    *_column("independent-keys", "max_weight", "scaled", 3, (0.272, 0.285, 0.289, 0.288, 0.288)),
    *_column("independent-keys", "entropy", "raw", 3, (1.575, 0.092), _ENDS),
    *_column("independent-keys", "entropy", "scaled", 3, (2.121, 2.093), _ENDS),
    *_column("independent-keys", "saturated_percent", "raw", 1, (4.0, 88.1), _ENDS),
    *_column("independent-keys", "saturated_percent", "scaled", 1, (0.2, 0.0), _ENDS),
    *_column("self-attention", "score_std", "scaled", 3, (1.009, 0.997, 1.003, 0.999, 0.999)),
    *_column(
        "self-attention", "normalized_entropy", "scaled", 3, (0.855, 0.854, 0.850, 0.851, 0.851)
    ),
)
"""Every published value, as printed."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """A published value beside a measured one.

    Parameters
    ----------
    published
        The entry of the published table.
    measured, standard_error
        The sweep's value, in the unit of the published one.
    """

    published: PublishedValue
    measured: float
    standard_error: float

    @property
    def agrees(self) -> bool:
        """Whether the measured value rounds to the published one, exact halves either way."""
        gap = abs(self.measured - self.published.value)
        return gap <= 0.5 * 10.0**-self.published.places + 1e-9

    @property
    def errors_away(self) -> float:
        """How many standard errors the measured value lies above the published one."""
        return (self.measured - self.published.value) / self.standard_error


def iter_published(name: str, /) -> Iterator[Progress]:
    """Run a published experiment step by step, as `core.iter_sweep` does.

    Raises
    ------
    ValueError
        If there is no experiment of that name.

    Examples
    --------
    >>> next(iter_published("self-attention")).fraction < 0.1
    True
    """
    experiment = _experiment(name)
    return iter_sweep(
        WIDTHS,
        n_keys=experiment.n_keys,
        n_queries=experiment.n_queries,
        n_trials=experiment.n_trials,
        seed=experiment.seed,
        engine="drawn-vectors",
        mean_removed=experiment.mean_removed,
    )


def published(name: str, /) -> Sweep:
    """Run a published experiment from its seed, drawing every vector in the published order.

    Parameters
    ----------
    name
        "independent-keys" or "self-attention".

    Returns
    -------
    Sweep
        At the widths 4, 16, 64, 256 and 1024.

    Raises
    ------
    ValueError
        If there is no experiment of that name.

    Examples
    --------
    >>> published("self-attention").scaled.score_std.value.round(3)
    array([1.009, 0.997, 1.003, 0.999, 0.999])
    """
    return last(iter_published(name))


def agreement(name: str, sweep: Sweep, /) -> tuple[Agreement, ...]:
    r"""Compare a sweep with a published table, value by value.

    A value x agrees with one published to p places if

    .. math:: |x - \text{published}| \le \tfrac12 \cdot 10^{-p} + 10^{-9}.

    Parameters
    ----------
    name
        "independent-keys" or "self-attention".
    sweep
        Any sweep at those widths: the experiment run again, or another seed or engine, which
        agrees within its standard errors but not to the last place.

    Returns
    -------
    tuple of Agreement
        One for each published value, in the order of `PUBLISHED_VALUES`.

    Raises
    ------
    ValueError
        If there is no experiment of that name, or the sweep lacks one of its widths.

    Examples
    --------
    >>> rows = agreement("self-attention", published("self-attention"))
    >>> len(rows), all(row.agrees for row in rows)
    (10, True)
    """
    _experiment(name)
    position = {int(width): i for i, width in enumerate(sweep.widths)}
    missing = [width for width in WIDTHS if width not in position]
    if missing:
        raise ValueError(
            f"the sweep has no width {missing[0]}; the published ones are {WIDTHS}, "
            f"the sweep's {tuple(position)}"
        )
    rows = []
    for entry in PUBLISHED_VALUES:
        if entry.experiment == name:
            percent = entry.quantity == "saturated_percent"
            statistics = sweep.raw if entry.variant == "raw" else sweep.scaled
            estimate = getattr(statistics, "saturated_share" if percent else entry.quantity)
            i, unit = position[entry.width], 100.0 if percent else 1.0
            rows.append(
                Agreement(
                    entry,
                    float(estimate.value[i]) * unit,
                    float(estimate.standard_error[i]) * unit,
                )
            )
    return tuple(rows)


def _experiment(name: str) -> Experiment:
    if name not in EXPERIMENTS:
        raise ValueError(f"name must be one of {', '.join(map(repr, EXPERIMENTS))}, not {name!r}")
    return EXPERIMENTS[name]
