"""The controls of the pages under See it: name in the URL, bounds, default and help of each."""

from control_types import Number, seed
from listed_controls import Choice, Steps

from core.examples import HEAD_WIDTHS
from core.limits import MAX_KEYS, MAX_QUERIES, MAX_WIDTH, MIN_KEYS

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

# --- Sweep the width ----------------------------------------------------------------------------
PRESET = Choice(
    key="preset",
    label="Experiment: your own (free), or a published one",
    options=("free", "independent-keys", "self-attention"),
    default="free",
    write=lambda name: name.replace("independent-keys", "independent keys"),
    help="Independent keys: each query has keys of its own. Self-attention: the tokens of a "
    "sequence, whose queries share their keys.",
)
SWEEP_KEYS = Number(
    key="sweep_keys",
    label="Keys",
    default=12,
    low=MIN_KEYS,
    high=MAX_KEYS,
    step=1,
    help="Keys that every query attends to, 2 to 4,096.",
)
SWEEP_QUERIES = Number(
    key="sweep_queries",
    label="Queries a trial",
    default=1,
    low=1,
    high=MAX_QUERIES,
    step=1,
    help="1: every query has keys of its own. More: that many queries share the trial's keys.",
)
TRIALS = Number(
    key="trials",
    label="Trials",
    default=1000,
    low=1,
    high=10**9,
    step=500,
    help="Independent repetitions at each width. Ask for more than fits and you get what fits.",
)
SWEEP_WIDTHS = Steps(
    key="widths",
    label="Head widths dₖ",
    options=tuple(2**i for i in range(MAX_WIDTH.bit_length())),
    default=(4, 1024),
    help="From and to. All powers of two in between are measured.",
)
SEED = seed("seed", "Start of the random numbers: same seed, same points.")
ENGINE = Choice(
    key="engine",
    label="Engine",
    options=("exact-law", "drawn-vectors"),
    default="exact-law",
    write=lambda name: name.replace("-", " "),
    menu=True,
    help="Drawn vectors draws every query and key. Exact law samples their scores directly.",
)
