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
from core.expectation import Expectation, expected, expected_at
from core.gradients import GradientNorms, NormQuantiles, gradient_norms
from core.intervals import Estimate
from core.jacobian import (
    GradientCurve,
    gradient_curve,
    jacobian_norm,
    jacobian_norm_from_scores,
    softmax_jacobian,
)
from core.limits import SweepCost, largest_trials, sweep_cost
from core.masks import additive_mask, causal_mask, padding_mask, sliding_window_mask
from core.published import (
    EXPERIMENTS,
    PUBLISHED_VALUES,
    Agreement,
    Experiment,
    PublishedValue,
    agreement,
    iter_published,
    published,
)
from core.scores import dot_product_scores
from core.softmax import logsumexp, softmax
from core.sweep import iter_sweep, sweep
from core.sweep_result import Progress, Statistics, Sweep

__all__ = [
    "DIVISORS",
    "DIVISOR_EXAMPLE",
    "EXPERIMENTS",
    "FRACTIONAL_EXAMPLE",
    "HEAD_WIDTHS",
    "HEAD_WIDTH_EXAMPLE",
    "PUBLISHED_VALUES",
    "Agreement",
    "Attention",
    "DividedScores",
    "Estimate",
    "Example",
    "Expectation",
    "Experiment",
    "GradientCurve",
    "GradientNorms",
    "NormQuantiles",
    "Progress",
    "PublishedValue",
    "Row",
    "ScalingComparison",
    "Statistics",
    "Sweep",
    "SweepCost",
    "additive_mask",
    "agreement",
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
    "expected",
    "expected_at",
    "gradient_curve",
    "gradient_norms",
    "iter_published",
    "iter_sweep",
    "jacobian_norm",
    "jacobian_norm_from_scores",
    "largest_trials",
    "logsumexp",
    "normalized_entropy",
    "padding_mask",
    "published",
    "sliding_window_mask",
    "softmax",
    "softmax_jacobian",
    "sweep",
    "sweep_cost",
]
