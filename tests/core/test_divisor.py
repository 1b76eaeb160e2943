import math

import numpy as np
import pytest
import scipy.special
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from core import DIVISORS, divide, divisor_position, divisor_table

SCORES = st.lists(st.integers(-100, 100).map(float), min_size=1, max_size=8)


class TestDivisors:
    def test_range_and_marks(self):
        assert DIVISORS[0] == 0.25
        assert DIVISORS[-1] == 10
        assert {1.0, math.sqrt(3), 3.0} <= set(DIVISORS.tolist())

    def test_travel_is_logarithmic(self):
        steps = np.diff(np.log(DIVISORS))
        np.testing.assert_allclose(steps[1:-1], np.log(3) / 72, rtol=1e-12)
        assert (steps[[0, -1]] > 0.8 * steps[1]).all()
        assert (steps[[0, -1]] < steps[1]).all()

    def test_read_only(self):
        with pytest.raises(ValueError, match="read-only"):
            DIVISORS[0] = 1


class TestDivide:
    @pytest.mark.parametrize(
        ("divisor", "weights", "places", "nats"),
        [
            # The published table of the divisor example.
            (1, [0.866813, 0.117310, 0.015876], 6, 0.4411),
            (math.sqrt(3), [0.707, 0.223, 0.070], 3, 0.7662),
            (2, [0.6652, 0.2447, 0.0900], 4, 0.8324),
        ],
    )
    def test_divisor_example(self, divisor, weights, places, nats):
        row = divide([3, 1, -1], divisor)
        np.testing.assert_allclose(row.weights, weights, rtol=0, atol=0.5 * 10.0**-places)
        np.testing.assert_allclose(row.entropy, nats, rtol=0, atol=5e-5)
        np.testing.assert_array_equal(row.scores, np.array([3, 1, -1]) / divisor)
        assert row.divisor == divisor

    @given(SCORES, st.floats(0.01, 1000), st.integers(-1000, 1000))
    def test_agrees_with_scipy(self, scores, divisor, shift):
        row = divide(scores, divisor, shift=shift)
        weights = scipy.special.softmax(np.divide(scores, divisor))
        nats = scipy.special.entr(weights).sum()
        np.testing.assert_allclose(row.weights, weights, rtol=1e-9, atol=1e-300)
        np.testing.assert_allclose(row.scores, np.add(scores, shift) / divisor, rtol=1e-15)
        np.testing.assert_allclose(row.entropy, nats, rtol=0, atol=1e-12)
        np.testing.assert_allclose(row.effective_keys, np.exp(nats), rtol=1e-12)
        ceiling = np.log(len(scores)) or 1
        np.testing.assert_allclose(row.normalized_entropy, nats / ceiling, atol=1e-12)

    @given(SCORES, st.floats(0.01, 1000))
    def test_shift_changes_no_weight(self, scores, divisor):
        still, moved = divide(scores, divisor), divide(scores, divisor, shift=100)
        np.testing.assert_array_equal(moved.weights, still.weights)
        assert moved.entropy == still.entropy
        assert (moved.scores > still.scores).all()

    @given(SCORES, st.floats(0.01, 1000))
    def test_order_never_changes(self, scores, divisor):
        order = np.argsort(scores, kind="stable")
        assert (np.diff(divide(scores, divisor).weights[order]) >= 0).all()

    @given(SCORES)
    def test_a_larger_divisor_spreads_more(self, scores):
        assert (np.diff(divide(scores, np.geomspace(0.01, 1000, 50)).entropy) > -1e-14).all()

    def test_axes_of_the_divisor_come_first(self):
        rows = divide([3, 1, -1], [[1, 2], [3, 4]])
        assert rows.weights.shape == (2, 2, 3)
        assert rows.entropy.shape == (2, 2)
        np.testing.assert_array_equal(rows.weights[0, 1], divide([3, 1, -1], 2).weights)

    def test_extremes(self):
        np.testing.assert_array_equal(divide([1e308, 1, -1e308], 0.01).weights, [1, 0, 0])
        np.testing.assert_array_equal(divide([5, 5], 5e-324).weights, [0.5, 0.5])
        np.testing.assert_allclose(divide([3, 1, -1], 1e308).weights, 1 / 3, rtol=1e-15)
        np.testing.assert_array_equal(divide([7], 2).weights, [1])

    @pytest.mark.parametrize("divisor", [0, -1, np.nan, np.inf, [1, 0]])
    def test_divisor_out_of_range(self, divisor):
        with pytest.raises(ValueError, match="divisor must be finite and positive; got"):
            divide([3, 1, -1], divisor)

    @pytest.mark.parametrize("scores", [[], [[1, 2]], 3, [1, np.nan], [np.inf, 0]])
    def test_scores_must_be_a_finite_row(self, scores):
        with pytest.raises(ValueError, match="scores must be one row of finite numbers"):
            divide(scores, 1)

    @pytest.mark.parametrize("shift", [np.nan, -np.inf])
    def test_shift_must_be_finite(self, shift):
        with pytest.raises(ValueError, match="shift must be finite"):
            divide([1, 2], 1, shift=shift)


class TestDivisorTable:
    def test_every_row_is_a_single_evaluation(self):
        table = divisor_table([3, 1, -1], shift=5)
        np.testing.assert_array_equal(table.divisor, DIVISORS)
        for position in (0, 91, 200, len(DIVISORS) - 1):
            row = divide([3, 1, -1], DIVISORS[position], shift=5)
            for part in ("scores", "weights", "entropy", "normalized_entropy", "effective_keys"):
                np.testing.assert_array_equal(getattr(table, part)[position], getattr(row, part))

    def test_from_winner_takes_all_to_uniform(self):
        table = divisor_table([3, 1, -1])
        assert table.weights[0, 0] > 0.999
        assert (np.diff(table.entropy) > 0).all()
        assert table.normalized_entropy[-1] > 0.98
        assert table.normalized_entropy[-1] < 1


class TestDivisorPosition:
    def test_marks(self):
        positions = [divisor_position(mark) for mark in (1, math.sqrt(3), 3)]
        assert positions == [91, 127, 163]
        np.testing.assert_array_equal(DIVISORS[positions], [1, math.sqrt(3), 3])

    @given(st.floats(0.25, 10))
    def test_is_within_half_a_step(self, divisor):
        nearest = DIVISORS[divisor_position(divisor)]
        assert abs(np.log(nearest / divisor)) <= np.log(3) / 144 + 1e-12

    def test_halfway_is_the_geometric_mean(self):
        # The arithmetic mean of neighbours lies 3e-5 higher.
        middles = np.sqrt(DIVISORS[1:-2] * DIVISORS[2:-1])
        above = [divisor_position(middle * (1 + 1e-6)) for middle in middles]
        assert above == list(range(2, len(DIVISORS) - 1))

    def test_beyond_the_travel(self):
        assert divisor_position(0.01) == 0
        assert divisor_position(1000) == len(DIVISORS) - 1

    @pytest.mark.parametrize("divisor", [0, -1, np.nan, np.inf])
    def test_out_of_range(self, divisor):
        with pytest.raises(ValueError, match="divisor must be finite and positive"):
            divisor_position(divisor)
