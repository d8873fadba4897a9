// Time in the browser: the studio's clock, countdowns, and how long something has lasted.
// The studio's time is taken from the page and from every beat; the station's own clock only counts between them.

let ahead_ms = Number(document.body.dataset.nowMs || 0) - Date.now();

export function nowMs() {
  return Date.now() + ahead_ms;
}

export function setNow(now_ms) {
  const found = now_ms - Date.now();
  if (Math.abs(found - ahead_ms) > 50) ahead_ms = found;
}

// A moment of this station, to measure from. Of its two clocks one stands while the machine sleeps, the other can be set.
export function instant() {
  return { alone_ms: performance.now(), wall_ms: Date.now() };
}

export function passedMs(since) {
  return Math.max(performance.now() - since.alone_ms, Date.now() - since.wall_ms);
}

// Hours, minutes and seconds where the studio is, wherever the station stands.
const time_of_day = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23", timeZone: document.body.dataset.zone || "UTC",
});

export function clockText(at_ms) {
  return time_of_day.format(at_ms);
}

const whole_s = new Map();

// The time of day where he who looks is.
const own_time = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

function drawCountdowns(now_ms) {
  if (document.documentElement.hasAttribute("data-offline")) return; // hidden, and not known
  for (const ring of document.querySelectorAll("[data-closes-at-ms]")) {
    const closes_ms = Number(ring.dataset.closesAtMs);
    const left_s = Math.max(0, (closes_ms - now_ms) / 1000);
    if (!whole_s.has(closes_ms)) whole_s.clear(), whole_s.set(closes_ms, Math.max(left_s, Number(ring.dataset.windowS) || 15));
    const rest = ring.querySelector(".rest");
    const share = String(100 - Math.min(100, (100 * left_s) / whole_s.get(closes_ms)));
    if (rest) rest.style.strokeDashoffset = share;
    setText(ring.querySelector("[data-seconds]"), String(Math.ceil(left_s)));
    ring.classList.toggle("soon", left_s <= 5);
  }
}

function drawAges(now_ms) {
  for (const age of document.querySelectorAll("[data-since-ms]")) {
    const past_s = Math.max(0, Math.floor((now_ms - Number(age.dataset.sinceMs)) / 1000));
    const minutes = Math.floor(past_s / 60);
    const hours = Math.floor(minutes / 60);
    const rest = `${String(minutes % 60).padStart(hours ? 2 : 1, "0")}:${String(past_s % 60).padStart(2, "0")}`;
    setText(age, hours ? `${hours}:${rest}` : rest);
  }
}

function setText(node, text) {
  if (node && node.textContent !== text) node.textContent = text;
}

export function drawClock() {
  const now_ms = nowMs();
  for (const clock of document.querySelectorAll("[data-clock]")) setText(clock, clockText(now_ms));
  for (const clock of document.querySelectorAll("[data-own-clock]")) setText(clock, own_time.format(now_ms));
  drawCountdowns(now_ms);
  drawAges(now_ms);
}

export function startClock() {
  drawClock();
  setInterval(drawClock, 200);
}
