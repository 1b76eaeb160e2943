// Plain links: each step of a lesson is a page opened anew, so that it stands in its exact state.
const KEYS = { PageUp: "before", PageDown: "after" };

export default function (component) {
  const { parentElement: root, data } = component;
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  for (const name of ["before", "after", "leave"]) {
    part(name).hidden = !data[name];
    if (data[name]) part(name).href = data[name];
  }
  part("ask").textContent = data.ask;
  const turn = (event) => {
    const name = KEYS[event.key];
    if (!name || !data[name]) return;
    event.preventDefault();
    window.location.assign(data[name]);
  };
  window.addEventListener("keydown", turn);
  return () => window.removeEventListener("keydown", turn);
}
