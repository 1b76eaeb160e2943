"""The controls of the pages under Prove it: name in the URL, bounds, default and help of each."""

from control_types import Number, Switch, seed
from listed_controls import Choice, Steps

from core.trained import trained_sentences

# --- Where gradients go -------------------------------------------------------------------------
GRADIENT_WIDTHS = tuple(2**i for i in range(2, 13))
GRADIENT_KEYS = Choice(
    key="gradient_keys",
    label="Keys",
    options=(2, 3, 4, 8, 12, 16, 32, 64, 128, 256, 512),
    default=3,
    menu=True,
    help="Keys in a row. How soon raw gradients die depends on it.",
)
GRADIENT_OF = Choice(
    key="gradient_of",
    label="Derivative",
    options=("J", "J/τ"),
    default="J",
    help="J is by what softmax is given, J/τ by the raw scores. Raw rows have τ = 1: both agree.",
)
GRADIENT_WIDTH = Steps(
    key="gradient_width",
    label="Read at width dₖ",
    options=GRADIENT_WIDTHS,
    default=64,
    help="The width that the sentences below the chart are about.",
)
GRADIENT_SEED = seed("gradient_seed", "Start of the random numbers: same seed, same rows.")
GRADIENT_DIVISOR = Number(
    key="gradient_divisor",
    label="Divisor τ",
    default=3.0**0.5,
    low=0.1,
    high=100.0,
    step=0.1,
    format="%0.4f",
    help="What the scores 3, 1 and −1 are divided by: 0.1 to 100. √dₖ is √3 ≈ 1.7321 here.",
)

# --- Trained heads ------------------------------------------------------------------------------
SENTENCE = Choice(
    key="sentence",
    label="Sentence",
    options=tuple(range(len(trained_sentences()))),
    default=0,
    write=lambda i: " ".join(trained_sentences()[i].split()[:2]).strip(",."),
    menu=True,
)
HEAD_STATISTIC = Choice(
    key="head_statistic",
    label="Colour by",
    options=("spread", "entropy scaled", "entropy raw", "largest weight"),
    default="spread",
    menu=True,
)
LAYER = Choice(key="layer", label="Layer", options=tuple(range(6)), default=0, menu=True)
HEAD = Choice(key="head", label="Head", options=tuple(range(12)), default=2, menu=True)
HEAD_DIVISOR = Number(
    key="head_divisor",
    label="Divisor",
    default=32**0.5,
    low=0.1,
    high=1000.0,
    step=1.0,
    format="%0.3f",
    help="√dₖ is √32 ≈ 5.657 here.",
)

# --- Your own Q, K, V ---------------------------------------------------------------------------
OWN_SAMPLE = Choice(
    key="own_sample",
    label="Sample",
    options=("trained", "random", "tokens-first", "nan-and-mask", "small-csv"),
    default="trained",
    menu=True,
)
OWN_HEAD = Number(
    key="own_head",
    label="Head",
    default=0,
    low=0,
    high=1023,
    step=1,
    help="Counted from 0 along all leading axes, the last axis fastest.",
)
OWN_CAUSAL = Switch(
    key="own_causal",
    label="Causal",
    help="Block keys after the query's own position, on top of any mask of yours.",
)
OWN_DIVISOR = Number(
    key="own_divisor",
    label="Your divisor",
    default=4.0,
    low=0.01,
    high=10_000.0,
    step=0.5,
    format="%0.3f",
    help="Compared with none, √dₖ, dₖ and the one that fits this head.",
)

# --- Cost and variants --------------------------------------------------------------------------
COST_TOKENS = Choice(
    key="cost_tokens",
    label="Tokens n",
    options=(128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072),
    default=4096,
    write=str,
    menu=True,
    help="As many queries as keys. Up to 4,096 the tiled result is checked live.",
)
COST_WIDTH = Choice(
    key="cost_width",
    label="Head width d",
    options=(16, 32, 64, 128, 256),
    default=64,
    menu=True,
    help="Width of queries, keys and values of a head.",
)
COST_HEADS = Choice(
    key="cost_heads",
    label="Heads",
    options=(1, 2, 4, 8, 12, 16, 32, 64),
    default=8,
    menu=True,
)
COST_DTYPE = Choice(
    key="cost_dtype",
    label="Format",
    options=("float16", "bfloat16", "float32", "float64"),
    default="float16",
    menu=True,
    help="What scores, keys and values are stored in.",
)
COST_CAUSAL = Switch(
    key="cost_causal",
    label="Causal",
    help="A query sees no later key.",
)
