"""The head-width page without a browser: all 24 states, odd links, its pictures and its script."""

import contextlib
import io
import itertools
import json
import math
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import head_width_report as report
import numpy as np
import pytest
import scipy.special
import snippets
from charts import coordinates, mixture
from charts.base import DARK, LIGHT
from charts.head_width import bars, compared, describe

from core.examples import HEAD_WIDTH_EXAMPLE, HEAD_WIDTHS

VIEW = "head_width.py"
VECTORS = json.loads(
    (Path(__file__).parents[1] / "reference" / "head_width_vectors.json").read_text()
)
QUERIES, KEYS = np.array(VECTORS["queries"]), np.array(VECTORS["keys"])
STATES = list(itertools.product(range(4), HEAD_WIDTHS))
NUMBER = r"[<>]?−?\d[\d.]*"
#: Pixels for a score of 1, for a weight of 1, and for a nat.
SCALES = {
    "wide": (159 / 28, 203, 436 / math.log(4)),
    "narrow": (59 / 28, 91, 224 / math.log(4)),
}


def expected(query, width):
    """Compute a state from the published vectors with SciPy."""
    scores = KEYS[:, :width] @ QUERIES[query, :width]
    sides = {}
    for side, logits in (("raw", scores), ("scaled", scores / math.sqrt(width))):
        weights = scipy.special.softmax(logits)
        nats = scipy.special.entr(weights).sum()
        sides[side] = logits, weights, nats, weights @ np.array(VECTORS["values"])
    return sides


def agrees(text, x):
    """Tell whether a printed number is ``x``, or bounds it as it says, and is no false zero."""
    number = float(text.lstrip("<>").replace("−", "-"))
    if text[0] == "<":
        return 0 < x < number
    if text[0] == ">":
        return number < x < 1
    digits = len(text.partition(".")[2])
    return abs(number - x) <= 0.5 * 10.0**-digits + 1e-9 and (number != 0 or x == 0)


def numbers(text):
    # A full stop that ends the sentence is no decimal point.
    return [found.rstrip(".") for found in re.findall(NUMBER, text)]


def all_agree(texts, values):
    assert len(texts) == len(values)
    return all(agrees(text, float(x)) for text, x in zip(texts, values, strict=True))


def prose(app):
    return "\n".join(element.value for element in app.markdown)


def drawn(svg, layout="wide"):
    """Return the picture of one layout as an element tree."""
    root = ET.fromstring(f"<div>{svg}</div>")
    return next(child for child in root if child.get("class") in (layout, "both"))


def texts(picture):
    return ["".join(element.itertext()) for element in picture.iter() if "text" in element.tag]


class TestDefaults:
    def test_opens_at_query_0_and_width_4(self, open_app):
        app = open_app(VIEW)
        assert app.segmented_control("query").value == 0
        assert app.segmented_control("width").value == 4
        assert "Q0 at width 4 scores [4, 0, 2, −4]" in prose(app)
        assert "that is [2, 0, 1, −2]" in prose(app)
        assert not app.text

    def test_states_the_order_once(self, open_app):
        order = "scores, divide by √dₖ, mask, softmax, mix the values"
        assert prose(open_app(VIEW)).count(order) == 1

    def test_formulas_carry_the_numbers(self, open_app):
        (computed,) = (
            element.value for element in open_app(VIEW, key="K2").markdown if "$$" in element.value
        )
        score, _, steps = computed.partition("**Raw**")
        raw, _, scaled = steps.partition("**Scaled**")
        assert r"q_0 \cdot k_2 = 3 \times (+1) + 1 \times (-1) = 2" in score
        assert r"[4,\,0,\,2,\,-4]" in raw
        assert r"w_2 &= \frac{e^{2}}{e^{4} + e^{0} + e^{2} + e^{-4}} = 0.1173" in raw
        assert r"[0.8666,\,0.0159,\,0.1173,\,0.0003]" in raw
        assert r"0.4436\ \text{nats}" in raw
        assert r"\tfrac{1}{\sqrt{4}} S = [2,\,0,\,1,\,-2]" in scaled
        assert r"[0.6572,\,0.0889,\,0.2418,\,0.0120]" in scaled
        assert r"0.8875\ \text{nats}" in scaled

    def test_the_fractions_stand_beside_it(self, open_app):
        app = open_app(VIEW)
        assert "Raw scores [1.5, −0.5, 2.5, 1]" in prose(app)
        assert "[0.75, −0.25, 1.25, 0.5]" in prose(app)
        table = app.table[0].value
        assert list(table["raw score"][:4]) == ["1.5", "−0.5", "2.5", "1"]
        assert list(table["raw weight"][:4]) == ["0.224", "0.030", "0.609", "0.136"]
        assert list(table["scaled score"][:4]) == ["0.75", "−0.25", "1.25", "0.5"]
        assert list(table["scaled weight"][:4]) == ["0.263", "0.097", "0.434", "0.205"]


class TestLinks:
    @pytest.mark.parametrize("query", range(4))
    def test_restores_a_state(self, open_app, query):
        app = open_app(VIEW, query=f"Q{query}", width="16", key="K3")
        assert app.segmented_control("key").value == 3
        scores = expected(query, 16)["raw"][0]
        shown = re.search(rf"Q{query} at width 16 scores \[(.*?)\]", prose(app))
        assert all_agree(numbers(shown[1]), scores)
        assert not app.text

    @pytest.mark.parametrize("value", ["banana", "", "0", "-1", "nan", "1e999", "3", "4.0", "<b>"])
    def test_unknown_values_are_named_and_the_defaults_stand(self, open_app, value):
        app = open_app(VIEW, query=value, width=value, key=value)
        assert "Q0 at width 4 scores [4, 0, 2, −4]" in prose(app)
        assert r"q_0 \cdot k_0" in prose(app)
        for name, accepted in (
            ("query", "Q0, Q1, Q2, Q3"),
            ("width", "1, 2, 4, 8, 16, 32"),
            ("key", "K0, K1, K2, K3"),
        ):
            assert f"{name}={value}: {name} takes one of {accepted}." in app.text[0].value

    def test_an_unknown_name_is_named(self, open_app):
        app = open_app(VIEW, divisor="2")
        assert "“divisor” is not a control of this page." in app.text[0].value


class TestGuess:
    @pytest.mark.parametrize("guess", ["below 0.5", "0.5 to 0.99"])
    def test_a_wrong_guess_stays_beside_the_answer(self, open_app, guess):
        assert f"You said “{guess}”; it is “over 0.99”." in prose(
            open_app(VIEW, head_width_guess=guess)
        )

    def test_the_right_one_is_what_core_computes(self, open_app):
        assert max(expected(0, 32)["raw"][1]) > 0.99
        page = prose(open_app(VIEW, head_width_guess="over 0.99"))
        assert "“over 0.99” is right. K1 gets >0.999 raw and 0.803 scaled." in page


class TestSentences:
    @pytest.mark.parametrize(("query", "width"), STATES)
    def test_numbers_are_the_vectors_own(self, query, width):
        sides = expected(query, width)
        (raw, raw_weights, raw_nats, raw_mix) = sides["raw"]
        (scaled, scaled_weights, scaled_nats, scaled_mix) = sides["scaled"]
        scores, lead, spread, mix, values, other = report.sentences(query, width)

        assert f"Q{query} at width {width} scores" in scores
        brackets = re.findall(r"\[(.*?)\]", scores)
        assert all_agree(numbers(brackets[0]), raw)
        if width == 1:
            assert "scaling does nothing" in scores
        else:
            assert f"by √{width} " in scores
            assert all_agree(numbers(brackets[1]), scaled)

        first = np.flatnonzero(raw == raw.max())
        assert re.findall(r"K\d", lead) == [f"K{j}" for j in first]
        assert ("share the lead" in lead) == (len(first) > 1) == (lead.count(" each") == 2)
        shown = numbers(lead.split("weight")[1])
        assert all_agree(shown, [raw_weights.max(), scaled_weights.max()])

        assert all_agree(numbers(spread.replace("ln 4", "")), [raw_nats, scaled_nats, math.log(4)])
        assert scaled_nats >= raw_nats

        points = [numbers(found) for found in re.findall(r"\((.*?)\)", mix)]
        assert all_agree(points[0] + points[1], [*raw_mix, *scaled_mix])
        assert np.abs(raw_mix).sum() < 2
        assert np.abs(scaled_mix).sum() < 2

        assert "width 2 at every dₖ" in values
        next_width = int(re.search(r"At width (\d+)", other)[1])
        assert next_width != width
        shown = re.search(r"\[(.*?)\]", other)[1]
        assert all_agree(numbers(shown), expected(query, next_width)["raw"][0])

    @pytest.mark.parametrize(("query", "width"), STATES)
    def test_no_sentence_is_long_or_claims_a_false_zero_or_one(self, query, width):
        for line in report.sentences(query, width):
            for sentence in re.split(r"(?<=[.:]) ", re.sub(r"[\[(].*?[\])]", "x", line)):
                assert len(sentence.split()) < 25
            assert not re.search(r"(?<![\d.])(0\.0+|1\.0+|2\.0+)(?!\d)", line)

    def test_what_to_try_is_so(self):
        assert np.array_equal(expected(1, 1)["raw"][1], expected(1, 1)["scaled"][1])
        assert max(expected(1, 32)["raw"][1]) < max(expected(1, 16)["raw"][1])
        assert expected(0, 32)["raw"][0][1] > 2 * math.sqrt(32)

    @pytest.mark.parametrize(("query", "width"), STATES)
    @pytest.mark.parametrize("key", range(4))
    def test_a_score_is_its_products_and_its_cosine(self, query, width, key):
        q, k = QUERIES[query, :width], KEYS[key, :width]
        seen = compared(query, width)
        formula = report.score_formula(seen, query, key)
        plus, minus, score = map(
            int, re.search(r"= (\d+) .* \+ (\d+) .* = (-?\d+)", formula).groups()
        )
        assert (plus, minus, score) == ((q * k > 0).sum(), (q * k < 0).sum(), q @ k)
        cosine = re.search(rf"cosine, ({NUMBER})\. ", report.cosine(seen, key))[1]
        exact = q @ k / np.linalg.norm(q) / np.linalg.norm(k)
        assert agrees(cosine, round(exact, 4))


class TestTables:
    @pytest.mark.parametrize(("query", "width"), STATES)
    def test_printed_and_exact_agree_with_the_vectors(self, query, width):
        printed, exact = report.tables(query, width)
        for side, (scores, weights, nats, mix) in expected(query, width).items():
            assert all_agree(list(printed[f"{side} weight"]), [*weights, nats])
            rows = exact[exact["side"] == side]
            np.testing.assert_allclose(rows["score"], scores, rtol=1e-15)
            np.testing.assert_allclose(rows["weight"], weights, rtol=1e-12)
            np.testing.assert_allclose(rows["entropy_nats"], nats, rtol=1e-9)
            np.testing.assert_allclose(rows[["mixture_1", "mixture_2"]], [mix] * 4, atol=1e-12)

    def test_quoted_digits(self):
        printed, _ = report.tables(0, 4)
        assert list(printed["raw weight"]) == ["0.8666", "0.0159", "0.1173", "0.0003", "0.4436"]
        assert list(printed["scaled weight"]) == ["0.6572", "0.0889", "0.2418", "0.0120", "0.8875"]


class TestPictures:
    @pytest.mark.parametrize(("query", "width"), STATES)
    @pytest.mark.parametrize("layout", ["wide", "narrow"])
    def test_bars_have_the_lengths_of_their_numbers(self, query, width, layout):
        picture = drawn(bars(compared(query, width), LIGHT), layout)
        sides = expected(query, width)
        rects = [r for r in picture.iter() if r.tag.endswith("rect") and r.get("stroke")]
        lengths = np.array([float(r.get("width")) for r in rects])
        shown = np.concatenate(
            [sides[side][part] for part in (0, 1) for side in ("raw", "scaled")]
            + [[sides[side][2] for side in ("raw", "scaled")]]
        )
        assert len(lengths) == len(shown) == 18
        # One scale a panel, the same for raw and scaled and at every state.
        scale = np.repeat([*SCALES[layout]], [8, 8, 2])
        np.testing.assert_allclose(lengths, scale * np.abs(shown), atol=1e-3)
        colours = [r.get("stroke") for r in rects]
        assert colours == ([LIGHT.raw] * 4 + [LIGHT.scaled] * 4) * 2 + [LIGHT.raw, LIGHT.scaled]

    @pytest.mark.parametrize(("query", "width"), STATES)
    def test_bars_print_their_numbers(self, query, width):
        picture = drawn(bars(compared(query, width), DARK))
        sides = expected(query, width)
        for side, colour in (("raw", DARK.raw), ("scaled", DARK.scaled)):
            scores, weights, nats, _ = sides[side]
            shown = [
                "".join(e.itertext())
                for e in picture.iter()
                if e.tag.endswith("text") and e.get("fill") == colour
            ]
            assert all_agree(shown[1:], [*scores.round(4), *weights, nats])
        assert "ceiling ln 4 = 1.3863" in texts(picture)

    @pytest.mark.parametrize(("query", "width"), STATES)
    def test_mixtures_lie_where_the_numbers_say(self, query, width):
        seen = compared(query, width)
        picture = drawn(mixture.plane(seen, LIGHT))
        ring = next(e for e in picture.iter() if e.get("stroke") == LIGHT.raw and e.get("r"))
        found = [float(ring.get("cx")), float(ring.get("cy"))]
        x0, y0 = mixture.place((0, 0))
        unit = mixture.place((1, 0))[0] - x0
        mixed = (found[0] - x0) / unit, (y0 - found[1]) / unit
        np.testing.assert_allclose(mixed, expected(query, width)["raw"][3], atol=1e-4)
        square = next(
            e for e in picture.iter() if e.get("fill") == LIGHT.scaled and e.get("width") == "10"
        )
        middle = [float(square.get(name)) + 5 for name in "xy"]
        mixed = (middle[0] - x0) / unit, (y0 - middle[1]) / unit
        np.testing.assert_allclose(mixed, expected(query, width)["scaled"][3], atol=1e-4)
        polygon = next(e for e in picture.iter() if e.tag.endswith("polygon")).get("points")
        corners = [tuple(map(float, pair.split(","))) for pair in polygon.split()]
        np.testing.assert_allclose(
            corners, [mixture.place(v) for v in VECTORS["values"]], atol=1e-3
        )

    @pytest.mark.parametrize(("query", "width"), STATES)
    @pytest.mark.parametrize("layout", ["wide", "narrow"])
    def test_tiles_show_every_coordinate_and_colour_those_in_use(self, query, width, layout):
        key = (query + width) % 4
        svg = coordinates.tiles(
            HEAD_WIDTH_EXAMPLE, compared(query, width), LIGHT, query=query, key=key
        )
        picture = drawn(svg, layout)
        signs = [
            (e.get("fill"), "".join(e.itertext()))
            for e in picture.iter()
            if e.tag.endswith("text") and set("".join(e.itertext())) <= set("+−")
        ]
        in_use = [t for colour, t in signs if colour == LIGHT.background]
        unused = [t for colour, t in signs if colour == LIGHT.muted]

        def written(vector):
            return "".join("+" if x > 0 else "−" for x in vector)

        products = QUERIES[query, :width] * KEYS[key, :width]
        assert in_use == [written(v) for v in (QUERIES[query, :width], *KEYS[:, :width], products)]
        others = [
            *(v[width:] if i == query else v for i, v in enumerate(QUERIES)),
            *KEYS[:, width:],
        ]
        assert unused == [written(v) for v in others if len(v)]
        score = str(products.sum()).replace("-", "−")
        assert f"Running sum, up to the score {score}" in texts(picture)

    def test_running_sum_ends_at_the_score(self):
        svg = coordinates.tiles(HEAD_WIDTH_EXAMPLE, compared(0, 32), LIGHT, query=0, key=1)
        walk = next(e for e in drawn(svg).iter() if e.get("stroke") == LIGHT.raw).get("points")
        heights = [float(pair.split(",")[1]) for pair in walk.split()]
        totals = (heights[0] - np.array(heights)) / coordinates.STEP
        np.testing.assert_allclose(totals, np.cumsum([0, *(QUERIES[0] * KEYS[1])]), atol=1e-3)
        assert totals[-1] == pytest.approx(14)

    def test_a_description_carries_the_numbers(self):
        seen = compared(0, 4)
        alt = describe(seen, 0)
        for number in ("[4, 0, 2, −4]", "0.8666, 0.0159, 0.1173 and 0.0003", "0.8875", "1.3863"):
            assert number in alt
        assert "raw (1.4986, 0.0312), scaled (0.8309, 0.1538)" in mixture.describe(seen)
        assert "+1, +1, +1 and +1. They sum to the score 4." in coordinates.describe(seen, 0, 0)

    def test_a_mixture_beside_a_corner_is_not_printed_as_the_corner(self):
        assert mixture.point((6e-6, 1.999985)) == "(<0.0001, 1.99998)"
        assert mixture.point((0.0, -1.23)) == "(0, −1.2300)"


class TestScript:
    @pytest.mark.parametrize(("query", "width"), STATES)
    def test_gives_the_numbers_of_the_page(self, query, width):
        names: dict[str, np.ndarray] = {}
        with contextlib.redirect_stdout(io.StringIO()):
            exec(snippets.render("head_width", query=query, width=width, key=1), names)
        for side, (scores, weights, nats, mix) in expected(query, width).items():
            found = names["scores" if side == "raw" else "scaled"]
            np.testing.assert_allclose(found, scores, rtol=1e-15)
            np.testing.assert_allclose(names[f"{side}_weights"], weights, rtol=1e-12)
            np.testing.assert_allclose(names[f"{side}_entropy"], nats, rtol=1e-9)
            np.testing.assert_allclose(names[f"{side}_output"], mix, atol=1e-12)
        np.testing.assert_array_equal(names["Q"], QUERIES)
        np.testing.assert_array_equal(names["K"], KEYS)
