"""The masks page without a browser: links, sentences, tables and its script."""

import contextlib
import io
import re

import masks_folds
import masks_report as report
import numpy as np
import pytest
import snippets
from controls_break import MASK_KINDS, MASK_POLICIES

from core.masking import compare_masked

VIEW = "masks.py"


def text(app):
    return "\n".join(element.value for element in app.markdown)


class TestDefaults:
    def test_causal_counts_ceilings_and_zeros(self, open_app):
        page = text(open_app(VIEW))
        assert "may attend 1, 2, 3, 4 and 5 of 5 keys" in page
        # ln 1 to ln 5.
        assert "ln(allowed): 0.000, 0.693, 1.099, 1.386 and 1.609 nats" in page
        assert "its weight is exactly 0," in page

    def test_the_guess(self, open_app):
        assert "You said “zeros”; it is “NaN”." in text(open_app(VIEW, masks_guess="zeros"))
        assert "“NaN” is right" in text(open_app(VIEW, masks_guess="NaN"))


class TestLinks:
    @pytest.mark.parametrize("value", ["banana", "0.5", "-1", "nan", "1e999"])
    def test_a_bad_value_is_named_and_the_default_stands(self, open_app, value):
        app = open_app(
            VIEW, mask_kind=value, mask_length=value, mask_kinds="x", mask_q1=["k1", value]
        )
        said = app.text[0].value
        for name in ("mask_kind", "mask_length", "mask_q1"):
            assert f"{name}={'k1, ' if name == 'mask_q1' else ''}{value}: {name} takes" in said
        assert "“mask_kinds” is not a control" in said
        assert app.selectbox("mask_kind").value == "causal upper-left"

    def test_cells_come_from_the_link_and_none_is_a_choice(self, open_app):
        page = text(
            open_app(VIEW, mask_kind="custom", mask_queries="3", mask_q1=["k2", "k4"], mask_q2="")
        )
        assert "may attend 2, 0 and 5 of 5 keys" in page
        assert "No key is left for query 2. By your choice it gets zeros." in page


class TestSentences:
    @pytest.mark.parametrize("kind", MASK_KINDS)
    @pytest.mark.parametrize("n_queries", ["3", "5"])
    def test_every_kind_keeps_below_its_ceiling(self, open_app, kind, n_queries):
        page = text(open_app(VIEW, mask_kind=kind, mask_queries=n_queries, mask_policy="NaN"))
        ceilings = np.array(re.findall(r"\d\.\d+", re.search(r"allowed\): (.*) nats", page)[1]))
        scaled = np.array(re.findall(r"\d\.\d+", re.search(r"entropies are (.*) nats", page)[1]))
        assert len(ceilings) == int(n_queries)
        assert (scaled.astype(float) <= ceilings.astype(float) + 1e-9).all()
        assert ("is ambiguous" in page) == (n_queries == "3" and kind.startswith("causal"))

    @pytest.mark.parametrize("policy", MASK_POLICIES)
    def test_no_key_at_all(self, open_app, policy):
        app = open_app(
            VIEW, mask_kind="padding", mask_length="0", mask_policy=MASK_POLICIES[policy]
        )
        gets = {
            "zero": "they get zeros",
            "nan": "they get NaN",
            "mean": "they get the mean of V",
            "raise": "that is an error",
        }[policy]
        assert f"for queries 1, 2, 3, 4 and 5. By your choice {gets}." in text(app)
        assert ("You chose an error" in text(app)) == (policy == "raise")
        # ln 0 is no ceiling, and what does not sum to 1 has no entropy.
        assert "ln(allowed)" not in text(app)
        assert "A row without keys has no ceiling, for ln 0 is −∞" in text(app)
        assert ("and no entropy" in text(app)) == (policy != "mean")
        assert ("1.609 nats" in text(app)) == (policy == "mean")

    @pytest.mark.parametrize("policy", MASK_POLICIES)
    def test_one_query_without_keys_among_others(self, policy):
        setting = report.Setting("custom", 3, 3, 1, policy, ((2,), (), (1, 2)))
        said = report.sentences(setting)
        assert "ln(allowed): 0.000, undefined and 0.693 nats" in said
        entropies = "0.000, 1.609 and" if policy == "mean" else "0.000, undefined and"
        assert f"the entropies are {entropies}" in said
        table = report.numbers(report.masked(setting)).set_index("row")
        assert table.loc["q2, scaled", "ceiling (nats)"] == "undefined"
        assert table.loc["q2, scaled", "entropy (nats)"] == entropies.split()[1]

    def test_nobody_is_asked_for_what_is_there_already(self, open_app):
        ask, advice = {"masks_guess": "NaN"}, "Set the real keys of a padding mask to 0."
        assert advice in text(open_app(VIEW, **ask))
        assert advice not in text(open_app(VIEW, mask_kind="padding", mask_length="0", **ask))
        advice = "Take every key from a query"
        assert advice in text(open_app(VIEW, mask_kind="custom"))
        assert advice not in text(open_app(VIEW, mask_kind="custom", mask_q1=""))

    def test_the_two_corners_differ(self):
        upper, lower = (
            report.mask_of(f"causal {corner}", 3, 0, 0, ())
            for corner in ("upper-left", "lower-right")
        )
        assert upper.sum(axis=-1).tolist() == [1, 2, 3]
        assert lower.sum(axis=-1).tolist() == [3, 4, 5]


class TestControls:
    @pytest.mark.parametrize("kind", MASK_KINDS)
    def test_those_are_shown_that_do_something(self, open_app, kind):
        def seen(*, length=3, window=1, policy="zero"):
            rows = ((), *[(1, 2, 3, 4, 5)] * 4)
            setting = report.Setting(kind, 5, length, window, policy, rows)
            return report.masked(setting).scaled.stages.weights.tolist()

        acting = {
            "mask_length": seen() != seen(length=2),
            "mask_window": seen() != seen(window=2),
            "mask_policy": seen(length=0) != seen(length=0, policy="mean"),
        }
        shown = {box.key for box in open_app(VIEW, mask_kind=kind).main.selectbox}
        assert shown - {"mask_kind", "mask_queries"} == {key for key in acting if acting[key]}

    def test_what_is_not_shown_stands_in_no_link(self, open_app):
        app = open_app(VIEW, mask_kind="causal lower-right", mask_length="0", mask_policy="NaN")
        app.session_state["fold Link to this state"] = True
        app.run()
        (link,) = (code.value for code in app.code)
        assert link.endswith("?mask_kind=causal+lower-right")


class TestTables:
    some = report.vectors(5)
    causal = np.tri(5, dtype=bool)

    def test_four_policies_and_who(self):
        frame = masks_folds.policies(self.some, self.causal).set_index("policy")
        assert frame.loc["zeros", "output of q5"] == "[0.000, 0.000]"
        assert frame.loc["NaN", "output of q5"] == "[NaN, NaN]"
        mean = np.mean(self.some.value, axis=0)
        assert frame.loc["mean of V", "output of q5"] == report.row(mean)
        assert frame.loc["error", "weights of q5"] == "none"
        assert "MultiheadAttention" in frame.loc["NaN", "who does it"]
        assert "scaled_dot_product_attention" in frame.loc["zeros", "who does it"]

    def test_nan_leaks_unless_left_out(self):
        assert masks_folds.poisoned_position(np.ones((5, 5), bool)) is None
        frame = masks_folds.leaks(
            self.some, self.causal, masks_folds.poisoned_position(self.causal)
        )
        by = frame.set_index("how the mask is applied")
        assert by.loc["leave out"].tolist() == ["stays behind the mask"] * 2
        assert by.loc["add −inf"].tolist() == ["leaks"] * 2
        assert by.loc["fill −inf"].tolist() == ["stays behind the mask", "leaks"]

    def test_after_softmax_rows_sum_to_less(self):
        frame = masks_folds.after_softmax(self.some, self.causal)
        sums = frame["row sum then"].astype(float)
        assert (sums[:4] < 1).all()
        assert sums[4] == 1
        assert frame["divided by that sum"].tolist() == frame["masked before softmax"].tolist()

    def test_minus_1e9_is_infinite_in_float16(self):
        frame = masks_folds.sentinels(self.some, self.causal)
        half = frame[(frame["sentinel"] == "−1e9") & (frame["format"] == "float16")]
        assert half["stored as"].tolist() == ["−∞", "−∞"]
        assert half["a query without keys gets"].tolist() == ["NaN", "NaN"]
        wide = frame[(frame["sentinel"] == "−1e9") & (frame["format"] == "float64")]
        assert wide["a query without keys gets"].tolist() == ["as if unmasked", "the mean of V"]

    def test_the_place_of_a_bias_matters_only_if_it_is_finite(self):
        frame = masks_folds.orders(self.some, self.causal)
        infinite = frame[frame["added to blocked keys"] == "−∞"]
        assert set(infinite["same"]) == {"yes"}
        assert frame[frame["added to blocked keys"] == "−2"]["same"].tolist() == ["no"] * 4 + [
            "yes"
        ]

    def test_forms_and_conventions(self):
        frame = masks_folds.forms(self.causal)
        assert frame["additive"][0] == "0, −∞, −∞, −∞, −∞"
        assert frame["boolean, True takes part"][0] == "True, False, False, False, False"
        assert masks_folds.conventions()["True"].tolist().count("is left out") == 1

    def test_every_fold_opens(self, open_app):
        app = open_app(VIEW, mask_kind="causal and padding", mask_length="0")
        for name in ("Boolean or additive: who means what", "A query without keys: four answers",
                     "NaN behind the mask", "Before or after softmax",
                     "A finite number in place of −∞", "Before or after dividing by √dₖ",
                     "The numbers as a table", "Link to this state", "Show the NumPy"):  # fmt: skip
            app.session_state[f"fold {name}"] = True
        app.run()
        assert not app.exception
        assert len(app.table) == 6
        assert any("mask_length=0" in code.value for code in app.code)


class TestSnippet:
    @pytest.mark.parametrize("kind", ["causal lower-right", "padding"])
    def test_gives_cores_weights(self, kind):
        some = report.vectors(3)
        mask = report.mask_of(kind, 3, 2, 0, ())
        mask[0] = False
        script = snippets.render("masks", query=some.query.tolist(), mask=mask.tolist())
        names = {}
        with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
            exec(script, names)
        core = compare_masked(some.query, some.key, some.value, mask=mask, fully_masked="zero")
        np.testing.assert_array_equal(names["ceiling"], core.scaled.ceiling)
        for name, side in (("raw", core.raw), ("scaled", core.scaled)):
            np.testing.assert_allclose(names[name], side.stages.weights, atol=1e-14)
            np.testing.assert_allclose(names["entropy"](names[name]), side.entropy, atol=1e-12)
