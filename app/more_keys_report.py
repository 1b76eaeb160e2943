"""More keys in words, charts and tables: cells of the maps are read once, for all readers."""

from functools import lru_cache

import formulas
import streamlit as st
import words
from charts.base import palette
from charts.more_keys import column_figure, describe_column, describe_map, map_figure
from components import Guess, chart
from frames import Frame, frame

from core.freezing import freezing_width, thawing_keys
from core.key_count import (
    MAP_KEYS,
    MAP_WIDTHS,
    EntropyMap,
    Reading,
    entropy_map,
    reading,
    readings,
)

HALVES = (MAP_KEYS[0] // 2, MAP_KEYS[-1] // 2)
"""Half as many keys as there are, where that is no row of the maps."""

OPTIONS = {"as many": 1.0, "8 times as many": 8.0, "60 times as many": 60.0}
FEW, MANY = (reading(64, n, scaled=True).effective_keys for n in (128, 8192))
GUESS = Guess(
    key="more_keys_guess",
    question=(
        f"Scaled, 128 keys at width 64 are spread over as {words.significant(FEW)} equal ones. "
        "Guess: 8,192 keys are spread over …"
    ),
    options=tuple(OPTIONS),
)
RIGHT = min(OPTIONS, key=lambda o: max(OPTIONS[o] * FEW / MANY, MANY / FEW / OPTIONS[o]))
ANSWER = (
    f"Over {words.significant(MANY, 4)}. √dₖ undoes the width; the number of keys it leaves as it "
    "is."
)


@st.cache_resource(max_entries=1, show_spinner=False)
def whole_map() -> EntropyMap:
    """Return both maps."""
    return entropy_map()


@st.cache_resource(max_entries=2, show_spinner=False)
def cells_of(*, scaled: bool) -> dict[tuple[int, int], Reading]:
    """Return every cell that can be read, by width and number of keys."""
    return readings(MAP_WIDTHS, MAP_KEYS + HALVES, scaled=scaled)


def both(width: int, n_keys: int) -> tuple[Reading, Reading]:
    """Return one cell, raw and scaled."""
    return cells_of(scaled=False)[width, n_keys], cells_of(scaled=True)[width, n_keys]


def column(width: int) -> tuple[list[Reading], list[Reading]]:
    """Return the cells of one width, of the raw map and of the scaled one."""
    raw, scaled = (cells_of(scaled=divided) for divided in (False, True))
    return [raw[width, n] for n in MAP_KEYS], [scaled[width, n] for n in MAP_KEYS]


@st.cache_resource(max_entries=360, show_spinner=False)
def map_chart(*, name: str, width: int, n_keys: int, dark: bool) -> None:
    """Draw one map with a frame around the cell that is read."""
    cells = whole_map()
    figure = map_figure(palette(dark), cells, scaled=name == "scaled", width=width, n_keys=n_keys)
    values = cells.scaled if name == "scaled" else cells.raw
    chart(figure, key=f"map_{name}", alt=describe_map(name, cells, values))


@st.cache_resource(max_entries=180, show_spinner=False)
def column_chart(*, width: int, n_keys: int, dark: bool) -> None:
    """Draw entropy against the number of keys at one width."""
    raw, scaled = column(width)
    chart(
        column_figure(palette(dark), MAP_KEYS, raw, scaled, chosen=n_keys),
        key="key_column",
        alt=describe_column(width, raw, scaled),
    )


@lru_cache(maxsize=512)
def sentences(width: int, n_keys: int) -> str:
    """Say what is read of the cell, in a table and beside the large-n guide."""
    raw, scaled = both(width, n_keys)
    _, half = both(width, n_keys // 2)
    ceiling = words.nats(scaled.ceiling)
    rows = "\n".join(
        f"| {name} | {of_raw} | {of_scaled} |"
        for (name, of_raw), of_scaled in zip(
            printed(raw).items(), printed(scaled).values(), strict=True
        )
    )
    return (
        f"| scores | raw | scaled |\n| :-- | --: | --: |\n{rows}\n\n"
        f"- Scaled rows keep {words.nats(scaled.entropy)} of at most ln n = {ceiling}: the spread "
        f"of {words.significant(scaled.effective_keys)} equal keys. Raw rows keep "
        f"{words.nats(raw.entropy)}: {words.significant(raw.effective_keys)} keys.\n"
        f"- The large-n guide ln n − σ²/2 says {words.nats(scaled.guide)} scaled and "
        f"{words.nats(raw.guide)} raw. The table has the exact values beside it.\n"
        "- By that guide raw rows freeze from width 2 ln n = "
        f"{words.significant(freezing_width(n_keys))} on: a few keys take everything.\n"
        f"- Not to be frozen, raw rows of width {words.count(width)} would need more than "
        f"exp(dₖ/2) = {words.significant(thawing_keys(width))} keys.\n"
        f"- √dₖ looks at the width alone. Half as many keys would take "
        f"{words.nats(scaled.entropy - half.entropy)} from a scaled row: about ln 2 = 0.693 once "
        "there are many."
    )


@lru_cache(maxsize=512)
def formula(width: int, n_keys: int) -> str:
    """Write the guide with the cell's numbers."""
    raw, scaled = both(width, n_keys)
    return formulas.aligned(
        r"H &\approx \ln n - \tfrac12\sigma^2",
        r"\sigma_c &= \sqrt{2 \ln n} = "
        + formulas.math_text(words.significant(scaled.freezing_std)),
        r"\text{scaled, } \sigma = 1:\; H &\approx "
        + formulas.math_text(words.significant(scaled.guide)),
        rf"\text{{raw, }} \sigma = {formulas.number(raw.score_std)}:\; H &\approx "
        + formulas.math_text(words.significant(raw.guide)),
    )


def printed(one: Reading) -> dict[str, str]:
    """Print what is read of a cell."""
    guide = _without_unit(one.guide)
    return {
        "spread σ": words.significant(one.score_std),
        "entropy (nats)": _without_unit(one.entropy),
        "guide (nats)": f"{guide} (frozen)" if one.frozen else guide,
        "entropy / ln n": words.probability(one.normalized_entropy),
        "effective keys": words.significant(one.effective_keys, 4),
    }


def numbers(width: int) -> tuple[Frame, Frame]:
    """Tabulate the column at this width, and both whole maps for the file."""
    of_width = [
        {"keys": words.count(n), "scores": name} | printed(one)
        for n, *pair in zip(MAP_KEYS, *column(width), strict=True)
        for name, one in zip(("raw", "scaled"), pair, strict=True)
    ]
    cells = whole_map()
    maps = [
        {
            "d_k": d_k,
            "n_keys": n,
            "raw entropy / ln n": float(cells.raw[i, j]),
            "scaled entropy / ln n": float(cells.scaled[i, j]),
        }
        for i, n in enumerate(cells.n_keys.tolist())
        for j, d_k in enumerate(cells.widths.tolist())
    ]
    return frame(of_width), frame(maps)


def _without_unit(h: float) -> str:
    return words.nats(h).removesuffix(f"{words.SPACE}nats")


OTHER_RULES = (
    "Rules that do look at the number of keys:\n"
    "- *log-n scaling* multiplies the scores by ln n, so that a lead keeps its weight in longer "
    "rows (arXiv:2202.12172).\n"
    "- *Scalable softmax* multiplies them by s ln n, with s learned (arXiv:2501.19399).\n"
    "- *YaRN* multiplies them by (0.1 ln t + 1)², t being how many times the context is extended "
    "(arXiv:2309.00071)."
)
DERIVATION = (
    "Of n normal scores, about n e^(−x²/2) lie x standard deviations σ above the mean. "
    "Each weighs e^(σx), so that the total weight peaks at x = σ. As long as n e^(−σ²/2) "
    "is large, that many keys share the weight, and the entropy is ln n − σ²/2. From "
    "σ = √(2 ln n) on there is no key there: the few largest take everything. Physics "
    "knows this as the freezing of the random energy model. It is exact for n → ∞ only; "
    "the maps are exact at every n."
)
SOURCES = (
    "Derrida, “Random-energy model”, Phys. Rev. B 24, 2613 (1981), doi:10.1103/PhysRevB.24.2613: "
    "the freezing.",
    "Chiang and Cholak, “Overcoming a theoretical limitation of self-attention”, "
    "arXiv:2202.12172: log-n scaling.",
    "Nakanishi, “Scalable-softmax is superior for attention”, arXiv:2501.19399.",
    "Peng, Quesnelle, Fan and Shippole, “YaRN: efficient context window extension of large "
    "language models”, arXiv:2309.00071.",
)
