"""The page of trained heads without a browser."""

import contextlib
import io
import os

import heads_report as report
import numpy as np
import pytest
import snippets
from charts.base import DARK, LIGHT
from charts.heads import score_distribution, token_map

from core.heads import divide_head
from core.histogram import score_histogram
from core.trained import trained_heads

VIEW = "heads.py"


def text(app):
    return "\n".join(element.value for element in app.main.markdown)


class TestFacts:
    def test_the_animal_sentence(self, open_app):
        page = text(open_app(VIEW, heads_guess="most"))
        assert "“most” is right. 60 of 72: median 8.17, least 3.71, against √32 = 5.66." in page
        assert "Layer 0 head 2 spreads its raw scores by 64.6: wider than" in page
        assert "It stays saturated even when scaled: 16 of" in page

    @pytest.mark.parametrize("sentence", ["The animal", "Rain fell", "When the"])
    @pytest.mark.parametrize(("layer", "head"), [("0", "2"), ("5", "7")])
    def test_sentences_hold_at_other_heads(self, open_app, sentence, layer, head):
        page = text(open_app(VIEW, sentence=sentence, layer=layer, head=head, head_divisor="100"))
        index = ["The animal", "Rain fell", "", "", "When the"].index(sentence)
        heads = trained_heads(index)
        scores = heads.query[int(layer), int(head)] @ heads.key[int(layer), int(head)].T
        assert ("wider than" in page) == (scores.std() > 32**0.5)
        assert "Divided by 100 instead" in page

    def test_no_divisor_is_compared_with_itself(self, open_app):
        page = text(open_app(VIEW))
        assert "instead" not in page
        assert "Mean entropy: <0.001\N{NO-BREAK SPACE}nats raw, 0.00129" in page
        place = report.Place(0, 0, 2)
        assert "instead" not in report.sentences(place, 1.0)
        assert "Divided by 2 instead" in report.sentences(place, 2.0)

    @pytest.mark.parametrize(
        ("layer", "head", "said"),
        [
            (0, 2, "even when scaled: 16 of its 16 rows have"),
            (2, 4, "Scaled, 8 of its 16 rows have"),
            (0, 7, "Scaled, none of its 16 rows has"),
        ],
    )
    def test_saturated_rows_are_counted(self, layer, head, said):
        assert said in report.sentences(report.Place(0, layer, head), 5.0)

    def test_an_odd_link_is_named(self, open_app):
        app = open_app(VIEW, layer="6", sentence="banana", head_divisor="0")
        assert "layer=6: layer takes one of 0, 1, 2, 3, 4, 5." in app.text[0].value
        assert "sentence=banana" in app.text[0].value
        assert "head_divisor=0" in app.text[0].value


class TestCharts:
    @pytest.mark.parametrize("head", [2, 7])
    def test_the_models_name_has_room_above_its_curve(self, head):
        scores = report.divided(report.Place(0, 0, head), 1.0).scores
        fig = score_distribution(score_histogram(scores, 32), 32, LIGHT)
        bars, line = fig.data
        # The words take 13 of the panel's 226 pixels.
        assert max(*bars.y, *line.y) < (1 - 26 / 226) * fig.layout.yaxis.range[1]
        assert line.line.shape == "spline"

    @pytest.mark.parametrize("n", [4, 46])
    def test_a_map_has_a_scale_and_cells_that_are_seen(self, n):
        weights = np.full((n, n), 1 / n)
        fig = token_map(weights, list("x" * n), DARK, title="", colour=DARK.scaled)
        assert fig.data[0].showscale is not False
        assert fig.data[0].colorbar.tickvals == (0, 0.5, 1)
        assert fig.data[0].xgap == int(n == 4)
        assert fig.layout.plot_bgcolor == DARK.grid

    def test_a_maps_title_gives_the_range(self, monkeypatch):
        drawn = {}
        monkeypatch.setattr(report, "chart", lambda fig, **given: drawn.update(given, fig=fig))
        report._map(report.Place(0, 0, 7), 1000.0, "Weights", "#000000", True, key="map")
        assert drawn["fig"].layout.title.text == "Weights: 0.061 to 0.064"
        assert "0.061 to 0.064" in drawn["alt"]


class TestScript:
    @pytest.mark.parametrize(("sentence", "layer", "head"), [(0, 0, 2), (4, 5, 7)])
    def test_gives_the_weights_of_the_page(self, sentence, layer, head, pytestconfig):
        names: dict[str, np.ndarray] = {}
        code = snippets.render("heads", sentence=sentence, layer=layer, head=head, divisor=3.0)
        before = os.getcwd()
        os.chdir(pytestconfig.rootpath)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(code, names)
        finally:
            os.chdir(before)
        heads = trained_heads(sentence)
        expected = divide_head(heads.query[layer, head], heads.key[layer, head], divisor=3.0)
        np.testing.assert_allclose(names["weights"], expected.weights, atol=1e-5)
