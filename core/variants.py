"""What becomes of the √d_k rule when attention is changed to cost less.

The rule answers one question: how far do dot products of width d_k spread before softmax? A
variant that still applies softmax to dot products keeps it, however it stores, shares, skips or
orders them. One that replaces softmax has no such scores, and no use for the rule.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to compute attention for n tokens.

    Attributes
    ----------
    key, title : str
        A short name, and one for people.
    changes : str
        What is done differently.
    arithmetic, memory : str
        How operations and working memory grow, for a head.
    exact : bool
        Whether nothing is approximated: the result is that of dense attention with the variant's
        own mask and heads.
    same_model : bool
        Whether that is dense attention over all keys with heads of their own: what was trained
        with one can be run with the other.
    keeps_rule : bool
        Whether scores are divided by √d_k.
    rule : str
        Why.
    sources : tuple of str
        Titles and identifiers.
    """

    key: str
    title: str
    changes: str
    arithmetic: str
    memory: str
    exact: bool
    same_model: bool
    keeps_rule: bool
    rule: str
    sources: tuple[str, ...]


VARIANTS = (
    Variant(
        key="dense",
        title="Dense attention",
        changes="Nothing: all scores are computed and kept in one table.",
        arithmetic="n²(d_k + d_v)",
        memory="n²",
        exact=True,
        same_model=True,
        keeps_rule=True,
        rule="The rule as published: scores are divided by √d_k before softmax.",
        sources=("Attention is all you need, arXiv:1706.03762",),
    ),
    Variant(
        key="tiled",
        title="Tiled attention",
        changes="Scores are made tile by tile, and softmax is continued from tile to tile.",
        arithmetic="n²(d_k + d_v)",
        memory="n·d_v for the result, and one tile",
        exact=True,
        same_model=True,
        keeps_rule=True,
        rule="Kept: the scores are the same numbers, in another order. Nothing is approximated.",
        sources=(
            "Online normalizer calculation for softmax, arXiv:1805.02867",
            "FlashAttention, arXiv:2205.14135",
        ),
    ),
    Variant(
        key="sliding-window",
        title="Sliding window",
        changes="A query sees only the keys near it; tiles outside the window are skipped.",
        arithmetic="n·window·(d_k + d_v)",
        memory="n·d_v for the result, and one tile",
        exact=True,
        same_model=False,
        keeps_rule=True,
        rule=(
            "Kept: a score's spread depends on d_k, not on how many keys there are. "
            "The entropy ceiling falls to ln(window)."
        ),
        sources=("Longformer: the long-document transformer, arXiv:2004.05150",),
    ),
    Variant(
        key="grouped-query",
        title="Grouped-query attention",
        changes="Groups of query heads share one head of keys and values.",
        arithmetic="n²(d_k + d_v)",
        memory="a key-value cache smaller by the size of a group",
        exact=True,
        same_model=False,
        keeps_rule=True,
        rule="Kept: every query head still takes dot products of width d_k with its group's keys.",
        sources=("GQA, arXiv:2305.13245",),
    ),
    Variant(
        key="multi-query",
        title="Multi-query attention",
        changes="All query heads share one head of keys and values.",
        arithmetic="n²(d_k + d_v)",
        memory="a key-value cache smaller by the number of heads",
        exact=True,
        same_model=False,
        keeps_rule=True,
        rule="Kept: sharing keys changes whose they are, not the width of a dot product.",
        sources=("Fast transformer decoding: one write-head is all you need, arXiv:1911.02150",),
    ),
    Variant(
        key="linear",
        title="Linear attention",
        changes="Softmax gives way to products of positive features, summed over keys only once.",
        arithmetic="n·d_k·d_v",
        memory="d_k·d_v",
        exact=False,
        same_model=False,
        keeps_rule=False,
        rule=(
            "Lost: there is no exponential of a score to keep in range, and features are "
            "normalized by their sum."
        ),
        sources=("Transformers are RNNs, arXiv:2006.16236",),
    ),
)
"""Ways to compute attention, from the plain one on."""
