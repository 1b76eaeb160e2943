"""Every answer of the quiz, recomputed with core: a function a question gives the true option."""

import math
from collections.abc import Callable

import numpy as np
import pages
import pytest
from quiz import QUESTIONS

import core
from core import examples
from core.assumptions import Components, score_spread
from core.gradients import gradient_norms
from core.planted import planted_weight
from tests.app.test_teach import ALL

RNG = np.random.default_rng(7)
ROW = np.array([3.0, 1.0, -1.0])
TRUTHS: dict[str, Callable[[], int]] = {}


def truth(check):
    TRUTHS[check.__name__] = check
    return check


def nearest(value, options):
    return int(np.argmin([abs(math.log(value / option)) for option in options]))


@truth
def order():
    rows = core.divide(ROW, core.DIVISORS).weights
    return 1 if (np.argmax(rows, axis=-1) == 0).all() else 0


@truth
def shift():
    moved, still = core.divide(ROW, 1.0, shift=5.0).weights, core.divide(ROW, 1.0).weights
    return 2 if np.allclose(moved, still, rtol=1e-12) else 0


@truth
def root():
    narrow, wide = core.expected([16, 256], n_keys=12, scaled=False).score_std
    return nearest(wide / narrow, (4, 16, 256))


@truth
def too_much():
    by_d_k = core.expected_at(1 / math.sqrt(1024), n_keys=12).entropy
    by_root = core.expected_at(1.0, n_keys=12).entropy
    distance = [abs(by_d_k - math.log(12)), abs(by_d_k - by_root), abs(by_d_k)]
    return int(np.argmin(distance))


@truth
def planted():
    found = [
        planted_weight([1024], rho=0.3, n_keys=64, divisor=name)[0] > 0.5
        for name in ("sqrt_d_k", "d_k")
    ]
    return {(True, False): 0, (False, True): 1, (True, True): 2}[tuple(map(bool, found))]


@truth
def uniform():
    return 1 if planted_weight([1024], rho=0.3, n_keys=64, divisor="sqrt_d_k")[0] > 0.9 else 0


@truth
def two_by_two():
    # Whatever was drawn, not of one seed alone.
    for seed in range(40):
        spread = core.sweep([1, 64, 1024], n_keys=2, n_trials=2, seed=seed).raw.score_std
        if not (spread.high - spread.low > spread.value).all():
            return 0
    return 1


@truth
def length():
    # Only the last axis of Q and K is summed over.
    q, k = RNG.normal(size=(5, 3)), RNG.normal(size=(7, 3))
    result = core.attention(q, k, RNG.normal(size=(7, 2)))
    return 2 if np.allclose(result.logits, result.scores / math.sqrt(3)) else 0


@truth
def value_width():
    q = RNG.normal(size=(5, 3))
    return 1 if core.attention(q, q, RNG.normal(size=(5, 11))).output.shape == (5, 11) else 0


@truth
def width_one():
    seen = examples.compare_scaling(examples.HEAD_WIDTH_EXAMPLE, query=0, width=1)
    return 0 if np.array_equal(seen.raw.weights, seen.scaled.weights) else 1


@truth
def more_keys():
    few, many = (core.expected([64], n_keys=n, scaled=True).entropy[0] for n in (16, 4096))
    return 2 if many > few + 0.5 * math.log(4096 / 16) else 1


@truth
def freezing():
    return nearest(2 * math.log(1000), (14, 140, 1000))


def median_ratio(n_keys):
    norms = gradient_norms([64], n_keys=n_keys, n_rows=4000, seed=1)
    return norms.raw.median[0] / norms.scaled.median[0]


@truth
def explode():
    return 2 if median_ratio(3) < 0.1 else 1


@truth
def always_vanish():
    return 1 if 1 < median_ratio(64) < 1.5 else 0


@truth
def large_divisor():
    weights = core.divide(ROW, 8.0).weights
    norm, undivided = core.jacobian_norm(weights, divisor=8), core.jacobian_norm(weights)
    return 1 if weights.max() < 0.5 and np.isclose(norm, undivided / 8) else 0


@truth
def entropy():
    # The same entropy, with the weight on the right key or on a wrong one.
    good, bad = core.entropy([0.98, 0.01, 0.01]), core.entropy([0.01, 0.98, 0.01])
    return 2 if np.isclose(good, bad) else 0


@truth
def cosine():
    q, k = RNG.normal(size=(200, 64)), RNG.normal(size=(200, 32, 64))
    k /= np.linalg.norm(k, axis=-1, keepdims=True)
    q /= np.linalg.norm(q, axis=-1, keepdims=True)
    weights = core.softmax(np.einsum("bd,bnd->bn", q, k))
    return nearest(
        weights.max(axis=-1).mean(),
        (1, 1 / 32, core.expected([64], n_keys=32, scaled=True).max_weight[0]),
    )


@truth
def temperature():
    # The same operation: dividing by √3 is a temperature of √3.
    same = np.allclose(core.divide(ROW, math.sqrt(3)).weights, core.softmax(ROW / math.sqrt(3)))
    return 0 if same else 2


@truth
def mean():
    spread = score_spread([64], Components(mean=1.0, std=1.0))
    return nearest(spread.scaled_total[0], (1, 1.732, 64))


@truth
def seed():
    # What a result carries to be told apart from another NumPy's.
    run = core.sweep([4], n_keys=2, n_trials=2, seed=1, engine="drawn-vectors")
    return 1 if "numpy" in run.versions else 0


@truth
def wide_head():
    # No key is better than another: the winner of a raw row is any key, at any width.
    rows = RNG.normal(size=(4000, 8)) * math.sqrt(1024)
    wins = np.bincount(core.softmax(rows).argmax(axis=-1), minlength=8) / 4000
    return 1 if np.abs(wins - 1 / 8).max() < 0.03 else 0


@truth
def scale_query():
    q, k = RNG.normal(size=(5, 64)), RNG.normal(size=(7, 64))
    before = core.softmax(core.dot_product_scores(q / 8, k))
    after = core.softmax(core.dot_product_scores(q, k) / 8)
    return 0 if np.allclose(before, after, rtol=1e-12) else 1


class TestAnswers:
    @pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.name)
    def test_the_marked_option_is_the_true_one(self, question):
        assert TRUTHS[question.name]() == question.right

    def test_every_question_has_its_check(self):
        assert {question.name for question in QUESTIONS} == set(TRUTHS)
        assert len(QUESTIONS) >= 20

    @pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.name)
    def test_links_to_a_state_its_page_accepts(self, question):
        assert question.page in pages.PAGES
        for name, text in question.state.items():
            assert ALL[name].valid(text), (name, text)

    def test_the_true_option_is_not_always_in_the_same_place(self):
        places = np.bincount([question.right for question in QUESTIONS], minlength=3)
        assert places.max() < 0.6 * len(QUESTIONS)


class TestPage:
    def test_answers_are_told_and_counted_once(self, open_app):
        app = open_app("quiz.py", question="1")
        app.radio[0].set_value(QUESTIONS[0].options[0]).run()
        assert "It is “never”" in app.main.markdown[-2].value
        app.radio[0].set_value(QUESTIONS[0].options[1]).run()
        assert "Right. Dividing" in app.main.markdown[-2].value
        assert app.main.markdown[-1].value == "Right at the first try: 0 of 1."

    @pytest.mark.parametrize("value", ["0", "23", "banana", "1.5"])
    def test_an_odd_link_is_named(self, open_app, value):
        app = open_app("quiz.py", question=value)
        assert f"question={value}: question takes a whole number from 1 to 22" in app.text[0].value
