import ml_dtypes
import numpy as np
import pytest
import scipy.special

from core import attention
from core.formats import FORMATS
from core.masking import MASKING_EXAMPLE, build_mask
from core.sentinels import SENTINELS, compare_sentinels, mask_with_sentinel, sentinel_value

VECTORS = (MASKING_EXAMPLE.query, MASKING_EXAMPLE.key, MASKING_EXAMPLE.value)
MASK = build_mask(5, 5, causal="upper-left")
MASK[2] = False


def outcomes():
    return {
        (seen.sentinel, seen.format, seen.blocking): seen.outcome
        for seen in compare_sentinels(*VECTORS, mask=MASK)
    }


class TestSentinelValue:
    def test_what_fits(self):
        assert sentinel_value("-1e9", "float16") == -np.inf
        assert sentinel_value("-1e4", "float16") == -1e4
        for name in ("float16", "float32", "float64"):
            assert sentinel_value("lowest", name) == np.finfo(name).min
        brain = float(ml_dtypes.finfo(ml_dtypes.bfloat16).min)
        assert sentinel_value("lowest", "bfloat16") == brain

    def test_unknown(self):
        with pytest.raises(ValueError, match="sentinel must be one of -1e4, -1e9, lowest, -inf"):
            sentinel_value("-1e5", "float32")


class TestMaskWithSentinel:
    @pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
    @pytest.mark.parametrize("sentinel", ["-1e4", "lowest"])
    def test_is_numpys_own_arithmetic(self, dtype, sentinel):
        scores = (VECTORS[0] @ VECTORS[1].T / 2).astype(dtype)
        low = np.finfo(dtype).min if sentinel == "lowest" else dtype(-1e4)
        for blocking, blocked in (("add", scores + low), ("fill", low)):
            logits = np.where(MASK, scores, blocked)
            exponentials = np.exp(logits - logits.max(axis=-1, keepdims=True))
            seen = mask_with_sentinel(
                *VECTORS, mask=MASK, sentinel=sentinel, format=dtype.__name__, blocking=blocking
            )
            assert seen.weights.dtype == dtype
            np.testing.assert_array_equal(seen.logits, logits)
            weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
            np.testing.assert_array_equal(seen.weights, weights)

    def test_agrees_with_attention_where_a_key_is_allowed(self):
        exact = attention(*VECTORS, mask=MASK, fully_masked="mean")
        for seen in compare_sentinels(*VECTORS, mask=MASK):
            epsilon = FORMATS[seen.format].epsilon
            rows = [0, 1, 3, 4]
            np.testing.assert_allclose(seen.weights[rows], exact.weights[rows], atol=4 * epsilon)
            np.testing.assert_allclose(seen.output[rows], exact.output[rows], atol=8 * epsilon)
            assert seen.leaked == 0
            if seen.outcome == "mean":
                np.testing.assert_allclose(seen.output[2], exact.output[2], atol=4 * epsilon)

    def test_adding_swallows_scores_below_half_a_step(self):
        # The step of float32 at 1e9 is 64: a score of 31 vanishes, one of 33 becomes 64.
        for size, kept in ((31.0, 0), (33.0, 64)):
            seen = mask_with_sentinel(
                [[1.0]],
                [[size], [0.0]],
                np.eye(2),
                mask=[[False, False]],
                sentinel="-1e9",
                format="float32",
                blocking="add",
            )
            np.testing.assert_array_equal(seen.logits, [[kept - 1e9, -1e9]])
            assert seen.outcome == ("as if unmasked" if kept else "mean")

    def test_a_sentinel_above_the_scores_masks_nothing(self):
        seen = mask_with_sentinel(
            [[1.0]],
            [[-2e4], [5.0]],
            np.eye(2),
            mask=[[True, False]],
            sentinel="-1e4",
            format="float32",
            blocking="fill",
        )
        assert seen.leaked == 1
        assert seen.outcome == "no such row"

    def test_scores_beyond_the_format_stay_silent(self):
        # Scores of 800,000 are infinite in float16, and inf − inf is NaN, as in plain code.
        with np.errstate(all="raise"):
            seen = mask_with_sentinel(
                *VECTORS,
                mask=MASK,
                sentinel="-inf",
                format="float16",
                blocking="add",
                scale=2e5,
            )
        assert np.isnan(seen.logits[1, 2])

    def test_errors(self):
        options = {"sentinel": "-1e4", "format": "float32", "blocking": "add"}
        with pytest.raises(ValueError, match="blocking must be one of add, fill; got 'multiply'"):
            mask_with_sentinel(*VECTORS, mask=MASK, **{**options, "blocking": "multiply"})
        with pytest.raises(ValueError, match=r"mask must have shape \(n_q, n_k\) = \(5, 5\)"):
            mask_with_sentinel(*VECTORS, mask=MASK[:2], **options)
        with pytest.raises(TypeError, match="mask must be boolean"):
            mask_with_sentinel(*VECTORS, mask=MASK.astype(int), **options)


class TestCompareSentinels:
    def test_filling_with_a_finite_number_always_gives_the_mean(self):
        for (sentinel, name, blocking), outcome in outcomes().items():
            if blocking == "fill":
                finite = np.isfinite(sentinel_value(sentinel, name))
                assert outcome == ("mean" if finite else "nan")

    def test_adding(self):
        # The step of a format at the sentinel, against scores of up to 4.
        seen = outcomes()
        added = {
            sentinel: [seen[sentinel, name, "add"] for name in FORMATS] for sentinel in SENTINELS
        }
        assert added == {
            "-1e4": ["mean", "mean", "as if unmasked", "as if unmasked"],
            "-1e9": ["nan", "mean", "mean", "as if unmasked"],
            "lowest": ["mean"] * 4,
            "-inf": ["nan"] * 4,
        }

    def test_unmasked_weights_are_those_of_no_mask(self):
        (seen,) = (
            seen
            for seen in compare_sentinels(*VECTORS, mask=MASK, scale=0.3)
            if (seen.sentinel, seen.format, seen.blocking) == ("-1e4", "float64", "add")
        )
        weights = scipy.special.softmax(0.3 * VECTORS[0][2] @ VECTORS[1].T)
        np.testing.assert_allclose(seen.weights[2], weights, atol=1e-11)

    def test_scores_in_between_come_back_coarse(self):
        # Scores of 2.5 × (1, 3, −1, 4, −1), and steps of 8 in float16 at 1e4.
        seen = mask_with_sentinel(
            *VECTORS, mask=MASK, sentinel="-1e4", format="float16", blocking="add", scale=2.5
        )
        assert seen.outcome == "neither"
        assert np.isin(seen.logits[2] + 1e4, [-8, 0, 8, 16]).all()

    def test_all_of_them(self):
        results = compare_sentinels(*VECTORS, mask=MASK)
        assert len(results) == len(SENTINELS) * len(FORMATS) * 2
        assert [seen.is_finite for seen in results] == [np.isfinite(s.stored) for s in results]
