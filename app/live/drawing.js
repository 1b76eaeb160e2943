// Shows a picture made by the server. Nothing is computed here.

// The layout on screen, as a PNG of twice its size.
async function save(frame, { file }) {
  const shown = [...frame.children].find((svg) => svg.getClientRects().length);
  const [, , width, height] = shown.getAttribute("viewBox").split(" ").map(Number);
  const copy = shown.cloneNode(true);
  copy.style.background = getComputedStyle(frame).getPropertyValue("--st-background-color");
  const source = new XMLSerializer().serializeToString(copy);
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([source], { type: "image/svg+xml" }));
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), {
    width: 2 * width,
    height: 2 * height,
  });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  const href = canvas.toDataURL("image/png");
  Object.assign(document.createElement("a"), { href, download: `${file}.png` }).click();
}

function frameIn(row) {
  const frame = row.appendChild(document.createElement("div"));
  frame.className = "picture";
  frame.innerHTML = '<div class="drawing" role="img"></div><button class="save" type="button">';
  return frame;
}

async function unpack(data) {
  const unpacked = new Blob([data]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(unpacked).json();
}

async function show(row, data) {
  row.newest = data;
  const pictures = await unpack(data);
  if (row.newest !== data) return;
  pictures.forEach((picture, i) => {
    const [drawing, button] = (row.children[i] ?? frameIn(row)).children;
    if (drawing.svg !== picture.svg) {
      drawing.innerHTML = drawing.svg = picture.svg;
      drawing.setAttribute("aria-label", picture.alt);
      drawing.id = picture.file;
      drawing.parentElement.style.setProperty("--share", picture.share);
    }
    button.title = `Save as image: ${picture.name}`;
    button.setAttribute("aria-label", button.title);
    button.onclick = () => save(drawing, picture);
  });
}

export default function ({ parentElement, data }) {
  show(parentElement.querySelector(".pictures"), data);
}
