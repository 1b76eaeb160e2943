"""A monkey at the browser: whatever it does, no page breaks.

The same seed picks the same actions. ``WHYSQRTDK_MONKEY=2000`` lets it do that many, and
``WHYSQRTDK_MONKEY_SEED=7`` makes it another monkey. It leaves alone what belongs to other tests or
to other sites: files up and down, and links that leave the explorer.
"""

import os
import random
import re
from collections.abc import Callable
from urllib.parse import quote, urlencode

import control_types
import controls_break
import controls_limits
import controls_prove
import controls_see
import controls_teach
import pages
import pytest
from playwright.sync_api import ElementHandle, Error

from tests.browser.harness import ROOT, Tab

pytestmark = pytest.mark.browser

ACTIONS = int(os.environ.get("WHYSQRTDK_MONKEY", "30"))
SEED = int(os.environ.get("WHYSQRTDK_MONKEY_SEED", "1"))

# The elements of a selector that a reader could hit now, one of them by a fraction; null for none.
REACHABLE = """([selector, fraction]) => {
  const inside = root => [...root.querySelectorAll('*')]
    .flatMap(e => e.shadowRoot ? [e, ...inside(e.shadowRoot)] : [e]);
  const holds = (element, hit) => {
    for (let up = hit; up; up = up.parentNode ?? up.host) if (up === element) return true;
    return false;
  };
  const under = (root, x, y) => {
    const hit = root.elementFromPoint(x, y);
    return hit?.shadowRoot && hit.shadowRoot !== root ? under(hit.shadowRoot, x, y) ?? hit : hit;
  };
  const banned = '[data-testid="stDownloadButton"] *, [data-testid="stFileUploader"] *,'
    + '[data-testid="stMainMenu"] *, [data-testid="stToolbar"] *, .modebar *';
  const wanted = inside(document.body).filter(e => e.matches(selector) && !e.matches(banned)
    && !e.disabled && !(e.querySelector && e.querySelector('input:disabled'))
    && e.checkVisibility({visibilityProperty: true}) && e.getBoundingClientRect().width > 0);
  const start = Math.floor(fraction * wanted.length);
  for (const element of [...wanted.slice(start), ...wanted.slice(0, start)]) {
    element.scrollIntoView({block: 'center'});
    const box = element.getBoundingClientRect();
    const at = [box.left + box.width / 2, box.top + box.height / 2];
    const hit = under(document, ...at);
    if (hit && holds(element, hit)) return element;
  }
  return null;
}"""

BUTTONS = '[data-testid^="stBaseButton"], [data-testid="stButton"] button'
CHOICES = '[role="radiogroup"] button, label:has(input[type="radio"]), label:has([role="switch"])'
LINKS = '[data-testid="stPageLink"] a'
NUMBERS = 'input[type="number"]'
LINES = '[data-testid="stTextInput"] input, [data-testid="stTextArea"] textarea'
MENUS = '[data-testid="stSelectbox"] [role="combobox"], [data-testid="stSelectbox"] input'
RANGES = 'input[type="range"], [role="slider"]'
FOCUSABLE = f"{NUMBERS}, {RANGES}, {MENUS}, summary, [role='radiogroup'] button"

KEYS = ("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", "Enter", "Escape", "Tab")
WILD = ("1e999", "-5", "abc", "", "0", "1e-300", "99999999999999999999", "2.5", "7", "-0", "1,5")
TEXTS = (
    "<script>1</script>",
    "**x**",
    "../../divisor?divisor=-1",
    "𝛂" * 300,
    "",
    "$\\frac$",
    "a\tb",
)
TEXTS_OF_LINKS = ("banana", "", "-1", "nan", "1e999", "<script>", "%00", "𝛂" * 200, "1;2", "true")
SIZES = ((1280, 800), (360, 740), (768, 1024), (1920, 1080), (320, 480))
CONTROLS = {
    name: value if isinstance(value, tuple) else (value,)
    for page in (controls_see, controls_limits, controls_break, controls_prove, controls_teach)
    for name, value in vars(page).items()
    if name == "MASK_ROWS" or (hasattr(value, "valid") and not isinstance(value, type))
}

# A page that is left does not wait for what it asked for.
ABORTED = re.compile(r"ERR_ABORTED|ERR_NETWORK_CHANGED|WebSocket is closed before|Failed to fetch")


class Monkey:
    """One seeded series of actions in one tab."""

    def __init__(self, tab: Tab, seed: int) -> None:
        self.tab = tab
        self.seed = seed
        self.random = random.Random(seed)
        self.done: list[str] = []
        self.actions: dict[Callable[[], str | None], int] = {
            self.press_a_button: 5,
            self.choose: 6,
            self.fold: 5,
            self.follow_a_link: 6,
            self.type_a_number: 8,
            self.type_a_line: 2,
            self.open_a_menu: 5,
            self.press_keys: 5,
            self.drag: 4,
            self.go_back: 4,
            self.go_forward: 3,
            self.reload: 1,
            self.open_an_odd_link: 3,
            self.switch_theme: 1,
            self.resize: 2,
        }

    def act(self) -> None:
        """Do something that the page as it stands allows, and look at what came of it."""
        said = None
        while said is None:
            action = self.random.choices([*self.actions], [*self.actions.values()])[0]
            try:
                said = action()
            except Exception as error:
                raise AssertionError(f"{action.__name__}\n{self.story()}") from error
        self.done.append(said)
        self.look()

    def look(self) -> None:
        """Fail, and tell how it came about, where the page shows an error or never stands still."""
        # What it did has to reach the server first; a reader's hand takes longer to come back.
        self.tab.page.wait_for_timeout(150)
        try:
            self.tab.settle(60)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.story()}") from error
        errors = self.tab.page.locator('[data-testid="stException"]').all_inner_texts()
        assert not errors, f"{errors[0][:1500]}\n{self.story()}"
        problems = self.tab.problems
        problems[:] = [problem for problem in problems if not ABORTED.search(problem)]
        assert not problems, "\n".join([*problems, self.story()])

    def story(self) -> str:
        """Name the seed, the place and the last ten actions."""
        last = "\n".join(f"  {i}. {said}" for i, said in [*enumerate(self.done, 1)][-10:])
        return f"seed {self.seed}, at {self.tab.path[:200]}, after\n{last}"

    def element(self, selector: str) -> tuple[ElementHandle, str] | None:
        """Pick one of the elements that can be hit, and say which."""
        found = self.tab.page.evaluate_handle(REACHABLE, [selector, self.random.random()])
        element = found.as_element()
        if element is None:
            return None
        name = element.evaluate("e => e.getAttribute('aria-label') || e.innerText || e.tagName")
        return element, " ".join(name.split())[:50]

    def hit(self, selector: str, what: str) -> str | None:
        """Click one of these."""
        if (found := self.element(selector)) is None or not self.click(found[0]):
            return None
        return f"{what} “{found[1]}”"

    def click(self, element: ElementHandle) -> bool:
        """Click in the middle, unless the element has just gone."""
        if (box := element.bounding_box()) is None:
            return False
        self.tab.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        return True

    def enter(self, element: ElementHandle) -> bool:
        """Put the focus there, unless the element has just gone."""
        try:
            element.focus()
        except Error as error:
            if "not attached" not in str(error):
                raise
            return False
        return True

    def press_a_button(self) -> str | None:
        """Press any button."""
        return self.hit(BUTTONS, "button")

    def choose(self) -> str | None:
        """Choose from buttons, pills or radios, or turn a switch."""
        return self.hit(CHOICES, "choice")

    def fold(self) -> str | None:
        """Open or close a fold."""
        return self.hit("summary", "fold")

    def follow_a_link(self) -> str | None:
        """Go to another page as a reader does."""
        return self.hit(LINKS, "page")

    def fill(self, selector: str, texts: tuple[str, ...]) -> str | None:
        """Type a text over what a field holds, and leave it by Enter or by Tab."""
        if (found := self.element(selector)) is None:
            return None
        element, name = found
        text, key = self.random.choice(texts), self.random.choice(("Enter", "Tab"))
        if not self.enter(element):
            return None
        keyboard = self.tab.page.keyboard
        keyboard.press("Control+a")
        keyboard.press("Delete")
        # A number field takes what the browser lets through, as it does from a reader's keyboard.
        keyboard.type(text) if len(text) < 30 else keyboard.insert_text(text)
        keyboard.press(key)
        return f"type {text[:40]!r} and {key} into “{name}”"

    def type_a_number(self) -> str | None:
        """Type into a number field."""
        return self.fill(NUMBERS, WILD)

    def type_a_line(self) -> str | None:
        """Type into a field for words."""
        return self.fill(LINES, TEXTS)

    def open_a_menu(self) -> str | None:
        """Choose from a list by keys."""
        steps = self.random.randrange(1, 9)
        if (found := self.element(MENUS)) is None or not self.click(found[0]):
            return None
        for key in ["ArrowDown"] * steps + ["Enter"]:
            self.tab.page.keyboard.press(key)
        return f"menu “{found[1]}”, {steps} down"

    def press_keys(self) -> str | None:
        """Press a few keys in something that listens to them."""
        if (found := self.element(FOCUSABLE)) is None:
            return None
        keys = self.random.choices(KEYS, k=self.random.randrange(1, 6))
        if not self.enter(found[0]):
            return None
        for key in keys:
            self.tab.page.keyboard.press(key)
        return f"keys {' '.join(keys)} in “{found[1]}”"

    def drag(self) -> str | None:
        """Drag a slider's thumb far to a side, or a little."""
        if (found := self.element(RANGES)) is None or (box := found[0].bounding_box()) is None:
            return None
        by = self.random.choice((-600, -90, -20, 15, 70, 500))
        mouse = self.tab.page.mouse
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        mouse.move(x, y)
        mouse.down()
        mouse.move(x + by, y, steps=8)
        mouse.up()
        return f"drag “{found[1]}” by {by}"

    def travel(self, by: int) -> str | None:
        """Go through the history, within the explorer."""
        way = "canGoBack" if by < 0 else "canGoForward"
        if not self.tab.page.evaluate(f"() => navigation.{way}"):
            return None
        self.tab.page.evaluate(f"() => history.go({by})")
        # A page loaded anew takes a moment to begin.
        self.tab.page.wait_for_timeout(150)
        self.tab.page.wait_for_load_state()
        return f"history {by:+}"

    def go_back(self) -> str | None:
        """Go back."""
        return self.travel(-self.random.choice((1, 1, 2)))

    def go_forward(self) -> str | None:
        """Go forward."""
        return self.travel(1)

    def reload(self) -> str:
        """Load the page anew."""
        self.tab.page.reload()
        return "reload"

    def open_an_odd_link(self) -> str:
        """Open a page by a link that no page would write."""
        address = self.random.choice([*pages.PAGES])
        query = self.odd_query(address)
        self.tab.page.goto(f"{self.tab.server}/{address}?{query}")
        return f"link /{address}?{query[:120]}"

    def odd_query(self, address: str) -> str:
        """Write a few controls with values of all kinds, and names that no page knows."""
        text = self.random.choice
        fields: list[tuple[str, str]] = []
        for control in self.random.sample(controls_of(address), self.random.randrange(1, 9)):
            good = control_value(control, self.random)
            fields += [(control.key, text((good, text(TEXTS_OF_LINKS))))] * text((1, 1, 2, 30))
        fields += text(([], [("x", "<script>")], [("", "")], [("present", "1")], [("path", "10")]))
        # No longer than servers and browsers take; a letter cut in two is odd as well.
        return urlencode(fields, quote_via=quote)[:6000]

    def switch_theme(self) -> str:
        """Switch the system between dark and light, under the page's feet."""
        theme = self.random.choice(("dark", "light"))
        self.tab.page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        return f"theme {theme}"

    def resize(self) -> str:
        """Give the window another size."""
        width, height = self.random.choice(SIZES)
        self.tab.page.set_viewport_size({"width": width, "height": height})
        return f"window {width} × {height}"


def controls_of(address: str) -> list[control_types.Control]:
    """List all controls, those of one page many times over."""
    source = (ROOT / "app" / pages.PAGES[address].file).read_text(encoding="utf-8")
    every = [(name, control) for name, group in CONTROLS.items() for control in group]
    own = [control for name, control in every if re.search(rf"\b{name}\b", source)]
    return [control for _, control in every] + own * 30


def control_value(control: control_types.Control, chance: random.Random) -> str:
    """Write one value that a control accepts, or its lowest."""
    options = getattr(control, "options", None)
    if options is not None:
        return str(control.write(chance.choice(options)))  # type: ignore[attr-defined]
    return str(getattr(control, "low", "true"))


class TestMonkey:
    def test_nothing_it_does_breaks_a_page(self, open_page):
        monkey = Monkey(open_page("/"), SEED)
        for _ in range(ACTIONS):
            monkey.act()
