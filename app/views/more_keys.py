"""More keys: entropy over width and number of keys, and what √dₖ leaves undone."""

import formulas
import streamlit as st
import words
from charts.more_keys import column_figure, describe_column, describe_map, map_figure
from components import (
    Guess,
    chart,
    colours,
    controls_row,
    demonstration,
    fold,
    heading,
    link_to_state,
    reset_button,
    snippet,
    sources,
    stage,
    table,
)
from controls import MAP_N_KEYS, MAP_WIDTH
from frames import Frame, frame

from core.freezing import freezing_width, thawing_keys
from core.key_count import MAP_KEYS, MAP_WIDTHS, EntropyMap, Reading, entropy_map, reading


@st.cache_resource(show_spinner=False)
def whole_map() -> EntropyMap:
    """Return the map, computed once for all readers."""
    return entropy_map()


@st.cache_resource(max_entries=len(MAP_WIDTHS), show_spinner=False)
def both_columns(width: int) -> list[list[Reading]]:
    """Return the cells of one width, of the raw map and of the scaled one."""
    return [[reading(width, n, scaled=divided) for n in MAP_KEYS] for divided in (False, True)]


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
CONTROLS = (MAP_WIDTH, MAP_N_KEYS, GUESS.control)
TRIES = {
    "At the freezing guide": {MAP_WIDTH.key: 12, MAP_N_KEYS.key: 512},
    "A long context": {MAP_WIDTH.key: 128, MAP_N_KEYS.key: 65536},
    "Two keys, width 1": {MAP_WIDTH.key: 1, MAP_N_KEYS.key: 2},
}


def attempt(values: dict[str, int]) -> None:
    """Go to one of the cells worth reading."""
    st.session_state.update(values)


def printed(cell: Reading) -> dict[str, str]:
    """Print what is read of a cell."""
    guide = words.nats(cell.guide).removesuffix(f"{words.SPACE}nats")
    return {
        "spread σ": words.significant(cell.score_std),
        "entropy (nats)": words.nats(cell.entropy).removesuffix(f"{words.SPACE}nats"),
        "guide (nats)": f"{guide} (frozen)" if cell.frozen else guide,
        "entropy / ln n": words.probability(cell.normalized_entropy),
        "effective keys": words.significant(cell.effective_keys, 4),
    }


@demonstration
def mapped() -> tuple[int, int, list[list[Reading]]]:
    """Show both maps and the cell picked; return its width, its keys and the column it is in."""
    with stage():
        with controls_row():
            width = MAP_WIDTH.draw(width=300)
            n_keys = MAP_N_KEYS.draw(width=300)
            reset_button(CONTROLS)
        GUESS.play(
            min(OPTIONS, key=lambda o: max(OPTIONS[o] * FEW / MANY, MANY / FEW / OPTIONS[o])),
            f"Over {words.significant(MANY, 4)}. √dₖ undoes the width; the number of keys it "
            "leaves as it is.",
        )
        cells = whole_map()
        for column, name, values in zip(
            st.columns(2), ("raw", "scaled"), (cells.raw, cells.scaled), strict=True
        ):
            with column:
                figure = map_figure(
                    colours(), cells, scaled=name == "scaled", width=width, n_keys=n_keys
                )
                chart(figure, key=f"map_{name}", alt=describe_map(name, cells, values))

    raw, scaled = (reading(width, n_keys, scaled=divided) for divided in (False, True))
    half = reading(width, n_keys // 2, scaled=True)
    cell = frame({"raw": printed(raw), "scaled": printed(scaled)})
    st.header(
        f"What you see at width {words.count(width)} with {words.count(n_keys)} keys", anchor=False
    )
    st.table(cell.rename_axis("scores").reset_index(), hide_index=True, border="horizontal")
    ceiling = words.nats(scaled.ceiling)
    st.markdown(
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
    columns = both_columns(width)
    chart(
        column_figure(colours(), MAP_KEYS, *columns, chosen=n_keys),
        key="key_column",
        alt=describe_column(width, *columns),
    )
    st.latex(
        formulas.aligned(
            r"H &\approx \ln n - \tfrac12\sigma^2",
            r"\sigma_c &= \sqrt{2 \ln n} = "
            + formulas.math_text(words.significant(scaled.freezing_std)),
            r"\text{scaled, } \sigma = 1:\; H &\approx "
            + formulas.math_text(words.significant(scaled.guide)),
            rf"\text{{raw, }} \sigma = {formulas.number(raw.score_std)}:\; H &\approx "
            + formulas.math_text(words.significant(raw.guide)),
        )
    )
    return width, n_keys, columns


heading(
    "Does √dₖ make up for more keys?",
    "Pick a width and a number of keys. Both maps show how evenly a row spreads its weights.",
    CONTROLS,
)
width, n_keys, columns = mapped()
st.markdown(
    "Rules that do look at the number of keys:\n"
    "- *log-n scaling* multiplies the scores by ln n, so that a lead keeps its weight in longer "
    "rows (arXiv:2202.12172).\n"
    "- *Scalable softmax* multiplies them by s ln n, with s learned (arXiv:2501.19399).\n"
    "- *YaRN* multiplies them by (0.1 ln t + 1)², t being how many times the context is extended "
    "(arXiv:2309.00071)."
)
with fold("Derivation", "function") as folded:
    if folded.open:
        st.markdown(
            "Of n normal scores, about n e^(−x²/2) lie x standard deviations σ above the mean. "
            "Each weighs e^(σx), so that the total weight peaks at x = σ. As long as n e^(−σ²/2) "
            "is large, that many keys share the weight, and the entropy is ln n − σ²/2. From "
            "σ = √(2 ln n) on there is no key there: the few largest take everything. Physics "
            "knows this as the freezing of the random energy model. It is exact for n → ∞ only; "
            "the maps are exact at every n."
        )


def numbers() -> tuple[Frame, Frame]:
    """Tabulate the column at this width, and both whole maps for the file."""
    column = [
        {"keys": words.count(n), "scores": name} | printed(cell)
        for n, *pair in zip(MAP_KEYS, *columns, strict=True)
        for name, cell in zip(("raw", "scaled"), pair, strict=True)
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
    return frame(column), frame(maps)


table(
    numbers,
    name="more-keys",
    note=f"All numbers of keys at width {words.count(width)}. The file holds both whole maps.",
)
snippet("more_keys", width=width, n=n_keys)
link_to_state(CONTROLS)
sources(
    "Derrida, “Random-energy model”, Phys. Rev. B 24, 2613 (1981), doi:10.1103/PhysRevB.24.2613: "
    "the freezing.",
    "Chiang and Cholak, “Overcoming a theoretical limitation of self-attention”, "
    "arXiv:2202.12172: log-n scaling.",
    "Nakanishi, “Scalable-softmax is superior for attention”, arXiv:2501.19399.",
    "Peng, Quesnelle, Fan and Shippole, “YaRN: efficient context window extension of large "
    "language models”, arXiv:2309.00071.",
)
st.header("What to try next", anchor=False)
with st.container(horizontal=True, vertical_alignment="center"):
    for label, cell_to_read in TRIES.items():
        st.button(label, on_click=attempt, args=(cell_to_read,))
    st.page_link("views/assumptions.py", label="When the assumptions fail")
