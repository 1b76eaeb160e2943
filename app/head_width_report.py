"""What the head-width page says of the numbers on screen: sentences, formulas, tables."""

from collections.abc import Sequence
from functools import cache

import formulas
import words
from charts import coordinates, mixture
from charts.base import palette
from charts.head_width import CEILING, bars, compared, describe, nats, weight
from charts.mixture import coordinate, point
from drawing import Picture, encode
from frames import Frame, frame

from core.examples import (
    FRACTIONAL_EXAMPLE,
    HEAD_WIDTH_EXAMPLE,
    HEAD_WIDTHS,
    Row,
    ScalingComparison,
    compare_scaling,
)

ORDER = (
    "The order, here and on every page: **scores, divide by √dₖ, mask, softmax, mix the values**. "
    "Nothing is masked here. Weights are proportional to exponentials of what softmax gets, not to "
    "the scores."
)
NOT_RANDOM = (
    "A calculated example, not a trained model. Nor is it the random model, in which scores spread "
    "like √dₖ: these ±1 vectors were written by hand."
)
TRY = (
    "- Width 1: raw and scaled are the same.\n"
    "- Q1 from width 16 to 32: raw weights become less sharp. Wider is not always sharper.\n"
    "- K1 at Q0 and width 32: a score far beyond what random signs usually give."
)
SIDES = ("raw", "scaled")


def leaders(row: Row) -> list[str]:
    """Name the keys with the largest score."""
    return [f"K{j}" for j, score in enumerate(row.scores) if score == max(row.scores)]


def sentences(query: int, width: int) -> list[str]:
    """Say what is on screen."""
    seen = compared(query, width)
    raw, scaled = seen.raw, seen.scaled
    first = leaders(raw)
    each = " each" if len(first) > 1 else ""
    i = HEAD_WIDTHS.index(width)
    other = HEAD_WIDTHS[i - 1 if width == HEAD_WIDTHS[-1] else i + 1]
    return [
        f"Q{query} at width {width} scores {words.vector(raw.scores)} against the four keys. "
        + (
            "√1 is 1: at width 1 scaling does nothing."
            if width == 1
            else f"Divided by √{width} that is {words.vector(scaled.scores)}."
        ),
        f"{words.listing(first)} {'share the lead' if each else 'leads'}: weight "
        f"{weight(max(raw.weights))}{each} raw, {weight(max(scaled.weights))}{each} scaled. "
        "Scaling keeps the order.",
        f"The entropy is {nats(raw.entropy)} nats raw and {nats(scaled.entropy)} scaled, of at "
        f"most ln 4 = {nats(CEILING)}. That is spread, not accuracy: lower is not better.",
        f"The mixture of the values is {point(raw.output)} raw and {point(scaled.output)} scaled. "
        "Weights are positive and sum to 1, so it stays inside the square.",
        "The values have width 2 at every dₖ. Only queries and keys must be equally wide.",
        f"At width {other} the raw scores are {words.vector(compared(query, other).raw.scores)}. "
        "Another width is another dot product. That is not the same as scaling one fixed row.",
    ]


@cache
def said(query: int, width: int) -> str:
    """Say what is on screen, down to the score that can be taken apart."""
    listed = "\n".join(f"- {sentence}" for sentence in sentences(query, width))
    return f"{listed}\n\n:small[{NOT_RANDOM}]\n\n## Take one score apart"


@cache
def pictures(query: int, width: int, *, dark: bool) -> bytes:
    """Draw scores, weights and entropy, and beside them the mixture of the values."""
    seen = compared(query, width)
    return encode(
        Picture(
            svg=bars(seen, palette(dark)),
            alt=describe(seen, query),
            name="scores, weights and entropy",
            file="why-sqrt-dk-head_width_bars",
            share=3,
        ),
        Picture(
            svg=mixture.plane(seen, palette(dark)),
            alt=mixture.describe(seen),
            name="mixture of the values",
            file="why-sqrt-dk-head_width_mixture",
            share=2,
        ),
    )


@cache
def apart(query: int, width: int, key: int, *, dark: bool) -> tuple[bytes, str]:
    """Draw the picked score taken apart, and compute its row step by step, raw and scaled."""
    seen = compared(query, width)
    picture = Picture(
        svg=coordinates.tiles(HEAD_WIDTH_EXAMPLE, seen, palette(dark), query=query, key=key),
        alt=coordinates.describe(seen, query, key),
        name="vectors, products and running sum",
        file="why-sqrt-dk-head_width_coordinates",
    )
    computed = [
        f"**{side}**\n\n$$\n{formula}\n$$"
        for side, formula in zip(("Raw", "Scaled"), steps(seen, key), strict=True)
    ]
    text = (
        f"$$\n{score_formula(seen, query, key)}\n$$",
        cosine(seen, key),
        f"## Step by step\n\n{ORDER}",
        *computed,
    )
    return encode(picture), "\n\n".join(text)


def score_formula(seen: ScalingComparison, query: int, key: int) -> str:
    """Write the picked score as a sum of products of +1 and −1, as KaTeX."""
    products = seen.products[key].tolist()
    return (
        rf"q_{query} \cdot k_{key} = {products.count(1.0)} \times (+1) + "
        rf"{products.count(-1.0)} \times (-1) = {formulas.number(seen.raw.scores[key])}"
    )


def cosine(seen: ScalingComparison, key: int) -> str:
    """Say what direction and length have to do with the picked score."""
    width = len(seen.query)
    return (
        f"A dot product mixes direction and length. Here every length is √{width}, so the score "
        f"is {width} times the cosine, {words.short(seen.raw.scores[key] / width)}. In a trained "
        "model a large score would be a learned match, no proof of equal meaning."
    )


def steps(seen: ScalingComparison, key: int) -> tuple[str, str]:
    """Write the raw and the scaled computation, from scores to output, as KaTeX."""
    width = len(seen.query)
    divided = rf"\tfrac{{S}}{{\sqrt{{d_k}}}} &= \tfrac{{1}}{{\sqrt{{{width}}}}} S = "
    return _steps(seen.raw, r"S &= q K^\top = ", key), _steps(seen.scaled, divided, key)


def _steps(row: Row, start: str, key: int) -> str:
    powers = [f"e^{{{formulas.number(s)}}}" for s in row.scores]
    share = weight(row.weights[key])
    return formulas.aligned(
        start + formulas.row(row.scores),
        rf"w_{key} &= \frac{{{powers[key]}}}{{{' + '.join(powers)}}} "
        + (share if share[0] in "<>" else f"= {share}")
        # KaTeX sets the next line too close below a fraction.
        + r"\rule[-1.2em]{0pt}{0pt}",
        rf"w &= {formulas.row(row.weights, weight)}",
        rf"H &= -\textstyle\sum_j w_j \ln w_j = {nats(row.entropy)}\ \text{{nats}}",
        rf"o &= \textstyle\sum_j w_j v_j = {formulas.row(row.output, coordinate)}",
    )


def printed(seen: ScalingComparison, places: int = 4) -> Frame:
    """Lay out raw and scaled as printed, weights to the places that the example is quoted to."""
    names = [*(f"K{j}" for j in range(len(seen.key))), "entropy, nats"]
    columns: dict[str, Sequence[str]] = {"key": names}
    for side, row in zip(SIDES, (seen.raw, seen.scaled), strict=True):
        columns[f"{side} score"] = [*map(words.short, row.scores), ""]
        weights = [words.soft_probability(w, places=places) for w in row.weights]
        columns[f"{side} weight"] = [*weights, nats(row.entropy)]
    return frame(columns)


def tables(query: int, width: int) -> tuple[Frame, Frame]:
    """Return the table of what is on screen, as printed and at full precision."""
    seen = compared(query, width)
    exact = [
        {
            "query": f"Q{query}",
            "width": width,
            "side": side,
            "key": f"K{j}",
            "score": float(row.scores[j]),
            "weight": float(row.weights[j]),
            "entropy_nats": row.entropy,
            "mixture_1": float(row.output[0]),
            "mixture_2": float(row.output[1]),
        }
        for side, row in zip(SIDES, (seen.raw, seen.scaled), strict=True)
        for j in range(len(row.scores))
    ]
    return printed(seen), frame(exact)


_FRACTIONS = compare_scaling(FRACTIONAL_EXAMPLE)
FRACTIONS = printed(_FRACTIONS, places=3)
FRACTIONS_IN_WORDS = (
    f"q = {words.vector(_FRACTIONS.query)} against "
    + words.listing(f"k{'₀₁₂₃'[j]} = {words.vector(k)}" for j, k in enumerate(_FRACTIONS.key))
    + f". Raw scores {words.vector(_FRACTIONS.raw.scores)}; divided by √4, "
    f"{words.vector(_FRACTIONS.scaled.scores)}. k₂ is q itself: its score is q’s squared length."
)
