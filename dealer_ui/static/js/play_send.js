// How a player's page asks: each thing under an id of its own, kept until it is answered, so that nothing is lost or done twice.
import { nowMs, setNow } from "./clock.js";

const AGAIN_MS = [500, 1000, 2000, 4000];
const GIVE_UP_MS = 10000;
const FINAL = new Set([400, 403, 404, 405, 409, 410, 413, 415]);

const { play, playKey } = document.body.dataset;
const STORE = `studio.play.${play}`;

export const plays = Boolean(play);

export function freshId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// What was sent and not answered yet lives on through a reload, and every page of this browser knows it.
export function unanswered() {
  try {
    return JSON.parse(localStorage.getItem(STORE) || "[]");
  } catch {
    return [];
  }
}

export function keepUnanswered(orders) {
  try {
    if (orders.length) localStorage.setItem(STORE, JSON.stringify(orders));
    else localStorage.removeItem(STORE);
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

export function pause(tries) {
  const ms = AGAIN_MS[Math.min(tries, AGAIN_MS.length - 1)];
  return new Promise((resolve) => { setTimeout(resolve, ms); });
}

export function closesInMs() {
  const ring = document.querySelector("[data-closes-at-ms]");
  return ring ? Number(ring.dataset.closesAtMs) - nowMs() : Infinity;
}
