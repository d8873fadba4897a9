// The only place for a bettor's page in the browser: the live stream, asking again where there is none, the end.
// Nothing can be sent from here.
import { clockText, drawClock, nowMs, setNow, startClock } from "./clock.js";

const SILENCE_MS = 7000;
const ASK_MS = 2000;

const { stream, livePath } = document.body.dataset;
const banner = document.getElementById("offline");
let shown = Number(document.body.dataset.seq || 0);
let heard_ms = performance.now();
let heard_at_ms = nowMs();
let source = null;
let over = false;
let failed = 0;

function listen() {
  source = new EventSource(stream);
  source.addEventListener("beat", (event) => hear(JSON.parse(event.data)));
  source.addEventListener("view", (event) => { hear({}); take(JSON.parse(event.data)); });
  source.addEventListener("open", () => { failed = 0; });
  source.addEventListener("leave", end);
  source.addEventListener("error", () => {
    source.close();
    source = null;
    failed += 1;
    setTimeout(ask, Math.min(ASK_MS, 300 * failed));
  });
}

// Every seat of the live screens may be taken: then the page asks, and every now and then tries for a seat again.
async function ask() {
  if (over) return;
  if (!document.hidden) {
    try {
      const answer = await fetch(`${livePath}${livePath.includes("?") ? "&" : "?"}after=${shown}`, { cache: "no-store", headers: { Accept: "application/json" } });
      if (answer.status === 410) return end();
      if (answer.ok) take(hear(await answer.json()));
    } catch { /* the studio cannot be reached: the banner says so */ }
  }
  if (failed % 8 === 1) return listen();
  failed += 1;
  setTimeout(ask, ASK_MS * (0.9 + 0.2 * Math.random()));
}

function hear(said) {
  heard_ms = performance.now();
  if (said.now_ms) setNow(said.now_ms);
  heard_at_ms = nowMs();
  watch();
  return said;
}

function take({ seq, html }) {
  shown = Math.max(shown, seq);
  document.body.dataset.live = "true";
  if (!html) return;
  window.Idiomorph.morph(document.getElementById("live"), html, { morphStyle: "outerHTML" });
  drawClock();
}

function watch() {
  const silent_ms = performance.now() - heard_ms;
  const off = over || (!document.hidden && silent_ms > SILENCE_MS);
  banner.hidden = !off;
  if (off) banner.textContent = over ? banner.dataset.over : banner.dataset.text.replace("{since}", clockText(heard_at_ms)).replace("{ago}", Math.floor(silent_ms / 1000));
}

function end() {
  over = true;
  if (source) source.close();
  watch();
}

startClock();
if (stream) {
  listen();
  setInterval(watch, 500);
  window.addEventListener("pagehide", () => source && source.close());
  window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
}
document.documentElement.dataset.ready = "true";
