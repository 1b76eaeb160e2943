"""Put pictures that core's numbers were drawn into on the page, with a way to save each."""

import gzip
import json
from dataclasses import asdict, dataclass
from pathlib import Path

import streamlit as st

_folder = Path(__file__).parent / "live"
_mount = st.components.v2.component(
    "why_sqrt_dk_drawing",
    html='<div class="pictures"></div>',
    css=(_folder / "drawing.css").read_text(encoding="utf-8"),
    js=(_folder / "drawing.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


@dataclass(frozen=True)
class Picture:
    """A picture and what goes with it.

    Parameters
    ----------
    svg
        The picture, or two of it in a row, of the classes ``wide`` and ``narrow``.
    alt
        Its description in words.
    name
        What its button saves, in words.
    file
        Name of the saved file without its ending.
    share
        Its part of the row's width, beside the others of the row.
    """

    svg: str
    alt: str
    name: str
    file: str
    share: int = 1


def encode(*pictures: Picture) -> bytes:
    """Write pictures of one row as `drawing` takes them: once, for all who see them.

    What is sent is copied half a dozen times on its way to the browser, and shapes repeat
    themselves: packed, they take a sixth.
    """
    written = json.dumps([asdict(picture) for picture in pictures], ensure_ascii=False)
    return gzip.compress(written.encode(), mtime=0)


def drawing(pictures: bytes, *, key: str) -> None:
    """Show pictures in a row, or below each other where that is too narrow.

    They are one element, because each element has its price at every change.
    """
    _mount(key=key, data=pictures)
