// Streamlit leaves a page in two steps: it takes the page's controls out of the address, then names
// the next page, and makes an entry in the history for each. Back would lead to the first of them:
// the page, with its controls lost. Here the second takes the place of the first.
(() => {
  const push = history.pushState.bind(history);
  const replace = history.replaceState.bind(history);
  let leaving = false; // by the last click
  let between = false; // on the entry without the controls

  addEventListener("popstate", () => (leaving = between = false));
  addEventListener(
    "click",
    (event) => {
      leaving = event.target.closest('[data-testid="stPageLink"] a') !== null;
      between = false;
    },
    true,
  );
  history.pushState = (state, title, url) => {
    const path = location.pathname;
    (between ? replace : push)(state, title, url);
    leaving &&= location.pathname === path;
    between = leaving;
  };
})();
