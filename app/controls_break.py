"""The controls of three pages under Break it: masks, mistakes, number formats."""

from control_types import Number, seed
from listed_controls import Choice, Choices

from core.examples import DIVISOR_EXAMPLE, FRACTIONAL_EXAMPLE, HEAD_WIDTH_EXAMPLE
from core.masking import MASKING_EXAMPLE
from core.mistakes import MISTAKES

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
MASK_PARTS = {
    "padding": (MASK_LENGTH, MASK_POLICY),
    "window": (MASK_WINDOW,),
    "causal and padding": (MASK_LENGTH, MASK_POLICY),
    "custom": (MASK_POLICY,),
}
"""Further controls of a mask: those that it heeds, and no others are shown."""
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
MISTAKE_SEED = seed("mistake_seed", "Start of the random numbers that both sides draw.")

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
FORMAT_SEED = seed("format_seed", "Start of the random numbers: same seed, same points.")
