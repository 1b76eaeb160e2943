"""Two replicas behind the nginx of ``assets/deploy``, and what the loss of one leaves."""

import contextlib
import http.client
import io
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, WebSocket, expect

from tests.browser.harness import ROOT, Server, Tab, free_port, start_server, wait_until_healthy

pytestmark = pytest.mark.browser

DEPLOY = ROOT / "assets" / "deploy"
COOKIE = "why_reader"
# What nginx could write to; the tests take the folders away, so that it fails if it tries.
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
# What a package's or an image's nginx.conf says around the file under test.
AROUND = """
daemon off;
pid {folder}/pid;
error_log {folder}/error.log;
events {{ }}
http {{
    {temporary}
    include {deploy}/nginx.conf;
}}
"""


def write_settings(folder: Path, port: int, replicas: list[str]) -> Path:
    """Write what differs from host to host: the shipped files with other addresses."""

    def adapt(name: str, changes: dict[str, str]) -> None:
        text = (DEPLOY / name).read_text(encoding="utf-8")
        for shipped, ours in changes.items():
            assert text.count(shipped) == 1, f"{name} says {shipped} once"
            text = text.replace(shipped, ours)
        (folder / name).write_text(text, encoding="utf-8")

    log = {"/var/log/nginx/access.log": f"{folder}/access.log"}
    adapt("listen.conf", {"listen 8080;": f"listen 127.0.0.1:{port};"} | log)
    adapt("replicas.conf", {f"app-{i}:8501": at for i, at in enumerate(replicas, 1)})
    main = folder / "nginx.conf"
    temporary = "\n    ".join(f"{name}_temp_path {folder}/{name};" for name in TEMPORARY)
    text = AROUND.format(folder=folder, deploy=DEPLOY, temporary=temporary)
    main.write_text(text, encoding="utf-8")
    return main


@contextlib.contextmanager
def start_nginx(folder: Path, replicas: list[Server]) -> Iterator[str]:
    """Run nginx in front of two replicas and yield its address, their base path included."""
    # Debian has it where only root looks.
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if nginx is None:
        raise FileNotFoundError("no nginx on the PATH; tests/run fetches one on Debian as root")
    port = free_port()
    parts = [urlsplit(replica.address) for replica in replicas]
    main = write_settings(folder, port, [part.netloc for part in parts])
    log = folder / "error.log"
    command = [nginx, "-e", str(log), "-c", str(main)]
    check = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
    assert check.returncode == 0, check.stderr
    process = subprocess.Popen(command)
    address = f"http://127.0.0.1:{port}{parts[0].path}"
    try:
        wait_until_healthy(address, process, log)
        for name in TEMPORARY:
            (folder / name).rmdir()
        yield address
    finally:
        process.terminate()
        process.wait(10)


@dataclass(frozen=True)
class School:
    """Two replicas and the proxy in front of them."""

    address: str
    replicas: list[Server]
    folder: Path

    def cookie(self, replica: int) -> str:
        """Return a cookie as nginx sets it, one that leads to this replica."""
        while True:
            answer = ask(self.address)
            cookie = answer.headers["set-cookie"].partition(";")[0].removeprefix(f"{COOKIE}=")
            if self.serving(cookie) == replica:
                return cookie

    def serving(self, cookie: str) -> int:
        """Return which replica answers a reader; each names itself in its headers."""
        policy = ask(self.address, Cookie=f"{COOKIE}={cookie}").headers["content-security-policy"]
        return int(re.findall(r"replica-(\d)\.example", policy)[0])

    def wait_for_sessions(self, *counts: int | None) -> None:
        """Wait until so many pages are connected to each replica, as their metrics have it."""
        deadline = time.monotonic() + 30
        while (found := tuple(map(self.sessions, self.replicas))) != counts:
            assert time.monotonic() < deadline, f"{found} pages are connected, not {counts}"

    @staticmethod
    def sessions(replica: Server) -> int | None:
        """Return how many pages are connected to a replica, or None where it is gone."""
        try:
            text = ask(f"{replica.address}/_stcore/metrics?families=active_sessions").body.decode()
        except ConnectionError:
            return None
        return int(re.findall(r"^active_sessions (\d+)$", text, re.MULTILINE)[0])


@contextlib.contextmanager
def start_school(folder: Path, base: str = "") -> Iterator[School]:
    """Start both replicas and nginx."""
    with contextlib.ExitStack() as stack:
        replicas = [
            stack.enter_context(
                start_server(
                    folder / f"replica-{i}.log",
                    STREAMLIT_SERVER_COOKIE_SECRET="shared by both",
                    STREAMLIT_SERVER_BASE_URL_PATH=base,
                    WHYSQRTDK_FRAME_ANCESTORS=f"'self' https://replica-{i}.example",
                )
            )
            for i in range(2)
        ]
        yield School(stack.enter_context(start_nginx(folder, replicas)), replicas, folder)


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> Iterator[School]:
    """Replicas that stay alive."""
    with start_school(tmp_path_factory.mktemp("school")) as school:
        yield school


@dataclass(frozen=True)
class Answer:
    """One HTTP answer, as it came over the wire."""

    status: int
    headers: Message
    body: bytes


def ask(address: str, method: str = "GET", **headers: str) -> Answer:
    """Ask as a client that keeps no cookies; underscores in the names of headers are hyphens."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.netloc, timeout=20)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, address.partition(parts.netloc)[2] or "/", headers=named)
    answer = connection.getresponse()
    # An answer of 101 has no end.
    body = b"" if answer.status == 101 else answer.read()
    connection.close()
    return Answer(answer.status, answer.headers, body)


class Reader:
    """A reader in a browser of their own, as nginx once sent them to a replica."""

    def __init__(self, browser: Browser, school: School, replica: int | None = None) -> None:
        self.context: BrowserContext = browser.new_context(reduced_motion="reduce")
        self.school = school
        self.sockets: list[WebSocket] = []
        if replica is not None:
            cookie = {"name": COOKIE, "value": school.cookie(replica), "url": school.address}
            self.context.add_cookies([cookie])  # type: ignore[list-item]

    def open(self, path: str) -> Tab:
        """Open a page in a further tab."""
        tab = Tab(self.context.new_page(), self.school.address)
        tab.page.on("websocket", lambda socket: self.sockets.append(socket))
        tab.goto(path)
        return tab

    def cookies(self) -> dict[str, object]:
        """Return the cookies by name."""
        return {cookie["name"]: cookie for cookie in self.context.cookies()}


class TestProxy:
    def test_every_answer_has_the_apps_headers_once(self, school: School) -> None:
        direct = ask(school.replicas[0].address)
        cookie = school.cookie(0)
        for path in ("/", "/_stcore/health", "/static/nothing.js", "/head-width?width=16"):
            answer = ask(school.address + path, Cookie=f"{COOKIE}={cookie}")
            for name in (
                "content-security-policy",
                "x-content-type-options",
                "referrer-policy",
                "permissions-policy",
            ):
                assert answer.headers.get_all(name) == direct.headers.get_all(name)
                assert len(answer.headers.get_all(name, [])) == 1
            assert answer.headers.get_all("server") == ["nginx"]  # and no version
            assert COOKIE not in answer.headers.get("set-cookie", "")

    def test_the_apps_compression_passes(self, school: School) -> None:
        plain, small = ask(school.address), ask(school.address, Accept_Encoding="gzip")
        assert small.headers.get_all("content-encoding") == ["gzip"]
        assert small.headers["etag"].endswith('-gzip"')
        assert len(small.body) < len(plain.body)

    def test_metrics_are_for_the_host(self, school: School) -> None:
        for path in ("/_stcore/metrics", "/_stcore/%6Detrics?families=active_sessions"):
            answer = ask(school.address + path)
            assert answer.status == 403
            assert b"sessions" not in answer.body
        answer = ask(f"{school.replicas[0].address}/_stcore/metrics")
        assert answer.headers["content-type"].startswith("application/openmetrics-text")
        for metric in (
            "active_sessions",
            'session_events_total{type="connect"}',
            "session_duration_seconds_total",
        ):
            assert re.search(rf"^{re.escape(metric)} \d+$", answer.body.decode(), re.MULTILINE)

    def test_a_websocket_of_another_site_is_refused(self, school: School) -> None:
        upgrade = {
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec_WebSocket_Version": "13",
            "Sec_WebSocket_Key": "bm90IHNlY3JldCBhdCBhbA==",
        }
        stream = f"{school.address}/_stcore/stream"
        own = f"http://{urlsplit(school.address).netloc}"
        assert ask(stream, Origin=own, **upgrade).status == 101
        assert ask(stream, Origin="http://elsewhere.example", **upgrade).status == 403

    def test_an_upload_beyond_the_limit_ends_at_the_proxy(self, school: School) -> None:
        upload = f"{school.address}/_stcore/upload_file/a/b"
        limit = 64 * 2**20
        within = ask(upload, "OPTIONS", Content_Length=str(limit))
        assert within.status == 204
        beyond = ask(upload, "OPTIONS", Content_Length=str(limit + 1))
        assert (beyond.status, beyond.headers["server"]) == (413, "nginx")

    def test_the_log_says_no_query_and_no_address(self, school: School) -> None:
        ask(f"{school.address}/no-such-page?query=Q1")
        line = (school.folder / "access.log").read_text().splitlines()[-1]
        assert re.search(r" GET /no-such-page 200 \d+ [\d.]+ 127\.0\.0\.1:\d+$", line)


@pytest.fixture(scope="module")
def reader(browser: Browser, school: School) -> Iterator[Reader]:
    """Return a reader on the first replica."""
    reader = Reader(browser, school, 0)
    yield reader
    reader.context.close()


class TestReaders:
    def test_get_their_downloads_from_wherever_they_are(
        self, reader: Reader, school: School
    ) -> None:
        tab = reader.open("/sweep?trials=50&widths=4&widths=16")
        tab.expand("The numbers as a table")
        with tab.page.expect_download() as download:
            tab.page.get_by_role("button", name="Download CSV").click()
        address = download.value.url
        assert address.startswith(f"{school.address}/media/")
        cookie = f"{COOKIE}={school.cookie(1)}"
        assert ask(address, Cookie=cookie).body == download.value.path().read_bytes()
        assert ask(f"{school.address}/media/no-such-file", Cookie=cookie).status == 404
        assert tab.problems == []

    def test_upload_with_the_token_alone(self, reader: Reader, school: School) -> None:
        file = io.BytesIO()
        query, key = np.random.default_rng(9).standard_normal((2, 3, 128, 512))  # 3 MB
        np.savez(file, q=query, k=key)
        tab = reader.open("/own")
        tab.pick("Look at", "files")
        given = {"name": "m.npz", "mimeType": "application/zip", "buffer": file.getvalue()}
        with tab.page.expect_request(lambda request: request.method == "PUT") as put:
            tab.find("stFileUploaderDropzoneInput").set_input_files([given])  # type: ignore[list-item]
        expect(tab.find("stMain")).to_contain_text("All 3 heads: ", timeout=60_000)
        tab.settle()
        assert tab.problems == []

        sent = put.value.all_headers()
        assert put.value.response().status == 204
        token = sent["x-xsrftoken"]
        for header in ({}, {"X-Xsrftoken": "2|00|00|1"}):
            refused = reader.context.request.put(put.value.url, headers=header)
            assert (refused.status, "XSRF" in refused.text()) == (403, True)
        # With the token it is refused for having no file.
        allowed = reader.context.request.put(put.value.url, headers={"X-Xsrftoken": token})
        assert allowed.status == 400


def told(tab: Tab) -> tuple[str, str, list[str]]:
    """Return what a page shows: its address, its words with its controls, and its drawings."""
    drawn = tab.page.locator(".drawing svg >> visible=true").locator("text")
    return tab.path, tab.text(), drawn.all_text_contents()


class TestALostReplica:
    def test_its_readers_carry_on(self, browser: Browser, tmp_path: Path) -> None:
        with start_school(tmp_path, base="school/why") as school:
            reader = Reader(browser, school)
            page = reader.open("/head-width")
            cookie = reader.cookies()[COOKIE]
            assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, "Lax", "/")
            lost = school.serving(str(cookie["value"]))
            neighbour = Reader(browser, school, 1 - lost)
            calm = neighbour.open("/head-width?query=Q1&width=16")
            school.wait_for_sessions(1, 1)
            page.page.reload()
            sweep = reader.open("/sweep?seed=3&widths=4&widths=16")
            page.settle()
            school.wait_for_sessions(*((2, 1) if lost == 0 else (1, 2)))
            assert reader.cookies()[COOKIE] == cookie

            page.pick("Head width dₖ", "16")
            page.pick("Query", "Q1")
            sweep.set_number("Keys", 64)
            assert page.path == "/head-width?query=Q1&width=16"
            before = [told(tab) for tab in (page, sweep, calm)]

            with page.page.expect_websocket(), sweep.page.expect_websocket():
                school.replicas[lost].process.kill()
            for tab in (page, sweep):
                tab.settle()
                tab.page.wait_for_function("() => window.watch.answered === window.watch.sent")
                tab.settle()
            school.wait_for_sessions(*((None, 3) if lost == 0 else (3, None)))
            assert [told(tab) for tab in (page, sweep, calm)] == before

            page.pick("Query", "Q2")
            assert page.path == "/head-width?query=Q2&width=16"
            sweep.set_number("Keys", 32)
            assert "ln 32 ≈ 3.466" in sweep.find("sweep_spread").text_content()
            calm.pick("Query", "Q2")
            assert told(page) == told(calm)
            assert len(neighbour.sockets) == 1
            # Not even the browser complains: nginx asks the other replica within the same request.
            assert page.problems == sweep.problems == calm.problems == []
            reader.context.close()
            neighbour.context.close()
