"""What the server adds to Streamlit's own answers.

Streamlit sends its front end, 7.5 MB in some seventy files, uncompressed: compressing on every
request would cost each newcomer a share of the processor. The files never change while the server
runs, so here each is compressed once, when it is first asked for, and kept. Thirty laptops that
arrive together wait for one compression.

The one HTML document is changed in three places: its title, the address of the server, which
Streamlit would otherwise find by asking beneath the page's path first and failing, and what makes
one entry of a change of page in the browser's history. Every answer also carries the headers that
confine a page to what this server sent.
"""

import asyncio
import base64
import gzip
import hashlib
import mimetypes
import os
import re
from functools import cache
from pathlib import Path

import streamlit as st
from starlette.datastructures import Headers
from starlette.formparsers import MultiPartParser
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.file_util import get_static_dir

# An upload stays in memory, whole, as its page says; by default more than a megabyte of it would go
# to a temporary file, and fail where nothing can be written. Larger ones are refused anyway.
MultiPartParser.spool_max_size = (st.get_option("server.maxUploadSize") + 1) * 2**20

COMPRESSIBLE = {".css", ".js", ".json", ".svg", ".wasm"}
PAGE = re.compile(r"/[\w-]*")
BENEATH_A_PAGE = re.compile(r"(/(?!_stcore|component|media|static)[\w-]+)/(?!.*_stcore)[\w/-]+")
# The server's address, seen from any page: the folder that the page's path lies in.
SERVER_ADDRESS = "window.__streamlit = {BACKEND_BASE_URL: new URL('./', location.href).href}"
HISTORY = Path(__file__).parent / "live" / "history.js"


@cache
def document() -> bytes:
    """Return the page that starts the front end."""
    html = (Path(get_static_dir()) / "index.html").read_text(encoding="utf-8")
    html = html.replace("<title>Streamlit</title>", "<title>Why √dₖ?</title>", 1)
    scripts = (
        f"<script>{SERVER_ADDRESS}</script><script>{HISTORY.read_text(encoding='utf-8')}</script>"
    )
    return html.replace("<head>", f"<head>\n    {scripts}", 1).encode()


@cache
def security_headers() -> list[tuple[bytes, bytes]]:
    """Return the headers of every answer; scripts are those of this server or known by hash."""
    inline = re.findall(rb"<script>(.*?)</script>", document(), re.DOTALL)
    hashes = [base64.b64encode(hashlib.sha256(script).digest()).decode() for script in inline]
    policy = {
        "default-src": "'self'",
        # blob: is how Streamlit starts the script of a component.
        "script-src": " ".join(["'self'", "blob:", *(f"'sha256-{digest}'" for digest in hashes)]),
        "style-src": "'self' 'unsafe-inline'",  # Streamlit and Plotly style elements in place
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "media-src": "'self' blob:",
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": os.environ.get("WHYSQRTDK_FRAME_ANCESTORS", "'self'"),
    }
    headers = {
        "content-security-policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    }
    return [(name.encode(), value.encode()) for name, value in headers.items()]


class SecurityHeaders:
    """Add the security headers to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and the answer back with the headers."""
        if scope["type"] != "http":  # a reader's session: not an answer, and thousands of messages
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                # A new list: the old one may belong to an answer that is kept.
                message = {**message, "headers": [*message["headers"], *security_headers()]}
            await send(message)

        await self._app(scope, receive, send_with_headers)


class FrontEnd:
    """Answer for the front end's document and files, each compressed once and kept."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        base = st.get_option("server.baseUrlPath").strip("/")
        self._prefix = f"/{base}" if base else ""
        root = Path(get_static_dir())
        self._files = {
            f"/{path.relative_to(root).as_posix()}": path
            for path in root.glob("static/**/*")
            if path.suffix in COMPRESSIBLE
        }
        self._kept: dict[tuple[str, bool], asyncio.Task[Response]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what is the front end's, pass on everything else."""
        answer = None
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
            answer = await self._answer(scope["path"], Headers(scope=scope))
        await (answer or self._app)(scope, receive, send)

    async def _answer(self, path: str, request: Headers) -> Response | None:
        if not path.startswith(self._prefix):
            return None
        name = path.removeprefix(self._prefix)
        if beneath := BENEATH_A_PAGE.fullmatch(name):
            # Files are addressed relative to the page, so there the front end would find none.
            return RedirectResponse(self._prefix + beneath[1])
        compress = "gzip" in request.get("accept-encoding", "")
        if PAGE.fullmatch(name):
            name = "/"  # one document for all pages
        elif not compress or "range" in request or name not in self._files:
            return None
        key = (name, compress)
        if key not in self._kept:
            self._kept[key] = asyncio.create_task(asyncio.to_thread(self._build, *key))
        # A reader who gives up must not end the work that the others wait for.
        answer = await asyncio.shield(self._kept[key])
        if answer.headers["etag"] in request.get("if-none-match", ""):
            kept = ("cache-control", "etag", "vary")
            return Response(status_code=304, headers={name: answer.headers[name] for name in kept})
        return answer

    def _build(self, name: str, compress: bool) -> Response:
        body = document() if name == "/" else self._files[name].read_bytes()
        media_type = "text/html" if name == "/" else mimetypes.guess_type(name)[0]
        digest = hashlib.sha256(body).hexdigest()[:32]
        headers = {
            # The names of the files change with their content; the document's does not.
            "cache-control": "no-cache" if name == "/" else "public, immutable, max-age=31536000",
            "etag": f'"{digest}-gzip"' if compress else f'"{digest}"',
            "vary": "accept-encoding",
        }
        if compress:
            headers["content-encoding"] = "gzip"
            body = gzip.compress(body, compresslevel=6, mtime=0)
        return Response(body, headers=headers, media_type=media_type)
