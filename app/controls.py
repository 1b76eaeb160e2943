"""Every control of the explorer, declared once: its name in the URL, bounds, default and help."""

from control_types import Choice, Choices, Line, Number, Steps, Switch
from quiz import QUESTIONS

from core.examples import DIVISOR_EXAMPLE, FRACTIONAL_EXAMPLE, HEAD_WIDTH_EXAMPLE, HEAD_WIDTHS
from core.key_count import MAP_KEYS, MAP_WIDTHS
from core.limits import MAX_KEYS, MAX_QUERIES, MAX_WIDTH, MIN_KEYS
from core.masking import MASKING_EXAMPLE
from core.mistakes import MISTAKES
from core.trained import trained_sentences

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
    label="Experiment: your own, or one of two published ones",
    options=("free", "independent-keys", "self-attention"),
    default="free",
    write=lambda name: name.replace("independent-keys", "independent keys"),
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
    label="Head widths dₖ, from and to",
    options=tuple(2**i for i in range(MAX_WIDTH.bit_length())),
    default=(4, 1024),
    help="All powers of two in between are measured.",
)
SEED = Number(
    key="seed",
    label="Seed",
    default=1,
    low=0,
    high=2**32 - 1,
    step=1,
    help="Start of the random numbers: same seed, same points.",
)
ENGINE = Choice(
    key="engine",
    label="Engine",
    options=("exact-law", "drawn-vectors"),
    default="exact-law",
    write=lambda name: name.replace("-", " "),
    menu=True,
    help="Drawn vectors draws every query and key. Exact law samples their scores directly.",
)

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
PLANTED_SEED = Number(
    key="planted_seed",
    label="Seed",
    default=1,
    low=0,
    high=2**32 - 1,
    step=1,
    help="Start of the random numbers: same seed, same points.",
)
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
GRADIENT_SEED = Number(
    key="gradient_seed",
    label="Seed",
    default=1,
    low=0,
    high=2**32 - 1,
    step=1,
    help="Start of the random numbers: same seed, same rows.",
)
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
OTHER_SEED = Number(
    key="other_seed",
    label="Seed",
    default=1,
    low=0,
    high=2**32 - 1,
    step=1,
    help="Start of the random numbers: same seed, same rows for all rules.",
)
SHOWN_RULES = Choices(
    key="rules",
    label="Rules to show",
    options=tuple(RULE_LABELS),
    default=list(RULE_LABELS),
    write=RULE_LABELS.__getitem__,
    help="Pick any. None picked shows all.",
)

# --- Lessons ------------------------------------------------------------------------------------
MINUTES = Choice(
    key="minutes",
    label="Minutes you have",
    options=(10, 25, 50),
    default=10,
)
SHARED_LINK = Line(
    key="link",
    label="Any link of the explorer",
    longest=600,
    help="Paste a page's “Link to this state”.",
)

# --- Quiz ---------------------------------------------------------------------------------------
QUESTION = Number(
    key="question",
    label="Question",
    default=1,
    low=1,
    high=len(QUESTIONS),
    step=1,
)

# --- Common mistakes ----------------------------------------------------------------------------
MISTAKE_EXAMPLES = {
    "five tokens": MASKING_EXAMPLE,
    "one query": DIVISOR_EXAMPLE,
    "±1 vectors": HEAD_WIDTH_EXAMPLE,
    "fractions": FRACTIONAL_EXAMPLE,
}
MISTAKE = Choice(
    key="mistake",
    label="Mistake",
    options=tuple(MISTAKES),
    default="divide-by-d_k",
    menu=True,
)
MISTAKE_EXAMPLE = Choice(
    key="mistake_example",
    label="On which numbers",
    options=tuple(MISTAKE_EXAMPLES),
    default="five tokens",
    menu=True,
)
MISTAKE_SEED = Number(
    key="mistake_seed",
    label="Seed",
    default=1,
    low=0,
    high=2**32 - 1,
    step=1,
    help="Only the mistake about seeds draws random numbers.",
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

# --- Masks --------------------------------------------------------------------------------------
MASK_KINDS = (
    "none",
    "causal upper-left",
    "causal lower-right",
    "padding",
    "window",
    "causal and padding",
    "custom",
)
MASK_POLICIES = {"zero": "zeros", "nan": "NaN", "mean": "mean of V", "raise": "error"}
MASK_KIND = Choice(
    key="mask_kind",
    label="Mask",
    options=MASK_KINDS,
    default="causal upper-left",
    menu=True,
)
MASK_QUERIES = Choice(
    key="mask_queries",
    label="Queries",
    options=(3, 5),
    default=5,
    menu=True,
    help="There are five keys. With three queries the two causal masks differ.",
)
MASK_LENGTH = Choice(
    key="mask_length",
    label="Real keys",
    options=(0, 1, 2, 3, 4, 5),
    default=3,
    menu=True,
    help="Keys after these are padding. At 0 no query may attend anything.",
)
MASK_WINDOW = Choice(
    key="mask_window",
    label="Window ±",
    options=(0, 1, 2, 3, 4),
    default=1,
    menu=True,
    help="How many keys a query sees before and after its own position.",
)
MASK_POLICY = Choice(
    key="mask_policy",
    label="If no key is left",
    options=tuple(MASK_POLICIES),
    default="zero",
    write=MASK_POLICIES.__getitem__,
    menu=True,
    help="What a query gets that may attend no key.",
)
MASK_ROWS = tuple(
    Choices(
        key=f"mask_q{i}",
        label=f"Query {i} may attend",
        options=(1, 2, 3, 4, 5),
        default=[1, 2, 3, 4, 5],
        write=lambda j: f"k{j}",
        empty=True,
    )
    for i in range(1, 6)
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

# --- Number formats -----------------------------------------------------------------------------
FORMAT_SCALE = Number(
    key="format_scale",
    label="Scores 3, 1, −1 times",
    default=4.0,
    low=0.1,
    high=10_000.0,
    step=1.0,
    format="%0.1f",
    help="How large the three raw scores are. At 4 the largest is 12.",
)
NUMBER_FORMAT = Choice(
    key="number_format",
    label="Format",
    options=("float16", "bfloat16", "float32", "float64"),
    default="float16",
    menu=True,
    help="Its largest number decides where an exponential overflows.",
)
FORMAT_WIDTH = Choice(
    key="format_width",
    label="Head width dₖ",
    options=(4, 16, 32, 64, 128, 256, 1024),
    default=64,
    menu=True,
    help="Width of the head; scaled scores are divided by its root.",
)
FORMAT_SEED = Number(
    key="format_seed",
    label="Seed",
    default=1,
    low=0,
    high=2**32 - 1,
    step=1,
    help="Start of the random numbers: same seed, same points.",
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
