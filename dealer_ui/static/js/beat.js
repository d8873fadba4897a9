// The only place where a page without a stream asks for its beat: the time, and the alarms nobody has acknowledged.
import { hear, watch } from "./stream.js";

const EVERY_MS = 2000;
const GIVE_UP_MS = 4000;

let asking = false;

export function startBeat() {
  if (!document.body.dataset.beat) return;
  setInterval(watch, 500);
  setInterval(ask, EVERY_MS);
  document.addEventListener("visibilitychange", ask); // a hidden page's own clock may sleep
  window.addEventListener("pageshow", (event) => { if (event.persisted) ask(); });
  ask();
}

async function ask() {
  if (asking) return;
  asking = true;
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), GIVE_UP_MS);
  try {
    const answer = await fetch(document.body.dataset.beat, { cache: "no-store", signal: stop.signal, headers: { Accept: "application/json" } });
    if (answer.status === 401) location.assign(`/sign-in?next=${encodeURIComponent(location.pathname)}`);
    if (answer.ok) hear(await answer.json());
  } catch { /* silence is told by the banner */ } finally {
    clearTimeout(timer);
    asking = false;
  }
}
