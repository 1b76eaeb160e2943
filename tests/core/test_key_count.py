"""The map of entropy over width and number of keys, cell by cell."""

import math

import numpy as np
import pytest

from core.expectation import expected
from core.key_count import MAP_KEYS, MAP_WIDTHS, entropy_map, reading, readings


@pytest.fixture(scope="module")
def whole():
    return entropy_map()


class TestEntropyMap:
    def test_grid(self, whole):
        assert (MAP_WIDTHS[0], MAP_WIDTHS[-1]) == (1, 1024)
        assert (MAP_KEYS[0], MAP_KEYS[-1]) == (2, 100_000)
        assert tuple(whole.widths) == MAP_WIDTHS
        assert tuple(whole.n_keys) == MAP_KEYS
        assert whole.raw.shape == whole.scaled.shape == (len(MAP_KEYS), len(MAP_WIDTHS))

    def test_published_entropies(self):
        # Twelve keys: 1.56497 and 0.0860976 nats raw, 2.11611 and 2.0904933 scaled.
        of_twelve = entropy_map((4, 1024), (12,))
        ceiling = math.log(12)
        np.testing.assert_allclose(of_twelve.raw * ceiling, [[1.56497, 0.0860976]], atol=2e-5)
        np.testing.assert_allclose(of_twelve.scaled * ceiling, [[2.11611, 2.0904933]], atol=2e-5)

    def test_lies_between_0_and_1_and_raw_below_scaled(self, whole):
        assert (whole.raw > 0).all()
        assert (whole.scaled < 1).all()
        assert (whole.raw[:, 1:] < whole.scaled[:, 1:]).all()
        np.testing.assert_array_equal(whole.raw[:, 0], whole.scaled[:, 0])  # √1 divides nothing

    def test_width_sharpens_raw_rows_only(self, whole):
        assert (np.diff(whole.raw, axis=1) < 0).all()
        far = whole.widths >= 64
        assert np.ptp(whole.scaled[:, far], axis=1).max() < 0.005

    def test_scaled_rows_spread_with_the_number_of_keys(self, whole):
        assert (np.diff(whole.scaled, axis=0) > 0).all()

    def test_refuses(self):
        with pytest.raises(
            ValueError, match="n_keys must be between 1 and MAX_EXPECTED_KEYS = 100,000"
        ):
            entropy_map((4,), (200_000,))


class TestReading:
    @pytest.mark.parametrize("scaled", [False, True])
    @pytest.mark.parametrize(("width", "n_keys"), [(1, 2), (64, 1024), (1024, 100_000)])
    def test_is_the_cell_of_the_map(self, width, n_keys, scaled):
        cell = reading(width, n_keys, scaled=scaled)
        exact = expected(width, n_keys=n_keys, scaled=scaled)
        assert cell.entropy == exact.entropy
        assert cell.normalized_entropy == exact.normalized_entropy
        assert cell.score_std == (1 if scaled else math.sqrt(width))
        assert math.isclose(cell.effective_keys, math.exp(cell.entropy))
        assert math.isclose(cell.freezing_std, math.sqrt(2 * math.log(n_keys)))
        assert math.isclose(
            cell.guide, max(math.log(n_keys) - cell.score_std**2 / 2, 0), abs_tol=1e-12
        )

    def test_scaled_rows_are_half_a_nat_below_their_ceiling(self):
        # ln n − ½; the correction is of the order of (e − 1 − …)/n and vanishes with n.
        cell = reading(1024, 100_000, scaled=True)
        np.testing.assert_allclose(cell.entropy, math.log(100_000) - 0.5, atol=1e-3)

    @pytest.mark.parametrize(("width", "frozen"), [(13, False), (14, True)])
    def test_freezes_at_two_ln_n(self, width, frozen):
        assert reading(width, 1000, scaled=False).frozen is frozen  # 2 ln 1000 = 13.8

    @pytest.mark.parametrize("n_keys", [2, 100_000])
    def test_scaled_rows_never_freeze(self, n_keys):
        assert not reading(1024, n_keys, scaled=True).frozen

    def test_refuses(self):
        with pytest.raises(ValueError, match="widths must be between 1 and"):
            reading(0, 12, scaled=True)


class TestReadings:
    @pytest.mark.parametrize("scaled", [False, True])
    def test_every_cell_is_the_one_that_is_read_alone(self, scaled):
        cells = readings((1, 3, 1024), (1, 2, 50_000), scaled=scaled)
        assert len(cells) == 9
        for (width, n_keys), cell in cells.items():
            assert cell == reading(width, n_keys, scaled=scaled)
            exact = expected(width, n_keys=n_keys, scaled=scaled)
            assert (cell.entropy, cell.score_std) == (exact.entropy, exact.score_std)

    def test_are_plain_numbers(self):
        (cell,) = readings((64,), (12,), scaled=False).values()
        assert type(cell.entropy) is type(cell.ceiling) is float
        assert cell.ceiling == pytest.approx(2.4849066)
