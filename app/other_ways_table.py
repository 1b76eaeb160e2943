"""The other ways in numbers: as printed, and all rules in full for the file."""

from collections.abc import Sequence

import words
from charts.gradients import norm
from charts.rule_styles import STYLES
from frames import Frame, frame
from other_ways_report import WIDTHS, share

from core.alternatives import Alternatives, FloatArray
from core.gradients import QUANTILES
from core.intervals import Estimate

NOTE = (
    "Standard deviation of what softmax is given, means over rows, the median gradient, and the "
    "share of rows whose raw leader loses the lead or shares it. For +1 the entropy counts the "
    "sink. The file has all rules with 95 % intervals."
)


def table(found: Alternatives, shown: Sequence[str]) -> tuple[Frame, Frame]:
    """Tabulate the rules shown at every width: as printed, and all rules in full."""
    printed = [
        {
            "dₖ": words.count(d_k),
            "rule": STYLES[name].name,
            "std": words.significant(of_rule.logit_std.value[i]),
            "entropy (nats)": words.nats(of_rule.entropy.value[i]).removesuffix(
                f"{words.SPACE}nats"
            ),
            "largest weight": words.soft_probability(of_rule.max_weight.value[i]),
            "median ‖∂w/∂s‖": norm(float(of_rule.gradient.median[i])),
            "other leader": share(of_rule.changed.value[i]),
            "tie, float32": share(of_rule.tied_float32.value[i]),
        }
        for i, d_k in enumerate(WIDTHS)
        for name, of_rule in found.rules.items()
        if name in shown
    ]
    full: list[dict[str, object]] = []
    for name, of_rule in found.rules.items():
        columns: dict[str, FloatArray] = {}
        for field in ("logit_std", "entropy", "max_weight", "changed", "tied", "tied_float32"):
            columns |= _columns(field, getattr(of_rule, field))
        quantiles = of_rule.gradient.quantiles
        columns |= {f"gradient q{q}": quantiles[j] for j, q in enumerate(QUANTILES)}
        columns |= {
            "gradient median low": of_rule.gradient.median_low,
            "gradient median high": of_rule.gradient.median_high,
        }
        if name == "sink":
            columns |= _columns("sink weight", found.sink_weight)
        full += [
            {"d_k": d_k, "rule": name} | {title: cells[i] for title, cells in columns.items()}
            for i, d_k in enumerate(WIDTHS)
        ]
    return frame(printed), frame(full)


def _columns(name: str, estimate: Estimate) -> dict[str, FloatArray]:
    return {name: estimate.value, f"{name} low": estimate.low, f"{name} high": estimate.high}
