"""Heads compared by one number each: by hand, and the facts shown of the trained ones."""

import numpy as np
import pytest

from core import diagnose, divide_head, dot_product_scores, head_statistics, trained_heads


@pytest.fixture(scope="module")
def statistics():
    """Every head's statistics on the first sentence."""
    heads = trained_heads(0)
    return head_statistics(heads.query, heads.key)


class TestHeadStatistics:
    """The facts are those of the model in float64; float16 holds them to the digits given."""

    def test_most_heads_spread_wider_than_the_random_model(self, statistics):
        assert (statistics.score_std > np.sqrt(32)).sum() == 60
        assert f"{np.median(statistics.score_std):.1f}" == "8.2"
        assert f"{statistics.score_std.min():.1f}" == "3.7"

    def test_layer_0_head_2_stays_saturated(self, statistics):
        assert f"{statistics.score_std[0, 2]:.1f}" == "64.6"
        assert statistics.score_std.argmax() == 2
        assert statistics.saturated_share_scaled[0, 2] == 1
        assert statistics.max_weight_scaled[0, 2] > 0.999

    def test_by_hand(self):
        # Scores 2 and 0 in one row, 0 and 2 in the other: mean 1, spread 1, e² : 1.
        statistics = head_statistics(np.eye(2) * 2, np.eye(2))
        largest = np.exp(2) / (np.exp(2) + 1)
        np.testing.assert_allclose(statistics.score_mean, 1)
        np.testing.assert_allclose(statistics.score_std, 1)
        np.testing.assert_allclose(statistics.score_std_ratio, 1 / np.sqrt(2))
        np.testing.assert_allclose(statistics.max_weight_raw, largest)
        assert statistics.saturated_share_raw == 0

    def test_row_common_part_is_not_within_rows(self):
        # Scores 5, 7 and −5, −3: each row spreads by 1 about its own mean.
        statistics = head_statistics([[1, 0], [-1, 0]], [[5, 0], [7, 0]])
        np.testing.assert_allclose(statistics.within_row_std, 1)
        np.testing.assert_allclose(statistics.score_std, np.std([5, 7, -5, -7]))

    def test_agrees_with_the_diagnosis(self, statistics):
        heads = trained_heads(0)
        diagnosis = diagnose(heads.query, heads.key)
        for name, values in (
            ("std", statistics.score_std),
            ("within_row_std", statistics.within_row_std),
        ):
            found = [getattr(head, name) for head in diagnosis.heads]
            np.testing.assert_allclose(found, values.ravel(), rtol=1e-6)
        found = [head.at("sqrt_d_k").mean_normalized_entropy for head in diagnosis.heads]
        np.testing.assert_allclose(found, statistics.normalized_entropy_scaled.ravel(), atol=1e-6)


class TestDivideHead:
    def test_default_is_the_root_of_the_width(self):
        heads = trained_heads(0)
        divided = divide_head(heads.query, heads.key)
        assert divided.divisor == np.sqrt(32)
        scores = dot_product_scores(heads.query, heads.key)
        np.testing.assert_allclose(divided.scores, scores / np.sqrt(32), rtol=1e-6)

    @pytest.mark.parametrize("divisor", [1e-300, 0.01, 1, 64, 1e300])
    def test_rows_are_distributions(self, divisor):
        heads = trained_heads(1)
        divided = divide_head(heads.query, heads.key, divisor=divisor)
        np.testing.assert_allclose(divided.weights.sum(axis=-1), 1, atol=1e-12)
        assert (divided.normalized_entropy >= 0).all()
        assert (divided.normalized_entropy <= 1).all()

    @pytest.mark.parametrize("divisor", [0.01, 1, 64, 1000])
    def test_order_of_the_keys_stays(self, divisor):
        heads = trained_heads(1)
        best = dot_product_scores(heads.query, heads.key).argmax(axis=-1)
        weights = divide_head(heads.query, heads.key, divisor=divisor).weights
        np.testing.assert_array_equal(weights.argmax(axis=-1), best)

    @pytest.mark.parametrize("divisor", [0, -1, np.nan, np.inf])
    def test_divisor_out_of_range(self, divisor):
        with pytest.raises(ValueError, match="divisor must be finite and positive"):
            divide_head([[1.0]], [[1.0]], divisor=divisor)

    def test_entries_too_large(self):
        with pytest.raises(ValueError, match=r"key has 1e\+61 at \[0, 0\]"):
            divide_head([[1.0]], [[1e61]])

    def test_non_finite(self):
        with pytest.raises(ValueError, match="must be finite; diagnose finds where"):
            divide_head([[np.nan]], [[1.0]])
