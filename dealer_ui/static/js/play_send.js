// How a player's page asks: each thing under an id of its own, kept until it is answered, so that nothing is lost or done twice.
import { nowMs, setNow } from "./clock.js";

const AGAIN_MS = [500, 1000, 2000, 4000];
const GIVE_UP_MS = 10000;
const TRIES = 8;
const FINAL = new Set([400, 403, 404, 405, 409, 410, 413, 415]);

const { play, playKey } = document.body.dataset;
const STORE = `studio.play.asked.${play}.`;

export const plays = Boolean(play);

export function freshId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// What was sent and not answered yet lives on through a reload, and every page of this browser knows it. Each lies under
// a name of its own, so that two pages never write over each other's; where nothing can be stored, this page knows it still.
const own = new Map();

export function unanswered() {
  const found = new Map(own);
  try {
    for (let at = 0; at < localStorage.length; at += 1) {
      const key = localStorage.key(at);
      if (key.startsWith(STORE)) found.set(key.slice(STORE.length), JSON.parse(localStorage.getItem(key)));
    }
  } catch { /* then only this page knows */ }
  return [...found];
}

export function keepUnanswered(name, order) {
  if (order.bets.length) own.set(name, order);
  else own.delete(name);
  try {
    if (order.bets.length) localStorage.setItem(STORE + name, JSON.stringify(order));
    else localStorage.removeItem(STORE + name);
  } catch { /* without a store a reload forgets what was asked; the studio does not */ }
}

// One try; null where nothing certain came back and the same must be asked again.
export async function ask(path, body) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), GIVE_UP_MS);
  try {
    const answer = await fetch(`${play}/${path}${location.search}`, {
      method: "POST", cache: "no-store", signal: stop.signal, credentials: "same-origin",
      headers: { "Content-Type": "application/json", Accept: "application/json", "X-Play-Key": playKey },
      body: JSON.stringify(body),
    });
    if (!answer.ok && !FINAL.has(answer.status)) return null;
    const told = await answer.json();
    if (told.now_ms) setNow(told.now_ms);
    return { ok: answer.ok, status: answer.status, ...told };
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

// Asked again under its own id until something certain comes back; null where nothing does.
export async function askUntilSure(path, order, unsure) {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const told = await ask(path, order);
    if (told && told.answers?.[0]?.status !== "pending") return told;
    unsure();
    await pause(tries);
  }
  return null;
}

export function pause(tries) {
  const ms = AGAIN_MS[Math.min(tries, AGAIN_MS.length - 1)];
  return new Promise((resolve) => { setTimeout(resolve, ms); });
}

export function closesInMs() {
  const ring = document.querySelector("[data-closes-at-ms]");
  return ring ? Number(ring.dataset.closesAtMs) - nowMs() : Infinity;
}
