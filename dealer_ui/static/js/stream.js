// The only place for the live stream: takes the newest fragment, changes the page into it, knows when it is cut off.
import { drawClock, clockText, nowMs, setNow } from "./clock.js";
import { afterFragment, setOffline } from "./order.js";
import { keepOrder } from "./list_order.js";
import { afterSound, hearUrgent } from "./sound.js";
import { numberDigits } from "./dialog.js";

const SILENCE_MS = 5000;
const BACKOFF_MS = [300, 1000, 2000, 4000, 8000];

let source = null;
let tries = 0;
let heard_ms = performance.now();
let heard_at_ms = nowMs();
let shown = Number(document.body.dataset.seq || 0);
let waiting = null;
let finger_down = false;
let again = 0;

export function startStream() {
  const path = document.body.dataset.stream;
  if (!path) return;
  for (const name of ["pointerup", "pointercancel", "blur"]) window.addEventListener(name, () => setTimeout(lift, 0), true);
  window.addEventListener("pointerdown", () => { finger_down = true; }, true);
  window.addEventListener("pagehide", () => source && source.close());
  window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  setInterval(watch, 500);
  connect(path);
}

function connect(path) {
  clearTimeout(again);
  source = new EventSource(`${path}?after=${shown}`);
  source.addEventListener("open", () => { tries = 0; });
  source.addEventListener("beat", (event) => hear(JSON.parse(event.data)));
  source.addEventListener("view", (event) => { hear({}); take(JSON.parse(event.data)); });
  source.addEventListener("leave", () => location.assign(`/sign-in?next=${encodeURIComponent(location.pathname)}`));
  source.addEventListener("error", () => {
    source.close();
    const wait_ms = BACKOFF_MS[Math.min(tries++, BACKOFF_MS.length - 1)];
    again = setTimeout(() => connect(path), wait_ms * (0.8 + 0.4 * Math.random()));
    if (tries === 3) askWhoIsThere();
  });
}

// A stream that is refused does not say why; a page of ours does.
async function askWhoIsThere() {
  if (!document.documentElement.dataset.csrf) return;
  try {
    const answer = await fetch("/whoami", { cache: "no-store", headers: { Accept: "application/json" } });
    if (answer.status === 401) location.assign(`/sign-in?next=${encodeURIComponent(location.pathname)}`);
  } catch { /* the studio cannot be reached: the banner says so */ }
}

export function hear(beat) {
  heard_ms = performance.now();
  if (beat.now_ms) {
    setNow(beat.now_ms);
    showUrgent(beat.urgent || []);
  }
  heard_at_ms = nowMs();
  watch();
}

export function watch() {
  const silent_ms = performance.now() - heard_ms;
  const banner = document.getElementById("offline");
  const off = silent_ms > SILENCE_MS;
  setOffline(off);
  document.getElementById("station").inert = off && Boolean(document.body.dataset.stream); // a page that does not live claims nothing
  banner.hidden = !off;
  if (off) banner.textContent = banner.dataset.text.replace("{since}", clockText(heard_at_ms)).replace("{ago}", Math.floor(silent_ms / 1000));
}

function take(view) {
  waiting = { ...(waiting || {}), ...view };
  if (finger_down) document.body.dataset.deferred = "true";
  else show();
}

function lift() {
  finger_down = false;
  if (waiting) show();
}

function show() {
  const { seq, html } = waiting;
  waiting = null;
  delete document.body.dataset.deferred;
  shown = Math.max(shown, seq);
  document.body.dataset.seq = String(shown);
  document.body.dataset.live = "true";
  const live = document.getElementById("live");
  if (html && live) {
    window.Idiomorph.morph(live, keepOrder(html), { morphStyle: "outerHTML", ignoreActiveValue: true, callbacks: { beforeNodeMorphed: keepsHand, beforeAttributeUpdated: keepsAttribute } });
    window.htmx.process(document.getElementById("live"));
    numberDigits();
    drawClock();
    afterSound();
  }
  afterFragment(shown);
}

// What nobody has acknowledged in time is told on every page of whoever hears alarms; a page that shows it needs no banner.
function showUrgent(urgent) {
  const banner = document.getElementById("urgent");
  if (!banner) return;
  const told = urgent.filter((one) => !document.getElementById(`alarm-${one.id}`));
  banner.hidden = !told.length;
  banner.firstElementChild.textContent = told.map((one) => `${one.says}${one.where ? ` · ${one.where}` : ""}`).join("   |   ");
  hearUrgent(told.map((one) => one.id));
}

// A form somebody has begun to fill in stays as he left it while the page around it moves; so does a live picture.
function keepsHand(old) {
  if (old instanceof HTMLElement && old.dataset.lens) return false;
  return !(old instanceof HTMLFormElement && old.dataset.dirty === "true");
}

function keepsAttribute(name, node) {
  if (node instanceof HTMLImageElement && node.dataset.refresh !== undefined) return false;
  if (name === "open" && node instanceof HTMLDetailsElement) return false;
  if ((name === "style" || name === "class") && node.closest && node.closest("[data-closes-at-ms]")) return name !== "style" && !node.matches("[data-closes-at-ms]");
  return true;
}

document.addEventListener("input", (event) => {
  const form = event.target.closest && event.target.closest("form.act-form");
  if (form) form.dataset.dirty = "true";
});
