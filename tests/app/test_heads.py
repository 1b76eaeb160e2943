"""The page of trained heads without a browser."""

import contextlib
import io
import os

import numpy as np
import pytest
import snippets

from core.heads import divide_head
from core.trained import trained_heads

VIEW = "heads.py"


def text(app):
    return "\n".join(element.value for element in app.main.markdown)


class TestFacts:
    def test_the_animal_sentence(self, open_app):
        page = text(open_app(VIEW, heads_guess="most"))
        assert "“most” is right. 60 of 72: median 8.17, least 3.71, against √32 = 5.66." in page
        assert "Layer 0 head 2 spreads its raw scores by 64.6: wider than" in page
        assert "It stays saturated even when scaled." in page

    @pytest.mark.parametrize("sentence", ["The animal", "Rain fell", "When the"])
    @pytest.mark.parametrize(("layer", "head"), [("0", "2"), ("5", "7")])
    def test_sentences_hold_at_other_heads(self, open_app, sentence, layer, head):
        page = text(open_app(VIEW, sentence=sentence, layer=layer, head=head, head_divisor="100"))
        index = ["The animal", "Rain fell", "", "", "When the"].index(sentence)
        heads = trained_heads(index)
        scores = heads.query[int(layer), int(head)] @ heads.key[int(layer), int(head)].T
        assert ("wider than" in page) == (scores.std() > 32**0.5)
        assert "Divided by 100 instead" in page

    def test_an_odd_link_is_named(self, open_app):
        app = open_app(VIEW, layer="6", sentence="banana", head_divisor="0")
        assert "layer=6: layer takes one of 0, 1, 2, 3, 4, 5." in app.text[0].value
        assert "sentence=banana" in app.text[0].value
        assert "head_divisor=0" in app.text[0].value


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
