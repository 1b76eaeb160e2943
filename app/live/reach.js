// Lets the keyboard reach a table that is wider than its frame, so that arrow keys scroll it. Not
// every browser does so by itself, and Streamlit does so only for tables of a fixed size.
const FRAMES = '[data-testid="stTable"] > div';

function reach() {
  for (const frame of document.querySelectorAll(FRAMES)) {
    const wide = frame.scrollWidth > frame.clientWidth;
    if (wide === frame.hasAttribute("tabindex")) continue;
    frame.toggleAttribute("tabindex", wide);
    if (wide) {
      frame.tabIndex = 0;
      frame.setAttribute("role", "group");
      frame.setAttribute("aria-label", "Wide table: the arrow keys scroll it");
    } else {
      frame.removeAttribute("role");
      frame.removeAttribute("aria-label");
    }
  }
}

export default function () {
  let due = 0;
  const soon = () => {
    cancelAnimationFrame(due);
    due = requestAnimationFrame(reach);
  };
  const watch = new MutationObserver(soon);
  watch.observe(document.body, { childList: true, subtree: true });
  window.addEventListener("resize", soon);
  soon();
  return () => {
    watch.disconnect();
    window.removeEventListener("resize", soon);
  };
}
