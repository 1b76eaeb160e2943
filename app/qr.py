"""A link as a QR code, for thirty telephones that shall not type it."""

import io
from functools import lru_cache

import segno
import streamlit as st

#: Longest link that a camera still reads from a projector.
LONGEST = 600


@lru_cache(maxsize=256)
def _png(link: str) -> bytes:
    image = io.BytesIO()
    segno.make(link, error="m", micro=False).save(
        image, kind="png", scale=6, border=4, dark="#000000", light="#ffffff"
    )
    return image.getvalue()


def qr_code(link: str) -> None:
    """Show a link as a QR code, dark on light in both themes, with its quiet zone."""
    if len(link) > LONGEST:
        st.markdown(f"This link has {len(link)} characters; a QR code here takes {LONGEST}.")
        return
    st.image(_png(link), width=220, alt="QR code of the link beside it", output_format="PNG")
