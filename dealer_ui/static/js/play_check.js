// Asks a player whether he goes on, when his operator wants that: over the whole page, until he has answered.
import { ask, pause, plays } from "./play_send.js";

const SOON_MS = 5000;
const { play } = document.body.dataset;
const asked = document.getElementById("check");
let timer = 0;
let waits = false;

export function startCheck() {
  if (!plays || !asked) return;
  asked.addEventListener("close", () => { if (waits) asked.showModal(); }); // Escape, or a telephone's way back
  look();
}

async function look() {
  let told = null;
  try {
    const answer = await fetch(`${play}/check${location.search}`, { cache: "no-store", headers: { Accept: "application/json" } });
    if (answer.ok) told = await answer.json();
    else if (answer.status === 410) return;
  } catch { /* asked again soon */ }
  if (told?.html) show(told.html);
  else next(told ? told.due_in_ms : SOON_MS);
}

function next(ms) {
  clearTimeout(timer);
  if (ms !== null) timer = setTimeout(look, Math.min(ms, 2 ** 31 - 1));
}

function show(html) {
  if (asked.open) return;
  asked.innerHTML = html;
  asked.querySelector("#check-on").addEventListener("click", () => answer("goes-on", (told) => { waits = false; asked.close(); next(told.due_in_ms); }));
  asked.querySelector("#check-leave").addEventListener("click", () => answer("leave", (told) => { leave(told.returns_to); }));
  waits = true;
  asked.showModal();
}

async function answer(path, then) {
  for (const button of asked.querySelectorAll("button")) button.disabled = true;
  for (let tries = 0; ; tries += 1) {
    const told = await ask(path, {});
    if (told?.ok) return then(told);
    if (told) return location.reload(); // the page is over, or another browser plays
    await pause(tries);
  }
}

function leave(returnsTo) {
  if (!returnsTo) location.reload();
  else if (window.top === window) location.replace(returnsTo);
  else window.open(returnsTo, "_top");
}
