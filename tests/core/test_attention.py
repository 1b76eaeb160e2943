import json
import math
from pathlib import Path

import numpy as np
import pytest
import scipy.special
from hypothesis import given
from hypothesis import strategies as st

from core import additive_mask, attention, causal_mask, padding_mask

FLOATS = [np.float16, np.float32, np.float64]
POLICIES = ["raise", "zero", "nan", "mean"]

with np.load(Path(__file__).parents[1] / "reference" / "sdpa_torch.npz") as file:
    TORCH = dict(file)
TORCH_CASES = sorted({name.rsplit(".", 1)[0] for name in TORCH})


def draw(seed, n_q, n_k, d_k, d_v, lead=()):
    rng = np.random.default_rng(seed)
    return (
        2 * rng.standard_normal((*lead, n_q, d_k)),
        rng.standard_normal((*lead, n_k, d_k)),
        rng.standard_normal((*lead, n_k, d_v)),
    )


SIZES = st.tuples(st.integers(0, 2**32 - 1), *[st.integers(1, 5)] * 4)


class TestAttention:
    def test_divisor_example(self):
        # Published weights at √3 to three places; the values are unit vectors.
        stages = attention([[1, 1, 1]], [[1, 1, 1], [1, 0, 0], [-1, 0, 0]], np.eye(3))
        np.testing.assert_array_equal(stages.scores, [[3, 1, -1]])
        np.testing.assert_allclose(stages.weights, [[0.707, 0.223, 0.070]], rtol=0, atol=5e-4)
        np.testing.assert_array_equal(stages.output, stages.weights)

    @pytest.mark.parametrize("name", TORCH_CASES)
    def test_agrees_with_pytorch(self, name):
        # scaled_dot_product_attention of PyTorch 2.13.0; see tests/reference.
        case = {part: TORCH.get(f"{name}.{part}") for part in ("query", "key", "value", "mask")}
        options = json.loads(str(TORCH[f"{name}.options"]))
        expected = TORCH[f"{name}.output"]
        stages = attention(
            case["query"],
            case["key"],
            case["value"],
            mask=case["mask"],
            fully_masked="zero",
            **options,
        )
        assert stages.output.dtype == expected.dtype
        tolerance = {"float64": 1e-13, "float32": 2e-6, "float16": 2e-3}[expected.dtype.name]
        np.testing.assert_allclose(stages.output, expected, rtol=0, atol=tolerance)

    @given(SIZES)
    def test_stages_follow_the_formula(self, sizes):
        query, key, value = draw(*sizes)
        d_k, n = key.shape[-1], query.shape[0] * key.shape[0]
        bias = np.random.default_rng(n).standard_normal((query.shape[0], key.shape[0]))
        stages = attention(query, key, value, mask=bias, softcap=1.5)
        np.testing.assert_allclose(stages.scores, query @ key.T, atol=1e-13)
        logits = 1.5 * np.tanh(query @ key.T / np.sqrt(d_k) / 1.5) + bias
        np.testing.assert_allclose(stages.logits, logits, atol=1e-13)
        weights = scipy.special.softmax(logits, axis=-1)
        np.testing.assert_allclose(stages.weights, weights, atol=1e-13)
        np.testing.assert_allclose(stages.output, weights @ value, atol=1e-13)

    @given(SIZES, st.sampled_from([(), (2,), (3, 2), (0, 2)]))
    def test_rows_sum_to_1_and_outputs_lie_between_values(self, sizes, lead):
        query, key, value = draw(*sizes, lead=lead)
        stages = attention(query, key, value)
        assert (stages.weights >= 0).all()
        np.testing.assert_allclose(stages.weights.sum(axis=-1), 1, rtol=0, atol=1e-14)
        low, high = value.min(axis=-2, keepdims=True), value.max(axis=-2, keepdims=True)
        assert (stages.output >= low - 1e-14).all()
        assert (stages.output <= high + 1e-14).all()

    @given(SIZES)
    def test_order_of_the_keys_does_not_matter(self, sizes):
        query, key, value = draw(*sizes)
        order = np.random.default_rng(1).permutation(key.shape[0])
        stages, permuted = attention(query, key, value), attention(query, key[order], value[order])
        np.testing.assert_allclose(permuted.weights, stages.weights[:, order], atol=1e-14)
        np.testing.assert_allclose(permuted.output, stages.output, atol=1e-14)

    @given(SIZES)
    def test_scale_is_a_factor_on_the_query(self, sizes):
        query, key, value = draw(*sizes)
        scaled = attention(query, key, value, scale=0.25)
        np.testing.assert_array_equal(
            scaled.logits, attention(query / 4, key, value, scale=1).scores
        )
        default = attention(query, key, value)
        np.testing.assert_array_equal(
            default.weights,
            attention(query, key, value, scale=1 / math.sqrt(key.shape[-1])).weights,
        )

    def test_scale_zero_is_uniform_and_a_negative_scale_turns_the_order(self):
        query, key, value = draw(3, 2, 4, 5, 1)
        np.testing.assert_array_equal(attention(query, key, value, scale=0).weights, 0.25)
        turned = attention(query, key, value, scale=-1.0)
        np.testing.assert_array_equal(
            turned.weights.argmax(axis=-1), (query @ key.T).argmin(axis=-1)
        )

    def test_softcap_comes_after_scaling_and_before_the_mask(self):
        # Score 8 at d_k = 4 scales to 4; capped at 2 it is 2 tanh 2, and then the bias is added.
        stages = attention([[2, 2, 2, 2]], [[1, 1, 1, 1]], [[1]], mask=[-9.0], softcap=2)
        np.testing.assert_allclose(stages.logits, [[2 * np.tanh(2) - 9]], rtol=1e-15)

    @given(SIZES, st.booleans())
    def test_boolean_and_additive_masks_agree(self, sizes, is_causal):
        query, key, value = draw(*sizes)
        mask = np.random.default_rng(sizes[0]).random((query.shape[0], key.shape[0])) < 0.5
        mask[:, 0] = True
        boolean = attention(query, key, value, mask=mask, is_causal=is_causal)
        additive = attention(query, key, value, mask=additive_mask(mask), is_causal=is_causal)
        np.testing.assert_array_equal(boolean.logits, additive.logits)
        np.testing.assert_array_equal(boolean.output, additive.output)
        allowed = mask & causal_mask(*mask.shape) if is_causal else mask
        assert (boolean.weights[~allowed] == 0).all()
        assert (boolean.logits[~allowed] == -np.inf).all()

    @given(SIZES)
    def test_a_blocked_key_might_as_well_be_absent(self, sizes):
        query, key, value = draw(*sizes)
        keys = np.concatenate([key, np.full((1, key.shape[1]), np.nan)])
        values = np.concatenate([value, np.full((1, value.shape[1]), np.nan)])
        mask = np.arange(len(keys)) < len(key)
        with_blocked = attention(query, keys, values, mask=mask)
        without = attention(query, key, value)
        np.testing.assert_allclose(with_blocked.output, without.output, rtol=0, atol=1e-14)
        np.testing.assert_array_equal(with_blocked.weights[:, -1], 0)

    def test_causal_is_upper_left_and_composes(self):
        query, key, value = draw(5, 3, 5, 4, 2)
        causal = attention(query, key, value, is_causal=True)
        np.testing.assert_array_equal(causal.weights > 0, np.tri(3, 5, dtype=bool))
        both = attention(query, key, value, is_causal=True, mask=[True, False, True, True, True])
        np.testing.assert_array_equal((both.weights > 0).sum(axis=-1), [1, 1, 2])
        biased = attention(query, key, value, is_causal=True, mask=np.full((3, 5), 2.0))
        np.testing.assert_allclose(biased.output, causal.output, atol=1e-15)

    def test_grouped_heads_by_repeating_keys(self):
        query, _, _ = draw(1, 3, 4, 8, 2, lead=(2, 6))
        _, key, value = draw(2, 3, 4, 8, 2, lead=(2, 3))
        grouped = attention(query, np.repeat(key, 2, axis=1), np.repeat(value, 2, axis=1))
        one = attention(query[1, 5], key[1, 2], value[1, 2])
        np.testing.assert_allclose(grouped.output[1, 5], one.output, atol=1e-15)

    @pytest.mark.parametrize(
        ("lead_q", "lead_k", "lead_v", "mask", "weights", "output"),
        [
            ((), (), (), (), (), ()),
            ((), (), (), (5,), (), ()),
            ((), (), (), (4, 1), (), ()),
            ((2, 3), (3,), (2, 1), (4, 5), (2, 3), (2, 3)),
            ((), (), (), (7, 1, 5), (7,), (7,)),
            ((3,), (), (), (2, 1, 4, 5), (2, 3), (2, 3)),
            ((), (), (6,), None, (), (6,)),
        ],
    )
    def test_leading_axes_broadcast(self, lead_q, lead_k, lead_v, mask, weights, output):
        query, key, value = (
            np.ones((*lead_q, 4, 8)),
            np.ones((*lead_k, 5, 8)),
            np.ones((*lead_v, 5, 2)),
        )
        stages = attention(
            query, key, value, mask=None if mask is None else np.ones(mask, dtype=bool)
        )
        assert stages.weights.shape == (*weights, 4, 5)
        assert stages.logits.shape == (*weights, 4, 5)
        assert stages.output.shape == (*output, 4, 2)
        np.testing.assert_allclose(stages.output, 1)

    @pytest.mark.parametrize("dtype", FLOATS)
    @pytest.mark.parametrize("policy", POLICIES)
    def test_keeps_the_dtype(self, dtype, policy):
        query, key, value = (a.astype(dtype) for a in draw(0, 3, 4, 5, 2))
        mask = np.zeros((3, 4))  # a float64 mask is no reason to hand back float64
        stages = attention(query, key, value, mask=mask, softcap=3.0, fully_masked=policy)
        for part in ("scores", "logits", "weights", "output"):
            assert getattr(stages, part).dtype == dtype

    def test_other_dtypes_promote(self):
        query, key, value = (a.astype(np.float16) for a in draw(0, 3, 4, 5, 2))
        assert attention(query, key.astype(np.float32), value).output.dtype == np.float32
        assert attention(query, key, np.ones((4, 1), dtype=int)).output.dtype == np.float64
        assert attention([[1]], [[True]], [[1]]).output.dtype == np.float64

    def test_float16_weights_come_from_unrounded_scores(self):
        # 256·256·2 = 131,072 does not fit float16; the second key is 1 behind after scaling.
        query = np.full((1, 2), 256, np.float16)
        key = np.array([[256, 256], [256, 255]], np.float16)
        stages = attention(query, key, np.eye(2, dtype=np.float16), scale=1 / 256)
        np.testing.assert_array_equal(stages.scores, [[np.inf, np.inf]])
        np.testing.assert_allclose(
            stages.weights, scipy.special.softmax([[1.0, 0.0]], axis=-1), atol=5e-4
        )

    @pytest.mark.parametrize("dtype", [np.float32, np.float64])
    @pytest.mark.parametrize("bias", [0.0, 1.0, -1.0])
    def test_scores_beyond_range_are_compared_all_the_same(self, dtype, bias):
        big = np.ldexp(dtype(1), np.finfo(dtype).maxexp - 4)
        query = np.array([[big, big], [-big, -big], [1, 0]], dtype)
        key = np.array([[big, big / 2], [big, big], [big, big]], dtype)
        stages = attention(query, key, np.eye(3, dtype=dtype), mask=np.full((1, 3), bias, dtype))
        expected = [[0, 0.5, 0.5], [1, 0, 0], [1 / 3, 1 / 3, 1 / 3]]
        np.testing.assert_allclose(stages.weights, expected, rtol=1e-6)
        assert not np.isnan(stages.logits).any()

    def test_a_blocked_key_beyond_range_does_not_count(self):
        stages = attention(
            [[1e200]], [[1e200], [1e-200], [0]], [[1], [2], [4]], mask=[False, True, True]
        )
        np.testing.assert_allclose(stages.weights, [[0, *scipy.special.softmax([1, 0])]])

    def test_scale_brings_scores_back_into_range(self):
        # 1e400 · 1e−400 is written as 1e−200 twice.
        stages = attention([[1e200]], [[1e200], [0.9e200]], [[1], [2]], scale=1e-300)
        np.testing.assert_allclose(stages.logits, [[1e100, 0.9e100]])
        np.testing.assert_array_equal(stages.weights, [[1, 0]])

    def test_bias_beyond_range(self):
        stages = attention(
            [[1e150]], [[-1e158], [-1.1e158]], [[1], [2]], scale=1, mask=[-1.79e308, -1.79e308]
        )
        np.testing.assert_array_equal(stages.weights, [[1, 0]])
        # Both scores are capped to the same 1.7e308 before a bias of as much again.
        capped = attention(
            [[1e200]], [[1e200], [2e200], [-1]], [[1], [2], [3]], softcap=1.7e308, mask=1.7e308
        )
        np.testing.assert_array_equal(capped.weights, [[0.5, 0.5, 0]])

    @pytest.mark.parametrize("size", [1e-60, 1e60])
    def test_options_that_fit_float64_alone(self, size):
        query, key = np.array([[0, 3]], np.float32), np.array([[1, 0], [0, 1]], np.float32)
        stages = attention(query, key, key, softcap=size)
        expected = scipy.special.softmax([[0, 3 / np.sqrt(2) if size > 1 else size]], axis=-1)
        np.testing.assert_allclose(stages.weights, expected, rtol=1e-6)
        stages = attention(query, key, key, scale=size)
        np.testing.assert_array_equal(stages.weights, [[0, 1]] if size > 1 else [[0.5, 0.5]])

    def test_a_bias_that_fits_float64_alone(self):
        ones = np.ones((1, 1), np.float32)
        stages = attention(ones, np.ones((2, 1), np.float32), ones[[0, 0]], mask=[-1e300, -2e300])
        np.testing.assert_array_equal(stages.weights, np.array([[1, 0]], np.float32))

    def test_values_at_the_end_of_the_range(self):
        big = np.finfo(np.float64).max
        # Eleven weights of 1/11 sum to a little more than 1.
        stages = attention(np.ones((1, 1)), np.ones((11, 1)), np.full((11, 1), big))
        np.testing.assert_allclose(stages.output, big, rtol=1e-15)
        assert np.isfinite(stages.output).all()

    def test_saturated_rows(self):
        stages = attention([[1e4]], [[1], [-1]], [[1], [2]])
        np.testing.assert_array_equal(stages.weights, [[1, 0]])

    def test_one_key(self):
        query, _, _ = draw(0, 3, 1, 4, 2)
        stages = attention(query, np.ones((1, 4)), [[5, 6]])
        np.testing.assert_array_equal(stages.output, [[5, 6]] * 3)

    @pytest.mark.parametrize("policy", POLICIES)
    def test_no_queries_and_no_batch(self, policy):
        stages = attention(np.ones((0, 3)), np.ones((4, 3)), np.ones((4, 2)), fully_masked=policy)
        assert stages.output.shape == (0, 2)
        stages = attention(
            np.ones((0, 5, 3)), np.ones((4, 3)), np.ones((4, 2)), fully_masked=policy
        )
        assert stages.output.shape == (0, 5, 2)
        stages = attention(np.ones((0, 3)), np.ones((0, 3)), np.ones((0, 2)), fully_masked=policy)
        assert stages.output.shape == (0, 2)

    def test_no_batch_has_no_blocked_query(self):
        assert (
            attention(np.ones((0, 2, 3)), np.ones((4, 3)), np.ones((4, 1)), mask=False).output.size
            == 0
        )

    def test_no_value_columns(self):
        assert attention([[1.0]], [[1.0]], np.ones((1, 0))).output.shape == (1, 0)


class TestFullyMasked:
    QUERY, KEY, VALUE = draw(7, 3, 4, 5, 2)
    MASK = np.array([[True, False, True, True], [False] * 4, [True] * 4])

    @pytest.mark.parametrize(
        ("policy", "weights"), [("zero", 0.0), ("nan", np.nan), ("mean", 0.25)]
    )
    @pytest.mark.parametrize("form", [np.asarray, additive_mask])
    def test_policies(self, policy, weights, form):
        stages = attention(
            self.QUERY, self.KEY, self.VALUE, mask=form(self.MASK), fully_masked=policy
        )
        np.testing.assert_array_equal(stages.weights[1], weights)
        expected = {"zero": 0.0, "nan": np.nan, "mean": self.VALUE.mean(axis=0)}[policy]
        np.testing.assert_allclose(stages.output[1], np.broadcast_to(expected, 2), rtol=1e-14)
        assert (stages.logits[1] == -np.inf).all()
        others = attention(self.QUERY[::2], self.KEY, self.VALUE, mask=self.MASK[::2])
        np.testing.assert_allclose(stages.output[::2], others.output, atol=1e-15)

    def test_mean_is_what_filling_with_a_finite_sentinel_gives(self):
        filled = np.where(self.MASK, self.QUERY @ self.KEY.T / np.sqrt(5), -1e9)
        plain = scipy.special.softmax(filled, axis=-1) @ self.VALUE
        stages = attention(self.QUERY, self.KEY, self.VALUE, mask=self.MASK, fully_masked="mean")
        np.testing.assert_allclose(stages.output, plain, atol=1e-14)

    def test_an_added_sentinel_leaves_the_row_as_if_nothing_were_masked(self):
        # A finite bias on a whole row is a constant: softmax ignores it.
        bias = np.where(self.MASK, 0, -1e6)
        stages = attention(self.QUERY, self.KEY, self.VALUE, mask=bias)
        unmasked = attention(self.QUERY, self.KEY, self.VALUE)
        np.testing.assert_allclose(stages.output[1], unmasked.output[1], rtol=1e-8)

    @pytest.mark.parametrize("form", [np.asarray, additive_mask])
    def test_raise_counts_the_queries(self, form):
        with pytest.raises(ValueError, match=r"1 of 3 queries may attend no key.*fully_masked"):
            attention(self.QUERY, self.KEY, self.VALUE, mask=form(self.MASK))

    def test_causal_and_mask_together_may_block_a_row(self):
        with pytest.raises(ValueError, match="1 of 3 queries may attend no key"):
            attention(
                self.QUERY, self.KEY, self.VALUE, mask=[False, True, True, True], is_causal=True
            )

    def test_padding_of_an_empty_sequence(self):
        stages = attention(
            self.QUERY, self.KEY, self.VALUE, mask=padding_mask([4, 0], 4), fully_masked="zero"
        )
        assert (stages.output[1] == 0).all()
        assert (stages.output[0] != 0).all()

    def test_nothing_allowed_anywhere(self):
        stages = attention(self.QUERY, self.KEY, self.VALUE, mask=False, fully_masked="mean")
        np.testing.assert_allclose(stages.output, [self.VALUE.mean(axis=0)] * 3)

    @pytest.mark.parametrize(("policy", "output"), [("zero", 0), ("nan", np.nan)])
    def test_no_keys(self, policy, output):
        stages = attention(np.ones((2, 3)), np.ones((0, 3)), np.ones((0, 4)), fully_masked=policy)
        assert stages.weights.shape == (2, 0)
        np.testing.assert_array_equal(stages.output, np.full((2, 4), output))

    @pytest.mark.parametrize("policy", ["raise", "mean"])
    def test_no_keys_to_average(self, policy):
        with pytest.raises(ValueError, match=r"2 of 2 queries may attend no key \(n_k = 0\)"):
            attention(np.ones((2, 3)), np.ones((0, 3)), np.ones((0, 4)), fully_masked=policy)


class TestNotFinite:
    QUERY, KEY, VALUE = draw(9, 3, 4, 5, 2)
    MASK = np.array([[True, True, True, False], [True, True, True, True], [False] * 4])

    @pytest.mark.parametrize("poison", [np.nan, np.inf, -np.inf])
    @pytest.mark.parametrize("form", [np.asarray, additive_mask])
    @pytest.mark.parametrize("policy", ["zero", "nan"])
    def test_a_blocked_key_and_value_do_not_leak(self, poison, form, policy):
        key, value = self.KEY.copy(), self.VALUE.copy()
        key[3], value[3] = poison, poison
        stages = attention(self.QUERY, key, value, mask=form(self.MASK), fully_masked=policy)
        clean = attention(
            self.QUERY, self.KEY, self.VALUE, mask=form(self.MASK), fully_masked=policy
        )
        for row in (0, 2):
            np.testing.assert_array_equal(stages.weights[row], clean.weights[row])
            np.testing.assert_array_equal(stages.output[row], clean.output[row])

    def test_an_attended_nan_is_seen(self):
        key, value = self.KEY.copy(), self.VALUE.copy()
        key[3] = np.nan
        stages = attention(self.QUERY, key, value, mask=self.MASK, fully_masked="zero")
        assert np.isnan(stages.output[1]).all()
        value[3, 0] = np.nan
        stages = attention(self.QUERY, self.KEY, value, mask=self.MASK, fully_masked="zero")
        np.testing.assert_array_equal(np.isnan(stages.output[1]), [True, False])

    def test_an_attended_nan_is_seen_even_if_its_weight_vanishes(self):
        stages = attention([[1e4]], [[1], [-1]], [[1], [np.nan]])
        assert stages.weights[0, 1] == 0
        assert np.isnan(stages.output).all()

    def test_mean_attends_blocked_values_too(self):
        value = self.VALUE.copy()
        value[0, 1] = np.nan
        stages = attention(self.QUERY, self.KEY, value, mask=self.MASK, fully_masked="mean")
        np.testing.assert_array_equal(np.isnan(stages.output[2]), [False, True])

    def test_attended_infinite_values(self):
        value = np.array([[np.inf, -np.inf, np.inf], [0, 0, -np.inf]])
        stages = attention([[1.0]], [[1.0], [1.0]], value)
        np.testing.assert_array_equal(stages.output, [[np.inf, -np.inf, np.nan]])

    def test_a_nan_query_spoils_only_itself(self):
        query = self.QUERY.copy()
        query[0] = np.nan
        stages = attention(query, self.KEY, self.VALUE)
        np.testing.assert_array_equal(np.isnan(stages.output).all(axis=-1), [True, False, False])
        assert not np.isnan(stages.output[1:]).any()

    def test_infinite_scores(self):
        key = np.array([[np.inf], [1.0], [np.inf], [-np.inf]])
        stages = attention([[1.0], [-1.0]], key, np.eye(4))
        np.testing.assert_array_equal(stages.weights, [[0.5, 0, 0.5, 0], [0, 0, 0, 1]])
        # 1e400 is large, but not infinite.
        stages = attention([[1e200]], [[1e200], [np.inf]], np.eye(2))
        np.testing.assert_array_equal(stages.weights, [[0, 1]])
        # No key left above −inf, though none is masked: there is no softmax of that.
        stages = attention([[1.0]], [[-np.inf], [-np.inf]], np.eye(2))
        assert np.isnan(stages.weights).all()


class TestErrors:
    @pytest.mark.parametrize(
        ("query", "key", "value", "message"),
        [
            ((3,), (2, 3), (2, 1), r"query must have shape \(\.\.\., n_q, d_k\)"),
            ((2, 3), (4, 5), (4, 1), "query and key must share their last axis, d_k"),
            (
                (2, 3),
                (4, 3),
                (5, 1),
                r"value must have .* n_k = 4.*value \(5, 1\) and key \(4, 3\)",
            ),
            ((2, 3), (4, 3), (4,), r"value must have shape \(\.\.\., n_k, d_v\)"),
            ((2, 0), (4, 0), (4, 1), "d_k must be at least 1"),
            ((2, 2, 3), (4, 3), (5, 4, 1), r"leading axes do not broadcast: query \(2, 2, 3\)"),
        ],
    )
    def test_shapes(self, query, key, value, message):
        with pytest.raises(ValueError, match=message):
            attention(np.ones(query), np.ones(key), np.ones(value))

    @pytest.mark.parametrize("shape", [(3,), (2, 4), (3, 5), (2, 3, 1, 2), (4, 3)])
    def test_mask_shapes(self, shape):
        with pytest.raises(
            ValueError, match=r"mask of shape .* \(\.\.\., n_q, n_k\) = \(\.\.\., 3, 4\)"
        ):
            attention(np.ones((3, 2)), np.ones((4, 2)), np.ones((4, 2)), mask=np.ones(shape, bool))

    def test_mask_may_not_multiply_queries_or_keys(self):
        with pytest.raises(ValueError, match=r"mask of shape \(5, 1\)"):
            attention([[1]], [[1]], [[1]], mask=np.ones((5, 1), bool))

    def test_mask_leading_axes(self):
        with pytest.raises(ValueError, match=r"leading axes do not broadcast.*mask \(3, 1, 1\)"):
            attention(np.ones((2, 1, 1)), [[1]], [[1]], mask=np.ones((3, 1, 1), bool))

    @pytest.mark.parametrize("dtype", [int, np.uint8, complex, object])
    def test_mask_dtypes(self, dtype):
        with pytest.raises(TypeError, match=r"mask must be boolean .* or floating"):
            attention([[1]], [[1]], [[1]], mask=np.ones((1, 1), dtype))

    @pytest.mark.parametrize("entry", [np.nan, np.inf])
    def test_mask_entries(self, entry):
        with pytest.raises(ValueError, match="finite numbers and -inf; got NaN or"):
            attention([[1]], [[1]], [[1]], mask=[[entry]])

    @pytest.mark.parametrize("scale", [np.nan, np.inf])
    def test_scale(self, scale):
        with pytest.raises(ValueError, match="scale must be finite; got"):
            attention([[1]], [[1]], [[1]], scale=scale)

    @pytest.mark.parametrize("softcap", [0, -1.0, np.nan, np.inf])
    def test_softcap(self, softcap):
        with pytest.raises(ValueError, match="softcap must be finite and positive, or None"):
            attention([[1]], [[1]], [[1]], softcap=softcap)

    def test_policy(self):
        with pytest.raises(ValueError, match="must be one of raise, zero, nan, mean; got 'zeros'"):
            attention([[1]], [[1]], [[1]], fully_masked="zeros")

    @pytest.mark.parametrize("place", [0, 1, 2])
    def test_complex(self, place):
        arrays = [[[1]], [[1]], [[1]]]
        arrays[place] = [[1j]]
        with pytest.raises(TypeError, match="must hold real numbers"):
            attention(*arrays)
