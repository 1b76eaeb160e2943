"""Every page by keyboard alone: reach all, see where one is, change something, come out again."""

import pages
import pytest
from playwright.sync_api import expect

from tests.browser.harness import Tab

pytestmark = pytest.mark.browser

# What one press of Tab came to. A stop is compared with itself once the focus has left it: what
# then looks different, of it or close around it, is what showed the focus.
WALK = """
const above = element => element.parentElement ?? element.getRootNode().host ?? null;
const inside = (element, outer) => {
  for (let up = element; up; up = above(up)) if (up === outer) return true;
  return false;
};
const deepest = () => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at;
};
const everything = root => [...root.querySelectorAll('*')]
  .flatMap(e => e.shadowRoot ? [e, ...everything(e.shadowRoot)] : [e]);
const name = element => {
  const words = element.getAttribute('aria-label') || element.innerText || element.tagName;
  const part = element.closest('[data-testid]')?.dataset.testid ?? '';
  return `${part} “${words.trim().replace(/\\s+/g, ' ').slice(0, 40)}”`;
};
// What of an element is seen: a radio button itself is hidden, its label stands for it.
const seen = element => {
  const {width, height} = element.getBoundingClientRect();
  return width > 4 && height > 4
    && element.checkVisibility({opacityProperty: true, visibilityProperty: true});
};
const around = element => {
  const near = [...(element.closest('label')?.querySelectorAll('*') ?? [])];
  for (let up = element, i = 0; up && i < 5; up = above(up), i++) near.push(up);
  return near;
};
const look = element => around(element).map(node => {
  const style = getComputedStyle(node);
  return {
    node,
    seen: seen(node),
    outline: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1
      ? style.outlineColor : '',
    border: parseFloat(style.borderTopWidth) >= 1 ? style.borderTopColor : '',
    boxShadow: style.boxShadow,
    backgroundColor: style.backgroundColor,
  };
});
const rgba = text => {
  const numbers = (text.match(/rgba?\\(([^)]*)\\)/)?.[1] ?? '0, 0, 0, 0').split(',').map(Number);
  return [...numbers, 1].slice(0, 4);
};
const over = ([r, g, b, alpha], ground) =>
  [r, g, b].map((part, i) => alpha * part + (1 - alpha) * ground[i]);
const ground = element => {
  for (let up = element; up; up = above(up)) {
    const colour = rgba(getComputedStyle(up).backgroundColor);
    if (colour[3] === 1) return colour;
  }
  return [255, 255, 255, 1];
};
const light = colour => colour.slice(0, 3).map(part => part / 255)
  .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
const contrast = (one, other) => {
  const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};
// The best contrast with the page of all that showed the focus; 0 where nothing did.
const shown = (focused, now) => Math.max(0, ...focused.flatMap((then, i) =>
  ['outline', 'border', 'boxShadow', 'backgroundColor']
    .filter(key => then.seen && now[i]?.node === then.node && then[key] !== now[i][key])
    .map(key => {
      const under = ground(above(then.node) ?? then.node);
      return contrast(over(rgba(then[key]), under), under);
    })));

window.walk = {
  stops: [],
  step(forward) {
    const at = deepest(), nowhere = !at || at === document.body, faults = [];
    if (this.last?.element.isConnected) {
      const clear = shown(this.last.look, look(this.last.element));
      if (clear < 3)
        faults.push(`${name(this.last.element)} shows the focus at ${clear.toFixed(1)}:1`);
    }
    if (nowhere) {
      const lost = this.nowhere || (!forward && this.before?.dataset.testid !== FIRST);
      if (lost && this.before) faults.push(`the focus is lost after ${name(this.before)}`);
    } else if (this.nowhere && forward && this.before && at.dataset.testid !== FIRST) {
      faults.push(`the focus is lost after ${name(this.before)}`);
    }
    this.nowhere = nowhere;
    this.last = nowhere ? null : {element: at, look: look(at)};
    if (nowhere) return {end: false, faults};
    const known = this.stops.indexOf(at);
    if (known > 0) faults.push(`the focus comes back to ${name(at)}`);
    if (known >= 0 || (forward && this.before && at.dataset.testid === FIRST))
      return {end: true, faults};
    const box = at.getBoundingClientRect();
    if (!around(at).slice(0, -3).some(seen) || box.bottom < 0 || box.top > innerHeight)
      faults.push(`${name(at)} has the focus out of sight`);
    this.stops.push(this.before = at);
    return {end: false, faults};
  },
  missed() {
    return everything(document.querySelector('[data-testid="stMain"]'))
      .filter(e => WIDGETS.includes(e.dataset?.testid) && e.checkVisibility())
      .filter(e => !e.querySelector('button:disabled'))
      .filter(e => !this.stops.some(stop => inside(stop, e)))
      .map(e => `${name(e)} was not reached`);
  },
  // The same without a press of Tab, for another theme: what the keyboard has once moved stays
  // on the keyboard's terms.
  look() {
    const stops = everything(document.body).filter(e => e.tabIndex >= 0 && !e.disabled
      && e.checkVisibility({visibilityProperty: true}));
    return stops.flatMap(stop => {
      stop.focus();
      if (deepest() !== stop) return [];
      const focused = look(stop);
      stop.blur();
      const clear = shown(focused, look(stop));
      return clear < 3 ? [`${name(stop)} shows the focus at ${clear.toFixed(1)}:1`] : [];
    });
  },
  kind: () => deepest().getAttribute('role') ?? deepest().type,
  at: selector => deepest()?.matches(selector) ?? false,
};
"""
FIRST = "stSkipToContent"
WALK = WALK.replace("FIRST", f"'{FIRST}'").replace(
    "WIDGETS",
    """['stNumberInput', 'stSelectbox', 'stButtonGroup', 'stSlider', 'stCheckbox', 'stRadio',
      'stTextInput', 'stTextArea', 'stButton', 'stDownloadButton', 'stPageLink', 'stExpander',
      'stFileUploader', 'stBaseButton-elementToolbar', 'live-divisor']""",
)

FIELD = ":is(input, textarea, [role='radio'], [role='combobox'])"
MAIN_CONTROL = f".st-key-controls {FIELD}, #divisor-range"
GUESS = f".st-key-ask {FIELD}, [data-testid='stRadio'] {FIELD}"

#: No page has as many stops.
MOST = 150


def skip_links(tab: Tab) -> None:
    """Go past the links to other pages, from anywhere before them."""
    tab_to(tab, f"[data-testid='{FIRST}']")
    tab.page.keyboard.press("Enter")


def walk(tab: Tab, *, forward: bool = True) -> list[str]:
    """Go on until the page has been left and return what was wrong on the way."""
    faults: list[str] = []
    for _ in range(MOST):
        tab.page.keyboard.press("Tab" if forward else "Shift+Tab")
        step = tab.page.evaluate("forward => walk.step(forward)", forward)
        faults += step["faults"]
        if step["end"]:
            return faults + tab.page.evaluate("() => walk.missed()")
    return [*faults, "the focus does not come around"]


def tab_to(tab: Tab, selector: str) -> None:
    """Press Tab until the focus is there."""
    for _ in range(MOST):
        if tab.page.evaluate("selector => walk.at(selector)", selector):
            return
        tab.page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not come to {selector}")


def press(tab: Tab) -> None:
    """Change what has the focus, as its kind is changed by keyboard."""
    keys = {
        "number": ["ArrowUp"],
        "range": ["ArrowRight"],
        "combobox": ["ArrowDown", "ArrowDown", "Enter"],
        "radio": ["ArrowRight", "Space"],
    }[tab.page.evaluate("() => walk.kind()")]
    with tab.rerun():
        for key in keys:
            tab.page.keyboard.press(key)


def state(tab: Tab) -> tuple[str, str, list[str | None]]:
    """Return the address, the page's words, and what the live slider says."""
    sliders = tab.page.locator("#divisor-range").all()
    spoken = [slider.get_attribute("aria-valuetext") for slider in sliders]
    return tab.path, tab.text(), spoken


class TestEveryPage:
    @pytest.mark.parametrize("address", pages.PAGES)
    def test_reaches_shows_changes_and_comes_out(self, open_page, address):
        tab = open_page(f"/{address}")
        tab.page.evaluate(WALK)
        if address:  # the links are the same on every page
            skip_links(tab)
        faults = walk(tab)
        assert not faults, "\n".join(faults)

        skip_links(tab)
        before = state(tab)
        tab_to(tab, MAIN_CONTROL)
        press(tab)
        assert state(tab) != before
        assert tab.page.evaluate("selector => walk.at(selector)", MAIN_CONTROL)

        if tab.page.locator(GUESS).count():
            tab_to(tab, GUESS)
            press(tab)
            assert any(words in tab.text() for words in ("You said", "is right.", "first try:"))
        if tab.find("stMain").locator("summary").count():
            tab_to(tab, "summary")
            with tab.rerun():
                tab.page.keyboard.press("Enter")
            assert tab.page.evaluate("() => document.activeElement.parentElement.open")

        tab.page.emulate_media(color_scheme="dark")
        tab.page.wait_for_function(
            "() => getComputedStyle(document.querySelector('.stApp')).colorScheme === 'dark'"
        )
        tab.settle()
        faults = tab.page.evaluate("() => walk.look()")
        assert not faults, "\n".join(faults)


class TestBackwards:
    def test_shift_and_tab_goes_around_too(self, open_page):
        tab = open_page("/own", theme="dark")
        tab.page.evaluate(WALK)
        faults = walk(tab, forward=False)
        assert not faults, "\n".join(faults)


class TestPresenter:
    def test_a_lesson_by_keyboard(self, open_page):
        tab = open_page("/divisor", query="divisor=10&present=1&path=25&step=1")
        tab.page.evaluate(WALK)
        faults = walk(tab)
        assert not faults, "\n".join(faults)
        before = state(tab)
        tab_to(tab, MAIN_CONTROL)
        press(tab)
        assert state(tab) != before
        tab_to(tab, "[data-part='after']")
        tab.page.keyboard.press("Enter")
        tab.page.wait_for_url("**/divisor?divisor=1&**")
        tab.settle()
        tab.page.get_by_text("2 of 6").wait_for()


class TestWideTables:
    def test_arrow_keys_scroll_what_is_wider_than_the_window(self, open_page):
        tab = open_page("/masks", width=360)
        tab.page.evaluate(WALK)
        tab_to(tab, "summary")
        with tab.rerun():
            tab.page.keyboard.press("Enter")
        frame = "[data-testid='stTable'] > div"
        tab_to(tab, frame)
        moved = "() => document.activeElement.scrollLeft > 0"
        assert not tab.page.evaluate(moved)
        tab.page.keyboard.press("ArrowRight")
        tab.page.wait_for_function(moved)
        assert tab.page.evaluate("() => document.activeElement.role") == "group"
        tab.page.set_viewport_size({"width": 1280, "height": 800})
        # What fits has nothing to scroll, and is no stop.
        expect(tab.page.locator(f"{frame}[tabindex]")).to_have_count(0)
