"""Scaled dot-product attention, and why its scores are divided by √d_k.

Shapes, everywhere in this package (leading axes broadcast)::

    query   (..., n_q, d_k)     key     (..., n_k, d_k)     value   (..., n_k, d_v)
    scores  (..., n_q, n_k)     weights (..., n_q, n_k)     output  (..., n_q, d_v)

The order is fixed: scores, divide by √d_k, mask, softmax over the keys (last axis), mix the
values. Entropies are Shannon entropies in nats. In a boolean mask True means that the key takes
part.
"""

from core.attention import Attention, attention
from core.divisor import DIVISORS, DividedScores, divide, divisor_position, divisor_table
from core.entropy import effective_keys, entropy, entropy_from_scores, normalized_entropy
from core.examples import (
    DIVISOR_EXAMPLE,
    FRACTIONAL_EXAMPLE,
    HEAD_WIDTH_EXAMPLE,
    HEAD_WIDTHS,
    Example,
    Row,
    ScalingComparison,
    compare_scaling,
)
from core.masks import additive_mask, causal_mask, padding_mask, sliding_window_mask
from core.scores import dot_product_scores
from core.softmax import logsumexp, softmax

__all__ = [
    "DIVISORS",
    "DIVISOR_EXAMPLE",
    "FRACTIONAL_EXAMPLE",
    "HEAD_WIDTHS",
    "HEAD_WIDTH_EXAMPLE",
    "Attention",
    "DividedScores",
    "Example",
    "Row",
    "ScalingComparison",
    "additive_mask",
    "attention",
    "causal_mask",
    "compare_scaling",
    "divide",
    "divisor_position",
    "divisor_table",
    "dot_product_scores",
    "effective_keys",
    "entropy",
    "entropy_from_scores",
    "logsumexp",
    "normalized_entropy",
    "padding_mask",
    "sliding_window_mask",
    "softmax",
]
