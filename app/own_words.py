"""What the page on the reader's own arrays says: verdict, comparison and tables, from core."""

import words
from charts.own import MEASURES, NAMES
from frames import Frame, frame
from uploads import as_markdown

from core.diagnosis import Diagnosis
from core.head_diagnosis import HeadDiagnosis
from core.verdict import Verdict

PRINTED_ROWS = 100


def _reason(text: str) -> str:
    """Write a sentence of core as the pages do: dₖ, and nothing read as Markdown."""
    return as_markdown(text.replace("d_k", "dₖ"))


def describe(head: HeadDiagnosis) -> str:
    """Say what the comparison shows, in words."""
    rows = [
        f"{NAMES[entry.name]}: {title.replace('-<br>', '-').replace('<br>', ' ')} "
        f"{words.probability(getattr(entry, field))}"
        for entry in head.divisors
        for field, title in MEASURES.items()
        if getattr(entry, field) is not None
    ]
    return "; ".join(rows) or "No row has two keys to choose between."


def told(head: HeadDiagnosis, verdict: Verdict, diagnosis: Diagnosis) -> str:
    """Write the verdict and its reasons, as Markdown."""
    several = len(diagnosis.heads) > 1
    lines = [f"**{head.label.capitalize()}: {verdict.word}.** {_reason(verdict.sentence)}", ""]
    lines += [f"- {_reason(reason)}" for reason in verdict.reasons]
    chosen = head.divisors[-1]
    if chosen.name == "chosen" and chosen.mean_max_weight is not None:
        lines.append(
            f"- Divided by yours, {words.short(chosen.divisor)}, the mean largest weight is "
            f"{words.probability(chosen.mean_max_weight)}."
        )
    if several:
        lines += ["", f"**All {len(diagnosis.heads)} heads: {diagnosis.verdict.word}.**", ""]
        lines += [f"- {_reason(reason)}" for reason in diagnosis.verdict.reasons]
    return "\n".join(lines)


def numbers(diagnosis: Diagnosis) -> tuple[Frame, Frame]:
    """Tabulate the heads: the first as printed, all of them and every divisor in full."""
    pairs = list(zip(diagnosis.heads, diagnosis.verdicts, strict=True))[:PRINTED_ROWS]

    def shown(value: float | None) -> str:
        return "–" if value is None else words.probability(value)

    printed = [
        {
            "head": head.label,
            "verdict": verdict.word,
            "std ÷ √dₖ": words.significant(head.std_ratio),
            "entropy, raw": shown(head.at("none").mean_normalized_entropy),
            "over √dₖ": shown(head.at("sqrt_d_k").mean_normalized_entropy),
        }
        for head, verdict in pairs
    ]
    return frame(printed), frame(diagnosis.table())
