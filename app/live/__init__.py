"""The live divisor: a slider that follows the thumb without asking the server.

core computes one row of the table for each position of the thumb; here the rows become texts and
lengths; in the browser `divisor.js` looks them up while the thumb is dragged. The server hears of
the divisor once it is released. The table is a file that the browser fetches once: with every
change it would be most of what the server sends.
"""

import gzip
import hashlib
import json
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
import streamlit as st
import words
from charts.base import palette

from core.divisor import DIVISORS, DividedScores, divide, divisor_position, divisor_table
from core.examples import DIVISOR_EXAMPLE
from core.scores import dot_product_scores

SCORES = dot_product_scores(DIVISOR_EXAMPLE.query, DIVISOR_EXAMPLE.key)[0]
KEYS = ("key 1", "key 2", "key 3")
SQRT_D_K = 3.0**0.5
CEILING = np.log(len(KEYS))

#: divisor, label, how it is spoken, and the side its label hangs on.
MARKS = (
    (1.0, "1 no scaling", "Divide by 1: no scaling", "left"),
    (SQRT_D_K, "√3 = √dₖ", "Divide by the square root of d_k, √3", "middle"),
    (3.0, "3 = dₖ", "Divide by d_k, 3: the common mistake", "right"),
)
TICKS = (0.25, 0.5, 1, 2, 5, 10)
DASHES = ("", "7 4", "2 3")

_folder = Path(__file__).parent
_mount = st.components.v2.component(
    "why_sqrt_dk_divisor",
    html=(_folder / "divisor.html").read_text(encoding="utf-8"),
    css=(_folder / "divisor.css").read_text(encoding="utf-8"),
    js=(_folder / "divisor.js").read_text(encoding="utf-8"),
)


def _travel(divisor: float) -> float:
    """Return where a divisor lies on the slider, in percent of its travel."""
    return 100 * divisor_position(divisor) / (len(DIVISORS) - 1)


def _name(divisor: float) -> str:
    return "√3 ≈ 1.732" if abs(divisor - SQRT_D_K) < 1e-4 else words.short(divisor)


def _note(divisor: float) -> str:
    if divisor < DIVISORS[0] or divisor > DIVISORS[-1]:
        return "beyond the slider’s travel"
    for mark, note in ((1.0, "no scaling"), (SQRT_D_K, "√dₖ, the rule"), (3.0, "dₖ, too much")):
        if abs(divisor - mark) < 1e-4:
            return note
    return ""


def _row(table: DividedScores, i: int | tuple[()], raw: tuple[str, ...]) -> dict[str, Any]:
    """Turn one row of core's table into what the browser shows for it."""
    divisor, weights = float(table.divisor[i]), table.weights[i]
    return {
        "divisor": _name(divisor),
        "note": _note(divisor),
        "divided": [
            f"{score} ÷ {words.short(divisor)} = {words.significant(float(x))}"
            for score, x in zip(raw, table.scores[i], strict=True)
        ],
        "weights": [round(float(w), 5) for w in weights],
        "width": [f"{100 * w:.2f}%" for w in weights],
        "percent": [words.soft_percent(float(w)) for w in weights],
        "entropy": words.nats(float(table.entropy[i])),
        "share": round(float(table.normalized_entropy[i]), 5),
        "effective": words.significant(float(table.effective_keys[i])),
        "x": round(_travel(divisor), 3),
        "tops": [round(100 * (1 - float(w)), 3) for w in weights],
    }


def table(shift: float, dark: bool) -> dict[str, Any]:
    """Build everything about the slider that does not depend on where the thumb is."""
    colours = palette(dark)
    rows = divisor_table(SCORES, shift=shift)
    raw = _raw_labels(shift)
    curves = []
    for k, name in enumerate(KEYS):
        points = " ".join(
            f"{100 * i / (len(DIVISORS) - 1):.2f},{100 * (1 - w):.2f}"
            for i, w in enumerate(rows.weights[:, k])
        )
        end = float(rows.weights[-1, k])
        # Three names that would touch are spread around the middle one.
        top = 100 * (1 - end) + (k - 1) * 6
        curves.append(
            {
                "name": name,
                "points": points,
                "colour": colours.keys[k],
                "dash": DASHES[k],
                "nameTop": f"{top:.1f}%",
                "pictureY": f"{65 + 2.6 * top:.0f}",
            }
        )
    return {
        "keys": [
            {"name": f"{name} (score {score})", "colour": colour}
            for name, score, colour in zip(KEYS, raw, colours.keys, strict=False)
        ],
        "rows": [_row(rows, i, raw) for i in range(len(DIVISORS))],
        "curves": curves,
        "marks": [
            {
                "label": label,
                "spoken": spoken,
                "side": side,
                "index": divisor_position(d),
                "left": f"{_travel(d):.3f}%",
            }
            for d, label, spoken, side in MARKS
        ],
        "ticks": [{"label": words.short(d), "left": f"{_travel(d):.2f}%"} for d in TICKS],
        "ceiling": f"ln 3 = {CEILING:.3f} nats",
        "curvesSpoken": (
            "Weights against the divisor, 0.25 to 10: key 1 falls from nearly 1 towards one third,"
            " keys 2 and 3 rise towards it."
        ),
        "travel": f"divisor {DIVISORS[0]:g} to {DIVISORS[-1]:g}, logarithmic",
        "ink": colours.text,
        "paper": colours.background,
        "file": "why-sqrt-dk-divisor.svg",
    }


@lru_cache(maxsize=64)
def table_file(shift: float, dark: bool) -> tuple[str, bytes]:
    """Return the table's address, beneath that of the server, and what lies there, compressed.

    The address changes with the content, so that a browser may keep the file for good.
    """
    body = json.dumps(table(shift, dark), ensure_ascii=False, separators=(",", ":")).encode()
    version = hashlib.sha256(body).hexdigest()[:16]
    query = urlencode({"shift": shift, "dark": int(dark), "version": version})
    return f"divisor.json?{query}", gzip.compress(body, mtime=0)


def _raw_labels(shift: float) -> tuple[str, ...]:
    return tuple(words.short(float(score + shift)) for score in SCORES)


@lru_cache(maxsize=1024)
def _held(divisor: float, shift: float, dark: bool) -> bytes:
    """Write what the slider shows before it is dragged.

    It is handed over as bytes: of anything else Streamlit asks first whether it is a table.
    """
    row = divide(SCORES, divisor, shift=shift)
    held = {
        "table": table_file(shift, dark)[0],
        "index": divisor_position(divisor),
        "current": _row(row, (), _raw_labels(shift)),
    }
    return json.dumps(held).encode()


def live_divisor(
    divisor: float, *, key: str, shift: float = 0.0, on_release: Callable[[float], None]
) -> None:
    """Show the slider at a divisor, and the scores, shifted and divided by it.

    ``on_release`` is called with the divisor that the thumb is left at.
    """

    def released() -> None:
        position = st.session_state[key].position
        if isinstance(position, int) and 0 <= position < len(DIVISORS):
            on_release(float(DIVISORS[position]))

    held = _held(float(divisor), float(shift), st.context.theme.type == "dark")
    _mount(key=key, data=held, on_position_change=released)
