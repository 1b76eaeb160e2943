r"""Mistakes that people make in attention code, as code that runs.

Most of them raise no error. The weights come out, look like weights, and training goes on a
little worse; so what matters is the symptom. Three checks find most mistakes: every row of weights
sums to 1, its entropy lies below the logarithm of the number of allowed keys and not right at
either end, and it ranks the keys as the scores do. Wrong and right code differ in one line, and
both are run on the same numbers.
"""

from dataclasses import dataclass
from types import MappingProxyType

SETUP = """\
import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


d_k = query.shape[-1]
"""
"""What every snippet starts from. Given are arrays `query`, `key` and `value`, a boolean `mask`
(True = the key takes part), `n_heads`, `dtype` and `seed`; each snippet sets `weights`, `output`.
"""

_RIGHT = """\
scores = query @ key.T / np.sqrt(d_k)
weights = softmax(scores)
output = weights @ value
"""

_MASKED = _RIGHT.replace("softmax(scores)", "softmax(np.where(mask, scores, -np.inf))")


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake: what is written, what should be, and how to notice.

    Attributes
    ----------
    name : str
        Key in `MISTAKES`.
    title : str
        For people.
    wrong, right : str
        Code that runs after `SETUP`.
    symptom : str
        By what it can be noticed.
    belief, answer : str
        What people think, and what is so.
    asked : str
        Documentation that answers it.
    magnitude : float
        A factor on the queries at which the mistake shows on small examples.
    """

    name: str
    title: str
    wrong: str
    right: str
    symptom: str
    belief: str
    answer: str
    asked: str
    magnitude: float = 1.0


_ALL = (
    Mistake(
        name="divide-by-d_k",
        title="Dividing by d_k",
        wrong=_RIGHT.replace("np.sqrt(d_k)", "d_k"),
        right=_RIGHT,
        symptom="Entropy close to its ceiling, and closer the wider the head. Order is kept.",
        belief="Dividing by d_k is safer than dividing by √d_k.",
        answer=(
            "Scores spread as √d_k. Divided by d_k they shrink as heads grow wider, and weights "
            "become uniform; that is right only where queries and keys are aligned."
        ),
        asked="PyTorch: scaled_dot_product_attention, scale defaults to 1/√E",
    ),
    Mistake(
        name="sequence-length",
        title="The sequence length as d_k",
        wrong=_RIGHT.replace("np.sqrt(d_k)", "np.sqrt(key.shape[0])"),
        right=_RIGHT,
        symptom=(
            "Entropy too high where n > d_k, too low where n < d_k; padding moves it, masked or "
            "not. Order is kept."
        ),
        belief="d_k is the number of tokens.",
        answer="d_k is the last axis of query and key: the terms of one dot product.",
        asked="PyTorch: scaled_dot_product_attention, shapes (N, …, L, E) and (N, …, S, E)",
    ),
    Mistake(
        name="model-width",
        title="The model width as d_k",
        wrong=_RIGHT.replace("np.sqrt(d_k)", "np.sqrt(n_heads * d_k)"),
        right=_RIGHT,
        symptom="Entropy too high, by the same divisor √heads in every layer. Order is kept.",
        belief="d_k is the width of the model.",
        answer="A head's dot product has d_k = model width / heads terms.",
        asked="PyTorch: MultiheadAttention, each head has dimension embed_dim // num_heads",
    ),
    Mistake(
        name="scale-after-softmax",
        title="Scaling after softmax",
        wrong="""\
scores = query @ key.T
weights = softmax(scores) / np.sqrt(d_k)
output = weights @ value
""",
        right=_RIGHT,
        symptom="Rows sum to 1/√d_k. Nothing is less sharp, and outputs are short.",
        belief="The weights can be scaled instead of the scores.",
        answer="Only before softmax does a divisor change how sharp a row is.",
        asked="PyTorch: scaled_dot_product_attention, scale is applied prior to softmax",
    ),
    Mistake(
        name="no-maximum",
        title="Exponentials without subtracting the maximum",
        wrong="""\
scores = (query @ key.T / np.sqrt(d_k)).astype(dtype)
e = np.exp(scores)
weights = e / e.sum(axis=-1, keepdims=True)
output = weights @ value
""",
        right="""\
scores = (query @ key.T / np.sqrt(d_k)).astype(dtype)
e = np.exp(scores - scores.max(axis=-1, keepdims=True))
weights = e / e.sum(axis=-1, keepdims=True)
output = weights @ value
""",
        symptom="Overflow warning, then NaN, or rows of zeros where only the sum overflows.",
        belief="Scaling prevents overflow, so the maximum need not be subtracted.",
        answer=(
            "Scaling makes overflow rarer; subtracting the maximum makes it impossible and "
            "changes no weight. Neither replaces the other."
        ),
        asked="SciPy: special.softmax, whose notes say that it shifts to avoid overflow",
        magnitude=10.0,
    ),
    Mistake(
        name="wrong-axis",
        title="Softmax over the wrong axis",
        wrong=_RIGHT.replace("softmax(scores)", "softmax(scores, axis=0)"),
        right=_RIGHT,
        symptom="Columns sum to 1 and rows do not; a key's weight depends on other queries.",
        belief="Softmax over either axis will do.",
        answer="Each query distributes its weight over the keys: the last axis.",
        asked="SciPy: special.softmax, axis defaults to None, all of the array",
    ),
    Mistake(
        name="scale-twice",
        title="Scaling twice",
        wrong="""\
query = query / np.sqrt(d_k)  # with the projection
scores = query @ key.T / np.sqrt(d_k)
weights = softmax(scores)
output = weights @ value
""",
        right="""\
query = query / np.sqrt(d_k)  # with the projection
scores = query @ key.T
weights = softmax(scores)
output = weights @ value
""",
        symptom="The same as dividing by d_k: entropy close to its ceiling.",
        belief="Scaling the query once and the scores again is harmless.",
        answer="The divisors multiply. Scaling either is the same, scaling both divides by d_k.",
        asked="ONNX: Attention, which scales query and key by √scale each, and nothing after",
    ),
    Mistake(
        name="inverted-mask",
        title="Inverted mask",
        wrong=_MASKED.replace("scores, -np.inf", "-np.inf, scores"),
        right=_MASKED,
        symptom="All weight on blocked keys; NaN for a query that may attend every key.",
        belief="True in a mask means masked.",
        answer="It depends: in PyTorch's own two functions True has opposite meanings.",
        asked="PyTorch: MultiheadAttention and scaled_dot_product_attention, attn_mask",
    ),
    Mistake(
        name="zero-after-softmax",
        title="Zeroing after softmax",
        wrong=_RIGHT.replace("softmax(scores)", "softmax(scores) * mask"),
        right=_MASKED,
        symptom="Rows sum to less than 1, the less the more is masked.",
        belief="Setting weights to 0 is a mask.",
        answer="Blocked keys have then taken their share already, and NaN in them still leaks.",
        asked="PyTorch: scaled_dot_product_attention, whose equivalent code masks, then softmax",
    ),
    Mistake(
        name="no-seed",
        title="Comparing runs without a seed",
        wrong="""\
rng = np.random.default_rng()
raw = rng.standard_normal(query.shape) @ rng.standard_normal(key.shape).T
rng = np.random.default_rng()
scores = rng.standard_normal(query.shape) @ rng.standard_normal(key.shape).T
weights = softmax(scores / np.sqrt(d_k))  # and compares them with softmax(raw)
output = weights @ value
""",
        right="""\
rng = np.random.default_rng(seed)
raw = rng.standard_normal(query.shape) @ rng.standard_normal(key.shape).T
scores = raw
weights = softmax(scores / np.sqrt(d_k))  # and compares them with softmax(raw)
output = weights @ value
""",
        symptom="Keys change rank between raw and scaled, and figures change at every run.",
        belief="Two runs differ by what was changed between them.",
        answer=(
            "They differ by the draw too. Measure raw and scaled on the same scores, and give "
            "the seed; even that holds for one version of the generator only."
        ),
        asked="NumPy: random.default_rng, without a seed takes fresh entropy from the system",
    ),
    Mistake(
        name="expect-uniform",
        title="Expecting scaling to make weights uniform",
        wrong="""\
scores = query @ key.T / np.sqrt(d_k)
weights = np.full(scores.shape, 1 / scores.shape[-1])  # what was expected
output = weights @ value
""",
        right=_RIGHT,
        symptom="Entropy at its ceiling, order lost, and one output for all: the mean of V.",
        belief="Scaling makes the weights uniform.",
        answer=(
            "It removes the sharpness that comes from width alone. A key that fits better keeps "
            "its lead, and uniform weights would be no attention at all."
        ),
        asked="Attention is all you need, arXiv:1706.03762, section 3.2.1",
    ),
    Mistake(
        name="library-default",
        title="Trusting a library to scale",
        wrong="""\
scores = query @ key.T  # as keras.layers.Attention does by default
weights = softmax(scores)
output = weights @ value
""",
        right=_RIGHT,
        symptom="Entropy lower than it should be, and lower the wider the head. Order is kept.",
        belief="Every library scales by default.",
        answer=(
            "PyTorch's scaled_dot_product_attention and ONNX do. Keras' layers.Attention does "
            "not; use_scale=True multiplies by a learned number, not by 1/√d_k."
        ),
        asked="Keras: layers.Attention, use_scale defaults to False",
    ),
)

MISTAKES = MappingProxyType({mistake.name: mistake for mistake in _ALL})
"""Common mistakes by name."""
