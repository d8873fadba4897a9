// The line between a live page and the studio: a stream where there is a seat for it, asking again and again where
// there is none. It never gives up: a page that was cut off is back some seconds after the studio is.

import { instant, passedMs } from "./clock.js";

const QUIET_MS = 6000; // a stream beats every two seconds: after three silent ones it is dead, whatever the browser thinks
const ASK_MS = 2000;
const FIRST_ASK_MS = 300;
const GIVE_UP_MS = 4000;
const ASKS_BETWEEN_SEATS = 8; // so often a page asks before it tries for a seat again that it was refused
const LEAVING_MS = 20000;
const VERSION = document.documentElement.dataset.version;

// `heard` is told what a beat says, `viewed` a view {seq, html?}, `ended` that the sign-in or the ticket is over (401, 410,
// or a stream that says so): true, and nothing more is asked. `asleep` says whether the page may rest for now.
export class Line {
  constructor({ stream, view, heard, viewed, ended, asleep = () => false }) {
    Object.assign(this, { stream, view, heard, viewed, ended, asleep });
    this.source = null;
    this.over = false;
    this.asking = false;
    this.failed = 0;
    this.refused = 0;
    this.timer = 0;
    this.last = instant();
  }

  open() {
    this.listen();
    setInterval(() => this.check(), 1000);
    document.addEventListener("visibilitychange", () => this.wake());
    window.addEventListener("online", () => this.wake());
    window.addEventListener("pagehide", () => this.drop());
    window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  }

  listen() {
    this.drop();
    const source = new EventSource(this.stream);
    this.source = source;
    this.last = instant();
    const on = (name, act) => source.addEventListener(name, (event) => { if (source === this.source) act(JSON.parse(event.data)); });
    on("beat", (beat) => this.told(() => this.hear(beat)));
    on("view", (view) => this.told(() => this.viewed(view)));
    on("leave", () => this.end());
    source.addEventListener("error", () => { if (source === this.source) this.lose(); });
  }

  told(act) {
    this.last = instant();
    this.failed = 0;
    this.refused = 0;
    act();
  }

  // Nobody tells the browser that a cable was pulled or a machine slept: the silence does.
  check() {
    if (this.source && passedMs(this.last) > QUIET_MS) this.lose();
  }

  lose() {
    this.drop();
    this.refused += 1;
    this.askIn(Math.min(ASK_MS, FIRST_ASK_MS * this.refused));
  }

  wake() {
    if (document.hidden || this.source || this.over) return;
    this.askIn(0);
  }

  askIn(wait_ms) {
    clearTimeout(this.timer);
    if (!this.over) this.timer = setTimeout(() => this.ask(), wait_ms * (0.8 + 0.4 * Math.random()));
  }

  async ask() {
    if (this.asking || this.source || this.over) return;
    this.asking = true;
    const status = this.asleep() ? 0 : await this.askOnce();
    this.asking = false;
    if (this.over || this.source) return;
    if (status === 401 || status === 410) return this.end();
    if (status === 403 || status === 404) return location.reload(); // the page itself says why
    if (status === 200 && (this.refused < 3 || this.failed++ % ASKS_BETWEEN_SEATS === 0)) return this.listen();
    this.askIn(ASK_MS);
  }

  async askOnce() {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), GIVE_UP_MS);
    try {
      const answer = await fetch(this.view(), { cache: "no-store", signal: stop.signal, headers: { Accept: "application/json" } });
      if (answer.status === 200) this.answered(await answer.json());
      return answer.status;
    } catch {
      return 0; // the studio cannot be reached: the banner says so
    } finally {
      clearTimeout(timer);
    }
  }

  answered(said) {
    if (this.over) return;
    this.hear(said);
    this.viewed(said);
  }

  hear(beat) {
    if (beat.version && beat.version !== VERSION && !writes()) return location.reload();
    this.heard(beat);
  }

  end() {
    clearTimeout(this.timer);
    this.drop();
    this.over = this.ended();
    this.askIn(ASK_MS);
  }

  drop() {
    if (this.source) this.source.close();
    this.source = null;
  }
}

// A studio that came back with other pages has this one loaded anew, unless somebody is writing on it.
function writes() {
  return Boolean(document.querySelector("form[data-dirty=true], dialog[open]"));
}

let leaving = 0; // the timer of a page that is on its way elsewhere

function leave() {
  clearTimeout(leaving);
  leaving = setTimeout(() => { leaving = 0; }, LEAVING_MS);
}

// A form that was sent leads on by itself: at a relief the sign-in of before ends while the answer is still on its way.
window.addEventListener("submit", (event) => { if (!event.defaultPrevented) leave(); });

// A studio that has just started may be slow, and gone again: the page leaves once the form is there, and is not sent on
// its way anew while it goes. Whoever stays is led there again.
export async function signInAgain() {
  if (leaving) return;
  leave();
  const form = `/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`;
  try {
    const answer = await fetch(form, { cache: "no-store" });
    if (answer.ok) location.assign(form);
  } catch { /* the studio is gone again */ }
}
