"""The page of common mistakes without a browser."""

import contextlib
import io

import mistakes_report as report
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


class TestNumbers:
    @pytest.mark.parametrize("example", list(MISTAKE_EXAMPLES))
    @pytest.mark.parametrize("name", list(MISTAKES))
    def test_a_mistake_shows_or_the_page_says_why_not(self, name, example):
        vectors = MISTAKE_EXAMPLES[example]
        result = make_mistake(name, vectors.query, vectors.key, vectors.value)
        said = report.about_numbers(result.mistake, vectors)
        nothing = report.noticed(result) == "nothing"
        assert nothing == (result.largest_difference == 0) == ("nothing shows" in said)
        n, d_k = vectors.key.shape
        assert nothing == (name == "sequence-length" and n == d_k)

    def test_the_note_stands_on_the_page(self, open_app):
        link = {"mistake": "sequence-length"}
        assert "n = d_k = 3 and both" in text(open_app(VIEW, mistake_example="one query", **link))
        assert "nothing shows" not in text(open_app(VIEW, mistake_example="five tokens", **link))
        assert "the queries are first multiplied by 10." in text(
            open_app(VIEW, mistake="no-maximum")
        )

    @pytest.mark.parametrize("name", [name for name in MISTAKES if name != "no-seed"])
    def test_the_code_shown_gives_the_weights_shown(self, name):
        mistake, vectors = MISTAKES[name], MISTAKE_EXAMPLES["five tokens"]
        result = make_mistake(name, vectors.query, vectors.key, vectors.value)
        for code, side in ((mistake.wrong, result.wrong), (mistake.right, result.right)):
            names = {"query": vectors.query, "key": vectors.key, "value": vectors.value}
            with np.errstate(all="ignore"):
                exec(f"{report.setup(mistake, 1)}\n{code}", names)
            np.testing.assert_allclose(names["weights"], side.weights, rtol=1e-12, atol=1e-13)

    def test_only_the_mistake_about_seeds_asks_for_one(self, open_app):
        assert not open_app(VIEW).main.number_input
        app = open_app(VIEW, mistake="no-seed", mistake_seed="7")
        app.session_state["fold What both start from"] = True
        app.session_state["fold Link to this state"] = True
        app.run()
        assert app.number_input("mistake_seed").value == 7
        assert any(code.value.endswith("seed = 7") for code in app.code)
        assert app.code[-1].value.endswith("?mistake=no-seed&mistake_seed=7")

    def test_keys_that_all_weigh_the_same_have_lost_their_order(self):
        vectors = MISTAKE_EXAMPLES["five tokens"]
        result = make_mistake("expect-uniform", vectors.query, vectors.key, vectors.value)
        frame = report.numbers(result).set_index("symptom")
        assert frame.loc["order of the keys"].tolist() == ["lost", "kept"]


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
