// Calibrates a camera by four corners: set them by click, finger or keys, see where the places lie, save.

const STEP = 0.001;
const FAR_STEP = 0.01;
const WIDE = 1600;
const HIGH = 900;
const PAUSE_MS = 150;

const page = document.getElementById("calibrate");
const board = document.getElementById("board");
const handles = [1, 2, 3, 4].map((n) => document.getElementById(`corner-${n}`));
const save = document.getElementById("save");
let corners = page.dataset.corners.trim().split(" ").filter(Boolean).map((pair) => pair.split(",").map(Number));
let asked = 0;
let waiting = 0;
let held = -1;

async function post(path, body) {
  const headers = { "Content-Type": "application/json", Accept: "application/json", "X-CSRF-Token": document.documentElement.dataset.csrf };
  try {
    const answer = await fetch(`${page.dataset.base}/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    return await answer.json();
  } catch {
    return { refused: page.dataset.lost };
  }
}

function draw() {
  handles.forEach((handle, at) => {
    const corner = corners[at];
    handle.hidden = !corner;
    if (!corner) return;
    handle.style.left = `${corner[0] * 100}%`;
    handle.style.top = `${corner[1] * 100}%`;
  });
  document.getElementById("edge").setAttribute("points", points(corners));
  const step = document.getElementById("step");
  step.textContent = step.dataset[`step-${corners.length + 1}`] || step.getAttribute(`data-step-${corners.length + 1}`);
}

function points(found) {
  return found.map(([x, y]) => `${Math.round(x * WIDE)},${Math.round(y * HIGH)}`).join(" ");
}

function changed() {
  draw();
  save.disabled = true;
  clearTimeout(waiting);
  if (corners.length === 4) waiting = setTimeout(propose, PAUSE_MS);
  else show({});
}

async function propose() {
  const mine = ++asked;
  const answer = await post("propose", { corners });
  if (mine === asked) { show(answer); save.disabled = Boolean(answer.refused); }
}

// The places as this calibration would have them, and what is wrong with it.
function show(answer) {
  const zones = document.getElementById("zones");
  zones.replaceChildren(...(answer.outlines || []).map((one) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", "polygon");
    made.setAttribute("points", points(one.points));
    made.setAttribute("class", "place");
    return made;
  }));
  const said = document.getElementById("calibrate-said");
  said.textContent = answer.refused || fit(answer);
  said.classList.toggle("refused", Boolean(answer.refused));
  document.getElementById("warnings").replaceChildren(...(answer.warnings || []).map((sentence) => {
    const made = document.createElement("li");
    made.textContent = sentence;
    return made;
  }));
}

function fit(answer) {
  if (!answer.outlines) return "";
  const words = answer.error_px === null ? page.dataset.size : page.dataset.fit;
  return words.replace("{px}", answer.card_px).replace("{error}", answer.error_px);
}

// --- finger, mouse and keys --------------------------------------------------------------------------------------

function at(event) {
  const box = board.getBoundingClientRect();
  return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height].map((share) => Math.round(Math.min(1, Math.max(0, share)) * 10000) / 10000);
}

board.addEventListener("pointerdown", (event) => {
  held = handles.indexOf(event.target);
  if (held < 0 && corners.length < 4) {
    corners = [...corners, at(event)];
    held = corners.length - 1;
    changed();
  }
  if (held < 0) return;
  event.preventDefault();
  board.setPointerCapture(event.pointerId);
  handles[held].focus({ preventScroll: true });
});
board.addEventListener("pointermove", (event) => { if (held >= 0) move(held, at(event)); });
for (const name of ["pointerup", "pointercancel"]) board.addEventListener(name, () => { held = -1; });

function move(which, corner) {
  corners = corners.map((one, n) => (n === which ? corner : one));
  changed();
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

board.addEventListener("keydown", (event) => {
  const which = handles.indexOf(document.activeElement);
  if (which < 0 && event.key === "Enter" && corners.length < 4) {
    corners = [...corners, [0.5, 0.5]];
    changed();
    handles[corners.length - 1].focus();
    return event.preventDefault();
  }
  if (which < 0 || !ARROWS[event.key]) return;
  event.preventDefault();
  const step = event.shiftKey ? FAR_STEP : STEP;
  const [dx, dy] = ARROWS[event.key];
  const [x, y] = corners[which];
  move(which, [x + dx * step, y + dy * step].map((share) => Math.round(Math.min(1, Math.max(0, share)) * 10000) / 10000));
});

document.getElementById("again").addEventListener("click", () => { corners = []; asked++; changed(); board.focus(); });
document.getElementById("markers").addEventListener("click", async () => {
  const answer = await post("markers", {});
  if (answer.refused) return show(answer);
  corners = answer.corners;
  changed();
});
save.addEventListener("click", async () => {
  save.disabled = true;
  clearTimeout(waiting);
  asked++; // a proposal still under way says nothing any more
  const answer = await post("save", { corners });
  show(answer);
  if (!answer.refused) document.getElementById("calibrate-said").textContent = page.dataset.saved;
});

if (corners.length !== 4) corners = [];
changed();
