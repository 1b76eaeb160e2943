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
  Object.assign(document.createElement("a"), { href, download: file }).click();
}

export default function ({ parentElement, data }) {
  const frame = parentElement.querySelector(".drawing");
  const button = parentElement.querySelector(".save");
  if (frame.svg !== data.svg) {
    frame.innerHTML = frame.svg = data.svg;
    frame.setAttribute("aria-label", data.alt);
  }
  button.title = `Save as image: ${data.name}`;
  button.setAttribute("aria-label", button.title);
  button.onclick = () => save(frame, data);
}
