"""Tables for readers who open one: pandas is loaded then, not before.

With what it brings it takes seventy megabytes, half of what a server needs without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import pandas as pd

    Frame: TypeAlias = pd.DataFrame
else:
    Frame = object


def frame(columns: Any) -> Frame:
    """Return a pandas table of the given columns or records."""
    from pandas import DataFrame

    return DataFrame(dict(columns) if isinstance(columns, Mapping) else columns)
