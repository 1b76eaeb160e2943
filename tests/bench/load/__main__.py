"""``python -m tests.bench.load``: how long a crowd of readers waits for the server.

Each plan of `plans` is played by itself against a server started for it: its readers open a page
and change one control every two seconds. Arguments pick plans by page. A plan fails if it meets an
error, or if one answer in twenty takes longer than the budget. It measures the server alone; what
the browser adds, drawing above all, is measured in the browser tests.

``python -m tests.bench.load --hour`` plays an hour of a class of thirty instead, as fast as the
server lets it, and fails unless the server's memory stays flat.
"""

import argparse
import asyncio
import contextlib
import tempfile
from pathlib import Path

from tests.bench.load.crowd import Outcome, gather_crowd
from tests.bench.load.hour import play_hour
from tests.bench.load.plans import PLANS, Plan
from tests.browser.harness import start_server

BUDGET = 0.250
"""Seconds that nineteen answers in twenty may take."""

HEADINGS = ("plan", "readers", "changes", "p50", "p95", "p99", "open p95", "kB", "CPU", "MB", "own")


def main() -> int:
    """Play what the command line asks for; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pages", nargs="*", help="play the plans of these pages only")
    parser.add_argument("--seconds", type=float, default=20.0, help="time that counts")
    parser.add_argument("--hour", action="store_true", help="an hour of a class, for its memory")
    options = parser.parse_args()
    if options.hour:
        with _server() as (address, pid):
            return play_hour(address, pid)
    plans = [plan for plan in PLANS if not options.pages or (plan.page or "home") in options.pages]
    _line(HEADINGS)
    failed = []
    for plan in plans:
        with _server() as (address, pid):
            outcome = asyncio.run(gather_crowd(address, plan, options.seconds, pid))
        _line(_cells(plan, outcome))
        for error, times in outcome.errors.items():
            print(f"    {times} × {error}")
        if outcome.errors or _quantile(outcome.waits, 0.95) > BUDGET:
            failed.append(plan.name)
    print("ms for the waits; kB received a reader; CPU of the server in cores; own: ms late here")
    print(f"over {1000 * BUDGET:.0f} ms or with errors: {', '.join(failed) or 'none'}")
    return bool(failed)


@contextlib.contextmanager
def _server():
    with tempfile.TemporaryDirectory() as folder, start_server(Path(folder) / "log") as running:
        yield running.address, running.process.pid


def _cells(plan: Plan, outcome: Outcome) -> tuple[object, ...]:
    waits = [f"{1000 * _quantile(outcome.waits, share):.0f}" for share in (0.5, 0.95, 0.99)]
    return (
        plan.name,
        plan.readers,
        len(outcome.waits),
        *waits,
        f"{1000 * _quantile(outcome.first, 0.95):.0f}",
        f"{outcome.received / plan.readers / 1000:.0f}",
        f"{outcome.processor:.2f}",
        f"{outcome.memory:.0f}",
        f"{1000 * _quantile(outcome.late, 0.95):.0f}",
    )


def _quantile(times: list[float], share: float) -> float:
    """Return the smallest time that a share of all do not exceed; infinite where none is."""
    return sorted(times)[max(0, -int(-share * len(times) // 1) - 1)] if times else float("inf")


def _line(cells: tuple[object, ...]) -> None:
    first, *others = cells
    print(f"{first!s:22}" + "".join(f"{cell!s:>9}" for cell in others), flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
