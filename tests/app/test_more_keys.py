"""The page on more keys without a browser: odd links, true sentences, its maps and its script."""

import contextlib
import io
import math
import re

import more_keys_report as report
import numpy as np
import pytest
import snippets
from charts.base import DARK, LIGHT
from charts.more_keys import column_figure, describe_map, map_figure

from core.expectation import expected
from core.key_count import MAP_KEYS, MAP_WIDTHS, entropy_map, reading

VIEW = "more_keys.py"
SPACE = "\N{NO-BREAK SPACE}"


def text(app):
    return "\n".join(element.value for element in app.markdown)


def table(app):
    """Return the table of the cell by its row, [raw, scaled]."""
    rows = re.findall(r"^\| (.*) \| (.*) \| (.*) \|$", text(app), flags=re.MULTILINE)
    return {name: [raw, scaled] for name, raw, scaled in rows}


@pytest.fixture(scope="module")
def cells():
    return entropy_map()


class TestDefaults:
    def test_reads_width_64_with_128_keys(self, open_app):
        app = open_app(VIEW)
        page = text(app)
        assert f"Scaled rows keep 4.366{SPACE}nats of at most ln n = 4.852{SPACE}nats" in page
        assert "the spread of 78.7 equal keys" in page
        rows = table(app)
        assert rows["scores"] == ["raw", "scaled"]
        assert rows["spread σ"] == ["8.00", "1.00"]
        assert rows["guide (nats)"] == ["0 (frozen)", "4.352"]
        assert rows["entropy / ln n"] == ["0.138", "0.900"]

    def test_the_answer_is_cores(self, open_app):
        page = text(open_app(VIEW, more_keys_guess="60 times as many"))
        assert "“60 times as many” is right. Over 4,970." in page
        few, many = (math.exp(expected(64, n_keys=n, scaled=True).entropy) for n in (128, 8192))
        assert 60 < many / few < 66
        assert f"{many:,.0f}" == "4,970"

    def test_names_length_aware_rules_with_their_sources(self, open_app):
        page = text(open_app(VIEW))
        for source in ("arXiv:2202.12172", "arXiv:2501.19399", "arXiv:2309.00071"):
            assert source in page

    def test_says_nothing_of_a_good_link(self, open_app):
        app = open_app(VIEW, map_width="12", map_keys="100000")
        assert app.select_slider("map_width").value == 12
        assert app.select_slider("map_keys").value == 100_000
        assert not app.text


class TestOddLinks:
    @pytest.mark.parametrize("value", ["banana", "0", "-1", "nan", "1e999", "65", "2048", ""])
    def test_a_bad_width_is_named_and_the_default_stands(self, open_app, value):
        app = open_app(VIEW, map_width=value)
        assert app.select_slider("map_width").value == 64
        assert f"map_width={value}: map_width takes a step from 1 to 1024." in app.text[0].value

    def test_a_bad_number_of_keys_and_an_unknown_name(self, open_app):
        app = open_app(VIEW, map_keys="3", n="128")
        assert app.select_slider("map_keys").value == 128
        assert "map_keys=3: map_keys takes a step from 2 to 100000." in app.text[0].value
        assert "“n” is not a control of this page." in app.text[0].value


class TestSentences:
    @pytest.mark.parametrize(
        ("width", "n_keys"), [(1, 2), (1, 100_000), (12, 512), (1024, 2), (1024, 100_000)]
    )
    def test_the_numbers_are_the_cells(self, open_app, width, n_keys):
        app = open_app(VIEW, map_width=str(width), map_keys=str(n_keys))
        page = text(app)
        for scaled in (False, True):
            nats = float(expected(width, n_keys=n_keys, scaled=scaled).entropy)
            places = 3 if nats >= 0.1 else 4
            assert f"keep {nats:.{places}f}{SPACE}nats" in page
        raw, scaled = (reading(width, n_keys, scaled=divided) for divided in (False, True))
        frozen = [" (frozen)" in guide for guide in table(app)["guide (nats)"]]
        assert frozen == [width >= 2 * math.log(n_keys), False]
        assert raw.frozen == frozen[0]
        half = float(expected(width, n_keys=n_keys // 2, scaled=True).entropy)
        assert f"would take {scaled.entropy - half:.3f}{SPACE}nats" in page
        assert "0.000" not in page


class TestMaps:
    def test_same_axes_and_colours(self, cells):
        raw, scaled = (
            map_figure(LIGHT, cells, scaled=divided, width=64, n_keys=128)
            for divided in (False, True)
        )
        for axis in ("xaxis", "yaxis"):
            assert raw.layout[axis].range == scaled.layout[axis].range
        assert raw.layout.height == scaled.layout.height
        for name in ("colorscale", "zmin", "zmax", "x", "y"):
            np.testing.assert_array_equal(raw.data[0][name], scaled.data[0][name])
        assert (raw.data[0].zmin, raw.data[0].zmax) == (0, 1)
        assert raw.data[0].colorbar.title.text == "mean entropy / ln n"

    def test_cells_are_cores(self, cells):
        fig = map_figure(DARK, cells, scaled=False, width=1, n_keys=2)
        i, j = MAP_KEYS.index(1024), MAP_WIDTHS.index(48)
        exact = float(expected(48, n_keys=1024, scaled=False).normalized_entropy)
        np.testing.assert_allclose(fig.data[0].z[i][j], exact, atol=5e-5)
        assert fig.data[0].text[i][j].startswith("dₖ = 48, 1,024 keys: ")
        low, high = fig.data[0].x[j], fig.data[0].x[j + 1]
        assert low < math.log2(48) < high

    def test_freezing_line_is_in_the_raw_map_only(self, cells):
        raw, scaled = (
            map_figure(LIGHT, cells, scaled=divided, width=64, n_keys=128)
            for divided in (False, True)
        )
        line = raw.data[1]
        widths, n = 2.0 ** np.array(line.x), 2.0 ** np.array(line.y)
        np.testing.assert_allclose(widths, 2 * np.log(n), rtol=1e-12)
        assert "(large n)" in raw.layout.annotations[1].text
        assert len(scaled.data) == 1

    @pytest.mark.parametrize(("width", "n_keys"), [(1, 2), (48, 100_000), (1024, 1024)])
    def test_the_frame_is_around_the_cell(self, cells, width, n_keys):
        fig = map_figure(LIGHT, cells, scaled=True, width=width, n_keys=n_keys)
        for frame in fig.layout.shapes:
            assert frame.x0 < math.log2(width) < frame.x1
            assert frame.y0 < math.log2(n_keys) < frame.y1

    def test_alternative_text_has_the_corners(self, cells):
        said = describe_map("raw", cells, cells.raw)
        assert "Width 1: 0.836 with 2 keys, 0.957 with 100,000." in said


class TestColumn:
    def test_names_that_are_one_line_stand_once(self):
        columns = [[reading(1, n, scaled=s) for n in MAP_KEYS] for s in (False, True)]
        fig = column_figure(LIGHT, MAP_KEYS, *columns, chosen=128)
        names = [note.text for note in fig.layout.annotations]
        assert sorted(names) == ["<b>raw = scaled</b>", "guide", "ln n"]

    def test_curves_guides_and_ceiling(self):
        columns = [[reading(8, n, scaled=s) for n in MAP_KEYS] for s in (False, True)]
        fig = column_figure(LIGHT, MAP_KEYS, *columns, chosen=128)
        ceiling, guide, raw = fig.data[1], fig.data[2], fig.data[3]
        np.testing.assert_allclose(ceiling.y, np.log(MAP_KEYS))
        np.testing.assert_allclose(guide.y, np.maximum(np.log(MAP_KEYS) - 4, 0), atol=1e-12)
        np.testing.assert_allclose(raw.y, expected(8, n_keys=MAP_KEYS, scaled=False).entropy)
        assert raw.marker.symbol == "circle"
        assert raw.line.dash == "dash"
        assert fig.data[5].marker.symbol == "square"


class TestShared:
    def test_every_step_has_the_numbers_of_core(self, open_app):
        for width, n_keys in ((2, 100_000), (768, 2), (2, 100_000)):
            app = open_app(VIEW, map_width=str(width), map_keys=str(n_keys))
            effective = [
                math.exp(expected(width, n_keys=n_keys, scaled=divided).entropy)
                for divided in (False, True)
            ]
            said = [float(cell.replace(",", "")) for cell in table(app)["effective keys"]]
            np.testing.assert_allclose(said, effective, rtol=5e-4)

    def test_the_table_opens_with_both_whole_maps(self, cells):
        shown, full = report.numbers(8)
        assert shown["keys"].tolist()[::2] == [f"{n:,}" for n in MAP_KEYS]
        assert len(full) == cells.raw.size
        np.testing.assert_array_equal(full["raw entropy / ln n"], cells.raw.ravel())


class TestScript:
    @pytest.mark.parametrize(
        ("width", "n"), [(64, 128), (1, 2), (3, 100_000), (256, 4096), (1024, 2)]
    )
    def test_gives_the_numbers_of_the_page(self, width, n):
        names = {}
        with contextlib.redirect_stdout(io.StringIO()):
            exec(snippets.render("more_keys", width=width, n=n), names)
        for name, scaled in (("raw", False), ("scaled", True)):
            exact = reading(width, n, scaled=scaled).entropy
            np.testing.assert_allclose(names[name], exact, atol=2e-6)
