"""What the server sends: health, headers, kept compression, and nothing to or from elsewhere."""

import asyncio
import gzip
import http.client
import re
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser

from tests.bench.load.reader import Reader
from tests.browser.harness import Tab, start_server

COMPRESSED = {"Accept-Encoding": "gzip"}


@dataclass(frozen=True)
class Answer:
    """One HTTP answer, as it came over the wire."""

    status: int
    headers: Message
    body: bytes


def get(address: str, headers: dict[str, str] | None = None, method: str = "GET") -> Answer:
    """Ask as a client that follows nothing and unpacks nothing."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.netloc, timeout=20)
    connection.request(method, address.partition(parts.netloc)[2] or "/", headers=headers or {})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return Answer(answer.status, answer.headers, body)


@pytest.fixture(scope="module")
def script(server: str) -> str:
    """Address of the script that starts the front end."""
    name = re.search(r'src="\./(static/js/[^"]+\.js)"', get(server).body.decode())
    assert name is not None
    return f"{server}/{name[1]}"


class TestAnswers:
    def test_health_is_told_by_the_body(self, server: str) -> None:
        answer = get(f"{server}/_stcore/health")
        assert (answer.status, answer.body) == (200, b"ok")

    @pytest.mark.parametrize("path", ["/", "/divisor", "/no-such-page"])
    def test_every_page_path_gives_the_document(self, server: str, path: str) -> None:
        answer = get(server + path)
        assert answer.status == 200
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert "<title>Why √dₖ?</title>" in answer.body.decode()

    @pytest.mark.parametrize(
        ("path", "status", "location"),
        [
            ("/divisor/", 301, "/divisor"),
            ("/divisor/beneath/it", 307, "/divisor"),
            ("//elsewhere.example", 400, None),
            ("/static/%2e%2e/%2e%2e/config.toml", 400, None),
            ("/divisor/_stcore/health", 404, None),
        ],
    )
    def test_odd_paths(self, server: str, path: str, status: int, location: str | None) -> None:
        answer = get(server + path)
        assert (answer.status, answer.headers["location"]) == (status, location)


class TestCompression:
    def test_same_content(self, script: str) -> None:
        plain, small = get(script), get(script, COMPRESSED)
        assert plain.headers["content-encoding"] is None
        assert small.headers["content-encoding"] == "gzip"
        assert gzip.decompress(small.body) == plain.body
        assert len(small.body) < len(plain.body) / 2
        assert small.headers["vary"] == "accept-encoding"
        # The types of the same script by Streamlit and by us differ only in the charset.
        assert plain.headers["content-type"].partition(";")[0] in small.headers["content-type"]
        assert small.headers["cache-control"] == plain.headers["cache-control"]
        assert "immutable" in small.headers["cache-control"]

    @pytest.mark.parametrize("page", [False, True])
    def test_unchanged_content_is_not_sent_again(self, script: str, page: bool) -> None:
        address = re.sub(r"/static/.*", "/divisor", script) if page else script
        first = get(address, COMPRESSED)
        again = get(address, COMPRESSED | {"If-None-Match": first.headers["etag"]})
        assert (again.status, again.body) == (304, b"")
        assert again.headers["etag"] == first.headers["etag"]
        assert again.headers["cache-control"] == first.headers["cache-control"]

    def test_the_document_is_asked_for_again_each_time(self, server: str) -> None:
        small = get(server, COMPRESSED)
        assert small.headers["cache-control"] == "no-cache"
        assert gzip.decompress(small.body) == get(server).body

    def test_part_of_a_file_is_not_compressed(self, script: str) -> None:
        part = get(script, COMPRESSED | {"Range": "bytes=0-9"})
        assert part.status == 206
        assert part.headers["content-encoding"] is None
        assert part.body == get(script).body[:10]

    def test_head_says_what_get_would_send(self, script: str) -> None:
        head = get(script, COMPRESSED, method="HEAD")
        assert head.body == b""
        assert int(head.headers["content-length"]) == len(get(script, COMPRESSED).body)

    def test_first_visit_is_at_most_2_8_megabytes(self, server: str, browser: Browser) -> None:
        context = browser.new_context()
        tab = Tab(context.new_page(), server)
        network = context.new_cdp_session(tab.page)
        network.send("Network.enable")
        sizes: list[int] = []
        network.on(
            "Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"])
        )
        tab.goto("/divisor")
        context.close()
        assert len(sizes) > 50
        assert 1_000_000 < sum(sizes) <= 2_800_000


class TestHeaders:
    @pytest.mark.parametrize("path", ["/", "/_stcore/health", "/static/nothing.js"])
    def test_every_answer_has_them(self, server: str, path: str) -> None:
        headers = get(server + path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert "camera=()" in headers["permissions-policy"]
        assert headers["x-frame-options"] is None  # would contradict frame-ancestors
        assert len(headers.get_all("content-security-policy")) == 1

    def test_policy_allows_this_server_alone(self, server: str) -> None:
        policy = get(server).headers["content-security-policy"]
        directives = dict(part.split(" ", 1) for part in policy.split("; "))
        assert directives["default-src"] == "'self'"
        assert directives["frame-ancestors"] == "'self'"
        assert "unsafe-inline" not in directives["script-src"]
        assert "unsafe-eval" not in directives["script-src"]
        assert "http" not in policy
        assert "*" not in policy

    @pytest.mark.parametrize(
        "attempt",
        [
            "() => { const s = document.createElement('script');"
            " s.textContent = 'window.ran = true'; document.body.append(s); }",
            "() => setTimeout('window.ran = true')",
            "() => fetch('https://elsewhere.example/').catch(() => null)",
            "() => { document.body.append(Object.assign(document.createElement('iframe'),"
            " {src: 'https://elsewhere.example/'})); }",
        ],
        ids=["inline", "eval", "fetch", "frame"],
    )
    def test_browser_refuses(self, open_page: Callable[..., Tab], attempt: str) -> None:
        tab = open_page("/")
        assert tab.problems == []
        tab.page.evaluate(attempt)
        tab.wait_for_problem("Content Security Policy")
        assert tab.page.evaluate("() => window.ran") is None
        tab.abandon()


class TestHosting:
    def test_base_path_and_frames(self, open_page: Callable[..., Tab], tmp_path: Path) -> None:
        with start_server(
            tmp_path / "log",
            STREAMLIT_SERVER_BASE_URL_PATH="school/why",
            WHYSQRTDK_FRAME_ANCESTORS="'self' https://lms.example",
        ) as running:
            policy = get(running.address).headers["content-security-policy"]
            assert policy.endswith("frame-ancestors 'self' https://lms.example")
            tab = open_page("/divisor", query="divisor=2", address=running.address)
            assert tab.path == "/divisor?divisor=2"
            tab.page.reload()
            tab.settle()
            tab.page.get_by_role("link", name="Widen the head").first.click()
            tab.page.wait_for_url("**/school/why/head-width*")
            tab.settle()
            tab.close()

    def test_stops_when_told_to(self, open_page: Callable[..., Tab], tmp_path: Path) -> None:
        with start_server(tmp_path / "log") as running:
            tab = open_page("/", address=running.address)
            running.process.send_signal(signal.SIGTERM)
            # A container's host waits ten seconds before it kills.
            assert running.process.wait(10) in (0, -signal.SIGTERM)
            tab.wait_for_problem("ERR_CONNECTION_REFUSED")  # as it looks for its server
            tab.abandon()
        assert "Traceback" not in (tmp_path / "log").read_text()


class TestStart:
    def test_a_class_may_arrive_while_it_loads(self, tmp_path: Path) -> None:
        async def arrive(address: str) -> None:
            async with asyncio.TaskGroup() as group:
                for page in 5 * ("sweep", "cost", "more-keys", "own"):
                    group.create_task(visit(address, page))

        async def visit(address: str, page: str) -> None:
            reader = Reader(address, page)
            await reader.open()
            await reader.close()

        # Playwright has a loop of its own in this thread.
        with start_server(tmp_path / "log") as running, ThreadPoolExecutor() as other:
            other.submit(asyncio.run, arrive(running.address)).result()
        assert "Traceback" not in (tmp_path / "log").read_text()
