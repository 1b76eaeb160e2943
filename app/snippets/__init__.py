"""The scripts behind "Show the NumPy": real files, one a page, that NumPy alone runs.

A script's first lines are assignments of the page's values; `render` puts the reader's in.
Tests run every script and compare what it computes with core.
"""

import re
from functools import cache
from pathlib import Path
from typing import Any


@cache
def source(name: str) -> str:
    """Return the script as it stands in the repository."""
    return (Path(__file__).parent / f"{name}.py").read_text(encoding="utf-8")


def render(name: str, **values: Any) -> str:
    """Return the script ``name`` with each ``variable = …`` line replaced by the given value."""
    text = source(name)
    for variable, value in values.items():
        line = re.search(rf"^{variable} = [^#\n]*?(?=  #|$)", text, flags=re.MULTILINE)
        if line is None:
            msg = f"script {name!r} assigns no {variable!r}"
            raise KeyError(msg)
        text = text[: line.start()] + f"{variable} = {value!r}" + text[line.end() :]
    return text
