"""What a setting of the sweep is called, what it costs, and how far its run has come."""

import math

import words
from runs import Setting

from core.sweep_result import Progress, Sweep

ENGINES = {"exact-law": "exact law", "drawn-vectors": "drawn vectors"}


def cost(setting: Setting) -> str:
    """Say what a setting draws and measures."""
    price = setting.cost
    return (
        f"{words.count(sum(price.normals))} random numbers, {words.count(sum(price.scores))} scores"
    )


def identity(sweep: Sweep, setting: Setting) -> str:
    """Name engine, seed, work and versions of a finished sweep."""
    return (
        f"Engine: {ENGINES[sweep.engine]}. Seed {sweep.seed}. {cost(setting)}. "
        f"NumPy {sweep.versions['numpy']}, Python {sweep.versions['python']}."
    )


def under_way(setting: Setting, progress: Progress) -> str:
    """Say how far a run has come."""
    return f"{_part(progress)} of {cost(setting)}"


def stopped(setting: Setting, progress: Progress) -> str:
    """Say what a stopped run has measured."""
    measured = 0 if progress.sweep is None else len(progress.sweep.widths)
    return (
        f"Stopped at {_part(progress)} of {cost(setting)}. A partial result: "
        f"{measured} of {len(setting.widths)} widths."
    )


def _part(progress: Progress) -> str:
    return f"{math.floor(100 * progress.fraction)}{words.SPACE}%"


def limited(asked: int, wanted: str, setting: Setting) -> str | None:
    """Say what was changed because too much was asked for, or None."""
    if setting.engine != wanted:
        return (
            "Not even one trial of drawn vectors fits at these widths and keys. The exact law "
            f"stands in, with {words.count(setting.n_trials)} trials."
        )
    if setting.n_trials < asked:
        return (
            f"{words.count(asked)} trials are more work than this page takes on. It runs "
            f"{words.count(setting.n_trials)}, the most that fit at these widths and keys."
        )
    return None


def setting_in_words(setting: Setting) -> str:
    """Describe a published setting, in two lines."""
    trials, keys = words.count(setting.n_trials), setting.n_keys
    widths = words.listing([words.count(width) for width in setting.widths])
    if setting.n_queries == 1:
        shape = f"{trials} queries a width, each with {keys} keys of its own"
    else:
        shape = f"{trials} sequences a width, each of {keys} tokens whose queries share their keys"
    return (
        f"{shape}; widths {widths}.  \nRun as published: seed {setting.seed}, every vector drawn, "
        "in the published order."
    )
