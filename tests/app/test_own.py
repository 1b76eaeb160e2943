"""The page for a reader's own Q, K, V without a browser."""

import contextlib
import io
import tomllib
from pathlib import Path

import numpy as np
import own_inputs
import own_shown
import pytest
import snippets
from charts.base import LIGHT
from charts.own import MEASURES, comparison, distribution
from own_report import MAX_ROWS, SAMPLES, Bench, assign, diagnose_all, only_head, with_divisor
from own_words import describe

from core import TensorFileError, diagnose
from core.tensor_files import MAX_FILE_BYTES

VIEW = "own.py"
ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "assets" / "samples"


def text(app):
    return "\n".join(element.value for element in app.main.markdown)


def plain(app):
    return "\n".join(element.value for element in app.main.text)


def saved(**arrays):
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


class TestSamples:
    @pytest.mark.parametrize("name", list(SAMPLES))
    def test_each_is_diagnosed_at_once(self, open_app, name):
        app = open_app(VIEW, own_sample=name)
        assert "**The head: " in text(app) or "**Head 0: " in text(app)

    def test_the_trained_head_that_stays_saturated(self, open_app):
        app = open_app(VIEW, own_head="2")
        stored = np.load(FOLDER / "trained_layer_0.npz")
        expected = diagnose(stored["query"], stored["key"]).heads[2]
        assert "**Head 2: saturated.**" in text(app)
        assert f"standard deviation {expected.std:.3g};" in text(app).replace("\\", "")

    def test_what_is_not_finite_is_located(self, open_app):
        said = plain(open_app(VIEW, own_sample="nan-and-mask"))
        assert "query holds 1 × NaN, 1 × +inf among 1,536 entries, at [5, 3], [7, 0]." in said

    def test_axes_are_exchanged_by_one_tap_and_put_back(self, open_app):
        app = open_app(VIEW, own_sample="tokens-first")
        assert "is read as 24 heads with 2 tokens each" in plain(app)
        assert "All 24 heads" in text(app)
        app.button("own_swap_0").click().run()
        assert "All 2 heads: as-modelled" in text(app)
        app.button("own_unswap").click().run()
        assert "All 24 heads" in text(app)

    def test_a_head_that_is_not_there_is_said(self, open_app):
        app = open_app(VIEW, own_sample="random", own_head="9")
        assert "There are 2 heads: number 9 is none of them, so this is number 1." in plain(app)
        assert "**Head 1: " in text(app)

    def test_tables_hold_every_head_and_row(self, open_app):
        app = open_app(VIEW)
        app.session_state["fold Every head as a table"] = True
        app.session_state["fold Every row as CSV"] = True
        app.session_state["fold Sample files to download"] = True
        app.run()
        assert not app.exception
        assert len(app.table[0].value) == 12


class TestPasted:
    def paste(self, app, query, key):
        app.segmented_control("own_source").set_value("pasted text").run()
        app.text_area("own_query_text").set_value(query)
        app.text_area("own_key_text").set_value(key).run()
        assert not app.exception
        return app

    def test_two_matrices(self, open_app):
        app = self.paste(open_app(VIEW), "1, 2\n3, 4", "[[0, 1], [1, 0], [2, 2]]")
        head = diagnose([[1, 2], [3, 4]], [[0, 1], [1, 0], [2, 2]]).heads[0]
        assert f"standard deviation {head.std:.3g};" in text(app).replace("\\", "")
        assert "Until your arrays are here" not in "".join(c.value for c in app.caption)

    def test_picking_a_sample_turns_to_it(self, open_app):
        app = self.paste(open_app(VIEW), "1, 2\n3, 4", "1, 2\n3, 4")
        app.selectbox("own_sample").set_value("random").run()
        assert app.segmented_control("own_source").value == "a sample"
        assert "All 2 heads: as-modelled" in text(app)

    @pytest.mark.parametrize(
        ("query", "key", "said"),
        [
            ("1, 2\n3", "1, 2", "Query: "),
            ("<b>x</b>", "1, 2", "Query: "),
            ("1, 2", "", "Query and key are both needed; one is here."),
        ],
    )
    def test_what_cannot_be_read_is_said_and_the_page_stays(self, open_app, query, key, said):
        app = self.paste(open_app(VIEW), query, key)
        assert said in plain(app)
        assert "**Head 0: " in text(app)

    def test_widths_that_differ(self, open_app):
        app = self.paste(open_app(VIEW), "1, 2, 3", "1, 2\n3, 4")
        assert "(1, 3)" in plain(app)
        assert "(2, 2)" in plain(app)

    def test_a_transposed_key_is_put_right(self, open_app):
        app = self.paste(open_app(VIEW), "1, 2, 3\n1, 1, 1", "1, 2\n3, 4\n5, 6")
        assert "Key (3, 2) looks transposed" in plain(app)
        app.button("own_swap_1").click().run()
        head = diagnose([[1, 2, 3], [1, 1, 1]], [[1, 3, 5], [2, 4, 6]]).heads[0]
        assert f"standard deviation {head.std:.3g};" in text(app).replace("\\", "")


class TestSharing:
    def test_a_sample_is_worked_on_once_and_own_arrays_by_their_session_alone(
        self, open_app, monkeypatch
    ):
        worked_on = []

        def counted(arrays, **options):
            worked_on.append(arrays["query"].shape)
            return diagnose_all(arrays, **options)

        own_inputs.sample_bench.clear()
        monkeypatch.setattr(own_shown, "diagnose_all", counted)
        for _ in range(2):
            assert "All 2 heads" in text(open_app(VIEW, own_sample="random"))
        assert len(worked_on) == 1
        for _ in range(2):
            TestPasted().paste(open_app(VIEW, own_sample="random"), "1, 2\n3, 4", "5, 6")
        assert worked_on[1:] == [(2, 2), (2, 2)]
        shared, _ = own_inputs.sample_bench(name="random")
        assert not [key for key in shared.results if "pasted" in str(key)]


class TestOddLinks:
    @pytest.mark.parametrize("value", ["banana", "0", "-1", "nan", "1e999"])
    def test_a_bad_value_is_named_and_the_default_stays(self, open_app, value):
        app = open_app(VIEW, own_divisor=value, own_sample=value)
        assert f"own_divisor={value}: own_divisor takes a number from 0.01" in plain(app)
        assert f"own_sample={value}: own_sample takes one of trained" in plain(app)
        assert app.number_input("own_divisor").value == 4.0

    def test_an_unknown_name(self, open_app):
        assert "“file” is not a control" in plain(open_app(VIEW, file="x"))


class TestReport:
    def offers(self, *files):
        return Bench().open([(n, n, lambda data=data: data) for n, data in files])

    def test_roles_are_guessed_across_files(self):
        offers, _ = self.offers(*((n, (FOLDER / n).read_bytes()) for n in SAMPLES["small-csv"]))
        chosen = assign(offers[::-1])
        assert chosen["query"].label.startswith("small_query.csv")
        assert chosen["key"].label.startswith("small_key.csv")
        assert chosen["value"] is None

    def test_names_that_say_nothing_go_by_order(self):
        offers, _ = self.offers(("x.npz", saved(arr_0=np.ones((2, 3)), arr_1=np.zeros((4, 3)))))
        chosen = assign(offers)
        assert [chosen[r].identity[1] for r in ("query", "key")] == ["arr_0", "arr_1"]

    def test_faults_are_said_and_the_rest_is_offered(self):
        offers, messages = self.offers(
            ("x.npz", saved(q=np.ones((2, 3)), words=np.array(["a"]))), ("y.npy", b"nothing")
        )
        assert len(offers) == 1
        assert "words holds text" in messages[0]
        assert "y.npy" in messages[1]

    def test_results_are_bounded(self):
        bench = Bench()
        for number in range(9):
            assert bench.remember(number, lambda number=number: number) == number
        assert list(bench.results) == [5, 6, 7, 8]

    def test_a_result_in_use_is_kept(self):
        bench = Bench()
        bench.remember("all heads", dict)
        for number in range(9):
            bench.remember(number, dict)
            assert bench.remember("all heads", pytest.fail) == {}

    def test_one_more_divisor_agrees_with_the_whole(self):
        query, key = np.random.default_rng(4).standard_normal((2, 3, 5, 8))
        arrays = {"query": query, "key": key[:1], "mask": np.tri(5, dtype=bool)}
        every = diagnose(query, key[:1], mask=arrays["mask"], divisor=3.0)
        plain_heads = diagnose_all(arrays, is_causal=False, progress=print)
        again = with_divisor(arrays, plain_heads.heads[2], is_causal=False, divisor=3.0)
        assert again.label == "head 2"
        np.testing.assert_allclose(
            again.at("chosen").entropy, every.heads[2].at("chosen").entropy, rtol=1e-12
        )
        assert {row["head"] for row in only_head(every, 2).row_table()} == {"head 2"}

    def test_long_work_tells_how_far_it_is(self):
        told = []
        query = np.zeros((2, 1024, 1)) + np.arange(1024.0)[:, np.newaxis] / 1e3
        arrays = {"query": query, "key": query, "mask": np.ones((4, 1, 1, 1), bool)}
        diagnose_all(arrays, is_causal=True, progress=told.append)
        assert told == [step / 8 for step in range(9)]

    def test_too_many_rows(self):
        query = np.zeros((1024, MAX_ROWS // 1024 + 1, 1), np.float32)
        with pytest.raises(TensorFileError, match=r"rows in 1,024 heads; at most 262,144"):
            diagnose_all({"query": query, "key": np.zeros((2, 1))}, is_causal=False, progress=print)


class TestCharts:
    head = diagnose(*np.random.default_rng(2).standard_normal((2, 6, 16)), divisor=2.0).heads[0]

    def test_distribution_has_every_score_and_the_model(self):
        bars, line = distribution(self.head, LIGHT).data
        assert sum(bars.y) == 36
        assert sum(line.y) == pytest.approx(36, rel=1e-3)

    def test_comparison_has_a_row_for_each_divisor(self):
        fig = comparison(self.head, LIGHT)
        assert list(fig.layout.yaxis.ticktext)[::4] == ["none (1)", "yours (2)"]
        for bars, measure in zip(fig.data[::2], MEASURES, strict=True):
            lengths = [getattr(entry, measure) for entry in self.head.divisors]
            np.testing.assert_allclose(np.array(bars.x) / 0.8, lengths)

    def test_words_carry_the_same_numbers(self):
        weight = self.head.at("chosen").mean_max_weight
        assert f"yours: largest weight {weight:.3f}" in describe(self.head)

    def test_a_head_without_a_choice_can_be_drawn(self):
        head = diagnose(np.ones((2, 4)), np.ones((1, 4))).heads[0]
        assert list(comparison(head, LIGHT).data[1].text) == ["–"] * 3
        assert describe(head) == "No row has two keys to choose between."


class TestServer:
    def test_takes_files_as_large_as_the_page_says(self):
        settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
        assert settings["server"]["maxUploadSize"] * 2**20 == MAX_FILE_BYTES


class TestScript:
    @pytest.mark.parametrize(
        ("name", "roles", "head"),
        [
            ("trained_layer_0.npz", ("query", "key", ""), 2),
            ("nan_and_mask.npz", ("query", "key", "mask"), 0),
        ],
    )
    @pytest.mark.parametrize("causal", [False, True])
    def test_agrees_with_core(self, name, roles, head, causal):
        path = str(FOLDER / name)
        names: dict[str, object] = {}
        query, key, mask = roles
        code = snippets.render(
            "own",
            query_file=path,
            query_name=query,
            key_file=path,
            key_name=key,
            mask_file=path if mask else "",
            mask_name=mask,
            swaps={},
            head=head,
            causal=causal,
            divisor=3.0,
        )
        with contextlib.redirect_stdout(io.StringIO()):
            exec(code, names)
        stored = np.load(path)
        found = diagnose(
            stored[query],
            stored[key],
            mask=stored[mask] if mask else None,
            is_causal=causal,
            divisor=3.0,
        ).heads[head]
        assert names["std"] == pytest.approx(found.std)
        yours = found.at("chosen")
        assert names["normalized_entropy"] == pytest.approx(yours.mean_normalized_entropy)
        assert names["largest_weight"] == pytest.approx(yours.mean_max_weight)

    def test_reads_text_and_exchanges_axes(self):
        names: dict[str, object] = {}
        code = snippets.render(
            "own",
            query_file=str(FOLDER / "small_query.csv"),
            key_file=str(FOLDER / "small_key.csv"),
            swaps={"query": [(-2, -1)], "key": [(-2, -1)]},
        )
        with contextlib.redirect_stdout(io.StringIO()):
            exec(code, names)
        arrays = [np.loadtxt(FOLDER / n, delimiter=",", skiprows=1).T for n in SAMPLES["small-csv"]]
        assert names["std"] == pytest.approx(diagnose(*arrays).heads[0].std)
