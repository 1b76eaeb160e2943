"""The controls of three pages under Break it: assumptions, more keys, other ways."""

from control_types import Number, seed
from listed_controls import Choice, Choices, Steps

from core.key_count import MAP_KEYS, MAP_WIDTHS

# --- When the assumptions fail ------------------------------------------------------------------
PLANTED_RHO = Number(
    key="planted_rho",
    label="Lean ρ",
    default=0.3,
    low=0.0,
    high=1.0,
    step=0.05,
    format="%0.2f",
    help="Correlation of the planted key's components with the query's: 0 independent, 1 a copy.",
)
PLANTED_KEYS = Choice(
    key="planted_keys",
    label="Keys",
    options=(2, 4, 8, 16, 32, 64, 128, 256, 512),
    default=64,
    menu=True,
    help="Keys in a row, the planted one included.",
)
PLANTED_SEED = seed("planted_seed", "Start of the random numbers: same seed, same points.")
COMPONENT_MEAN = Number(
    key="component_mean",
    label="Mean μ",
    default=1.0,
    low=-2.0,
    high=2.0,
    step=0.1,
    format="%0.2f",
    help="Mean of every component of queries and keys. The usual assumption is 0.",
)
COMPONENT_STD = Number(
    key="component_std",
    label="Standard deviation s",
    default=1.0,
    low=0.25,
    high=2.0,
    step=0.05,
    format="%0.2f",
    help="Standard deviation of every component. The usual assumption is 1.",
)
COMPONENT_CORRELATION = Number(
    key="component_correlation",
    label="Correlation r",
    default=0.0,
    low=0.0,
    high=1.0,
    step=0.01,
    format="%0.2f",
    help="Correlation of any two coordinates of one vector. The usual assumption is 0.",
)

# --- More keys ----------------------------------------------------------------------------------
MAP_WIDTH = Steps(
    key="map_width",
    label="Head width dₖ",
    options=MAP_WIDTHS,
    default=64,
    help="Column of the maps that is read.",
)
MAP_N_KEYS = Steps(
    key="map_keys",
    label="Number of keys n",
    options=MAP_KEYS,
    default=128,
    help="Row of the maps that is read.",
)

# --- Other ways to tame scores ------------------------------------------------------------------
RULE_LABELS = {
    "none": "none",
    "sqrt_d_k": "√dₖ",
    "d_k/8": "dₖ/8",
    "d_k": "dₖ",
    "cosine": "cosine",
    "softcap": "soft cap",
    "sink": "+1",
}
OTHER_KEYS = Choice(
    key="other_keys",
    label="Keys",
    options=(2, 3, 4, 8, 12, 16, 32, 64, 128, 256, 512),
    default=32,
    menu=True,
    help="Keys in a row.",
)
OTHER_ROWS = Number(
    key="other_rows",
    label="Rows",
    default=1000,
    low=10,
    high=20_000,
    step=500,
    help="Rows at each width. Ask for more than fits and you get what fits.",
)
GAIN = Number(
    key="gain",
    label="Gain g",
    default=10.0,
    low=0.1,
    high=1000.0,
    step=1.0,
    format="%0.1f",
    help="What the cosine is multiplied by. It is learned; 10 is where it starts for 32 tokens.",
)
CAP = Number(
    key="cap",
    label="Cap c",
    default=50.0,
    low=0.5,
    high=1000.0,
    step=5.0,
    format="%0.1f",
    help="What c·tanh(s/c) bends scores towards. Gemma 2 has c = 50.",
)
ACTS_ON = Choice(
    key="acts_on",
    label="Cap and +1 act on",
    options=("s", "s/√dₖ"),
    default="s",
    help="Raw scores s, as rules of their own; or scaled ones, as both were published.",
)
OTHER_SEED = seed("other_seed", "Start of the random numbers: same seed, same rows for all rules.")
SHOWN_RULES = Choices(
    key="rules",
    label="Rules to show",
    options=tuple(RULE_LABELS),
    default=list(RULE_LABELS),
    write=RULE_LABELS.__getitem__,
    help="Pick any. None picked shows all.",
)
