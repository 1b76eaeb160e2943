"""An hour of a class, played as fast as the server lets it: does its memory stay flat?

Thirty readers change something every eight seconds for sixty minutes and move to another page
every two: the same number of changes, pages and sessions, without the pauses. What is kept for all
(sweeps, parts of pages) fills up in the first quarter; after it the memory must not grow.
"""

import asyncio
import itertools

import psutil

from tests.bench.load.plans import PLANS
from tests.bench.load.reader import Reader

CLASS = 30
MINUTES = 60
CHANGES_A_MINUTE = 8
MINUTES_ON_A_PAGE = 2
FLAT = 10.0
"""MB that the server may have grown by from the first quarter of the hour to its end."""


def play_hour(address: str, pid: int) -> int:
    """Play it, print the server's memory as it goes, and return the exit status."""
    server = psutil.Process(pid)
    measured: list[float] = []

    async def play() -> None:
        for visit in range(MINUTES // MINUTES_ON_A_PAGE):
            async with asyncio.TaskGroup() as group:
                for number in range(CLASS):
                    group.create_task(_visit(address, visit, number))
            measured.append(server.memory_info().rss / 1e6)
            print(f"minute {(visit + 1) * MINUTES_ON_A_PAGE:3}: {measured[-1]:.0f} MB", flush=True)

    asyncio.run(play())
    grown = measured[-1] - measured[len(measured) // 4 - 1]
    print(f"grown by {grown:.1f} MB from a quarter of the hour to its end; at most {FLAT:.0f}")
    return grown > FLAT


async def _visit(address: str, visit: int, number: int) -> None:
    """Open a page anew, use it, and leave it."""
    plan = PLANS[(visit + number) % len(PLANS)]
    reader = Reader(address, plan.page)
    await reader.open()
    changes = plan.changes(CLASS * visit + number)
    for value in itertools.islice(changes, CHANGES_A_MINUTE * MINUTES_ON_A_PAGE):
        await reader.change(plan.control, value)
    await reader.close()
