"""The page on cost without a browser: links, sentences, measurements, tables and its script."""

import contextlib
import io
from itertools import pairwise

import cost_report as report
import cost_tables as tables
import numpy as np
import pytest
import snippets
from charts.base import DARK, LIGHT
from charts.cost import linear_figure, memory_figure, size

VIEW = "cost.py"
SPACE = "\N{NO-BREAK SPACE}"


def text(app):
    return "\n".join(element.value for element in app.markdown)


class TestDefaults:
    def test_counts_a_check_and_a_measurement(self, open_app):
        app = open_app(VIEW)
        page = text(app)
        # 8 heads × 4,096² scores × 2 bytes, and 2 × 4,096² × 128 × 8 operations.
        assert f"All scores in float16 are 256{SPACE}MiB" in page
        assert "34{,}359{,}738{,}368" in page
        assert "Run at n = 4,096, in float32" in page
        assert "√dₖ = 8" in page

    def test_the_guess(self, open_app):
        assert "You said “× 2”; it is “× 4”." in text(open_app(VIEW, cost_guess="× 2"))


class TestLinks:
    @pytest.mark.parametrize("value", ["banana", "0", "-1", "nan", "1e999"])
    def test_a_bad_value_is_named_and_the_default_stands(self, open_app, value):
        app = open_app(VIEW, cost_tokens=value, cost_causal=value, cost_dtype=value, n="1")
        said = app.text[0].value
        for name in ("cost_tokens", "cost_causal", "cost_dtype"):
            assert f"{name}={value}: {name} takes" in said
        assert "“n” is not a control" in said
        assert app.selectbox("cost_tokens").value == 4096

    def test_the_largest_and_the_smallest(self, open_app):
        page = text(open_app(VIEW, cost_tokens="131072", cost_heads="64", cost_causal="true"))
        assert f"All scores in float16 are 2{SPACE}TiB" in page
        assert "the most run here" in page
        assert "Causal: tiles visit 50." in page
        page = text(open_app(VIEW, cost_tokens="128", cost_heads="1", cost_width="16"))
        assert f"All scores in float16 are 32{SPACE}KiB" in page
        assert "the most run here" not in page
        # 128 × (128 + 2 + 16) numbers of four bytes: more than a table of two bytes each.
        assert f"128 × 128 with its running maxima, totals and outputs is 73{SPACE}KiB" in page
        assert "less than the whole table: here tiles save memory from 2,048 tokens on." in page

    @pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
    def test_tiles_are_said_to_save_where_they_do(self, dtype):
        for n in report.TOKENS[:4]:
            cost = report.counted(n, 64, 1, dtype, False)
            said = report.sentences(n, 64, 1, dtype, False)
            assert ("no less than the whole table" in said) == (cost.tile_bytes >= cost.dense_bytes)
            stored = "float64" if dtype == "float64" else "float32"
            rows, columns = min(n, 512), min(n, 1024)
            assert f"tile of {rows} × {columns:,} " in said
            assert f", in {stored} because" in said
            size_of = np.dtype(stored).itemsize
            assert cost.tile_bytes == rows * (columns + 2 + 64) * size_of


class TestMeasured:
    @pytest.mark.parametrize("causal", [False, True])
    def test_tiled_is_dense_but_for_rounding(self, causal):
        seen = report.check(n=1024, width=64, causal=causal)
        assert 0 < seen.difference < 1e-5
        assert seen.largest > 0.1
        assert seen.n_queries == 512

    def test_what_is_compared_is_all_that_was_run(self):
        # The last queries alone, in tiles and in parts of a table, are those of the whole.
        n, width = 1024, 32
        seen = report.check(n=n, width=width, causal=True)
        tokens = np.random.default_rng(1).standard_normal((3, n, width)).astype(np.float32)
        whole = report.attention(*tokens, is_causal=True).output[-seen.n_queries :]
        tiled = report.tiled_attention(
            *tokens, ranges=report.key_ranges(n, n, is_causal=True)
        ).output[-seen.n_queries :]
        assert seen.largest == pytest.approx(np.abs(whole).max(), abs=1e-6)
        assert seen.difference == pytest.approx(np.abs(tiled - whole).max(), abs=2e-7)

    def test_tiles_need_less_memory_than_one_table(self):
        seen = report.peaks(width=64)
        # A table of scores alone is n² numbers of four bytes.
        assert seen.dense >= 4 * seen.n**2
        assert seen.tiled < seen.dense / 4
        said = report.sentences(1024, 64, 1, "float32", False)
        assert f"as much as {seen.dense / 2**22:.1f} tables of scores" in said

    def test_linear_attention_is_another_model(self):
        error = report.linear()
        assert (error.linear.value > 0.3).all()
        assert (error.linear.low < error.linear.value).all()


class TestTables:
    def test_cache_shrinks_and_the_divisor_stays(self):
        frame = tables.caches(4096, 64, 8, "float16")
        assert frame["attention"].tolist() == ["multi-head"] + ["grouped-query"] * 2 + [
            "multi-query"
        ]
        assert frame["share"].tolist()[-1] == f"12.5{SPACE}%"
        assert set(frame["scores divided by"]) == {"√64 = 8"}

    def test_variants_keep_the_rule_but_one(self):
        frame = tables.variants().set_index("variant")
        # The page says that tiles change no result and other variants change the model.
        assert frame[frame["result"] == "the same"].index.tolist() == [
            "Dense attention",
            "Tiled attention",
        ]
        assert frame["result"].str.startswith("another model's").sum() == 4
        assert frame[frame["√dₖ"] == "lost"].index.tolist() == ["Linear attention"]

    def test_causal_halves_the_operations(self):
        _, full = tables.numbers(64, 8, "float16", True)
        n = full["tokens"]
        np.testing.assert_array_equal(full["operations"], 2 * 8 * 128 * n * (n + 1) // 2)
        np.testing.assert_array_equal(full["dense_operations"], 2 * 8 * 128 * n**2)

    def test_every_fold_opens(self, open_app):
        app = open_app(VIEW, cost_tokens="256")
        for name in ("Variants, and what becomes of √dₖ", "Shared keys and values: the cache",
                     "The numbers as a table", "Show the NumPy", "Link to this state"):  # fmt: skip
            app.session_state[f"fold {name}"] = True
        app.run()
        assert not app.exception
        assert len(app.table) == 3
        assert any("cost_tokens=256" in code.value for code in app.code)

    def test_sizes(self):
        assert size(1023) == f"1,023{SPACE}B"
        assert size(1536) == f"1.5{SPACE}KiB"
        assert size(2.0**40) == f"1{SPACE}TiB"


class TestCharts:
    @pytest.mark.parametrize("palette", [LIGHT, DARK])
    def test_the_table_grows_twice_as_fast_as_the_input(self, palette):
        costs = report.costs(64, 8, "float16", False)
        fig = memory_figure(palette, report.TOKENS, costs, n=4096)
        slopes = [np.diff(trace.y)[-1] for trace in fig.data]
        np.testing.assert_allclose(slopes, [2, 1, 0], atol=1e-12)

    @pytest.mark.parametrize("width", [16, 256])
    @pytest.mark.parametrize("heads", [1, 64])
    def test_names_stand_beside_the_axes_clear_of_each_other(self, width, heads):
        costs = report.costs(width, heads, "float16", False)
        names = memory_figure(LIGHT, report.TOKENS, costs, n=128).layout.annotations[1:]
        assert [(name.xref, name.x) for name in names] == [("x domain", 1)] * 3
        lines = [1 + name.text.count("<br>") for name in names]
        # 264 px for 36 octaves; a line of text is 17 px high.
        places = [264 * name.y / 36 for name in names]
        for (upper, above), (lower, below) in pairwise(zip(places, lines, strict=True)):
            assert upper - lower >= 17 * (above + below) / 2

    def test_linear_error_is_drawn_with_the_mean_beside_it(self):
        error = report.linear()
        fig = linear_figure(LIGHT, error)
        np.testing.assert_array_equal(fig.data[0].y, error.linear.value)
        assert max(fig.data[1].y) < fig.layout.yaxis.range[1]


class TestSnippet:
    @pytest.mark.parametrize("causal", [False, True])
    def test_tiled_equals_dense(self, causal):
        script = snippets.render("cost", n=300, d_k=16, causal=causal)
        names = {}
        with contextlib.redirect_stdout(io.StringIO()):
            exec(script, names)
        assert 0 < names["difference"] < 1e-5
        core = report.attention(
            names["query"], names["key"], names["value"], mask=names["allowed"]
        ).output
        np.testing.assert_allclose(names["tiled"], core, atol=1e-5)
