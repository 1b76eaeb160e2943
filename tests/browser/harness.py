"""Drive the app as a reader does: a real server, a real Chromium.

A test asks for the fixture ``open_page`` and gets a `Tab`::

    def test_halving(open_page):
        tab = open_page("/divisor", width=360, theme="dark", query="divisor=2")
        tab.set_number("Divisor", 4)            # types, waits for the rerun and the redraw
        tab.pick("Query", "Q1")                 # segmented control, radio, pills or select box
        assert "0.665" in tab.text("live-result")  # by test id, by key, or by CSS selector

    tab.page        the Playwright page, for everything not named here
    tab.path        path and query in the address bar
    tab.find(name)  locator: data-testid, or key of a Streamlit element, or CSS selector
    tab.text(name)  its visible text, white space made single (default: the whole page)
    tab.settle()    wait until the script has run and the page has stopped changing
    tab.rerun()     with tab.rerun(): <act>   waits for the message to the server, then settles
    tab.click(name), tab.expand(name), tab.set_number, tab.pick
    tab.drag(range, start, end, release=True)   real mouse, fractions of the track
    tab.sent        messages sent to the server so far
    tab.overflow()  elements that reach beyond the right edge of the window; [] is right
    tab.accessibility_findings(exclude=())      axe-core; [] is right
    tab.screenshot(name)                        into .cache/screenshots/
    tab.wait_for_problem(words), tab.abandon()  for a test that provokes complaints
    tab.close()                                 before its server ends, where that is not ``server``

When the test ends, `Tab.problems` must be empty: console errors, uncaught exceptions, answers of
400 and above, requests to another host. The fixture ``server`` is the address of the running
server; ``start_server`` starts a further one with other settings.
"""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Error, Locator, Page, expect

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM_FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

# Counts what goes over the websocket, which of it a finished run has answered, and notes when the
# page last changed. A message from the server is a protobuf; its field 6 says that a run has
# finished, and the value 2 of it that the run only made way for another.
WATCH = """
window.watch = {sent: 0, answered: 0, changed: performance.now()};
const touch = () => { window.watch.changed = performance.now(); };
const finishesRun = bytes => {
  let at = 0;
  const varint = () => {
    let value = 0, weight = 1, byte;
    do { byte = bytes[at++]; value += (byte & 127) * weight; weight *= 128; } while (byte & 128);
    return value;
  };
  while (at < bytes.length) {
    const tag = varint(), field = Math.floor(tag / 8), value = tag % 8 === 5 ? at += 4
      : tag % 8 === 1 ? at += 8 : varint();
    if (field === 6) return value !== 2;
    if (tag % 8 === 2) at += value;
  }
  return false;
};
window.WebSocket = class extends window.WebSocket {
  constructor(...args) {
    super(...args);
    this.addEventListener('message', ({data}) => {
      touch();
      if (finishesRun(new Uint8Array(data))) window.watch.answered = window.watch.sent;
    });
  }
  send(data) { window.watch.sent += 1; touch(); super.send(data); }
};
new MutationObserver(touch).observe(document, {childList: true, subtree: true});
"""

# What the page is still waiting for; nothing, once it has settled.
PENDING = """() => {
  const app = document.querySelector('[data-testid="stApp"]')?.dataset ?? {};
  const main = '[data-testid="stMain"] [data-testid="stElementContainer"]';
  const count = selector => document.querySelectorAll(selector).length;
  return Object.entries({
    'the connection': app.testConnectionState !== 'CONNECTED',
    'the script': app.testScriptState !== 'notRunning',
    'the first element': !count(main),
    'a part of the front end': count('[data-testid="stSkeleton"]'),
    'a spinner': count('[data-testid="stSpinner"]'),
    'an element of the last run': count('[data-stale="true"]'),
    'the last change': performance.now() - window.watch.changed < 100,
  }).filter(([, waiting]) => waiting).map(([what]) => what);
}"""

# What makes the page scroll sideways. The page is stMain; what scrolls or clips inside it is fine.
OVERFLOW = """() => {
  const main = document.querySelector('[data-testid="stMain"]');
  const edge = main.getBoundingClientRect().left + main.clientWidth;
  const right = element => element.getBoundingClientRect().right;
  const held = element => {
    for (let up = element.parentElement; up !== main; up = up.parentElement) {
      if (getComputedStyle(up).overflowX !== 'visible' && right(up) <= edge + 1) return true;
    }
    return false;
  };
  return [...main.querySelectorAll('*')]
    .filter(e => right(e) > edge + 1 && e.getBoundingClientRect().width > 1 && !held(e))
    .map(e => `${e.tagName.toLowerCase()} ${e.dataset.testid ?? e.className}`
      + ` reaches ${Math.round(right(e))} of ${Math.round(edge)}`);
}"""


def chromium() -> str:
    """Return the path of the Chromium to drive."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    raise FileNotFoundError("no Chromium on the PATH; tests/run installs one on Debian as root")


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(frozen=True)
class Server:
    """A running server."""

    address: str
    process: subprocess.Popen[bytes]


@contextlib.contextmanager
def start_server(log: Path, *options: str, **environment: str) -> Iterator[Server]:
    """Run the app as the README says and yield it once it is healthy."""
    port = free_port()
    base = environment.get("STREAMLIT_SERVER_BASE_URL_PATH", "").strip("/")
    address = f"http://127.0.0.1:{port}" + (f"/{base}" if base else "")
    command = [sys.executable, "-m", "streamlit", "run", "app/main.py", "--server.headless=true"]
    command += [f"--server.port={port}", "--server.address=127.0.0.1", *options]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, **environment}, stdout=output, stderr=output
        )
        try:
            wait_until_healthy(address, process, log)
            yield Server(address, process)
        finally:
            process.terminate()
            process.wait(10)


def wait_until_healthy(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait for the health check's ``ok``; the status alone would be any page's."""
    health = f"{address}/_stcore/health"
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), urlopen(health, timeout=5) as answer:
            if answer.read() == b"ok":
                return
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.05)
    raise RuntimeError(f"the server did not start:\n{log.read_text(errors='replace')}")


class Tab:
    """One tab of a browser, open at the app."""

    def __init__(self, page: Page, server: str) -> None:
        self.page = page
        self.server = server
        self.problems: list[str] = []
        host = urlsplit(server).netloc
        page.set_default_timeout(60_000)
        page.add_init_script(WATCH)
        note = self.problems.append
        page.on("console", lambda m: m.type == "error" and note(f"console: {m.text}"))
        page.on("pageerror", lambda error: note(f"exception: {error}"))
        page.on("response", lambda r: r.status >= 400 and note(f"{r.status} {r.url}"))

        def note_foreign(url: str) -> None:
            parts = urlsplit(url)
            if parts.scheme in ("http", "https", "ws", "wss") and parts.netloc != host:
                note(f"another host: {url}")

        page.on("request", lambda request: note_foreign(request.url))
        page.on("websocket", lambda websocket: note_foreign(websocket.url))

    def goto(self, path: str) -> None:
        """Open a page by its path and query and wait until it stands."""
        self.page.goto(self.server + path)
        self.settle()

    def settle(self, timeout: float = 120) -> None:
        """Wait until the script has run and the page has stopped changing."""
        try:
            self.page.wait_for_function(
                f"() => ({PENDING})().length === 0", polling=25, timeout=1000 * timeout
            )
        except Error as error:
            pending = ", ".join(self.page.evaluate(PENDING))
            raise AssertionError(f"{self.path} still waits for {pending}") from error

    @contextlib.contextmanager
    def rerun(self, timeout: float = 120) -> Iterator[None]:
        """Wait for what the body does to reach the server and come back."""
        before = self.sent
        yield
        self.page.wait_for_function(
            f"() => window.watch.answered > {before}", polling=20, timeout=1000 * timeout
        )
        self.settle(timeout)

    @property
    def sent(self) -> int:
        """Messages this tab has sent to the server."""
        return int(self.page.evaluate("() => window.watch.sent"))

    @property
    def path(self) -> str:
        """Path and query in the address bar."""
        return self.page.url.removeprefix(self.server)

    def find(self, name: str) -> Locator:
        """Locate by test id, by the key of a Streamlit element, or by CSS selector."""
        if re.fullmatch(r"[\w-]+", name):
            return self.page.locator(f'[data-testid="{name}"], .st-key-{name}')
        return self.page.locator(name)

    def text(self, name: str = "stMain") -> str:
        """Return the visible text of one element, white space made single."""
        return " ".join(self.find(name).inner_text().split())

    def click(self, name: str, *, role: str = "button") -> None:
        """Press the button of this name."""
        with self.rerun():
            self.page.get_by_role(role, name=name, exact=True).click()  # type: ignore[arg-type]

    def expand(self, name: str) -> None:
        """Open the fold of this name."""
        fold = self.find("stExpander").filter(has=self.page.locator("summary", has_text=name))
        if fold.locator("details").get_attribute("open") is None:
            fold.locator("summary").click()
        expect(fold.locator("details")).to_have_attribute("open", "")
        self.settle()

    def set_number(self, label: str, value: float | str) -> None:
        """Type into a number input and press Enter."""
        field = self.page.get_by_role("spinbutton", name=label, exact=True)
        field.fill(str(value))
        with self.rerun():
            field.press("Enter")

    def pick(self, label: str, option: str) -> None:
        """Choose an option of a segmented control, pills, a radio group or a select box."""
        group = self.page.get_by_role("radiogroup", name=label, exact=True)
        box = self.page.get_by_role("combobox", name=label, exact=True)
        expect(group.or_(box)).to_be_visible()
        if group.count():
            # A native radio button is hidden behind its label, which takes the click.
            target = group.locator("label, button").filter(
                has_text=re.compile(rf"^\s*{re.escape(option)}\s*$")
            )
        else:
            box.click()
            target = self.page.get_by_role("option", name=option, exact=True)
        with self.rerun():
            target.click()

    def drag(self, slider: str, start: float, end: float, *, release: bool = True) -> None:
        """Drag the thumb of a range control between two fractions of its track."""
        box = self.find(slider).bounding_box()
        if box is None:
            raise AssertionError(f"{slider} is not on the page")
        self.find(slider).scroll_into_view_if_needed()
        box = self.find(slider).bounding_box() or box
        height = box["y"] + box["height"] / 2
        mouse = self.page.mouse
        mouse.move(box["x"] + start * box["width"], height)
        mouse.down()
        mouse.move(box["x"] + end * box["width"], height, steps=20)
        if release:
            with self.rerun():
                mouse.up()

    def wait_for_problem(self, words: str, timeout: float = 120) -> None:
        """Wait until the browser complains in these words."""
        deadline = time.monotonic() + timeout
        while not any(words in problem for problem in self.problems):
            if time.monotonic() > deadline:
                raise AssertionError(f"no complaint of {words!r}, only {self.problems}")
            self.page.wait_for_timeout(20)

    def abandon(self) -> None:
        """Leave a page whose complaints were provoked, and forget them."""
        self.page.close()
        self.problems.clear()

    def close(self) -> None:
        """Leave, and leave nothing behind for the next tab."""
        if not self.page.is_closed():
            self.page.evaluate("() => localStorage.clear()")
            self.page.close()

    def overflow(self) -> list[str]:
        """Name what reaches beyond the right edge of the window."""
        found: list[str] = self.page.evaluate(OVERFLOW)
        return found

    def accessibility_findings(self, exclude: Sequence[str] = ()) -> list[str]:
        """Run axe-core on the page, but for the parts excluded by selector."""
        context = {"exclude": [[selector] for selector in exclude]} if exclude else None
        results = Axe().run(self.page, context=context)
        return [
            f"{violation['id']}: {node['html']}"
            for violation in results.response["violations"]
            for node in violation["nodes"]
        ]

    def screenshot(self, name: str) -> Path:
        """Save what the window shows."""
        path = ROOT / ".cache" / "screenshots" / f"{name}.png"
        self.page.screenshot(path=path)
        return path
