// The pit's live pictures. A picture is drawn with its age, counted from the moment it was asked for. One older than
// three seconds is wiped, whatever the server does, so that no still ever looks live.

const EVERY_MS = 1000;
const OLD_MS = 3000;
const GIVE_UP_MS = 2500;

const seen = new Map(); // lens id -> {age_ms, asked_ms, asked_wall_ms}
let asking = false;

export function startLenses() {
  if (!document.querySelector("[data-lens]")) return;
  ask();
  setInterval(ask, EVERY_MS);
  requestAnimationFrame(everyFrame);
  setInterval(check, 250);
}

function everyFrame() {
  check();
  requestAnimationFrame(everyFrame);
}

async function ask() {
  if (asking || document.hidden) return;
  asking = true;
  for (const size of ["small", "medium", "large"]) {
    const lenses = [...document.querySelectorAll(`[data-lens][data-size="${size}"]`)];
    if (lenses.length) await look(lenses, size);
  }
  asking = false;
}

async function look(lenses, size) {
  const asked_ms = performance.now();
  const asked_wall_ms = Date.now();
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), GIVE_UP_MS);
  try {
    const tables = lenses.map((lens) => lens.dataset.lens).join(",");
    const answer = await fetch(`/pit/pictures?size=${size}&tables=${encodeURIComponent(tables)}`, { cache: "no-store", signal: stop.signal, headers: { Accept: "application/json" } });
    if (!answer.ok) return;
    const { pictures } = await answer.json();
    for (const lens of lenses) {
      const picture = pictures[lens.dataset.lens];
      if (picture) await draw(lens, picture, { age_ms: picture.age_ms, asked_ms, asked_wall_ms });
    }
  } catch { /* what is not heard of grows old, and is wiped */ } finally {
    clearTimeout(timer);
  }
}

async function draw(lens, picture, when) {
  const bytes = Uint8Array.from(atob(picture.jpeg), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
  const canvas = lens.querySelector("canvas");
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  seen.set(lens.id, when);
  check();
}

// The greater of two clocks: one stands while a machine sleeps, the other can be set back.
function ageOf(when) {
  return when.age_ms + Math.max(performance.now() - when.asked_ms, Date.now() - when.asked_wall_ms);
}

function check() {
  for (const lens of document.querySelectorAll("[data-lens]")) {
    const when = seen.get(lens.id);
    const age_ms = when ? ageOf(when) : Infinity;
    const live = age_ms <= OLD_MS;
    if (!live && lens.dataset.shows) wipe(lens);
    if (live && !lens.dataset.shows) lens.dataset.shows = "true";
    const text = when ? `${(age_ms / 1000).toFixed(age_ms < 10000 ? 1 : 0)} s` : "";
    const label = lens.querySelector(".lens-age");
    if (label.textContent !== text) label.textContent = text;
  }
}

function wipe(lens) {
  const canvas = lens.querySelector("canvas");
  canvas.getContext("2d").clearRect(0, 0, canvas.width, canvas.height);
  delete lens.dataset.shows;
}
