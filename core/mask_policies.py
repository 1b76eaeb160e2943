r"""What a query gets that may attend no key, and what libraries mean by a mask.

Such a row has no weights that sum to 1, so each library chose something. Plain softmax subtracts
a maximum of −inf and gives NaN, which then spreads. Libraries that call it a mistake raise; others
return zeros; and where blocked scores are *filled* with a finite number instead of −inf, they are
all equal and the query gets the mean of all values, blocked ones included. Libraries do not agree
either on what True means. So whoever takes a mask says which convention it follows.
"""

from dataclasses import dataclass
from typing import Literal, get_args

from numpy.typing import ArrayLike

from core._arrays import FloatArray
from core.attention import FullyMasked, attention


@dataclass(frozen=True, slots=True, eq=False)
class PolicyResult:
    """What one policy makes of the queries that may attend no key.

    Attributes
    ----------
    policy : {"raise", "zero", "nan", "mean"}
    weights : ndarray, shape (..., n_q, n_k), or None for an error
    output : ndarray, shape (..., n_q, d_v), or None for an error
    error : str
        The message of the error, or nothing.
    """

    policy: FullyMasked
    weights: FloatArray | None
    output: FloatArray | None
    error: str


def compare_policies(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    /,
    *,
    mask: ArrayLike,
    scale: float | None = None,
) -> tuple[PolicyResult, ...]:
    """Return the result of every policy for fully masked rows, the error's message included.

    Parameters are those of `core.attention`.

    Raises
    ------
    ValueError, TypeError
        If attention refuses the input for another reason.

    Examples
    --------
    >>> keys = [[1.0, 0.0], [0.0, 1.0]]
    >>> for seen in compare_policies([[1.0, 2.0]], keys, [[2.0], [4.0]], mask=[False, False]):
    ...     print(seen.policy, seen.output)
    raise None
    zero [[0.]]
    nan [[nan]]
    mean [[3.]]
    """
    results = []
    for policy in get_args(FullyMasked):
        if policy == "raise":
            continue
        stages = attention(query, key, value, mask=mask, scale=scale, fully_masked=policy)
        results.append(PolicyResult(policy, stages.weights, stages.output, ""))
    try:
        stages = attention(query, key, value, mask=mask, scale=scale, fully_masked="raise")
    except ValueError as error:
        # Shapes and options have passed above: what is left to refuse is a row without keys.
        first = PolicyResult("raise", None, None, str(error))
    else:
        first = PolicyResult("raise", stages.weights, stages.output, "")
    return (first, *results)


@dataclass(frozen=True, slots=True)
class MaskConvention:
    """What one library's function means by a mask.

    Attributes
    ----------
    library, function, argument : str
        Where a mask is given.
    true_means : {"takes part", "is left out"}
        Of a boolean mask.
    additive : str
        How the additive form is given, or that it is not taken.
    blocks_by : str
        What happens to a blocked score.
    fully_masked : {"zero", "nan", "mean"}
        What a query without keys gets, in float32.
    source : str
        Documentation or source that says so.
    """

    library: str
    function: str
    argument: str
    true_means: Literal["takes part", "is left out"]
    additive: str
    blocks_by: str
    fully_masked: FullyMasked
    source: str


MASK_CONVENTIONS = (
    MaskConvention(
        library="PyTorch",
        function="torch.nn.functional.scaled_dot_product_attention",
        argument="attn_mask",
        true_means="takes part",
        additive="a floating attn_mask is added to the scaled scores",
        blocks_by="−inf, and rows without keys are set to zero",
        fully_masked="zero",
        source="PyTorch 2 documentation, scaled_dot_product_attention",
    ),
    MaskConvention(
        library="PyTorch",
        function="torch.nn.MultiheadAttention",
        argument="attn_mask, key_padding_mask",
        true_means="is left out",
        additive="a floating mask is added to the scaled scores",
        blocks_by="−inf; where weights are returned, by plain softmax",
        fully_masked="nan",
        source="PyTorch 2 documentation, MultiheadAttention; need_weights=True, its default",
    ),
    MaskConvention(
        library="Keras",
        function="keras.layers.Attention",
        argument="mask",
        true_means="takes part",
        additive="not taken",
        blocks_by="adding −1e9 (−65,504 in float16)",
        fully_masked="mean",
        source="Keras 3, layers/attention/attention.py; the mean while scores stay below 32",
    ),
    MaskConvention(
        library="JAX",
        function="jax.nn.dot_product_attention",
        argument="mask",
        true_means="takes part",
        additive="as a separate argument, bias",
        blocks_by="filling with 0.7 times the lowest number",
        fully_masked="mean",
        source="JAX documentation and source, jax.nn.dot_product_attention",
    ),
    MaskConvention(
        library="ONNX",
        function="Attention, opset 23 and later",
        argument="attn_mask",
        true_means="takes part",
        additive="a floating attn_mask is added to the scaled scores",
        blocks_by="−inf, and rows without keys are set to zero",
        fully_masked="zero",
        source="ONNX operator documentation and reference evaluator, Attention",
    ),
)
"""Boolean and additive masks in five places. What is called `mask` here follows the first."""
