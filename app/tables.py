"""Files that pages ask for by themselves: the table behind the live divisor."""

import gzip

import streamlit as st
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response


def path_of(name: str) -> str:
    """Return the path of a file, beneath the one that the explorer is served under."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return f"/{base}/{name}" if base else f"/{name}"


def divisor_table_file(request: Request) -> Response:
    """Answer with the live divisor's table for a shift of the scores and a theme."""
    from controls_see import SHIFT  # only now: the server is to answer before NumPy is loaded
    from live import table_file

    shift, dark = request.query_params.get("shift", ""), request.query_params.get("dark", "")
    if not SHIFT.valid(shift) or dark not in {"0", "1"}:
        return PlainTextResponse(f"shift takes {SHIFT.accepts()}, dark 0 or 1.", 400)
    body = table_file(float(shift), dark == "1")[1]
    headers = {"cache-control": "public, immutable, max-age=31536000", "vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
    else:
        body = gzip.decompress(body)
    return Response(body, headers=headers, media_type="application/json")
