"""The front end's files are compressed once each, however many ask; uploads stay in memory."""

import asyncio
import gzip
import tempfile

import middleware
import pytest
from middleware import FrontEnd, SecurityHeaders, security_headers
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send


async def beyond(scope: Scope, receive: Receive, send: Send) -> None:
    """Stand for Streamlit, which answers what the middleware passes on."""
    await send({"type": "http.response.start", "status": 404, "headers": []})
    await send({"type": "http.response.body", "body": b"passed on"})


async def ask(app: ASGIApp, path: str, **headers: str) -> list[Message]:
    """Return what the app sends for one request."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "GET", "path": path, "headers": pairs}
    await app(scope, receive, send)
    return sent


@pytest.fixture
def compressions(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Sizes of what has been compressed."""
    sizes: list[int] = []

    def compress(data: bytes, compresslevel: int, *, mtime: float) -> bytes:
        sizes.append(len(data))
        return gzip_compress(data, compresslevel, mtime=mtime)

    gzip_compress = gzip.compress
    monkeypatch.setattr(middleware.gzip, "compress", compress)
    return sizes


class TestFrontEnd:
    def test_thirty_at_once_wait_for_one_compression(self, compressions: list[int]) -> None:
        async def arrive() -> list[list[Message]]:
            front = FrontEnd(beyond)
            names = sorted(front._files)[:2]
            asked = [ask(front, n, **{"accept-encoding": "gzip"}) for n in ["/", *names] * 30]
            return await asyncio.gather(*asked)

        answers = asyncio.run(arrive())
        assert {answer[0]["status"] for answer in answers} == {200}
        assert len({answer[1]["body"] for answer in answers}) == 3
        assert len(compressions) == 3

    def test_all_pages_share_one_document(self, compressions: list[int]) -> None:
        async def browse() -> list[list[Message]]:
            front = FrontEnd(beyond)
            paths = ["/", "/divisor", "/no-such-page"]
            return [await ask(front, path, **{"accept-encoding": "gzip"}) for path in paths]

        assert len({answer[1]["body"] for answer in asyncio.run(browse())}) == 1
        assert len(compressions) == 1

    def test_one_reader_leaving_does_not_spoil_it_for_the_next(self) -> None:
        async def leave_and_arrive() -> list[Message]:
            front = FrontEnd(beyond)
            first = asyncio.create_task(ask(front, "/", **{"accept-encoding": "gzip"}))
            await asyncio.sleep(0)
            first.cancel()
            return await ask(front, "/", **{"accept-encoding": "gzip"})

        assert asyncio.run(leave_and_arrive())[0]["status"] == 200

    @pytest.mark.parametrize("path", ["/_stcore/health", "/favicon.png", "/media/a.png"])
    def test_the_rest_is_passed_on(self, path: str) -> None:
        assert asyncio.run(ask(FrontEnd(beyond), path))[1]["body"] == b"passed on"


class TestSecurityHeaders:
    def test_a_kept_answer_gets_them_once_each_time(self) -> None:
        async def twice() -> list[list[Message]]:
            app = SecurityHeaders(FrontEnd(beyond))
            return [await ask(app, "/", **{"accept-encoding": "gzip"}) for _ in range(2)]

        for answer in asyncio.run(twice()):
            names = [name for name, _ in answer[0]["headers"]]
            assert [names.count(name) for name, _ in security_headers()] == [1, 1, 1, 1]


class TestUploads:
    def test_never_become_files(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(**_: object) -> None:
            raise OSError("Read-only file system")

        monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
        content = bytes(range(256)) * 2**13  # 2 MiB
        head = b'--x\r\nContent-Disposition: form-data; name="f"; filename="f.npy"\r\n\r\n'
        pairs = [(b"content-type", b"multipart/form-data; boundary=x")]

        async def receive() -> Message:
            return {"type": "http.request", "body": head + content + b"\r\n--x--\r\n"}

        async def read() -> bytes:
            request = Request({"type": "http", "method": "PUT", "headers": pairs}, receive)
            async with request.form() as form:
                upload = form["f"]
                assert isinstance(upload, UploadFile)
                return await upload.read()

        assert asyncio.run(read()) == content
