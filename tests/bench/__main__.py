"""``python -m tests.bench``: print every measured ratio beside its budget.

Each module ``bench_NAME.py`` in this folder has a function ``rows()`` that gives `Row` values, or
plain tuples (what was measured, value, most allowed). Names on the command line pick some of
them. The command fails if a value is over its budget.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from pathlib import Path

from tests.bench.table import Row

FOLDER = Path(__file__).parent
COLUMNS = (72, 12, 14, 4)


def main(names: list[str]) -> int:
    """Run the benches named, all if none is, and return the exit status."""
    found = sorted(
        module.name.removeprefix("bench_")
        for module in pkgutil.iter_modules([str(FOLDER)])
        if module.name.startswith("bench_")
    )
    unknown = set(names) - set(found)
    if unknown:
        print(f"no bench {', '.join(sorted(unknown))}; there are {', '.join(found)}")
        return 2
    over = []
    line(("", "measured", "budget", ""))
    for name in names or found:
        line((f"— {name}", "", "", ""))
        for found_row in importlib.import_module(f"tests.bench.bench_{name}").rows():
            row = Row(*found_row) if isinstance(found_row, tuple) else found_row
            line(row.cells())
            if not row.ok:
                over.append(row.name)
    print(f"{len(over)} over budget" + "".join(f"\n  {name}" for name in over))
    return bool(over)


def line(cells: tuple[str, str, str, str]) -> None:
    """Print one line of the table, at once."""
    print("  ".join(cell.ljust(width) for cell, width in zip(cells, COLUMNS, strict=True)).rstrip())
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
