// A page that does not live asks for its beat: the time, the alarms nobody has acknowledged, whether the sign-in holds.
import { signInAgain } from "./line.js";
import { toast } from "./order.js";
import { hear, watch } from "./stream.js";

const EVERY_MS = 2000;
const GIVE_UP_MS = 4000;

let asking = false;

export function startBeat() {
  if (!document.body.dataset.beat) return;
  setInterval(watch, 500);
  setInterval(ask, EVERY_MS);
  document.addEventListener("visibilitychange", ask); // a hidden page's own clock may sleep
  window.addEventListener("online", ask);
  window.addEventListener("pageshow", (event) => { if (event.persisted) ask(); });
  document.addEventListener("submit", keepForm, true);
  ask();
}

async function ask() {
  if (asking) return;
  asking = true;
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), GIVE_UP_MS);
  try {
    const answer = await fetch(document.body.dataset.beat, { cache: "no-store", signal: stop.signal, headers: { Accept: "application/json" } });
    if (answer.status === 401) signInAgain();
    if (answer.ok) hear(await answer.json());
  } catch { /* silence is told by the banner */ } finally {
    clearTimeout(timer);
    asking = false;
  }
}

// Sent into nothing, a form is lost with all that was written in it, and the browser's own page says nothing useful.
function keepForm(event) {
  if (document.getElementById("offline").hidden) return;
  event.preventDefault();
  event.stopPropagation();
  toast(event.submitter || event.target, document.getElementById("says").dataset.offline);
}
