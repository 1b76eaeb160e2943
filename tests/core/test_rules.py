"""Rules that tame scores: the law of scores and lengths against drawn vectors, slopes by hand."""

import math

import numpy as np
import pytest
from scipy import stats

from core.rules import RULES, RandomRows, random_rows, rule_logits

OPTIONS = {"gain": 10.0, "cap": 5.0, "after_scaling": False}


def by_hand(rows, d_k, *, gain, cap, after_scaling):
    """Each rule, written out with NumPy."""
    s = rows.scores
    base = s / math.sqrt(d_k) if after_scaling else s
    return {
        "none": s,
        "sqrt_d_k": s / math.sqrt(d_k),
        "d_k/8": 8 * s / d_k,
        "d_k": s / d_k,
        "cosine": gain * s / (rows.query_length[:, None] * rows.key_length),
        "softcap": cap * np.tanh(base / cap),
        "sink": base,
    }


class TestRandomRows:
    @pytest.mark.parametrize("d_k", [1, 2, 3, 32])
    def test_same_law_as_drawn_vectors(self, d_k):
        n_keys, n_rows = 3, 4000
        rng = np.random.default_rng(17)
        q, k = rng.standard_normal((n_rows, d_k)), rng.standard_normal((n_rows, n_keys, d_k))
        drawn = RandomRows(
            np.einsum("bd,bkd->bk", q, k), np.linalg.norm(q, axis=1), np.linalg.norm(k, axis=2)
        )
        sampled = random_rows(rng, d_k, n_keys=n_keys, n_rows=n_rows)
        for statistic in (
            lambda r: r.scores[:, 0],
            lambda r: r.query_length,
            lambda r: r.key_length[:, 1],
            lambda r: r.scores[:, 0] * r.key_length[:, 0],
            lambda r: np.abs(r.scores[:, 0]) - r.query_length * r.key_length[:, 0],
            lambda r: (r.scores[:, 0] - r.scores[:, 1]) * r.query_length,
            lambda r: r.key_length[:, 0] - r.key_length[:, 2],
        ):
            # At width 1 the fifth is zero but for rounding, in both.
            pair = [np.round(statistic(rows), 12) + 0.0 for rows in (drawn, sampled)]
            assert stats.ks_2samp(*pair).pvalue > 1e-3

    def test_cosine_has_variance_one_over_width(self):
        rows = random_rows(np.random.default_rng(3), 64, n_keys=4, n_rows=50_000)
        cosine = rows.scores / (rows.query_length[:, None] * rows.key_length)
        # (1 + cosine)/2 is beta-distributed with both parameters (d_k − 1)/2.
        assert stats.kstest((1 + cosine[:, 0]) / 2, stats.beta(31.5, 31.5).cdf).pvalue > 1e-3

    def test_draw_order(self):
        rows = random_rows(np.random.default_rng(5), 7, n_keys=2, n_rows=3)
        rng = np.random.default_rng(5)
        length = np.sqrt(rng.chisquare(7, 3))
        z = rng.standard_normal((2, 3))
        np.testing.assert_array_equal(rows.query_length, length)
        np.testing.assert_allclose(rows.scores, (length * z).T, rtol=1e-15)
        np.testing.assert_allclose(rows.key_length.T**2, z**2 + rng.chisquare(6, (2, 3)))


class TestRuleLogits:
    @pytest.mark.parametrize("after_scaling", [False, True])
    @pytest.mark.parametrize("d_k", [1, 8, 1024])
    def test_is_the_rule_written_out(self, d_k, after_scaling):
        options = OPTIONS | {"after_scaling": after_scaling}
        rows = random_rows(np.random.default_rng(1), d_k, n_keys=6, n_rows=40)
        expected = by_hand(rows, d_k, **options)
        assert tuple(expected) == RULES
        for rule in RULES:
            logits, _ = rule_logits(rows, d_k, rule, **options)
            np.testing.assert_allclose(logits, expected[rule], rtol=1e-13)

    @pytest.mark.parametrize("after_scaling", [False, True])
    def test_slopes_are_derivatives(self, after_scaling):
        options = OPTIONS | {"after_scaling": after_scaling}
        rows, h = random_rows(np.random.default_rng(2), 16, n_keys=5, n_rows=30), 1e-5
        up, down = (rows._replace(scores=rows.scores + step) for step in (h, -h))
        for rule in RULES:
            slopes = rule_logits(rows, 16, rule, **options)[1]
            difference = (
                rule_logits(up, 16, rule, **options)[0] - rule_logits(down, 16, rule, **options)[0]
            ) / (2 * h)
            np.testing.assert_allclose(
                np.broadcast_to(slopes, difference.shape), difference, rtol=1e-6, atol=1e-9
            )

    def test_bounds_of_the_bounded_rules(self):
        rows = random_rows(np.random.default_rng(4), 2**20, n_keys=8, n_rows=50)
        cosine = rule_logits(rows, 2**20, "cosine", **OPTIONS)[0]
        capped, slopes = rule_logits(rows, 2**20, "softcap", **OPTIONS)
        assert np.abs(cosine).max() <= 10
        assert np.abs(capped).max() <= 5
        assert (slopes > 0).all()  # where 1 − tanh² is 0 already

    def test_cosines_are_signs_at_width_1(self):
        rows = random_rows(np.random.default_rng(4), 1, n_keys=8, n_rows=50)
        cosine = rule_logits(rows, 1, "cosine", **OPTIONS)[0]
        np.testing.assert_allclose(cosine, 10 * np.sign(rows.scores), rtol=1e-14)

    def test_refuses_an_unknown_rule(self):
        rows = random_rows(np.random.default_rng(4), 4, n_keys=2, n_rows=2)
        with pytest.raises(ValueError, match=r"rule must be one of 'none', .*; got 'clip'"):
            rule_logits(rows, 4, "clip", **OPTIONS)
