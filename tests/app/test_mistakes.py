"""The page of common mistakes without a browser."""

import contextlib
import io

import numpy as np
import pytest
import snippets
from controls_break import MISTAKE_EXAMPLES

from core.mistake_results import make_mistake
from core.mistakes import MISTAKES

VIEW = "mistakes.py"


def text(app):
    return "\n".join(element.value for element in app.main.markdown)


class TestEveryMistake:
    @pytest.mark.parametrize("name", list(MISTAKES))
    def test_shows_both_codes_and_its_symptom(self, open_app, name):
        app = open_app(VIEW, mistake=name, mistake_guess="Just show me")
        assert [block.value for block in app.code[:2]] == [
            MISTAKES[name].wrong.strip(),
            MISTAKES[name].right.strip(),
        ]
        assert text(app).count(MISTAKES[name].symptom) == 2

    @pytest.mark.parametrize("example", list(MISTAKE_EXAMPLES))
    def test_runs_on_every_example(self, open_app, example):
        app = open_app(VIEW, mistake="scale-after-softmax", mistake_example=example)
        assert not app.text

    @pytest.mark.parametrize(
        ("name", "symptom"),
        [
            ("scale-after-softmax", "rows no longer sum to 1"),
            ("no-maximum", "NaN or overflow"),
            ("divide-by-d_k", "entropy or order changes"),
        ],
    )
    def test_the_guess_is_judged_by_the_numbers(self, open_app, name, symptom):
        app = open_app(VIEW, mistake=name, mistake_guess=symptom)
        assert f"“{symptom}” is right." in text(app)


class TestOddLinks:
    def test_an_unknown_mistake_is_named(self, open_app):
        app = open_app(VIEW, mistake="banana", mistake_seed="-1")
        assert "mistake=banana: mistake takes one of divide-by-d_k" in app.text[0].value
        assert "mistake_seed=-1" in app.text[0].value


class TestScript:
    @pytest.mark.parametrize("example", list(MISTAKE_EXAMPLES))
    def test_gives_the_right_weights(self, example):
        vectors = MISTAKE_EXAMPLES[example]
        names: dict[str, object] = {}
        code = snippets.render(
            "mistakes",
            query=vectors.query.tolist(),
            key=vectors.key.tolist(),
            value=vectors.value.tolist(),
            magnitude=1.0,
        )
        with contextlib.redirect_stdout(io.StringIO()):
            exec(code, names)
        right = make_mistake("divide-by-d_k", vectors.query, vectors.key, vectors.value).right
        np.testing.assert_allclose(names["weights"], right.weights, rtol=1e-12)
        np.testing.assert_allclose(names["entropy"], right.entropy, atol=1e-12)
        assert names["order_kept"]
