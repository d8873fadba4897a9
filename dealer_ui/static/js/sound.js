// The sound of alarms: each has its own pattern of tones, made here. A station can be muted, and its page says so.
// An alarm is a word in `data-alarm` of the live fragment; it is heard when the word was not there before.

const MUTED = "studio-muted";
const AGAIN_MS = 12000;
const LOUD_AGAIN_MS = 4000;
const WAKING_MS = 1500;
const PATTERNS = {
  held: [[660, 0, 0.16], [440, 0.2, 0.16], [660, 0.4, 0.16], [440, 0.6, 0.3]],
  called: [[880, 0, 0.12], [880, 0.2, 0.12], [1175, 0.4, 0.28]],
  device: [[330, 0, 0.25], [262, 0.3, 0.4]],
  loud: [[988, 0, 0.18], [740, 0.2, 0.18], [988, 0.4, 0.18], [740, 0.6, 0.18], [988, 0.8, 0.18], [740, 1.0, 0.18], [1319, 1.2, 0.5]],
  asked: [[784, 0, 0.12], [988, 0.16, 0.12], [1175, 0.32, 0.24]],
};

let context = null;
let before = new Set();
let last_ms = 0;
let slow = false; // the browser has had its time to let the sound in, and has not
let missed = ""; // an alarm that could not be heard, until it can
let loud = []; // alarms that nobody acknowledged in time, wherever this station is

export function startSound() {
  const button = document.getElementById("sound");
  if (!button) return;
  if (window.AudioContext) context = new AudioContext();
  button.addEventListener("click", () => {
    const blocked = context && context.state !== "running";
    if (blocked && !muted()) { context.resume(); return; }
    localStorage.setItem(MUTED, muted() ? "no" : "yes");
    missed = "";
    if (context) context.resume();
    draw();
  });
  for (const name of ["pointerdown", "keydown"]) document.addEventListener(name, () => { if (context && context.state === "suspended") context.resume(); }, { passive: true });
  if (context) context.addEventListener("statechange", () => { if (context.state === "running") hearMissed(); draw(); });
  setTimeout(() => { slow = true; draw(); }, WAKING_MS);
  draw();
  afterSound();
  setInterval(repeat, 1000);
}

function muted() {
  return localStorage.getItem(MUTED) === "yes";
}

// A browser keeps a new page silent until somebody touches it, or lets it sound a moment later. That is told calmly: the
// button calls for a tap only when there was something to hear.
function draw() {
  const button = document.getElementById("sound");
  const silent = Boolean(context) && !muted() && context.state !== "running";
  button.setAttribute("aria-pressed", String(!muted()));
  button.classList.toggle("blocked", silent && Boolean(missed));
  button.textContent = button.dataset[muted() ? "off" : !silent ? "on" : missed ? "blocked" : slow ? "waits" : "on"];
}

function hearMissed() {
  const stands = alarms().has(missed) || loud.some((id) => missed === `loud:${id}`);
  if (stands) play(missed);
  missed = "";
}

function alarms() {
  const live = document.getElementById("live");
  return new Set(((live && live.dataset.alarm) || "").split(" ").filter(Boolean));
}

export function afterSound() {
  const now = alarms();
  for (const alarm of now) if (!before.has(alarm)) { play(alarm); break; }
  before = now;
  if (missed && !missed.startsWith("loud:") && !now.has(missed)) { missed = ""; draw(); }
}

export function hearUrgent(ids) {
  const fresh = ids.find((id) => !loud.includes(id));
  loud = ids;
  if (fresh) play(`loud:${fresh}`);
}

// The pit hears an unanswered alarm again and again; a table only once.
function repeat() {
  const live = document.getElementById("live");
  const urgent = loud.length ? `loud:${loud[0]}` : live && live.dataset.repeat === "true" ? [...alarms()][0] : null;
  if (urgent && performance.now() - last_ms > (urgent.startsWith("loud:") ? LOUD_AGAIN_MS : AGAIN_MS)) play(urgent);
}

function play(alarm) {
  last_ms = performance.now();
  document.body.dataset.lastAlarm = alarm;
  if (!context || muted()) return;
  if (context.state !== "running") {
    missed = alarm;
    return draw();
  }
  missed = "";
  const name = alarm.split(":")[0];
  const volume = name === "loud" ? 0.75 : 0.28;
  for (const [pitch, at_s, for_s] of PATTERNS[name] || PATTERNS.called) tone(pitch, context.currentTime + at_s, for_s, volume);
}

function tone(pitch, at_s, for_s, loudness) {
  const source = context.createOscillator();
  const volume = context.createGain();
  source.type = "triangle";
  source.frequency.value = pitch;
  volume.gain.setValueAtTime(0, at_s);
  volume.gain.linearRampToValueAtTime(loudness, at_s + 0.015);
  volume.gain.setTargetAtTime(0, at_s + for_s * 0.7, 0.05);
  source.connect(volume).connect(context.destination);
  source.start(at_s);
  source.stop(at_s + for_s + 0.3);
}
