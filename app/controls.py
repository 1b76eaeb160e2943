"""Every control of the explorer, declared once: its name in the URL, bounds, default and help."""

from control_types import Choice, Number

from core.examples import HEAD_WIDTHS

# --- Change the divisor -------------------------------------------------------------------------
DIVISOR = Number(
    key="divisor",
    label="Divisor",
    default=3.0**0.5,
    low=0.01,
    high=1000.0,
    step=0.1,
    format="%0.4f",
    help="Any divisor from 0.01 to 1,000. √dₖ is √3 ≈ 1.7321 here.",
)
SHIFT = Number(
    key="shift",
    label="Add to every score",
    default=0.0,
    low=-100.0,
    high=100.0,
    step=1.0,
    format="%0.2f",
    help="A constant added to the whole row, before dividing. Watch the weights.",
)

# --- Widen the head -----------------------------------------------------------------------------
QUERY = Choice(
    key="query",
    label="Query",
    options=(0, 1, 2, 3),
    default=0,
    write=lambda i: f"Q{i}",
)
WIDTH = Choice(
    key="width",
    label="Head width dₖ",
    options=HEAD_WIDTHS,
    default=4,
    help="How many of the 32 coordinates take part in the dot product.",
)
KEY = Choice(
    key="key",
    label="Score to take apart",
    options=(0, 1, 2, 3),
    default=0,
    write=lambda j: f"K{j}",
)
