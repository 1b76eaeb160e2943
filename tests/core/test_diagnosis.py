"""The diagnosis against plain dense arithmetic and SciPy, and what it says of odd input."""

import csv
import io
import tracemalloc

import numpy as np
import pytest
import scipy.special
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from core import causal_mask, collect_diagnosis, diagnose, iter_diagnose, trained_heads


def normal(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape)


def dense(query, key, allowed, divisor, bias=0.0):
    """Entropy, largest weight and runner-up of each row, from a dense softmax by SciPy."""
    scores = query @ key.T
    weights = scipy.special.softmax(np.where(allowed, scores / divisor + bias, -np.inf), axis=-1)
    top = np.sort(weights, axis=-1)
    return scipy.stats.entropy(weights, axis=-1), top[:, -1], top[:, -2] / top[:, -1]


class TestDiagnose:
    def test_by_hand(self):
        # One query against three keys: scores 3, 1, −1 (mean 1, variance 8/3), width 3; the
        # entropies are published, 0.4411 without and 0.7662 with √3.
        head = diagnose([[1, 1, 1]], [[1, 1, 1], [1, 0, 0], [-1, 0, 0]]).heads[0]
        np.testing.assert_allclose([head.mean, head.std], [1, np.sqrt(8 / 3)])
        np.testing.assert_allclose(head.at("none").entropy, 0.4411, atol=5e-5)
        np.testing.assert_allclose(head.at("sqrt_d_k").entropy, 0.7662, atol=5e-5)
        np.testing.assert_allclose(head.at("sqrt_d_k").max_weight, 0.707, atol=5e-4)
        np.testing.assert_allclose(head.at("none").runner_up, np.exp(-2))
        assert (head.minimum, head.maximum, head.scores) == (-1, 3, 3)

    def test_random_model(self):
        # Expected at σ = 1 and 512 keys: E[H] is about ln n − 1/2; the spread is √d_k.
        diagnosis = diagnose(normal(4, 512, 64), normal(4, 512, 64, seed=1))
        assert diagnosis.verdict.word == "as-modelled"
        for head in diagnosis.heads:
            np.testing.assert_allclose(head.std_ratio, 1, atol=0.02)
            np.testing.assert_allclose(head.within_row_ratio, 1, atol=0.02)
            np.testing.assert_allclose(head.mean, 0, atol=0.2)
            np.testing.assert_allclose(
                head.at("sqrt_d_k").mean_entropy, np.log(512) - 0.5, atol=0.05
            )

    @pytest.mark.parametrize("shape", [(7, 5), (300, 5), (513, 600)])
    @pytest.mark.parametrize("causal", [False, True])
    def test_agrees_with_dense_softmax(self, shape, causal):
        # The last shape passes the size from which tiles are worked on in float32.
        n_q, n_k = shape
        query, key = normal(n_q, 16), normal(n_k, 16, seed=1)
        allowed = causal_mask(n_q, n_k) if causal else np.ones((n_q, n_k), dtype=bool)
        head = diagnose(query, key, is_causal=causal, divisor=3.0).heads[0]
        np.testing.assert_array_equal(head.rows, np.flatnonzero(allowed.sum(axis=-1) > 1))
        np.testing.assert_array_equal(head.row_keys, allowed.sum(axis=-1)[head.rows])
        for entry in head.divisors:
            expected = dense(query, key, allowed, entry.divisor)
            for found, value in zip(
                (entry.entropy, entry.max_weight, entry.runner_up), expected, strict=True
            ):
                np.testing.assert_allclose(found, value[head.rows], rtol=2e-5, atol=1e-6)

    @given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 9), st.integers(0, 2**32))
    def test_moments(self, n_q, n_k, d_k, seed):
        query, key = normal(n_q, d_k, seed=seed) + 1, normal(n_k, d_k, seed=seed + 1) * 3
        allowed = normal(n_q, n_k, seed=seed + 2) > 0
        scores = query @ key.T
        head = diagnose(query, key, mask=allowed).heads[0]
        assert head.scores == allowed.sum()
        assert head.histogram.counts.sum() == allowed.sum()
        if head.scores:
            np.testing.assert_allclose(head.mean, scores[allowed].mean(), rtol=1e-9, atol=1e-9)
            np.testing.assert_allclose(head.std, scores[allowed].std(), rtol=1e-9, atol=1e-9)
            np.testing.assert_allclose(
                head.std**2, head.within_row_std**2 + head.between_row_std**2
            )
            assert head.minimum == pytest.approx(scores[allowed].min())
            assert head.maximum == pytest.approx(scores[allowed].max())
        rows = allowed.sum(axis=-1)
        np.testing.assert_array_equal(head.masked_rows, np.flatnonzero(rows == 0))
        np.testing.assert_array_equal(head.single_key_rows, np.flatnonzero(rows == 1))

    @given(st.integers(2, 30), st.floats(0.01, 1000), st.integers(0, 2**32))
    def test_entropy_within_bounds(self, n, scale, seed):
        diagnosis = diagnose(normal(n, 4, seed=seed) * scale, normal(n, 4, seed=seed + 1))
        for entry in diagnosis.heads[0].divisors:
            assert ((entry.entropy >= 0) & (entry.normalized_entropy <= 1)).all()
            assert ((entry.max_weight >= 1 / n - 1e-12) & (entry.max_weight <= 1)).all()
            assert ((entry.runner_up >= 0) & (entry.runner_up <= 1)).all()

    def test_matched_divisor_brings_the_spread_within_rows_to_one(self):
        query, key = normal(50, 8) * 3 + 2, normal(60, 8, seed=1)
        head = diagnose(query, key).heads[0]
        again = diagnose(query / head.at("matched").divisor, key).heads[0]
        np.testing.assert_allclose(again.within_row_std, 1)

    def test_adding_a_constant_to_a_row_moves_only_what_is_common(self):
        # A component of its own adds c to every score of a row, and softmax sees nothing of it.
        query, key = normal(20, 8), normal(20, 8, seed=1)
        lifted = diagnose(np.c_[query, np.arange(20) * 10.0], np.c_[key, np.ones(20)]).heads[0]
        plain = diagnose(query, key).heads[0]
        np.testing.assert_allclose(lifted.within_row_std, plain.within_row_std)
        np.testing.assert_allclose(lifted.at("none").entropy, plain.at("none").entropy, atol=1e-9)
        assert lifted.std > 5 * plain.std

    def test_finite_bias_of_an_additive_mask(self):
        query, key, bias = normal(9, 4), normal(11, 4, seed=1), normal(9, 11, seed=2)
        bias[:, 3] = -np.inf
        head = diagnose(query, key, mask=bias).heads[0]
        finite = np.where(np.isinf(bias), 0, bias)
        expected = dense(query, key, ~np.isinf(bias), 2.0, finite)
        np.testing.assert_allclose(head.at("sqrt_d_k").entropy, expected[0])
        np.testing.assert_allclose(head.at("sqrt_d_k").max_weight, expected[1])

    def test_causal_composes_with_mask(self):
        query, key, mask = normal(9, 4), normal(9, 4, seed=1), np.arange(9) != 2
        both = diagnose(query, key, mask=mask, is_causal=True).heads[0]
        one = diagnose(query, key, mask=mask & causal_mask(9, 9)).heads[0]
        np.testing.assert_array_equal(both.at("none").entropy, one.at("none").entropy)

    def test_output_change(self):
        query, key, value = normal(30, 8), normal(40, 8, seed=1), normal(40, 3, seed=2)
        raw = scipy.special.softmax(query @ key.T, axis=-1) @ value
        scaled = scipy.special.softmax(query @ key.T / np.sqrt(8), axis=-1) @ value
        head = diagnose(query, key, value=value).heads[0]
        change = np.linalg.norm(raw - scaled) / np.linalg.norm(scaled)
        np.testing.assert_allclose(head.at("none").output_change, change)
        assert head.at("sqrt_d_k").output_change == 0
        assert diagnose(query, key).heads[0].at("none").output_change is None

    def test_leading_axes_broadcast_and_are_labelled(self):
        diagnosis = diagnose(normal(2, 3, 5, 4), normal(3, 6, 4, seed=1))
        assert [head.label for head in diagnosis.heads][3] == "batch 1, head 0"
        alone = diagnose(normal(2, 3, 5, 4)[1, 2], normal(3, 6, 4, seed=1)[2]).heads[0]
        np.testing.assert_array_equal(
            diagnosis.heads[5].at("none").entropy, alone.at("none").entropy
        )
        assert alone.label == "the head"
        named = diagnose(normal(1, 2, 5, 4), normal(6, 4), axes=("layer", "head"))
        assert named.heads[1].label == "layer 0, head 1"

    @pytest.mark.parametrize("dtype", [np.float16, np.float32, np.int8, ">f8"])
    def test_other_dtypes(self, dtype):
        query, key = (normal(8, 4) * 3).astype(dtype), (normal(8, 4, seed=1) * 3).astype(dtype)
        expected = diagnose(query.astype(np.float64), key.astype(np.float64)).heads[0]
        assert diagnose(query, key).heads[0].std == expected.std

    def test_memory_stays_at_a_few_tiles(self):
        query, key = normal(2, 3000, 8).astype(np.float32), normal(2, 3000, 8, seed=1)
        tracemalloc.start()
        diagnose(query, key)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        # One head's 3,000² scores would take 72 MB in float64; two blocks take 17.
        assert peak < 24e6

    def test_nan_and_infinity_are_located_and_left_out(self):
        query, key, value = normal(6, 4), normal(7, 4, seed=1), normal(7, 4, seed=2)
        query[2, 1], key[5, 0], value[0, 3] = np.inf, np.nan, -np.inf
        diagnosis = diagnose(query, key, value=value)
        assert [(found.name, found.count, found.first) for found in diagnosis.non_finite] == [
            ("query", 1, ((2, 1),)),
            ("key", 1, ((5, 0),)),
            ("value", 1, ((0, 3),)),
        ]
        head = diagnosis.heads[0]
        rows, columns = np.delete(np.arange(6), 2), np.delete(np.arange(7), 5)
        clean = diagnose(query[rows], key[columns]).heads[0]
        assert diagnosis.verdict.word == "not-finite"
        assert (head.lost, head.scores) == (42 - 30, 30)
        np.testing.assert_array_equal(head.lost_rows, [2])
        np.testing.assert_allclose(head.std, clean.std)
        np.testing.assert_allclose(head.at("none").entropy, clean.at("none").entropy)
        assert np.isfinite(head.at("none").output_change)

    def test_a_masked_nan_does_no_harm(self):
        query, key = normal(6, 4), normal(7, 4, seed=1)
        key[5] = np.nan
        diagnosis = diagnose(query, key, mask=np.arange(7) != 5)
        assert diagnosis.heads[0].lost == 0
        assert diagnosis.verdict.word == "as-modelled"
        assert diagnosis.non_finite[0].count == 4

    def test_fully_masked_rows_are_named(self):
        mask = np.ones((5, 6), dtype=bool)
        mask[3] = False
        diagnosis = diagnose(normal(5, 4), normal(6, 4, seed=1), mask=mask)
        np.testing.assert_array_equal(diagnosis.heads[0].masked_rows, [3])
        assert any("row 3" in reason for reason in diagnosis.verdict.reasons)

    @pytest.mark.parametrize("scale", [1e-320, 1e-200, 1e-30, 1e30, 1e59])
    def test_far_scales_neither_warn_nor_break(self, scale):
        head = diagnose(normal(5, 4) * scale, normal(6, 4, seed=1)).heads[0]
        for entry in head.divisors:
            assert np.isfinite(entry.entropy).all()
        assert np.isfinite([head.mean, head.std]).all()

    def test_one_key(self):
        diagnosis = diagnose(normal(5, 4), normal(1, 4))
        assert diagnosis.verdict.word == "no-choice"
        assert diagnosis.heads[0].at("none").mean_entropy is None
        assert diagnosis.table()[0]["entropy_nats"] is None

    def test_equal_scores_are_constant_in_spite_of_rounding(self):
        # Sums of the same numbers in another order: equal, but for the last bits.
        rng = np.random.default_rng(0)
        key = np.array([rng.permutation(normal(64)) for _ in range(30)])
        query = np.full((20, 64), 0.1)
        assert (query @ key.T).std() > 0
        head = diagnose(query, key).heads[0]
        assert head.within_row_std == 0
        assert [entry.name for entry in head.divisors] == ["none", "sqrt_d_k", "d_k"]
        with pytest.raises(KeyError, match="no divisor named 'matched'"):
            head.at("matched")

    def test_near_ties(self):
        # Second weights of exp(−0.05) = 0.951 and exp(−0.06) = 0.942 of the first.
        head = diagnose([[1.0]], [[1.0], [0.95]]).heads[0]
        assert head.at("none").near_tie_share == 1
        head = diagnose([[1.0]], [[1.0], [0.94]]).heads[0]
        assert head.at("none").near_tie_share == 0

    def test_tables(self):
        heads = trained_heads(1)
        diagnosis = diagnose(heads.query[0], heads.key[0], divisor=7.0)
        table = diagnosis.table()
        assert len(table) == 12 * 5
        assert {entry["divided_by"] for entry in table} == {
            "none",
            "sqrt_d_k",
            "d_k",
            "matched",
            "chosen",
        }
        assert len(diagnosis.row_table()) == 12 * 5
        for rows in (table, diagnosis.row_table()):
            file = io.StringIO()
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
            assert file.getvalue().count("\n") == len(rows) + 1

    @pytest.mark.parametrize(
        ("query", "key", "options", "message"),
        [
            (
                (5, 8),
                (5, 16),
                {},
                r"share their last axis, d_k; got query \(5, 8\) and key \(5, 16\)",
            ),
            ((5, 8), (8, 6), {}, r"Note that key \(8, 6\) looks transposed"),
            ((5, 8), (6, 8), {"value": (7, 8)}, r"got key \(6, 8\) and value \(7, 8\)"),
            ((5, 3, 8), (6, 3, 8), {}, "look to have heads after tokens"),
            ((0, 8), (5, 8), {}, r"query has nothing in it: its shape is \(0, 8\)"),
            ((5, 8), (5, 0), {}, "key has nothing in it"),
            ((8,), (5, 8), {}, "query must have shape"),
            ((2, 5, 8), (3, 5, 8), {}, "leading axes do not broadcast"),
            ((5, 8), (6, 8), {"mask": (5, 7)}, r"mask of shape \(5, 7\) does not broadcast"),
        ],
    )
    def test_shapes_that_do_not_fit(self, query, key, options, message):
        arrays = {name: np.ones(shape, dtype=bool) for name, shape in options.items()}
        with pytest.raises(ValueError, match=message):
            diagnose(np.ones(query), np.ones(key), **arrays)

    @pytest.mark.parametrize(
        ("options", "error", "message"),
        [
            ({"divisor": 0}, ValueError, "divisor must be finite and positive; got 0"),
            ({"divisor": np.nan}, ValueError, "divisor must be finite and positive"),
            ({"mask": np.ones((2, 2), dtype=int)}, TypeError, "mask must be boolean"),
            ({"mask": np.full((2, 2), np.nan)}, ValueError, "got NaN"),
            ({"axes": ("layer",)}, ValueError, "axes must name the 0 leading axes"),
        ],
    )
    def test_options_out_of_range(self, options, error, message):
        with pytest.raises(error, match=message):
            diagnose(np.eye(2), np.eye(2), **options)

    def test_entries_too_large(self):
        query = np.eye(3)
        query[1, 2] = -1e61
        with pytest.raises(ValueError, match=r"query has -1e\+61 at \[1, 2\]"):
            diagnose(query, np.eye(3))

    def test_complex(self):
        with pytest.raises(TypeError, match="key must hold real numbers"):
            diagnose(np.eye(2), np.eye(2) * 1j)


class TestIterDiagnose:
    def test_yields_what_diagnose_collects(self):
        query, key = normal(3, 5, 4), normal(3, 5, 4, seed=1)
        steps = iter_diagnose(query, key)
        first = next(steps)
        assert first.label == "head 0"
        collected = collect_diagnosis([first, *steps], query, key)
        assert collected.table() == diagnose(query, key).table()

    def test_checks_before_the_first_head_is_asked_for(self):
        with pytest.raises(ValueError, match="share their last axis"):
            iter_diagnose(np.ones((2, 3)), np.ones((2, 4)))
