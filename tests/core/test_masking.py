import numpy as np
import pytest
import scipy.special
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from core import causal_mask, padding_mask, sliding_window_mask
from core.masking import MASKING_EXAMPLE, build_mask, compare_masked

VECTORS = (MASKING_EXAMPLE.query, MASKING_EXAMPLE.key, MASKING_EXAMPLE.value)


class TestMaskingExample:
    def test_shapes_and_scores(self):
        assert [array.shape for array in VECTORS] == [(5, 4), (5, 4), (5, 2)]
        np.testing.assert_array_equal(VECTORS[0][3] @ VECTORS[1].T, [0, 5, -1, -1, -3])

    def test_is_read_only(self):
        with pytest.raises(ValueError, match="read-only"):
            VECTORS[0][0, 0] = 1


class TestBuildMask:
    def test_alignments(self):
        # 2 queries, 4 keys: the diagonal from the first corner, or to the last one.
        figures = {"upper-left": ["1000", "1100"], "lower-right": ["1110", "1111"]}
        for causal, figure in figures.items():
            expected = [[cell == "1" for cell in row] for row in figure]
            np.testing.assert_array_equal(build_mask(2, 4, causal=causal), expected)

    def test_alignments_agree_on_a_square(self):
        masks = [build_mask(5, 5, causal=causal) for causal in ("upper-left", "lower-right")]
        np.testing.assert_array_equal(masks[0], masks[1])

    @given(st.integers(1, 6), st.integers(1, 6), st.data())
    def test_is_the_parts_combined(self, n_q, n_k, data):
        causal = data.draw(st.sampled_from(["none", "upper-left", "lower-right"]))
        length = data.draw(st.none() | st.integers(0, n_k))
        left, right = data.draw(st.none() | st.integers(0, 3)), data.draw(st.none() | st.just(1))
        custom = np.random.default_rng(n_q).random((n_q, n_k)) < 0.7
        offset = n_k - n_q if causal == "lower-right" else 0
        expected = custom & sliding_window_mask(n_q, n_k, left=left, right=right, offset=offset)
        if causal != "none":
            expected &= causal_mask(n_q, n_k, offset=offset)
        if length is not None:
            expected &= padding_mask(length, n_k)
        mask = build_mask(
            n_q, n_k, causal=causal, length=length, left=left, right=right, custom=custom
        )
        np.testing.assert_array_equal(mask, expected)

    def test_errors(self):
        with pytest.raises(ValueError, match="causal must be one of none, upper-left"):
            build_mask(2, 2, causal="diagonal")
        with pytest.raises(ValueError, match=r"custom must have shape \(2, 3\); got \(2, 2\)"):
            build_mask(2, 3, custom=np.ones((2, 2), bool))
        with pytest.raises(TypeError, match="custom must be boolean"):
            build_mask(1, 1, custom=[[1]])
        with pytest.raises(ValueError, match="lengths must lie between 0 and n_keys = 3"):
            build_mask(2, 3, length=4)


class TestCompareMasked:
    @pytest.mark.parametrize("parts", [{}, {"causal": "upper-left"}, {"length": 3, "left": 1}])
    def test_agrees_with_scipy(self, parts):
        mask = build_mask(5, 5, **parts)
        mask[:, 0] = True
        seen = compare_masked(*VECTORS, mask=mask)
        scores = VECTORS[0] @ VECTORS[1].T
        for side, divisor in ((seen.raw, 1), (seen.scaled, 2)):
            logits = np.where(mask, scores / divisor, -np.inf)
            weights = scipy.special.softmax(logits, axis=-1)
            np.testing.assert_array_equal(side.stages.logits, logits)
            np.testing.assert_allclose(side.stages.weights, weights, rtol=1e-14)
            np.testing.assert_allclose(side.stages.output, weights @ VECTORS[2], atol=1e-14)
            entropy = scipy.stats.entropy(weights, axis=-1)
            np.testing.assert_allclose(side.entropy, entropy, atol=1e-14)
            np.testing.assert_array_equal(side.allowed, mask.sum(axis=-1))

    def test_additive_form_gives_the_same(self):
        mask = build_mask(5, 5, causal="upper-left")
        seen = compare_masked(*VECTORS, mask=mask)
        again = seen.scaled.stages.scores / 2 + seen.additive
        np.testing.assert_array_equal(again, seen.scaled.stages.logits)

    @given(st.integers(0, 2**25 - 1))
    def test_any_grid(self, bits):
        mask = (bits >> np.arange(25) & 1).astype(bool).reshape(5, 5)
        seen = compare_masked(*VECTORS, mask=mask, fully_masked="zero")
        np.testing.assert_array_equal(seen.fully_masked, ~mask.any(axis=-1))
        for side in (seen.raw, seen.scaled):
            assert (side.stages.weights[~mask] == 0).all()
            np.testing.assert_allclose(side.row_sums, ~seen.fully_masked, rtol=1e-14)
            able = ~seen.fully_masked
            assert (side.entropy[able] <= side.ceiling[able] + 1e-14).all()
            np.testing.assert_allclose(np.exp(side.ceiling), mask.sum(axis=-1))
            # Zeros are no distribution.
            np.testing.assert_array_equal(np.isnan(side.entropy), seen.fully_masked)
        # Scaling flattens every row that has two keys to choose from.
        assert (seen.raw.entropy[able] <= seen.scaled.entropy[able] + 1e-14).all()

    def test_nan_rows_have_nan_entropy(self):
        seen = compare_masked(*VECTORS, mask=build_mask(5, 5, length=0), fully_masked="nan")
        assert np.isnan(seen.raw.entropy).all()
        assert np.isnan(seen.raw.row_sums).all()

    def test_errors(self):
        with pytest.raises(ValueError, match=r"mask must have shape \(n_q, n_k\) = \(5, 5\)"):
            compare_masked(*VECTORS, mask=np.ones((5, 4), bool))
        with pytest.raises(ValueError, match="5 of 5 queries may attend no key"):
            compare_masked(*VECTORS, mask=build_mask(5, 5, length=0))
