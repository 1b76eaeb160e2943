"""Masks: which keys a query may attend, and everything that can go wrong in saying so."""

from collections.abc import Sequence
from typing import Any

import masks_report as report
import streamlit as st
from charts.weights import weight_map
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
    what_you_see,
)
from control_types import Control
from controls import (
    MASK_KIND,
    MASK_LENGTH,
    MASK_POLICY,
    MASK_QUERIES,
    MASK_ROWS,
    MASK_WINDOW,
)

from core.examples import Example
from core.mask_policies import MASK_CONVENTIONS
from core.masking import MaskComparison, compare_masked

GUESS = Guess(
    key="masks_guess",
    question="Guess: every key is blocked with −∞. Plain softmax gives that query …",
    options=tuple(report.OUTCOMES.values()),
)
ALWAYS: tuple[Control, ...] = (
    MASK_KIND,
    MASK_QUERIES,
    MASK_LENGTH,
    MASK_WINDOW,
    MASK_POLICY,
    GUESS.control,
)
CONTROLS = (*ALWAYS, *MASK_ROWS)


def maps(seen: MaskComparison) -> None:
    """Show the weights raw and scaled, blocked cells crossed."""
    palette = colours()
    queries = [f"q{i + 1}" for i in range(len(seen.mask))]
    for column, name, side, colour in zip(
        st.columns(2),
        ("raw", "scaled"),
        (seen.raw, seen.scaled),
        (palette.raw, palette.scaled),
        strict=True,
    ):
        rows = "; ".join(
            f"{query} {report.row(weights)}, entropy {report.nats(h)} of at most "
            f"{report.nats(most)} nats"
            for query, weights, h, most in zip(
                queries, side.stages.weights, side.entropy, side.ceiling, strict=True
            )
        )
        with column:
            chart(
                weight_map(
                    side.stages.weights,
                    palette,
                    title={"raw": "raw: softmax of s", "scaled": "scaled: softmax of s/√dₖ"}[name],
                    colour=colour,
                    queries=queries,
                    keys=report.KEYS,
                    blocked=~seen.mask,
                ),
                key=f"masks_{name}",
                alt=f"Weights, {name}, one row a query: {rows}.",
            )


def folds(some: Any, mask: Any) -> None:
    """Show what can be got wrong, each on the reader's own mask."""
    with fold("Boolean or additive: who means what", "compare_arrows") as folded:
        if folded.open:
            st.markdown(
                "Named as in PyTorch's `scaled_dot_product_attention`: True takes part, and what "
                "is added is 0 or −∞. `nn.MultiheadAttention` means the opposite by True."
            )
            st.table(report.forms(mask), hide_index=True, border="horizontal")
            st.table(report.conventions(), hide_index=True, border="horizontal")
    with fold("A query without keys: four answers", "block") as folded:
        if folded.open:
            st.markdown(
                "No weights over no keys sum to 1, so each library chose. Where your mask leaves "
                "every query a key, the last one loses its keys here."
            )
            st.table(report.policies(some, mask), hide_index=True, border="horizontal")
    with fold("NaN behind the mask", "visibility_off") as folded:
        if folded.open:
            position = report.poisoned_position(mask)
            if position is None:
                st.markdown("Nothing is hidden from a query with keys. Choose another mask.")
            else:
                st.markdown(
                    f"Position {position + 1} holds NaN, as uninitialised padding may. "
                    "It leaks if a query gets NaN that may not attend it: NaN + −∞ and 0 × NaN "
                    "are NaN."
                )
                frame = report.leaks(some, mask, position)
                st.table(frame, hide_index=True, border="horizontal")
    with fold("Before or after softmax", "swap_vert") as folded:
        if folded.open:
            st.markdown(
                "Zeroing weights after softmax is not a mask: the blocked keys keep the share "
                "they took, and rows with blocked keys sum to less than 1. Dividing by that sum "
                "mends it, unless NaN hides there."
            )
            st.table(report.after_softmax(some, mask), hide_index=True, border="horizontal")
    with fold("A finite number in place of −∞", "exposure_neg_1") as folded:
        if folded.open:
            st.markdown(
                "−1e9 does not fit float16: it becomes −∞. Filling gives a query without keys "
                "the mean of V. Adding gives it only if the sentinel swallows the scores; "
                "otherwise it attends as if nothing were masked."
            )
            st.table(report.sentinels(some, mask), hide_index=True, border="horizontal")
    with fold("Before or after dividing by √dₖ", "low_priority") as folded:
        if folded.open:
            st.markdown(
                "−∞ divided by anything is −∞, so its place does not matter. A finite bias is "
                "divided too, and blocks less."
            )
            if mask.any():
                st.table(report.orders(some, mask), hide_index=True, border="horizontal")


@demonstration
def masked() -> tuple[MaskComparison, Example, Any, Sequence[Control]]:
    """Show the maps for the controls; return what they show and the controls in use."""
    with stage():
        with controls_row():
            kind = MASK_KIND.draw(width=190)
            n_queries = MASK_QUERIES.draw(width=110)
            length = MASK_LENGTH.draw(width=110)
            window = MASK_WINDOW.draw(width=110)
            policy = MASK_POLICY.draw(width=150)
            reset_button(CONTROLS)
        right = report.plain_outcome()
        GUESS.play(
            right,
            "The maximum is −∞, and −∞ − (−∞) is not a number. "
            "Set the real keys of a padding mask to 0.",
        )
        drawn, rows = ALWAYS, []
        if kind == "custom":
            drawn = (*ALWAYS, *MASK_ROWS[:n_queries])
            for column, control in zip(st.columns(n_queries), MASK_ROWS, strict=False):
                with column:
                    rows.append(control.draw())
        some = report.vectors(n_queries)
        mask = report.mask_of(kind, n_queries, length, window, rows)
        refused = policy == "raise" and not mask.any(axis=-1).all()
        seen = compare_masked(
            some.query,
            some.key,
            some.value,
            mask=mask,
            fully_masked="nan" if refused else policy,
        )
        maps(seen)
    refusal = (
        "You chose an error. The maps show NaN where it strikes; the call itself "
        "returns nothing and says why, under “A query without keys”.\n\n"
    )
    what_you_see((refusal if refused else "") + report.sentences(kind, seen, policy))
    return seen, some, mask, drawn


heading(
    "What does a mask do to a row of weights?",
    "Five tokens, written by hand. Choose a mask, or pick cells of your own.",
    CONTROLS,
)
seen, some, mask, drawn = masked()
folds(some, mask)
table(lambda: report.numbers(seen), name="masks")
snippet("masks", query=some.query.tolist(), mask=mask.tolist())
link_to_state(drawn)
sources(
    "Attention Is All You Need, arXiv:1706.03762, section 3.2.3: masking out by −∞.",
    *dict.fromkeys(f"{one.source}." for one in MASK_CONVENTIONS),
)
