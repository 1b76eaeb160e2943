"""All rules on the same rows: against exact expectations, SciPy's softmax and whole Jacobians."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from core.alternatives import MAX_RULE_SCORES, _at_width, _kept_rows, alternatives
from core.expectation import expected
from core.gradients import QUANTILES
from core.rules import RULES, random_rows, rule_logits

WIDTHS = [4, 64, 1024]
ORDERLY = [rule for rule in RULES if rule != "cosine"]
OPTIONS = {"gain": 10.0, "cap": 5.0, "after_scaling": False}


def of_rows(d_k, *, n_keys, n_rows, seed):
    """The rows that `alternatives` measures at a width."""
    rng = np.random.Generator(np.random.SFC64([seed, d_k]))
    return random_rows(rng, d_k, n_keys=n_keys, n_rows=n_rows)


def weights_and_jacobian(logits, slopes, *, sink):
    """SciPy's weights with the sink as last key, and the whole matrix ∂w/∂s by its definition."""
    n_keys = logits.shape[1]
    if sink:
        logits = np.concatenate([logits, np.zeros((len(logits), 1))], axis=1)
    w = special.softmax(logits, axis=1)
    jacobian = w[:, :, None] * (np.eye(w.shape[1]) - w[:, None, :])
    return w, jacobian[:, :, :n_keys] * np.broadcast_to(slopes, (len(w), n_keys))[:, None, :]


class TestAlternatives:
    def test_exact_expectations_lie_near(self):
        found = alternatives(WIDTHS, n_keys=12, n_rows=4000, seed=2, **OPTIONS)
        for rule, scaled in (("none", False), ("sqrt_d_k", True)):
            exact = expected(WIDTHS, n_keys=12, scaled=scaled)
            for name in ("entropy", "max_weight"):
                estimate = getattr(found.rules[rule], name)
                error = estimate.standard_error
                assert (abs(estimate.value - getattr(exact, name)) <= 4 * error).all()
        root = np.sqrt(WIDTHS)
        for rule, std in (
            ("none", root),
            ("sqrt_d_k", 1),
            ("d_k/8", 8 / root),
            ("d_k", 1 / root),
            ("cosine", 10 / root),  # a cosine of random vectors has variance 1/d_k
        ):
            estimate = found.rules[rule].logit_std
            assert (abs(estimate.value - std) <= 4 * estimate.standard_error).all()

    def test_d_k_over_8_is_the_root_at_64(self):
        found = alternatives([64], n_keys=12, n_rows=200, seed=2, **OPTIONS)
        np.testing.assert_allclose(
            found.rules["d_k/8"].entropy.value, found.rules["sqrt_d_k"].entropy.value, rtol=1e-14
        )

    @pytest.mark.parametrize("after_scaling", [False, True])
    @pytest.mark.parametrize(("d_k", "n_keys"), [(1, 3), (4, 2), (16, 32), (256, 7)])
    def test_measures_what_softmax_gives(self, d_k, n_keys, after_scaling):
        options = OPTIONS | {"after_scaling": after_scaling}
        settings_ = {"n_keys": n_keys, "n_rows": 300, "seed": 4}
        found = alternatives([d_k], **settings_, **options)
        rows = of_rows(d_k, **settings_)
        for rule in RULES:
            logits, slopes = rule_logits(rows, d_k, rule, **options)
            w, jacobian = weights_and_jacobian(logits, slopes, sink=rule == "sink")
            seen = found.rules[rule]
            entropy = stats.entropy(w, axis=1).mean()
            np.testing.assert_allclose(seen.entropy.value[0], entropy, rtol=1e-9)
            largest = w[:, :n_keys].max(axis=1).mean()
            np.testing.assert_allclose(seen.max_weight.value[0], largest, rtol=1e-12)
            np.testing.assert_allclose(seen.logit_std.value[0], logits.std(), rtol=2e-3)
            norms = np.linalg.norm(jacobian, axis=(1, 2))
            np.testing.assert_allclose(
                seen.gradient.quantiles[:, 0], np.quantile(norms, QUANTILES), rtol=1e-6, atol=1e-15
            )
            if rule == "sink":
                np.testing.assert_allclose(
                    found.sink_weight.value[0], 1 - w[:, :n_keys].sum(axis=1).mean(), rtol=1e-9
                )

    def test_intervals_are_of_the_rows(self):
        settings_ = {"n_keys": 8, "n_rows": 400, "seed": 3}
        found = alternatives([16], **settings_, **OPTIONS)
        logits, slopes = rule_logits(of_rows(16, **settings_), 16, "cosine", **OPTIONS)
        w, jacobian = weights_and_jacobian(logits, slopes, sink=False)
        seen = found.rules["cosine"]
        entropy = stats.entropy(w, axis=1)
        interval = stats.t.interval(0.95, 399, entropy.mean(), stats.sem(entropy))
        np.testing.assert_allclose([seen.entropy.low[0], seen.entropy.high[0]], interval, rtol=1e-9)
        share = seen.changed.value[0]
        wilson = stats.binomtest(round(400 * share), 400).proportion_ci(method="wilson")
        np.testing.assert_allclose([seen.changed.low[0], seen.changed.high[0]], wilson, rtol=1e-9)
        norms = np.linalg.norm(jacobian, axis=(1, 2))
        median = stats.quantile_test(norms).confidence_interval(0.95)
        np.testing.assert_allclose(
            [seen.gradient.median_low[0], seen.gradient.median_high[0]], median, rtol=1e-9
        )

    def test_spread_interval_covers(self):
        # Scores of a row share ‖q‖: taken as independent they would seem much surer.
        runs = [
            alternatives([2], n_keys=16, n_rows=60, seed=s, **OPTIONS).rules["none"].logit_std
            for s in range(150)
        ]
        covered = sum(run.low[0] <= math.sqrt(2) <= run.high[0] for run in runs)
        assert stats.binomtest(covered, 150, 0.95).pvalue > 1e-3

    def test_how_often_the_cosine_crowns_another_key(self):
        n_keys, n_rows = 32, 5000
        found = alternatives([4, 64], n_keys=n_keys, n_rows=n_rows, seed=1, **OPTIONS)
        rng = np.random.default_rng(6)
        for i, d_k in enumerate((4, 64)):
            q = rng.standard_normal((n_rows, d_k))
            k = rng.standard_normal((n_rows, n_keys, d_k), dtype=np.float32)
            scores = np.einsum("bd,bkd->bk", q, k)
            cosine = scores / np.linalg.norm(k, axis=2)
            share = (scores.argmax(axis=1) != cosine.argmax(axis=1)).mean()
            seen = found.rules["cosine"].changed
            error = math.sqrt(2 * share * (1 - share) / n_rows)
            assert abs(seen.value[i] - share) < 4 * error
            assert share > 0.1

    def test_every_other_rule_keeps_the_leader(self):
        found = alternatives([1, 16, 4096], n_keys=32, n_rows=500, seed=1, **OPTIONS)
        for rule in ORDERLY:
            assert (found.rules[rule].changed.value == 0).all()
            assert (found.rules[rule].changed.high > 0).all()

    def test_a_soft_cap_ties_by_rounding(self):
        settings_ = {"n_keys": 32, "n_rows": 400, "seed": 1}
        found = alternatives([4, 1024, 4096], **settings_, **OPTIONS)
        for i, d_k in enumerate((4, 1024, 4096)):
            capped = 5 * np.tanh(of_rows(d_k, **settings_).scores / 5)
            for seen, x in (
                (found.rules["softcap"].tied, capped),
                (found.rules["softcap"].tied_float32, capped.astype(np.float32)),
            ):
                ordered = np.sort(x, axis=1)
                assert seen.value[i] == (ordered[:, -1] == ordered[:, -2]).mean()
        assert found.rules["softcap"].tied.value[0] == 0
        assert found.rules["softcap"].tied.value[2] > 0.5
        assert found.rules["softcap"].tied_float32.value[1] > 0.5
        assert found.rules["none"].tied_float32.value.max() < 0.01

    @given(
        st.integers(1, 2**20),
        st.integers(2, 40),
        st.integers(6, 40),
        st.floats(0.01, 1e3),
        st.floats(0.01, 1e3),
        st.booleans(),
    )
    @settings(max_examples=40)
    def test_bounded_and_quiet(self, d_k, n_keys, n_rows, gain, cap, after_scaling):
        with np.errstate(over="raise", divide="raise", invalid="raise"):
            found = alternatives(
                [d_k],
                n_keys=n_keys,
                n_rows=n_rows,
                gain=gain,
                cap=cap,
                seed=3,
                after_scaling=after_scaling,
            )
        for rule, seen in found.rules.items():
            for estimate in (seen.logit_std, seen.entropy, seen.max_weight, seen.changed):
                assert estimate.low <= estimate.value <= estimate.high
            assert -1e-12 <= seen.entropy.value[0] <= found.ceiling(rule) * (1 + 1e-12)
            assert (np.diff(seen.gradient.quantiles, axis=0) >= 0).all()
            assert seen.gradient.median_low <= seen.gradient.median <= seen.gradient.median_high
        assert 0 <= found.sink_weight.value[0] <= 1

    def test_a_saturated_row_keeps_its_digits(self):
        settings_ = {"n_keys": 2, "n_rows": 6, "seed": 0}
        found = alternatives([4096], **settings_, **OPTIONS)
        scores = of_rows(4096, **settings_).scores
        gap = np.abs(np.diff(scores, axis=1)[:, 0])
        # Two keys: every entry of J is ±w₁w₂, and w₁w₂ is 1/(4 cosh²(gap/2)).
        norms = 2 * np.exp(-gap) / (1 + np.exp(-gap)) ** 2
        assert norms.min() < 1e-16
        np.testing.assert_allclose(
            found.rules["none"].gradient.quantiles[:, 0], np.quantile(norms, QUANTILES), rtol=1e-10
        )

    def test_a_width_does_not_depend_on_the_others(self):
        settings_ = {"n_keys": 8, "n_rows": 20} | OPTIONS
        both = alternatives([4, 64], seed=5, **settings_)
        alone = alternatives([64], seed=5, **settings_)
        other = alternatives([64], seed=6, **settings_)
        for rule in RULES:
            entropy = both.rules[rule].entropy.value[1]
            assert entropy == alone.rules[rule].entropy.value[0]
            assert entropy != other.rules[rule].entropy.value[0]

    def test_refuses(self):
        good = {"n_keys": 12, "n_rows": 100, "seed": 1} | OPTIONS
        for change, message in (
            ({"n_keys": 1}, "n_keys must be between 2 and MAX_KEYS = 4,096; got 1"),
            ({"n_rows": 5}, "n_rows must be between 6 and 87,381 with 12 keys"),
            ({"n_rows": MAX_RULE_SCORES}, "MAX_RULE_SCORES = 1,048,576 scores a width"),
            ({"gain": 0.0}, "gain must be positive and finite; got 0.0"),
            ({"cap": math.inf}, "cap must be positive and finite; got inf"),
            ({"cap": math.nan}, "cap must be positive and finite; got nan"),
            ({"seed": -1}, "seed must be at least 0"),
        ):
            with pytest.raises(ValueError, match=message):
                alternatives([4], **good | change)
        with pytest.raises(ValueError, match="widths must be between 1 and MAX_WIDTH"):
            alternatives([2**21], **good)


class TestShared:
    """What one setting has measured is not measured again for the next, and is never mixed up."""

    SHARED = (
        {},
        {"gain": 3.0},
        {"cap": 2.0},
        {"after_scaling": True},
        {"after_scaling": True, "cap": 2.0, "gain": 3.0},
    )

    @pytest.mark.parametrize("n_rows", [50, 12_000])  # rows that are kept, and too many to keep
    def test_is_what_a_first_measurement_gives(self, n_rows):
        rows = {"n_keys": 3, "n_rows": n_rows, "seed": 5}

        def numbers(options):
            found = alternatives([4, 64], **rows, **(OPTIONS | options))
            fields = [
                value
                for of_rule in found.rules.values()
                for value in (
                    of_rule.logit_std.value,
                    of_rule.entropy.low,
                    of_rule.max_weight.value,
                    of_rule.gradient.quantiles,
                    of_rule.changed.value,
                    of_rule.tied_float32.high,
                )
            ]
            return np.concatenate([np.ravel(field) for field in (*fields, found.sink_weight.value)])

        after_others = [numbers(options) for options in self.SHARED]
        for options, seen in zip(self.SHARED, after_others, strict=True):
            _at_width.cache_clear()
            _kept_rows.cache_clear()
            np.testing.assert_array_equal(numbers(options), seen)

    def test_another_gain_measures_the_cosine_alone(self):
        rows = {"n_keys": 3, "n_rows": 50, "seed": 6}
        alternatives([4, 64], **rows, **OPTIONS)
        before = _at_width.cache_info().misses
        alternatives([4, 64], **rows, **(OPTIONS | {"gain": 11.0}))
        assert _at_width.cache_info().misses == before + 2
