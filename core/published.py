"""Two published experiments, run as they were published."""

from __future__ import annotations

from collections.abc import Iterator

from core.sweep import Progress, Sweep, iter_sweep

WIDTHS = (4, 16, 64, 256, 1024)


def iter_published(name: str, /) -> Iterator[Progress]:
    """Run a published experiment, yielding as it goes."""
    if name == "independent-keys":
        return iter_sweep(WIDTHS, n_keys=12, n_trials=4000, seed=20_260_718)
    if name == "self-attention":
        return iter_sweep(WIDTHS, n_keys=16, n_queries=16, n_trials=300, seed=20, centred=False)
    raise ValueError(f"name must be 'independent-keys' or 'self-attention', not {name!r}")


def published(name: str, /) -> Sweep:
    """Run a published experiment."""
    for progress in iter_published(name):
        result = progress.sweep
    assert result is not None
    return result
