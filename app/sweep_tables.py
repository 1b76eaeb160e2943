"""A sweep as tables: what its page prints, and what its files carry in full precision."""

import math
from collections.abc import Callable
from pathlib import Path

import words
from frames import Frame, frame
from sweep_report import spread_name

from core.expectation import Expectation
from core.intervals import Estimate
from core.published import Agreement
from core.sweep_result import Statistics, Sweep

PUBLISHED = Path(__file__).resolve().parent.parent / "assets" / "published_sweeps.csv"
QUANTITIES = {
    "score_std": "std",
    "entropy": "entropy (nats)",
    "normalized_entropy": "entropy / ln n",
    "max_weight": "largest weight",
    "saturated_percent": "rows over 0.9 (%)",
}


def _three_places(x: float) -> str:
    return words.fixed(x, 3) if math.isfinite(x) else words.significant(x)


_COLUMNS: dict[str, tuple[str, Callable[[float], str]]] = {
    "score_std": ("spread", _three_places),
    "entropy": ("entropy (nats)", _three_places),
    "normalized_entropy": ("entropy / ln n", _three_places),
    "max_weight": ("largest weight", words.soft_probability),
    "saturated_share": ("above 0.9", words.percent),
}


def readable(sweep: Sweep, exact: tuple[Expectation, Expectation]) -> Frame:
    """Return the measured values with their intervals, and under each the exact ones, as text."""
    rows = []
    for i, width in enumerate(sweep.widths):
        for name, statistics, curve in _variants(sweep, exact):
            measured = {"width": words.count(int(width)), "scores": name}
            formula = {"width": words.count(int(width)), "scores": f"{name}, exact"}
            for field, (title, write) in _COLUMNS.items():
                estimate: Estimate = getattr(statistics, field)
                low, high = write(float(estimate.low[i])), write(float(estimate.high[i]))
                measured[title] = f"{write(float(estimate.value[i]))} [{low}, {high}]"
                values = getattr(curve, field, None)
                formula[title] = "no formula" if values is None else write(float(values[i]))
            rows += [measured, formula]
    return frame(rows)


def complete(sweep: Sweep, exact: tuple[Expectation, Expectation]) -> Frame:
    """Return everything at full precision, each row with the setting that it comes from."""
    rows = []
    for i, width in enumerate(sweep.widths):
        for name, statistics, curve in _variants(sweep, exact):
            row: dict[str, object] = {"width": int(width), "scores": name}
            for field in _COLUMNS:
                estimate: Estimate = getattr(statistics, field)
                row[field] = float(estimate.value[i])
                row[f"{field}_low"] = float(estimate.low[i])
                row[f"{field}_high"] = float(estimate.high[i])
                row[f"{field}_standard_error"] = float(estimate.standard_error[i])
                if hasattr(curve, field):
                    row[f"{field}_exact"] = float(getattr(curve, field)[i])
            rows.append(
                row
                | {
                    "n_keys": sweep.n_keys,
                    "n_queries": sweep.n_queries,
                    "n_trials": sweep.n_trials,
                    "score_std_is": spread_name(sweep),
                    "seed": sweep.seed,
                    "engine": sweep.engine,
                    **sweep.versions,
                }
            )
    return frame(rows)


def both(sweep: Sweep, exact: tuple[Expectation, Expectation]) -> tuple[Frame, Frame]:
    """Return the results to read, and the same to keep."""
    return readable(sweep, exact), complete(sweep, exact)


def _variants(
    sweep: Sweep, exact: tuple[Expectation, Expectation]
) -> tuple[tuple[str, Statistics, Expectation], ...]:
    return ("raw", sweep.raw, exact[0]), ("scaled", sweep.scaled, exact[1])


def verdict(rows: tuple[Agreement, ...]) -> str:
    """Say in one sentence how many published values this machine's run agrees with."""
    agreeing = sum(row.agrees for row in rows)
    return (
        f"**{agreeing} of {len(rows)} published values agree** with this run to their printed "
        "places."
    )


def _signed(x: float) -> str:
    return "<0.01" if 0 < abs(x) < 0.005 else words.fixed(x, 2)


def agreement_table(rows: tuple[Agreement, ...]) -> Frame:
    """Return published and measured values side by side, as text, narrow enough for a phone."""
    return frame(
        {
            "quantity": [
                f"{row.published.variant} {QUANTITIES[row.published.quantity]}" for row in rows
            ],
            "width": [words.count(row.published.width) for row in rows],
            "printed": [words.fixed(row.published.value, row.published.places) for row in rows],
            "here": [words.fixed(row.measured, row.published.places + 2) for row in rows],
            "verdict": [
                f"{'agrees' if row.agrees else 'differs'}, {_signed(row.errors_away)}"
                for row in rows
            ],
        }
    )
