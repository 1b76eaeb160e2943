"""Put a picture that core's numbers were drawn into on the page, with a way to save it."""

from pathlib import Path

import streamlit as st

_folder = Path(__file__).parent / "live"
_mount = st.components.v2.component(
    "why_sqrt_dk_drawing",
    html='<div class="drawing" role="img"></div><button class="save" type="button"></button>',
    css=(_folder / "drawing.css").read_text(encoding="utf-8"),
    js=(_folder / "drawing.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def drawing(svg: str, *, key: str, alt: str, name: str) -> None:
    """Show a picture with its description in words; ``name`` says what its button saves."""
    _mount(key=key, data={"svg": svg, "alt": alt, "name": name, "file": f"why-sqrt-dk-{key}.png"})
