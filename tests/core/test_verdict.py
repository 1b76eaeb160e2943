"""One word for a head, each reached from scores made for it, with the numbers that led there."""

import numpy as np
import pytest

from core import Verdict, diagnose, trained_heads
from core.verdict import judge_all


def normal(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape)


class TestJudge:
    @pytest.mark.parametrize(
        ("scale", "word"), [(0.2, "flat"), (1, "as-modelled"), (3, "sharp"), (30, "saturated")]
    )
    def test_spread_in_units_of_the_random_model(self, scale, word):
        diagnosis = diagnose(normal(200, 16) * scale, normal(200, 16, seed=1))
        assert diagnosis.verdict.word == word

    def test_constant(self):
        verdict = diagnose(normal(4, 3), np.ones((5, 3))).verdict
        assert verdict.word == "constant"
        assert "uniform weights" in verdict.sentence

    def test_reasons_carry_the_numbers(self):
        heads = trained_heads(0)
        diagnosis = diagnose(heads.query, heads.key, axes=("layer", "head"))
        assert diagnosis.verdicts[2].word == "saturated"
        reasons = " ".join(diagnosis.verdicts[2].reasons)
        assert "standard deviation 64.6" in reasons
        assert "√32 = 5.66" in reasons
        assert "100 % and 100 % of the rows" in reasons
        assert diagnosis.verdict.word == "mixed"

    def test_scores_divided_before_are_suspected(self):
        said = diagnose(normal(200, 64) / 8, normal(200, 64, seed=1)).verdict
        assert said.word == "flat"
        assert any("divided before" in reason for reason in said.reasons)

    def test_common_part_is_mentioned(self):
        query = np.c_[normal(50, 8), np.arange(50)]
        said = diagnose(query, np.c_[normal(50, 8, seed=1), np.ones(50)]).verdict
        assert any("common to a row" in reason for reason in said.reasons)

    @pytest.mark.parametrize(
        ("few", "lost", "unable", "single"),
        [
            (
                1,
                "1 score of 20 that the mask allows is NaN or infinite; the figures leave it out.",
                "1 row may attend no key (row 0): plain softmax gives NaN there.",
                "1 row may attend one key only and is left out of the means: its weight",
            ),
            (
                2,
                "2 scores of 16 that the mask allows are NaN or infinite; the figures leave them",
                "2 rows may attend no key (the first is row 0): plain softmax gives NaN there.",
                "2 rows may attend one key only and are left out of the means: their weight",
            ),
        ],
    )
    def test_verbs_agree_with_their_counts(self, few, lost, unable, single):
        mask = np.ones((8, 4), bool)
        mask[:few] = False
        mask[few : 2 * few, 1:] = False
        mask[:-few, 3] = False
        key = np.ones((4, 1))
        key[3] = np.nan
        reasons = diagnose(normal(8, 1), key, mask=mask).verdict.reasons
        for reason, said in zip(reasons, (lost, unable, single), strict=False):
            assert reason.startswith(said)

    def test_shares_are_not_rounded_to_all(self):
        # 1 row of 2,000 is not saturated: 99.95 % is not 100 %.
        query = np.vstack([np.full((1999, 1), 50.0), [[0.1]]])
        said = " ".join(diagnose(query, [[1.0], [0.0]]).verdict.reasons)
        assert ">99.9 % and >99.9 % of the rows" in said


class TestJudgeAll:
    def test_all_of_one_word(self):
        verdicts = [Verdict("flat", "…", ())] * 7
        said = judge_all(verdicts, [f"head {i}" for i in range(7)])
        assert said.word == "flat"
        assert said.reasons == ("7 of 7 heads are flat: head 0; head 1; head 2; head 3; head 4; …",)
