// Live pictures, each with its age, counted from the moment it was asked for. The last picture stays; one older than three
// seconds is dimmed and says how old it is, whatever the server does, so that no still ever looks live. Where there is none
// the server says why: "no signal" where the camera gives nothing, and nowhere else.
//
// [data-lens]: a table's picture in the pit, all of a page asked for together. [data-picture]: the address of one.

const LENS = "[data-lens], [data-picture]";
const EVERY_MS = 1000;
const OLD_MS = 3000;
const GIVE_UP_MS = 15000; // a full machine answers late
const NOTHING_MS = 5000;

const seen = new Map(); // lens id -> {age_ms, asked_ms, asked_wall_ms, full}
const busy = new Set();
let looking = false;

// A lens may come later than its page.
export function startLenses() {
  ask();
  setInterval(ask, EVERY_MS);
  setInterval(check, 250);
}

function everyFrame() {
  looking = check() > 0;
  if (looking) requestAnimationFrame(everyFrame);
}

function ask() {
  if (document.hidden || !document.querySelector(LENS)) return;
  if (!looking) everyFrame();
  once("pit", lookAtTables);
  for (const lens of document.querySelectorAll("[data-picture]")) once(lens.id, () => lookAt(lens));
}

// Nothing is asked for again while it is being asked for.
async function once(what, look) {
  if (busy.has(what)) return;
  busy.add(what);
  try { await look(); } finally { busy.delete(what); }
}

async function lookAtTables() {
  for (const size of ["small", "medium", "large"]) {
    const lenses = [...document.querySelectorAll(`[data-lens][data-size="${size}"]`)];
    if (!lenses.length) continue;
    const tables = lenses.map((lens) => lens.dataset.lens).join(",");
    await heard(`/pit/pictures?size=${size}&tables=${encodeURIComponent(tables)}`, async (answer, when) => {
      if (!answer.ok) return;
      const { pictures } = await answer.json();
      for (const lens of lenses) {
        const picture = pictures[lens.dataset.lens];
        if (!picture?.jpeg) wipe(lens, picture?.why || "none");
        else await draw(lens, blobOf(picture.jpeg), { ...when, age_ms: picture.age_ms, full: picture.full });
      }
    });
  }
}

async function lookAt(lens) {
  await heard(`${lens.dataset.picture}?t=${Date.now()}`, async (answer, when) => {
    if (answer.ok) await draw(lens, await answer.blob(), { ...when, age_ms: Number(answer.headers.get("X-Age-Ms")), full: false });
    else if (answer.status === 404) {
      wipe(lens, answer.headers.get("X-Why") || "none");
      await new Promise((done) => setTimeout(done, NOTHING_MS));
    }
  });
}

// What is not heard of grows old.
async function heard(address, take) {
  const when = { asked_ms: performance.now(), asked_wall_ms: Date.now() };
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), GIVE_UP_MS);
  try {
    await take(await fetch(address, { cache: "no-store", signal: stop.signal, headers: { Accept: "application/json, image/jpeg" } }), when);
  } catch { /* asked again in a second */ } finally {
    clearTimeout(timer);
  }
}

function blobOf(base64) {
  return new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], { type: "image/jpeg" });
}

async function draw(lens, blob, when) {
  const image = await createImageBitmap(blob).catch(() => null);
  if (!image) return wipe(lens, "broken");
  const canvas = lens.querySelector("canvas");
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  seen.set(lens.id, when);
  lens.dataset.shows = "true";
  check();
}

// The greater of two clocks: one stands while a machine sleeps, the other can be set back.
function ageOf(when) {
  return when.age_ms + Math.max(performance.now() - when.asked_ms, Date.now() - when.asked_wall_ms);
}

// Gives how many lenses there are.
function check() {
  const lenses = document.querySelectorAll(LENS);
  for (const lens of lenses) {
    const when = seen.get(lens.id);
    if (!when) continue;
    const age_ms = ageOf(when);
    const old = age_ms > OLD_MS;
    if (old !== Boolean(lens.dataset.old)) old ? (lens.dataset.old = "true") : delete lens.dataset.old;
    write(lens.querySelector(".lens-age"), old ? "" : `${(age_ms / 1000).toFixed(1)} s`);
    if (old) say(lens, age(lens, age_ms), when.full ? word(lens, "full") : "");
  }
  return lenses.length;
}

function age(lens, age_ms) {
  const s = Math.floor(age_ms / 1000);
  return s < 120 ? word(lens, "old").replace("{s}", s) : word(lens, "older").replace("{min}", Math.floor(s / 60));
}

function word(lens, key) {
  return lens.querySelector(".lens-says").dataset[key];
}

function say(lens, first, second = "") {
  const [one, two] = lens.querySelector(".lens-says").children;
  write(one, first);
  write(two, second);
}

function write(part, text) {
  if (part.textContent !== text) part.textContent = text;
}

function wipe(lens, why) {
  const canvas = lens.querySelector("canvas");
  canvas.getContext("2d").clearRect(0, 0, canvas.width, canvas.height);
  seen.delete(lens.id);
  delete lens.dataset.shows;
  delete lens.dataset.old;
  write(lens.querySelector(".lens-age"), "");
  say(lens, word(lens, why));
}
