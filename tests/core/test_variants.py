import numpy as np

from core import attention, key_ranges, linear_attention, tiled_attention
from core.variants import VARIANTS


def compute(key, query, keys, value, ranges):
    """Return a variant's output for two query heads."""
    if key == "tiled" or key == "sliding-window":
        return tiled_attention(query, keys, value, ranges=ranges, key_tile=2).output
    if key in {"grouped-query", "multi-query"}:
        return attention(query, keys[:1], value[:1]).output
    if key == "linear":
        return linear_attention(query, keys, value)
    return attention(query, keys, value).output


class TestVariants:
    def test_each_says_what_becomes_of_the_rule(self):
        assert len({variant.key for variant in VARIANTS}) == len(VARIANTS) == 6
        for variant in VARIANTS:
            assert variant.rule.startswith(("The rule", "Kept", "Lost"))
            assert variant.keeps_rule != variant.rule.startswith("Lost")
            assert all("arXiv:" in source for source in variant.sources)

    def test_exact_ones_are_dense_attention_of_their_own_keys_and_mask(self):
        query, keys, value = np.random.default_rng(1).standard_normal((3, 2, 5, 4))
        for variant in VARIANTS:
            windowed = variant.key == "sliding-window"
            ranges = key_ranges(5, 5, is_causal=windowed, left=1 if windowed else None)
            shared = variant.key in {"grouped-query", "multi-query"}
            k, v = (np.repeat(a[:1], 2, axis=0) if shared else a for a in (keys, value))
            dense = attention(query, k, v, mask=ranges.mask).output
            same = np.allclose(compute(variant.key, query, keys, value, ranges), dense, atol=1e-14)
            assert same == variant.exact, variant.key

    def test_the_same_model_is_dense_attention_over_all_keys(self):
        query, keys, value = np.random.default_rng(1).standard_normal((3, 2, 5, 4))
        dense = attention(query, keys, value).output
        for variant in VARIANTS:
            windowed = variant.key == "sliding-window"
            ranges = key_ranges(5, 5, is_causal=windowed, left=1 if windowed else None)
            output = compute(variant.key, query, keys, value, ranges)
            assert np.allclose(output, dense, atol=1e-14) == variant.same_model, variant.key
