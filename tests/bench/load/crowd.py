"""Many readers at once, each at a steady pace, and how long the server let them wait."""

import asyncio
import contextlib
import time
from collections import Counter
from dataclasses import dataclass, field

import psutil

from tests.bench.load.plans import Plan
from tests.bench.load.reader import PATIENCE, Reader

PACE = 2.0
"""Seconds from one change of a reader to the next."""

ARRIVALS = 25
"""Readers who open the page in a second."""

SETTLING = 8.0
"""Seconds after the last has arrived that do not count."""


@dataclass
class Outcome:
    """What all readers of a crowd met."""

    waits: list[float] = field(default_factory=list)
    first: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    late: list[float] = field(default_factory=list)
    received: int = 0
    processor: float = 0.0
    memory: float = 0.0


async def gather_crowd(address: str, plan: Plan, seconds: float, pid: int) -> Outcome:
    """Let the readers of a plan arrive, change their control at their pace, and leave."""
    outcome = Outcome()
    begin = time.perf_counter()
    counted = begin + plan.readers / ARRIVALS + SETTLING
    end = counted + seconds
    server = psutil.Process(pid)
    clock = asyncio.create_task(_watch_own_clock(outcome, counted))
    readers = [
        asyncio.create_task(_stay(address, plan, n, begin + n / ARRIVALS, counted, end, outcome))
        for n in range(plan.readers)
    ]
    await asyncio.sleep(max(0.0, counted - time.perf_counter()))
    used = sum(server.cpu_times()[:2])
    await asyncio.sleep(seconds)
    outcome.processor = (sum(server.cpu_times()[:2]) - used) / seconds
    outcome.memory = server.memory_info().rss / 1e6
    await asyncio.wait(readers, timeout=PATIENCE)
    for reader in readers:
        if reader.cancel():
            outcome.errors["still waits at the end"] += 1
    clock.cancel()
    await asyncio.gather(*readers, clock, return_exceptions=True)
    return outcome


async def _stay(
    address: str,
    plan: Plan,
    number: int,
    arrival: float,
    counted: float,
    end: float,
    outcome: Outcome,
) -> None:
    """Be one reader. A late answer delays no later change: it counts from when it was due."""
    await asyncio.sleep(max(0.0, arrival - time.perf_counter()))
    reader = Reader(address, plan.page)
    changes = plan.changes(number)
    try:
        start = time.perf_counter()
        await reader.open()
        outcome.first.append(time.perf_counter() - start)
        # Spread over the pace in even steps: a class does not move as one.
        due = time.perf_counter() + PACE * (number * 0.618 % 1)
        while due < end:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            await reader.change(plan.control, next(changes))
            if due >= counted:
                outcome.waits.append(time.perf_counter() - due)
            due += PACE
    except Exception as error:
        outcome.errors[f"{type(error).__name__}: {error}"] += 1
    finally:
        outcome.received += reader.received
        with contextlib.suppress(Exception):
            await reader.close()


async def _watch_own_clock(outcome: Outcome, counted: float) -> None:
    """Note how late this process itself is: what it measures is no better than that."""
    await asyncio.sleep(max(0.0, counted - time.perf_counter()))
    while True:
        start = time.perf_counter()
        await asyncio.sleep(0.05)
        outcome.late.append(time.perf_counter() - start - 0.05)
