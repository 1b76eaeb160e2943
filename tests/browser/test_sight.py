"""Large and still: every page at 200 % zoom, with type at 200 %, and without motion."""

import pages
import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

# Names and values of controls that do not fit into their boxes, and controls that overlap.
CRAMPED = """() => {
  const main = document.querySelector('[data-testid="stMain"]');
  const name = e => e.tagName.toLowerCase()
    + ` “${(e.innerText || e.value || '').trim().replace(/\\s+/g, ' ').slice(0, 40)}”`;
  const shown = e => e.checkVisibility({visibilityProperty: true, opacityProperty: true})
    && e.getBoundingClientRect().width > 4;
  const words = [...main.querySelectorAll('label, button, summary, input:not([type="range"]),'
    + ' [role="radio"], h1, h2, [data-testid="stCaptionContainer"]')].filter(shown);
  const clips = e => /hidden|clip/.test(getComputedStyle(e).overflowX);
  const clipped = words.filter(e => [e, ...e.querySelectorAll('*')]
      .some(part => shown(part) && part.scrollWidth > part.clientWidth + 1
        && (clips(part) || part.tagName === 'INPUT')))
    .map(e => `${name(e)} is cut off`);
  const broken = words.flatMap(e => {
    const texts = document.createTreeWalker(e, NodeFilter.SHOW_TEXT), found = [];
    for (let text; (text = texts.nextNode());) {
      for (const {index, 0: word} of text.data.matchAll(/\\p{L}+/gu)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const tops = new Set([...range.getClientRects()].map(box => Math.round(box.top)));
        if (tops.size > 1) found.push(`“${word}” is broken in ${name(e)}`);
      }
    }
    return found;
  });
  // The boxes of page links overlap by their padding; the links themselves must not.
  const ticks = [...main.querySelectorAll('*')].filter(e => e.shadowRoot)
    .flatMap(e => [...e.shadowRoot.querySelectorAll('.scale span, .xlabels span')]);
  const boxes = [...main.querySelectorAll('[data-testid="stElementContainer"]')]
    .map(e => e.querySelector('[data-testid="stPageLink"] a') ?? e)
    .filter(shown).filter(e => e.getBoundingClientRect().height > 4);
  const overlapping = boxes => boxes.flatMap((one, i) => boxes.slice(i + 1)
    .filter(other => !one.contains(other) && !other.contains(one))
    .filter(other => {
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      return Math.min(a.right, b.right) - Math.max(a.left, b.left) > 3
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
    })
    .map(other => `${name(one)} and ${name(other)} overlap`));
  return [...clipped, ...broken, ...overlapping(boxes),
    ...overlapping(ticks.filter(shown))];
}"""

ENLARGE = "size => { document.documentElement.style.fontSize = size; }"

# What still moves, is about to, or took longer than an eye blink to come to rest.
MOVING = """() => document.getAnimations()
  .filter(motion => motion.effect?.getComputedTiming().duration > 10)
  .map(motion => `${motion.animationName ?? motion.transitionProperty} of `
    + (motion.effect.target?.outerHTML ?? '').slice(0, 80))"""

# Whatever could move later: all elements with a transition or an animation of some length.
MOVABLE = """() => [...document.querySelectorAll('*')].flatMap(e => ['', '::before', '::after']
  .filter(part => {
    const style = getComputedStyle(e, part || null);
    const seconds = text => Math.max(...text.split(',').map(parseFloat));
    return (style.transitionProperty !== 'none' && seconds(style.transitionDuration) > 0.01)
      || (style.animationName !== 'none' && seconds(style.animationDuration) > 0.01);
  })
  .map(part => `${e.tagName.toLowerCase()}${part} ${e.dataset?.testid ?? e.className}`))"""


class TestEveryPage:
    def test_is_still_and_nothing_is_cut_off_or_covered(self, open_page):
        tab = open_page("/")
        faults = []
        for entry in pages.PAGES.values():
            tab.page.set_viewport_size({"width": 1280, "height": 800})
            if tab.path != f"/{entry.url_path}":
                with tab.rerun():  # a link is quicker than a new page
                    sidebar = tab.find("stSidebar")
                    sidebar.get_by_role("link", name=entry.title, exact=True).click()
            found = tab.page.evaluate(MOVING) + tab.page.evaluate(MOVABLE)

            tab.page.evaluate(ENLARGE, "200%")
            tab.settle()
            found += tab.overflow() + tab.page.evaluate(CRAMPED)

            # 1280 x 800 at 200 % is a window of 640 x 400 whose pixels count twice.
            tab.page.evaluate(ENLARGE, "")
            tab.page.set_viewport_size({"width": 640, "height": 400})
            tab.settle()
            found += tab.overflow() + tab.page.evaluate(CRAMPED)
            faults += [f"{entry.title}: {fault}" for fault in found]
        assert not faults, "\n".join(faults)


class TestStill:
    def test_motion_would_be_noticed(self, open_page):
        tab = open_page("/quiz")
        tab.page.add_style_tag(
            content="@keyframes turn { to { rotate: 360deg } }"
            " h1 { animation: turn 1s infinite !important }"
        )
        heading = tab.page.get_by_role("heading", level=1)
        expect(heading).to_have_css("animation-name", "turn")
        assert tab.page.evaluate(MOVING) != []
        assert tab.page.evaluate(MOVABLE) != []
