"""The one visual language: colours, markers and dashes, and the frame every figure starts from.

Raw is vermilion, a circle, dashed; scaled is blue, a square, solid; on every page. Figures have a
fixed height and fixed axis ranges, so that nothing moves but the data, and no template, because
Streamlit rebuilds a chart at every change and a template is most of its bytes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go


@dataclass(frozen=True)
class Palette:
    """Colours of one theme; text colours reach 4.5:1 on the page's background, marks 3:1.

    ``keys`` tells things apart that are neither raw nor scaled: keys, rules, formats. They differ
    in lightness as much as in hue, so that no kind of colour blindness makes two of them alike.
    """

    raw: str
    scaled: str
    exact: str
    text: str
    muted: str
    grid: str
    background: str
    keys: tuple[str, ...]


#: Okabe-Ito hues; the dark variants are lightened to 4.5:1 on the dark background.
LIGHT = Palette(
    raw="#D55E00",
    scaled="#0072B2",
    exact="#4B5563",
    text="#1F2937",
    muted="#4B5563",
    grid="#E5E7EB",
    background="#FFFFFF",
    keys=("#533275", "#115B3D", "#804B00", "#B3558F", "#50310C"),
)
DARK = Palette(
    raw="#FF8A3D",
    scaled="#5AB4F0",
    exact="#C3C9D4",
    text="#E5E7EB",
    muted="#B4BBC7",
    grid="#303642",
    background="#0E1117",
    keys=("#9C7DBE", "#4DE6AD", "#FCC323", "#C57A9B", "#B69B63"),
)


#: Vermilion on white is enough for marks; words in it are a shade darker.
_IN_WORDS = {LIGHT.raw: "#B34F00"}


def ink(colour: str) -> str:
    """Return the colour for words about what is drawn in ``colour``."""
    return _IN_WORDS.get(colour, colour)


def palette(dark: bool) -> Palette:
    """Return the colours for the dark or the light theme."""
    return DARK if dark else LIGHT


RAW = {"symbol": "circle", "dash": "dash", "name": "raw"}
SCALED = {"symbol": "square", "dash": "solid", "name": "scaled"}

FONT = "Source Sans, sans-serif"


class Prepared(go.Figure):  # type: ignore[misc] # Plotly brings no types
    """A figure that is handed over as it was put together.

    Plotly checks a figure property by property, which takes longer than all else on most pages and
    finds nothing in the hundredth that it did not find in the first. Tests have it check each.
    Nothing of it is ever asked for but `to_dict`, so that nothing else of a figure is set up.
    """

    def __init__(self, described: dict[str, Any]) -> None:
        self._described: dict[str, Any] = _plain(described)

    def to_dict(self) -> dict[str, Any]:
        """Return what the browser is sent."""
        return self._described


def _plain(part: Any) -> Any:
    """Turn arrays into lists, all through.

    Plotly looks whether an array is one of pandas, which another reader may be loading just then.
    """
    if isinstance(part, dict):
        return {name: _plain(inner) for name, inner in part.items()}
    if isinstance(part, list | tuple):
        return [_plain(inner) for inner in part]
    return part.tolist() if isinstance(part, np.ndarray | np.generic) else part


make: Callable[[dict[str, Any]], go.Figure] = Prepared
"""What makes a figure of its description."""


def figure(
    colours: Palette,
    *,
    height: int,
    margin: dict[str, int] | None = None,
    data: Sequence[dict[str, Any]] = (),
    **layout: Any,
) -> go.Figure:
    """Put a figure together: empty template, fixed height, no legend, no dragging.

    A swipe over the chart scrolls the page (``dragmode`` off), and reads values by hover.
    ``data`` are its traces and ``annotations`` its words, see `label`; nothing is added later.
    """
    described = {
        "data": list(data),
        "layout": {
            "template": {},
            "height": height,
            "margin": margin or {"l": 56, "r": 16, "t": 36, "b": 48},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"family": FONT, "size": 14, "color": colours.text},
            "showlegend": False,
            "dragmode": False,
            "hoverlabel": {
                "bgcolor": colours.background,
                "bordercolor": colours.muted,
                "font": {"family": FONT, "color": colours.text},
            },
            **layout,
        },
    }
    return make(described)


def axis(colours: Palette, title: str, span: Sequence[float] | None = None, **more: Any) -> Any:
    """Describe an axis with a title (and unit) and, wherever it can be known, a fixed range."""
    return {
        "title": {"text": title, "standoff": 8, "font": {"size": 14, "color": colours.muted}},
        "range": list(span) if span is not None else None,
        "fixedrange": True,
        "gridcolor": colours.grid,
        "zeroline": False,
        "linecolor": colours.muted,
        "tickfont": {"size": 13, "color": colours.muted},
        "automargin": False,
        **more,
    }


def label(
    text: str,
    x: float,
    y: float,
    colour: str,
    *,
    size: int = 13,
    paper: bool = True,
    **more: Any,
) -> dict[str, Any]:
    """Describe words in a figure: a panel's title (paper coordinates), or a label on its line."""
    where = {"xref": "paper", "yref": "paper"} if paper else {}
    return {
        "text": text,
        "x": x,
        "y": y,
        "showarrow": False,
        "xanchor": "left",
        "yanchor": "bottom",
        "font": {"size": size, "color": ink(colour)},
        **where,
        **more,
    }
