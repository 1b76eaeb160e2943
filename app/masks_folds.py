"""What can be got wrong with a mask, each on the reader's own: folded away below the maps."""

from __future__ import annotations

import numpy as np
import streamlit as st
import words
from components import fold
from controls_break import MASK_POLICIES
from frames import Frame, frame
from masks_report import OUTCOMES, Mask, entry, row

from core.examples import Example
from core.mask_pitfalls import bias_order, mask_after_softmax, poison
from core.mask_policies import MASK_CONVENTIONS, compare_policies
from core.masks import additive_mask
from core.sentinels import compare_sentinels

FINITE_BIAS = -2.0

OTHER_DOERS = {
    "raise": "core.attention of this project, unless told otherwise",
    "nan": "softmax as commonly written, in NumPy or by hand",
    "mean": "any code that fills with a finite number",
}


def folds(some: Example, mask: Mask) -> None:
    """Show what can be got wrong, each on the reader's own mask."""
    with fold("Boolean or additive: who means what", "compare_arrows") as folded:
        if folded.open:
            st.markdown(
                "Named as in PyTorch's `scaled_dot_product_attention`: True takes part, and what "
                "is added is 0 or −∞. `nn.MultiheadAttention` means the opposite by True."
            )
            st.table(forms(mask), hide_index=True, border="horizontal")
            st.table(conventions(), hide_index=True, border="horizontal")
    with fold("A query without keys: four answers", "block") as folded:
        if folded.open:
            st.markdown(
                "No weights over no keys sum to 1, so each library chose. Where your mask leaves "
                "every query a key, the last one loses its keys here."
            )
            st.table(policies(some, mask), hide_index=True, border="horizontal")
    with fold("NaN behind the mask", "visibility_off") as folded:
        if folded.open:
            position = poisoned_position(mask)
            if position is None:
                st.markdown("Nothing is hidden from a query with keys. Choose another mask.")
            else:
                st.markdown(
                    f"Position {position + 1} holds NaN, as uninitialised padding may. "
                    "It leaks if a query gets NaN that may not attend it: NaN + −∞ and 0 × NaN "
                    "are NaN."
                )
                table = leaks(some, mask, position)
                st.table(table, hide_index=True, border="horizontal")
    with fold("Before or after softmax", "swap_vert") as folded:
        if folded.open:
            st.markdown(
                "Zeroing weights after softmax is not a mask: the blocked keys keep the share "
                "they took, and rows with blocked keys sum to less than 1. Dividing by that sum "
                "mends it, unless NaN hides there."
            )
            st.table(after_softmax(some, mask), hide_index=True, border="horizontal")
    with fold("A finite number in place of −∞", "exposure_neg_1") as folded:
        if folded.open:
            st.markdown(
                "−1e9 does not fit float16: it becomes −∞. Filling gives a query without keys "
                "the mean of V. Adding gives it only if the sentinel swallows the scores; "
                "otherwise it attends as if nothing were masked."
            )
            st.table(sentinels(some, mask), hide_index=True, border="horizontal")
    with fold("Before or after dividing by √dₖ", "low_priority") as folded:
        if folded.open:
            st.markdown(
                "−∞ divided by anything is −∞, so its place does not matter. A finite bias is "
                "divided too, and blocks less."
            )
            if mask.any():
                st.table(orders(some, mask), hide_index=True, border="horizontal")


def with_an_empty_row(mask: Mask) -> Mask:
    """Return the mask, its last query left without keys if every query has some."""
    if (~mask.any(axis=-1)).any():
        return mask
    emptied = mask.copy()
    emptied[-1] = False
    return emptied


def forms(mask: Mask) -> Frame:
    """Put the boolean and the additive form beside each other."""
    return frame(
        {
            "query": [f"q{i + 1}" for i in range(len(mask))],
            "boolean, True takes part": [", ".join(map(str, cells)) for cells in mask.tolist()],
            "additive": [", ".join(words.short(x) for x in cells) for cells in additive_mask(mask)],
        }
    )


def conventions() -> Frame:
    """Tabulate what libraries mean by a mask."""
    return frame(
        {
            "function": [f"{one.library}: {one.function}" for one in MASK_CONVENTIONS],
            "argument": [one.argument for one in MASK_CONVENTIONS],
            "True": [one.true_means for one in MASK_CONVENTIONS],
            "additive form": [one.additive for one in MASK_CONVENTIONS],
            "blocks by": [one.blocks_by for one in MASK_CONVENTIONS],
            "a query without keys gets": [OUTCOMES[one.fully_masked] for one in MASK_CONVENTIONS],
        }
    )


def policies(some: Example, mask: Mask) -> Frame:
    """Tabulate what each policy gives a query without keys, and who does it."""
    emptied = with_an_empty_row(mask)
    at = int(np.flatnonzero(~emptied.any(axis=-1))[0])
    table = []
    for result in compare_policies(some.query, some.key, some.value, mask=emptied):
        doers = [
            f"{one.library} {one.function.rsplit('.', 1)[-1]}"
            for one in MASK_CONVENTIONS
            if one.fully_masked == result.policy
        ]
        doers += [OTHER_DOERS[result.policy]] if result.policy in OTHER_DOERS else []
        shown = result.weights is not None and result.output is not None
        table.append(
            {
                "policy": MASK_POLICIES[result.policy],
                f"weights of q{at + 1}": row(result.weights[at]) if shown else "none",  # type: ignore[index]
                f"output of q{at + 1}": row(result.output[at]) if shown else result.error,  # type: ignore[index]
                "who does it": "; ".join(doers),
            }
        )
    return frame(table)


def poisoned_position(mask: Mask) -> int | None:
    """Return the last key that some query with keys may not attend."""
    blocked = np.flatnonzero((~mask[mask.any(axis=-1)]).any(axis=0))
    return int(blocked[-1]) if blocked.size else None


def leaks(some: Example, mask: Mask, position: int) -> Frame:
    """Tabulate whether NaN in a blocked key or value comes through."""
    able = mask.any(axis=-1)
    by_key, by_value = (
        poison(
            some.query[able],
            some.key,
            some.value,
            mask=mask[able],
            poisoned=what,
            position=position,
        )
        for what in ("key", "value")
    )
    said = {True: "leaks", False: "stays behind the mask"}
    return frame(
        {
            "how the mask is applied": [leak.method for leak in by_key],
            f"NaN in key {position + 1}": [said[leak.leaks] for leak in by_key],
            f"NaN in value {position + 1}": [said[leak.leaks] for leak in by_value],
        }
    )


def after_softmax(some: Example, mask: Mask) -> Frame:
    """Tabulate a mask before softmax, after it, and after it with renormalizing."""
    seen = mask_after_softmax(some.query, some.key, some.value, mask=mask)
    return frame(
        {
            "query": [f"q{i + 1}" for i in range(len(mask))],
            "masked before softmax": [row(w) for w in seen.before],
            "set to 0 after it": [row(w) for w in seen.after],
            "row sum then": [words.fixed(x, 3) for x in seen.row_sums],
            "divided by that sum": [row(w) for w in seen.renormalized],
        }
    )


def sentinels(some: Example, mask: Mask) -> Frame:
    """Tabulate finite stand-ins for −∞ in every format."""
    seen = compare_sentinels(some.query, some.key, some.value, mask=with_an_empty_row(mask))
    return frame(
        {
            "sentinel": [one.sentinel.replace("-inf", "−∞").replace("-", "−") for one in seen],
            "format": [one.format for one in seen],
            "by": [{"add": "adding", "fill": "filling"}[one.blocking] for one in seen],
            "stored as": [words.significant(one.stored) for one in seen],
            "largest blocked weight, rows with keys": [entry(one.leaked) for one in seen],
            "a query without keys gets": [OUTCOMES.get(one.outcome, one.outcome) for one in seen],
        }
    )


def orders(some: Example, mask: Mask) -> Frame:
    """Tabulate a mask added after dividing by √d_k and before: −∞, and a finite bias."""
    able = mask.any(axis=-1)
    rows = []
    for name, bias in (
        ("−∞", additive_mask(mask[able])),
        (words.short(FINITE_BIAS), np.where(mask[able], 0.0, FINITE_BIAS)),
    ):
        seen = bias_order(some.query[able], some.key, bias=bias)
        rows += [
            {
                "added to blocked keys": name,
                "query": f"q{i + 1}",
                "after dividing": row(seen.after[k]),
                "before dividing": row(seen.before[k]),
                "same": "yes" if seen.same[k] else "no",
            }
            for k, i in enumerate(np.flatnonzero(able))
        ]
    return frame(rows)
