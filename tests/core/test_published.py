import csv
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core import PUBLISHED_VALUES, PublishedValue, agreement, iter_published, published, sweep
from core.intervals import Estimate
from core.published import EXPERIMENTS, WIDTHS, Agreement

HERE = Path(__file__).parent
REFERENCE = json.loads((HERE.parent / "reference" / "published_experiments.json").read_text())
TABLE = HERE.parent.parent / "assets" / "published_sweeps.csv"


@pytest.fixture(scope="module")
def independent_keys():
    return published("independent-keys")


@pytest.fixture(scope="module")
def self_attention():
    return published("self-attention")


def constant(sweep_, **values):
    """Return the sweep with one estimate of the scaled statistics replaced."""
    numbers = {
        name: Estimate(*(np.full(len(sweep_.widths), x) for x in (value, value, value, 0.01)))
        for name, value in values.items()
    }
    return replace(sweep_, scaled=replace(sweep_.scaled, **numbers))


class TestPublished:
    # Full precision as recomputed with NumPy 2.4.6 from the published seeds.
    @pytest.mark.parametrize("variant", ["raw", "scaled"])
    def test_independent_keys_in_full_precision(self, independent_keys, variant):
        full = REFERENCE["independent_keys_tutorial"]["full_precision"]
        found = getattr(independent_keys, variant)
        for estimate, values in (
            (found.score_std, full[f"{variant}_score_std"]),
            (found.max_weight, full[f"mean_max_weight_{variant}"]),
            (found.entropy, full[f"mean_entropy_{variant}"]),
            (found.saturated_share, np.divide(full[f"{variant}_rows_over_90_pct"], 100)),
        ):
            np.testing.assert_allclose(estimate.value, values, rtol=0, atol=1e-12)

    @pytest.mark.parametrize(("variant", "name"), [("raw", "unscaled"), ("scaled", "scaled")])
    def test_self_attention_in_full_precision(self, self_attention, variant, name):
        full = REFERENCE["self_attention_demo"][name]
        found = getattr(self_attention, variant)
        np.testing.assert_allclose(found.score_std.value, full["std"], rtol=0, atol=1e-12)
        # The published code adds 1e-15 inside the logarithm: 16 of these over ln 16.
        np.testing.assert_allclose(
            found.normalized_entropy.value, full["entropy"], rtol=0, atol=1e-14
        )

    def test_settings(self, independent_keys, self_attention):
        for run, key in (
            (independent_keys, "independent_keys_tutorial"),
            (self_attention, "self_attention_demo"),
        ):
            reference = REFERENCE[key]
            assert run.seed == reference["seed"]
            assert run.engine == "drawn-vectors"
            assert run.widths.tolist() == list(WIDTHS)
        assert (independent_keys.n_keys, independent_keys.n_queries) == (12, 1)
        assert (self_attention.n_keys, self_attention.n_queries) == (16, 16)
        assert (independent_keys.mean_removed, self_attention.mean_removed) == (True, False)

    def test_intervals_are_of_the_size_that_the_trials_give(self, independent_keys):
        # 4,000 rows: the deviation of their mean squares from 1024 is √(2/12)/√4000 of it, halved.
        error = independent_keys.raw.score_std.standard_error[-1]
        assert error == pytest.approx(1024**0.5 * (2 / 12 / 4000) ** 0.5 / 2, rel=0.05)

    def test_unknown_name(self):
        for call in (published, iter_published):
            with pytest.raises(ValueError, match="'independent-keys', 'self-attention', not 'x'"):
                call("x")


class TestAgreement:
    def test_independent_keys(self, independent_keys):
        rows = agreement("independent-keys", independent_keys)
        assert len(rows) == 28
        assert [row for row in rows if not row.agrees] == []

    def test_self_attention(self, self_attention):
        rows = agreement("self-attention", self_attention)
        assert len(rows) == 10
        assert [row for row in rows if not row.agrees] == []

    def test_finds_what_is_off_by_one_in_the_last_place(self, self_attention):
        altered = constant(self_attention, score_std=0.9985 + 2e-9)
        rows = agreement("self-attention", altered)
        verdicts = {
            row.published.width: row.agrees for row in rows if row.published.quantity == "score_std"
        }
        # Published: 1.009, 0.997, 1.003, 0.999, 0.999.
        assert verdicts == {4: False, 16: False, 64: False, 256: True, 1024: True}

    def test_another_engine_agrees_within_its_errors(self):
        experiment = EXPERIMENTS["independent-keys"]
        run = sweep(
            (1, *WIDTHS), n_keys=experiment.n_keys, n_trials=4000, seed=1, engine="exact-law"
        )
        rows = agreement("independent-keys", run)
        assert not all(row.agrees for row in rows)
        # Two samples of equal size: the difference has √2 standard errors.
        away = [row.errors_away / 2**0.5 for row in rows]
        assert max(map(abs, away)) < 4

    def test_a_missing_width(self):
        run = sweep([4, 16], n_keys=12, n_trials=2, seed=1)
        with pytest.raises(ValueError, match=r"no width 64; the published ones are \(4, 16, 64"):
            agreement("independent-keys", run)

    def test_unknown_name(self, self_attention):
        with pytest.raises(ValueError, match="name must be one of"):
            agreement("x", self_attention)


class TestAgreementRow:
    PERCENT = PublishedValue("independent-keys", 4, "saturated_percent", "scaled", 0.2, 1)

    @pytest.mark.parametrize(
        ("measured", "agrees"),
        [(0.15, True), (0.25, True), (0.2, True), (0.1499, False), (0.2501, False)],
    )
    def test_exact_halves_agree(self, measured, agrees):
        assert Agreement(self.PERCENT, measured, 0.1).agrees is agrees

    def test_errors_away_has_a_sign(self):
        assert Agreement(self.PERCENT, 0.1, 0.05).errors_away == pytest.approx(-2)


class TestPublishedValues:
    def test_are_those_of_the_reference(self):
        tutorial = REFERENCE["independent_keys_tutorial"]["published"]
        demo = REFERENCE["self_attention_demo"]
        listed = {
            ("independent-keys", "score_std", "raw"): tutorial["raw_score_std"],
            ("independent-keys", "score_std", "scaled"): tutorial["scaled_score_std"],
            ("independent-keys", "max_weight", "raw"): tutorial["mean_max_weight_raw"],
            ("independent-keys", "max_weight", "scaled"): tutorial["mean_max_weight_scaled"],
            ("independent-keys", "entropy", "raw"): tutorial["mean_entropy_raw"],
            ("independent-keys", "entropy", "scaled"): tutorial["mean_entropy_scaled"],
            ("independent-keys", "saturated_percent", "raw"): tutorial["raw_rows_over_90_pct"],
            ("independent-keys", "saturated_percent", "scaled"): tutorial[
                "scaled_rows_over_90_pct"
            ],
            ("self-attention", "score_std", "scaled"): demo["published_scaled_std"],
            ("self-attention", "normalized_entropy", "scaled"): demo["published_scaled_entropy"],
        }
        expected = {}
        for (experiment, quantity, variant), values in listed.items():
            by_width = (
                values if isinstance(values, dict) else dict(zip(WIDTHS, values, strict=True))
            )
            for width, value in by_width.items():
                expected[experiment, int(width), quantity, variant] = value
        found = {(v.experiment, v.width, v.quantity, v.variant): v.value for v in PUBLISHED_VALUES}
        assert found == expected

    def test_are_those_of_the_file_that_ships(self):
        with TABLE.open(newline="") as file:
            rows = list(csv.DictReader(file))
        assert {row["license"] for row in rows} == {"CC0-1.0"}
        shipped = {
            PublishedValue(
                row["experiment"],
                int(row["width"]),
                row["quantity"],
                row["scores"],
                float(row["published"]),
                len(row["published"].partition(".")[2]),
            )
            for row in rows
            if row["published"]
        }
        assert shipped == set(PUBLISHED_VALUES)
