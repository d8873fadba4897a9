// A bettor's page in the browser: the live table, and the end of the page; where he plays, his chips and decisions.
import { clockText, drawClock, instant, nowMs, passedMs, setNow, startClock } from "./clock.js";
import { Line } from "./line.js";
import { showOffline } from "./offline.js";
import { drawSeat, startSeat } from "./play_seat.js";
import { drawPicture, startPicture } from "./play_video.js";
import { draw as drawBets, startBets } from "./play_bets.js";
import { drawDecision, startDecisions } from "./play_decisions.js";
import { startCheck } from "./play_check.js";

const SILENCE_MS = 7000;
const GRACE_MS = 3000; // a page that nobody looked at asked for nothing, and is given a moment

const { stream, livePath } = document.body.dataset;
let shown = Number(document.body.dataset.seq || 0);
let heard = instant();
let looked_at = instant();
let heard_at_ms = nowMs();
let over = false;

function hear(said) {
  heard = instant();
  if (said.now_ms) setNow(said.now_ms);
  heard_at_ms = nowMs();
  watch();
}

function take({ seq, html }) {
  hear({});
  shown = Math.max(shown, seq);
  document.body.dataset.live = "true";
  if (!html) return;
  window.Idiomorph.morph(document.getElementById("live"), html, { morphStyle: "outerHTML", callbacks: { beforeNodeMorphed: (old) => old.id !== "table-picture" } });
  drawClock();
  drawBets();
  drawDecision();
  drawSeat();
  document.body.dataset.shown = String(shown);
}

function watch() {
  if (over) return showOffline((words, banner) => banner.dataset.over);
  const off = !document.hidden && passedMs(heard) > SILENCE_MS && passedMs(looked_at) > GRACE_MS;
  showOffline(off && ((words) => words.replace("{since}", clockText(heard_at_ms))));
}

function end() {
  over = true;
  watch();
  return true;
}

startClock();
startBets();
startDecisions();
startSeat();
startPicture();
startCheck();
if (stream) {
  setInterval(watch, 500);
  document.addEventListener("visibilitychange", () => { looked_at = instant(); });
  new Line({
    stream,
    view: () => `${livePath}${livePath.includes("?") ? "&" : "?"}after=${shown}`,
    heard: hear,
    viewed: take,
    ended: end,
    asleep: () => document.hidden,
  }).open();
}
document.documentElement.dataset.ready = "true";
