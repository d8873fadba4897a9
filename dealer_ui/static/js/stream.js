// A live screen: takes the newest fragment, changes the page into it, says so when the studio is not heard any more.
import { clockText, drawClock, instant, nowMs, passedMs, setNow } from "./clock.js";
import { Line, signInAgain } from "./line.js";
import { afterFragment, setOffline } from "./order.js";
import { showOffline } from "./offline.js";
import { keepOrder } from "./list_order.js";
import { afterSound, hearUrgent } from "./sound.js";
import { numberDigits } from "./dialog.js";

const SILENCE_MS = 5000;
const FINGER_MS = 3000; // no tap lasts so long: where a menu of the browser's own came up, nobody says that the finger has gone

let heard = instant();
let heard_at_ms = nowMs();
let shown = Number(document.body.dataset.seq || 0);
let mark = "";
let waiting = null;
let drawn = ""; // the newest fragment
let finger_down = null; // since when
let focused = null; // what had the focus when the station was held back

export function startStream() {
  const path = document.body.dataset.stream;
  if (!path) return;
  for (const name of ["pointerup", "pointercancel", "blur"]) window.addEventListener(name, () => setTimeout(lift, 0), true);
  window.addEventListener("pointerdown", () => { finger_down = instant(); }, true);
  setInterval(watch, 500);
  new Line({
    stream: path,
    view: () => `${path.replace("/stream/", "/view/")}?mark=${mark}`,
    heard: hear,
    viewed: (view) => { hear({}); mark = view.mark || ""; take(view); },
    ended: () => { signInAgain(); return false; },
  }).open();
}

export function hear(beat) {
  heard = instant();
  if (beat.now_ms) {
    setNow(beat.now_ms);
    showUrgent(beat.urgent || []);
  }
  heard_at_ms = nowMs();
  watch();
}

export function watch() {
  if (finger_down && passedMs(finger_down) > FINGER_MS) lift();
  const silent_ms = passedMs(heard);
  const off = silent_ms > SILENCE_MS;
  setOffline(off);
  holdBack(off && Boolean(document.body.dataset.stream)); // a page that does not live claims nothing
  showOffline(off && ((words) => words.replace("{since}", clockText(heard_at_ms)).replace("{ago}", Math.floor(silent_ms / 1000))));
}

// What is held back loses the focus; whoever was writing there writes on where he was.
function holdBack(wanted) {
  const station = document.getElementById("station");
  if (station.inert === wanted) return;
  if (wanted) focused = station.contains(document.activeElement) ? document.activeElement : null;
  station.inert = wanted;
  if (!wanted && focused?.isConnected && document.activeElement === document.body) focused.focus({ preventScroll: true });
}

function take(view) {
  waiting = { ...(waiting || {}), ...view };
  if (finger_down) document.body.dataset.deferred = "true";
  else show();
}

function lift() {
  finger_down = null;
  if (waiting) show();
}

function show() {
  const { seq, html } = waiting;
  waiting = null;
  drawn = html || drawn;
  delete document.body.dataset.deferred;
  shown = Math.max(shown, seq);
  document.body.dataset.seq = String(shown);
  document.body.dataset.live = "true";
  const live = document.getElementById("live");
  if (html && live) {
    window.Idiomorph.morph(live, keepOrder(html), { morphStyle: "outerHTML", ignoreActiveValue: true, callbacks: { beforeNodeMorphed: keepsHand, beforeAttributeUpdated: keepsAttribute } });
    window.htmx.process(document.getElementById("live"));
    document.dispatchEvent(new Event("studio:fragment"));
    numberDigits();
    drawClock();
    afterSound();
  }
  afterFragment(shown);
}

// What the studio showed last once more: over a form that nobody holds to any more.
export function drawAgain() {
  if (drawn) take({ seq: shown, html: drawn, ...waiting });
  else location.reload();
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
function keepsHand(old, next) {
  if (old instanceof HTMLElement && (old.dataset.lens || old.dataset.picture)) return false;
  if (!(old instanceof HTMLFormElement) || old.dataset.dirty !== "true") return true;
  for (const part of old.querySelectorAll("[data-fresh]")) renew(part, next.querySelector(`#${CSS.escape(part.id)}`));
  return false;
}

// What a form offers is never older than the page around it, also where somebody has begun to fill it in.
function renew(part, next) {
  if (next && part.dataset.drawn !== next.innerHTML) part.innerHTML = part.dataset.drawn = next.innerHTML;
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
