// A person's hands at the demo: this sends what they do, redraws the felt, drags and taps cards, and passes keys
// on to the console in the frame. The dock is one fragment; what is chosen lives here.
import { signInAgain } from "./line.js";
import { toast } from "./order.js";
import { numberDigits } from "./dialog.js";

const POLL_MS = 350;
const DRAG_PX = 8;
const NEEDS_HAND = "[data-hand-key]";

let tag = "";
let busy = false;
let chosen = "";
let swapping = false;
let drag = null;
const how = { face: "due", reader: "over" };

const dock = () => document.getElementById("dock");
const sketch = () => document.getElementById("sketch");
const path = dock().dataset.path;

// --- sending and redrawing ---------------------------------------------------------------------------

async function act(fields, near) {
  if (busy) return;
  busy = true;
  dock().classList.add("busy");
  try {
    const answer = await fetch(`${path}/act`, { method: "POST", headers: headers(), body: new URLSearchParams(fields) });
    if (answer.status === 401) return signInAgain();
    const said = await answer.json();
    if (answer.ok) take(said);
    else toast(near || dock(), said.refused || lost());
  } catch {
    toast(near || dock(), lost());
  } finally {
    busy = false;
    dock().classList.remove("busy");
  }
}

function headers() {
  return { Accept: "application/json", "X-CSRF-Token": document.documentElement.dataset.csrf };
}

function lost() {
  return document.getElementById("says").dataset.lost;
}

async function poll() {
  if (busy || drag || document.hidden) return;
  try {
    const answer = await fetch(`${path}/dock?tag=${tag}`, { headers: { Accept: "application/json" }, cache: "no-store" });
    if (answer.status === 401) return signInAgain();
    if (answer.status === 200 && !busy && !drag) take(await answer.json());
  } catch { /* the console above says OFFLINE */ }
}

function take(said) {
  tag = said.tag;
  window.Idiomorph.morph(dock(), said.html, { morphStyle: "outerHTML", callbacks: { beforeAttributeUpdated: (name) => name !== "open" } });
  numberDigits();
  show();
}

// --- what is chosen ----------------------------------------------------------------------------------

function choose(ref) {
  chosen = chosen === ref ? "" : ref;
  swapping = false;
  show();
}

function show() {
  if (chosen && !document.querySelector(`[data-card="${chosen}"]`)) chosen = "";
  for (const card of document.querySelectorAll("#dock [data-card]")) card.classList.toggle("picked", card.dataset.card === chosen);
  const strip = document.getElementById("chosen");
  if (!strip) return;
  const kind = !chosen ? "nothing" : chosen === "shoe" ? "shoe" : "card";
  swapping = swapping && kind === "card";
  strip.classList.toggle("acts-only", kind === "card" && !swapping);
  strip.querySelector(".chosen-says").textContent = strip.dataset[swapping ? "swap" : kind];
  for (const acts of strip.querySelectorAll("[data-for]")) acts.hidden = acts.dataset.for !== kind;
  for (const button of strip.querySelectorAll("[data-choice] button")) button.setAttribute("aria-pressed", String(how[button.parentNode.dataset.choice] === button.dataset.value));
  sketch().classList.toggle("choosing", Boolean(chosen));
}

function put(ref, target, near) {
  chosen = "";
  swapping = false;
  const fields = { act: "move", card: ref, ...target };
  if (ref === "shoe") Object.assign(fields, { face: how.face, reader: how.reader });
  return act(fields, near);
}

function doChosen(name) {
  const card = document.querySelector(`#sketch [data-card="${chosen}"]`);
  if (name === "swap") {
    swapping = !swapping;
    return show();
  }
  if (name === "hand") return card && card.dataset.at && act({ act: "hand", to: card.dataset.at });
  return act({ act: name, card: chosen });
}

// --- taps and drags ----------------------------------------------------------------------------------

function spotOf(event) {
  const felt = sketch();
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(felt.getScreenCTM().inverse());
  const cloth = felt.querySelector(".cloth");
  const width = cloth.width.baseVal.value;
  const height = cloth.height.baseVal.value + 2 * cloth.y.baseVal.value;
  return { x: point.x, y: point.y, spot: `${(point.x / width).toFixed(4)},${(point.y / height).toFixed(4)}`, off: point.x < 0 || point.x > width || point.y < 20 || point.y > height - 20 };
}

function slotUnder(point) {
  for (const slot of document.querySelectorAll("#sketch [data-slot]")) {
    const box = slot.querySelector("rect");
    const left = box.x.baseVal.value, top = box.y.baseVal.value;
    if (point.x >= left && point.x <= left + box.width.baseVal.value && point.y >= top && point.y <= top + box.height.baseVal.value) return slot.dataset.slot;
  }
  return "";
}

function targetOf(event) {
  const point = spotOf(event);
  const slot = slotUnder(point);
  return slot ? { to: slot } : point.off ? null : { spot: point.spot };
}

function grab(event) {
  const card = event.target.closest("#dock [data-card]");
  if (!card || card.id === "chosen" || event.button || !sketch()) return;
  drag = { ref: card.dataset.card, card, x: event.clientX, y: event.clientY, moved: false, ghost: null };
}

function pull(event) {
  if (!drag) return;
  if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_PX) return;
  drag.moved = true;
  event.preventDefault();
  if (!drag.ghost && sketch().contains(drag.card)) {
    drag.ghost = drag.ref === "shoe" ? backGhost() : drag.card.cloneNode(true);
    drag.ghost.classList.add("ghost-card");
    drag.ghost.removeAttribute("data-card");
    sketch().append(drag.ghost);
    drag.card.classList.add("lifted");
  }
  const point = spotOf(event);
  if (drag.ghost) drag.ghost.setAttribute("transform", `translate(${point.x} ${point.y})`);
  const over = slotUnder(point);
  for (const slot of document.querySelectorAll("#sketch [data-slot]")) slot.classList.toggle("over", slot.dataset.slot === over);
}

function backGhost() {
  const ghost = document.createElementNS("http://www.w3.org/2000/svg", "g");
  ghost.innerHTML = '<rect class="paper" x="-31.5" y="-44" width="63" height="88" rx="6"/><rect class="weave" x="-26.5" y="-39" width="53" height="78" rx="3"/>';
  return ghost;
}

function release(event) {
  const held = drag;
  drag = null;
  if (!held) return;
  if (held.ghost) held.ghost.remove();
  held.card.classList.remove("lifted");
  for (const slot of document.querySelectorAll("#sketch .over")) slot.classList.remove("over");
  if (!held.moved) return;
  swallow = performance.now();
  const target = targetOf(event);
  if (target) put(held.ref, target, held.card);
  else if (held.ref !== "shoe") act({ act: "drop", card: held.ref }, held.card);
}

let swallow = -1000; // the click that ends a drag

function tap(event) {
  if (performance.now() - swallow < 250) return;
  const pressed = event.target.closest("[data-press]");
  if (pressed) return press(pressed.dataset.press);
  const strip = event.target.closest("[data-do], [data-choice] button");
  if (strip) return strip.dataset.do ? doChosen(strip.dataset.do) : setHow(strip);
  const palm = event.target.closest("[data-palm]");
  if (palm) return act({ act: "hand", to: palm.dataset.palm });
  const card = event.target.closest("#dock [data-card]:not(.chosen)");
  if (swapping && card && card.dataset.card !== chosen) {
    const one = chosen;
    chosen = "";
    return act({ act: "swap", card: one, with: card.dataset.card }, card);
  }
  if (card && !(chosen && chosen !== card.dataset.card && card.dataset.at)) return choose(card.dataset.card);
  if (chosen && sketch().contains(event.target)) {
    const target = card ? { to: card.dataset.at } : targetOf(event);
    if (target) put(chosen, target, event.target);
  }
}

function setHow(button) {
  how[button.parentNode.dataset.choice] = button.dataset.value;
  show();
}

// --- keys, here and in the console -------------------------------------------------------------------

function key(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
  if (event.target.closest && event.target.closest("input, select, textarea")) return;
  if (openDialog(event.target.ownerDocument)) return;
  if ((event.key === "Enter" || event.key === " ") && event.target.matches && event.target.matches("#sketch [data-card]")) {
    event.preventDefault();
    return choose(event.target.dataset.card);
  }
  const wanted = /^[a-z]$/i.test(event.key) && Array.from(document.querySelectorAll(NEEDS_HAND)).find((node) => node.dataset.handKey === event.key.toLowerCase());
  if (wanted) {
    event.preventDefault();
    if (!event.repeat && !wanted.disabled) wanted.click();
    return;
  }
  if (event.target.ownerDocument === document) passOn(event);
}

function openDialog(page) {
  return page.querySelector("dialog[open]") || document.querySelector("dialog[open]");
}

// The console's own button, pressed from here.
function press(key) {
  const page = consolePage();
  if (page) page.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}

// Space and the console's letters work wherever the hands are.
function passOn(event) {
  const page = consolePage();
  if (!page || event.repeat || event.key === "Tab") return;
  if ((event.key === " " || event.key === "Enter") && event.target.closest("button, a, summary, [role=button]")) return;
  const passed = new KeyboardEvent("keydown", { key: event.key, bubbles: true, cancelable: true });
  page.body.dispatchEvent(passed);
  if (passed.defaultPrevented) event.preventDefault();
}

function consolePage() {
  const frame = document.getElementById("console");
  try { return frame && frame.contentDocument && frame.contentDocument.body ? frame.contentDocument : null; } catch { return null; }
}

// Signed out in the console means signed out here.
function listenToConsole() {
  const page = consolePage();
  if (!page) return;
  if (page.location.pathname.startsWith("/sign-in")) return signInAgain();
  if (!page.getElementById("framed")) {
    const sheet = page.createElement("link");
    Object.assign(sheet, { id: "framed", rel: "stylesheet", href: "/static/css/framed.css" });
    page.head.append(sheet);
  }
  page.documentElement.classList.add("framed");
  page.addEventListener("keydown", key);
}

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form.hand-form");
  if (!form) return;
  event.preventDefault();
  const fields = new FormData(form, event.submitter);
  const dialog = form.closest("dialog");
  if (dialog) dialog.close();
  if (event.submitter) event.submitter.blur();
  act(fields, event.submitter);
});
document.addEventListener("pointerdown", grab);
document.addEventListener("pointermove", pull);
document.addEventListener("pointerup", release);
document.addEventListener("pointercancel", () => { if (drag && drag.ghost) drag.ghost.remove(); drag = null; });
document.addEventListener("click", tap);
document.addEventListener("keydown", key);
const frame = document.getElementById("console");
if (frame) {
  frame.addEventListener("load", listenToConsole);
  listenToConsole();
}
show();
setInterval(poll, POLL_MS);
