"""Scaled dot-product attention, and why its scores are divided by √d_k.

Shapes, everywhere in this package (leading axes broadcast)::

    query   (..., n_q, d_k)     key     (..., n_k, d_k)     value   (..., n_k, d_v)
    scores  (..., n_q, n_k)     weights (..., n_q, n_k)     output  (..., n_q, d_v)

The order is fixed: scores, divide by √d_k, mask, softmax over the keys (last axis), mix the
values. Entropies are Shannon entropies in nats. In a boolean mask True means that the key takes
part.
"""

from core.alternatives import Alternatives, RuleStatistics, alternatives
from core.assumption_sample import ComponentSample, component_sample
from core.assumptions import Components, ScoreSpread, expected_given, score_spread
from core.attention import Attention, attention
from core.comparison import AtDivisor
from core.cost import AttentionCost, attention_cost
from core.diagnosis import Diagnosis, collect_diagnosis, diagnose, iter_diagnose
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
from core.finite import NonFinite, find_non_finite
from core.format_softmax import FormatComparison, FormatSoftmax, compare_formats, softmax_in_format
from core.formats import FORMATS, FloatFormat, round_to_bfloat16, round_to_format
from core.freezing import freezing_std, freezing_width, guide_entropy, thawing_keys
from core.gradients import GradientNorms, NormQuantiles, gradient_norms
from core.head_diagnosis import HeadDiagnosis
from core.heads import DividedHead, HeadStatistics, divide_head, head_statistics
from core.histogram import ScoreHistogram, score_histogram
from core.intervals import Estimate
from core.jacobian import (
    GradientCurve,
    gradient_curve,
    jacobian_norm,
    jacobian_norm_from_scores,
    softmax_jacobian,
)
from core.key_count import EntropyMap, Reading, entropy_map, reading, readings
from core.key_ranges import KeyRanges, count_tiles, key_ranges
from core.key_value_cache import KeyValueCache, kv_cache, kv_caches
from core.layout import LayoutHint, layout_hints
from core.limits import SweepCost, largest_trials, sweep_cost
from core.linear import LinearError, elu_features, linear_attention, linear_error
from core.mask_pitfalls import (
    LEAK_METHODS,
    BiasOrder,
    Leak,
    MaskAfterSoftmax,
    bias_order,
    mask_after_softmax,
    poison,
)
from core.mask_policies import MASK_CONVENTIONS, MaskConvention, PolicyResult, compare_policies
from core.masking import MASKING_EXAMPLE, MaskComparison, Masked, build_mask, compare_masked
from core.masks import additive_mask, causal_mask, padding_mask, sliding_window_mask
from core.mistake_results import MistakeResult, MistakeSide, make_mistake
from core.mistakes import MISTAKES, Mistake
from core.overflow import overflow_chance, overflow_sample
from core.planted import (
    PLANTED_DIVISORS,
    ScoreMoments,
    planted_lead,
    planted_moments,
    planted_weight,
)
from core.planted_sample import PlantedSample, planted_sample
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
from core.rules import RULES
from core.scores import dot_product_scores
from core.sentinels import (
    SENTINELS,
    SentinelResult,
    compare_sentinels,
    mask_with_sentinel,
    sentinel_value,
)
from core.softmax import logsumexp, softmax
from core.sweep import iter_sweep, sweep
from core.sweep_result import Progress, Statistics, Sweep
from core.tensor_files import Member, Tensor, TensorFileError, read_npy, read_npz, scan_npz
from core.tiled import TiledAttention, tiled_attention
from core.trained import TrainedHeads, trained_heads, trained_sentences
from core.variants import VARIANTS, Variant
from core.verdict import Verdict

__all__ = [
    "DIVISORS",
    "DIVISOR_EXAMPLE",
    "EXPERIMENTS",
    "FORMATS",
    "FRACTIONAL_EXAMPLE",
    "HEAD_WIDTHS",
    "HEAD_WIDTH_EXAMPLE",
    "LEAK_METHODS",
    "MASKING_EXAMPLE",
    "MASK_CONVENTIONS",
    "MISTAKES",
    "PLANTED_DIVISORS",
    "PUBLISHED_VALUES",
    "RULES",
    "SENTINELS",
    "VARIANTS",
    "Agreement",
    "Alternatives",
    "AtDivisor",
    "Attention",
    "AttentionCost",
    "BiasOrder",
    "ComponentSample",
    "Components",
    "Diagnosis",
    "DividedHead",
    "DividedScores",
    "EntropyMap",
    "Estimate",
    "Example",
    "Expectation",
    "Experiment",
    "FloatFormat",
    "FormatComparison",
    "FormatSoftmax",
    "GradientCurve",
    "GradientNorms",
    "HeadDiagnosis",
    "HeadStatistics",
    "KeyRanges",
    "KeyValueCache",
    "LayoutHint",
    "Leak",
    "LinearError",
    "MaskAfterSoftmax",
    "MaskComparison",
    "MaskConvention",
    "Masked",
    "Member",
    "Mistake",
    "MistakeResult",
    "MistakeSide",
    "NonFinite",
    "NormQuantiles",
    "PlantedSample",
    "PolicyResult",
    "Progress",
    "PublishedValue",
    "Reading",
    "Row",
    "RuleStatistics",
    "ScalingComparison",
    "ScoreHistogram",
    "ScoreMoments",
    "ScoreSpread",
    "SentinelResult",
    "Statistics",
    "Sweep",
    "SweepCost",
    "Tensor",
    "TensorFileError",
    "TiledAttention",
    "TrainedHeads",
    "Variant",
    "Verdict",
    "additive_mask",
    "agreement",
    "alternatives",
    "attention",
    "attention_cost",
    "bias_order",
    "build_mask",
    "causal_mask",
    "collect_diagnosis",
    "compare_formats",
    "compare_masked",
    "compare_policies",
    "compare_scaling",
    "compare_sentinels",
    "component_sample",
    "count_tiles",
    "diagnose",
    "divide",
    "divide_head",
    "divisor_position",
    "divisor_table",
    "dot_product_scores",
    "effective_keys",
    "elu_features",
    "entropy",
    "entropy_from_scores",
    "entropy_map",
    "expected",
    "expected_at",
    "expected_given",
    "find_non_finite",
    "freezing_std",
    "freezing_width",
    "gradient_curve",
    "gradient_norms",
    "guide_entropy",
    "head_statistics",
    "iter_diagnose",
    "iter_published",
    "iter_sweep",
    "jacobian_norm",
    "jacobian_norm_from_scores",
    "key_ranges",
    "kv_cache",
    "kv_caches",
    "largest_trials",
    "layout_hints",
    "linear_attention",
    "linear_error",
    "logsumexp",
    "make_mistake",
    "mask_after_softmax",
    "mask_with_sentinel",
    "normalized_entropy",
    "overflow_chance",
    "overflow_sample",
    "padding_mask",
    "planted_lead",
    "planted_moments",
    "planted_sample",
    "planted_weight",
    "poison",
    "published",
    "read_npy",
    "read_npz",
    "reading",
    "readings",
    "round_to_bfloat16",
    "round_to_format",
    "scan_npz",
    "score_histogram",
    "score_spread",
    "sentinel_value",
    "sliding_window_mask",
    "softmax",
    "softmax_in_format",
    "softmax_jacobian",
    "sweep",
    "sweep_cost",
    "thawing_keys",
    "tiled_attention",
    "trained_heads",
    "trained_sentences",
]
