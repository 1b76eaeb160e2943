// Replays the table that core computed: looks rows up by the thumb's position, and draws them.
// There is no mathematics here; positions, lengths and texts all arrive ready to show.

const SETTLE_MS = 250; // a run of arrow keys is one change for the server
const SVG = "http://www.w3.org/2000/svg";

const part = (root, name) => root.querySelector(`[data-part="${name}"]`);

function element(tag, properties, parent) {
  const node = Object.assign(document.createElement(tag), properties);
  parent.append(node);
  return node;
}

function shape(tag, attributes, parent) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  parent.append(node);
  return node;
}

// What depends on the data but not on the thumb: built once for each table.
function build(root, view, data) {
  view.range.max = view.rows.length - 1;
  part(root, "ceiling").textContent = data.ceiling;
  part(root, "keys").textContent = data.keys.length;

  const rows = part(root, "rows");
  rows.replaceChildren();
  view.bars = data.keys.map((key) => {
    const row = element("div", { className: "row" }, rows);
    const name = element("span", { className: "name", textContent: key.name }, row);
    const divided = element("small", {}, name);
    const track = element("div", { className: "track" }, row);
    const fill = element("div", { className: "fill" }, track);
    fill.style.background = key.colour;
    return { divided, fill, weight: element("b", {}, row) };
  });

  const marks = part(root, "marks");
  marks.replaceChildren();
  for (const mark of data.marks) {
    const button = element("button", { type: "button", textContent: mark.label }, marks);
    button.className = mark.side;
    button.style.left = mark.left;
    button.setAttribute("aria-label", mark.spoken);
    button.onclick = () => view.jump(mark.index);
  }

  const plot = root.querySelector(".plot");
  const svg = (view.svg = plot.querySelector("svg"));
  svg.replaceChildren();
  for (const y of [0, 50, 100]) shape("line", { class: "grid", x1: 0, x2: 100, y1: y, y2: y }, svg);
  view.marker = shape("line", { class: "marker", y1: 0, y2: 100 }, svg);
  plot.querySelectorAll(".dot").forEach((dot) => dot.remove());
  const names = part(root, "names");
  names.replaceChildren();
  view.dots = data.curves.map((curve) => {
    shape("polyline", { points: curve.points, stroke: curve.colour,
      "stroke-dasharray": curve.dash }, svg);
    const name = element("span", { textContent: curve.name }, names);
    name.style.top = curve.nameTop;
    const dot = element("div", { className: "dot" }, plot);
    dot.style.background = curve.colour;
    return dot;
  });
  const labels = part(root, "xlabels");
  labels.replaceChildren();
  for (const tick of data.ticks) {
    const label = element("span", { textContent: tick.label }, labels);
    label.style.left = tick.left;
  }
}

// What the thumb decides: everything a row of the table says.
function show(root, view, data, row) {
  view.shown = row;
  part(root, "divisor").textContent = row.divisor;
  part(root, "note").textContent = row.note;
  view.bars.forEach((bar, i) => {
    bar.divided.textContent = row.divided[i];
    bar.fill.style.transform = `scaleX(${row.weights[i]})`;
    bar.weight.textContent = row.percent[i];
  });
  part(root, "entropy").textContent = row.entropy;
  part(root, "entropy-fill").style.transform = `scaleX(${row.share})`;
  part(root, "effective").textContent = row.effective;
  view.marker.setAttribute("x1", row.x);
  view.marker.setAttribute("x2", row.x);
  view.dots.forEach((dot, i) => {
    dot.style.left = `${row.x}%`;
    dot.style.top = `${row.tops[i]}%`;
  });
  const weights = data.keys.map((key, i) => `${key.name} ${row.percent[i]}`).join(", ");
  const spoken = `Divisor ${row.divisor}: ${weights}; entropy ${row.entropy} of ${data.ceiling}`;
  view.range.setAttribute("aria-valuetext", spoken);
  part(root, "bars").setAttribute("aria-label", spoken);
  part(root, "curves").setAttribute("aria-label", `${data.curvesSpoken} ${spoken}`);
}

// The two panels as one SVG file with the numbers of the divisor on screen.
function picture(view, data) {
  const row = view.shown;
  const svg = document.createElementNS(SVG, "svg");
  const [ink, paper] = [data.ink, data.paper];
  for (const [name, value] of Object.entries({ xmlns: SVG, width: 960, height: 400,
    viewBox: "0 0 960 400", "font-family": "sans-serif", "font-size": 16 }))
    svg.setAttribute(name, value);
  const write = (x, y, text, more = {}) => {
    shape("text", { x, y, fill: ink, ...more }, svg).textContent = text;
  };
  shape("rect", { width: "100%", height: "100%", fill: paper }, svg);
  write(32, 40, `Divisor ${row.divisor}`, { "font-size": 24, "font-weight": 700 });
  data.keys.forEach((key, i) => {
    const y = `${90 + i * 64}`;
    write(32, y, `${key.name}: ${row.divided[i]}`);
    const bar = shape("svg", { x: 32, y: `${102 + i * 64}`, width: 320, height: 22 }, svg);
    shape("rect", { width: "100%", height: "100%", fill: ink, opacity: 0.08 }, bar);
    shape("rect", { width: row.width[i], height: "100%", fill: key.colour }, bar);
    write(364, `${119 + i * 64}`, row.percent[i], { "font-weight": 700 });
  });
  write(32, 310, `Entropy ${row.entropy} of ${data.ceiling}`);
  write(32, 340, `Effective number of keys ${row.effective} of ${data.keys.length}`);
  const plot = shape("svg", { x: 500, y: 60, width: 380, height: 260, viewBox: "0 0 100 100",
    preserveAspectRatio: "none" }, svg);
  plot.innerHTML = view.svg.innerHTML;
  plot.querySelectorAll("line").forEach((line) => {
    line.setAttribute("stroke", ink);
    line.setAttribute("stroke-width", 0.3);
  });
  plot.querySelectorAll("polyline").forEach((line) => {
    line.setAttribute("fill", "none");
    line.setAttribute("stroke-width", 0.8);
  });
  data.curves.forEach((curve) => write(888, curve.pictureY, curve.name));
  write(500, 40, "Weights (0 to 1) at every divisor");
  write(500, 350, data.travel);
  return new XMLSerializer().serializeToString(svg);
}

function save(view, data) {
  const blob = new Blob([picture(view, data)], { type: "image/svg+xml" });
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href: url, download: data.file }).click();
  URL.revokeObjectURL(url);
}

// The table under its address, which every view of it shares.
const tables = new Map();
function fetchTable(address) {
  if (!tables.has(address)) {
    const answer = fetch(new URL(address, window.__streamlit.BACKEND_BASE_URL)).then((response) => {
      if (!response.ok) throw new Error(`${response.status} for ${address}`);
      return response.json();
    });
    answer.catch(() => tables.delete(address)); // the next change asks anew
    tables.set(address, answer);
  }
  return tables.get(address);
}

export default function (component) {
  draw(component).catch(() => {
    const root = component.parentElement;
    part(root, "note").textContent = "The table did not arrive. Change anything to ask again.";
    root.querySelector(".live").dataset.ready = "true";
  });
}

async function draw(component) {
  const { parentElement: root, data: held, setStateValue } = component;
  const state = JSON.parse(new TextDecoder().decode(held));
  const view = (root.liveDivisor ??= { range: root.querySelector("input"), held: false });
  const live = root.querySelector(".live");

  view.latest = component;
  if (view.table !== state.table) delete live.dataset.ready;
  const data = { ...(await fetchTable(state.table)), ...state };
  if (view.latest !== component) return;
  if (view.table !== state.table) {
    view.rows = data.rows;
    build(root, view, data);
    view.table = state.table;
  }

  const commit = () => {
    clearTimeout(view.timer);
    view.timer = undefined;
    setStateValue("position", Number(view.range.value));
  };
  view.jump = (index) => {
    view.range.value = index;
    show(root, view, data, view.rows[index]);
    commit();
  };

  // A table that arrives while the thumb is held, or before the server has heard of the last
  // move, must not pull the thumb back.
  if (!view.held && view.timer === undefined) {
    view.range.value = data.index;
    show(root, view, data, data.current);
  } else {
    show(root, view, data, view.rows[view.range.value]);
  }
  live.dataset.ready = "true";

  view.range.onkeydown = () => (view.keyed = true);
  view.range.onpointerdown = () => {
    view.held = true;
    view.keyed = false;
  };
  view.range.onpointerup = view.range.onpointercancel = () => (view.held = false);
  view.range.oninput = () => show(root, view, data, view.rows[view.range.value]);
  view.range.onchange = () => {
    clearTimeout(view.timer);
    if (view.keyed) view.timer = setTimeout(commit, SETTLE_MS);
    else commit();
  };
  part(root, "save").onclick = () => save(view, data);
}
