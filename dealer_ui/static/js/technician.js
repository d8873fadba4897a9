// A device's page: its line live, its self-test, orders to it, a recording of its line and the replay of one.
import { clockText } from "./clock.js";
import { signInAgain } from "./line.js";
import { freshId } from "./order.js";

const ROWS_MAX = 400;
const TALK_AGAIN_MS = 3000;
const tools = document.getElementById("tools");
const base = tools.dataset.base;

export async function post(path, body) {
  const headers = { "Content-Type": "application/json", Accept: "application/json", "X-CSRF-Token": document.documentElement.dataset.csrf };
  try {
    const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
    if (answer.status === 401) signInAgain();
    return await answer.json();
  } catch {
    return { refused: tools.dataset.lost };
  }
}

function on(id, act) {
  const node = document.getElementById(id);
  if (node) node.addEventListener("click", () => act(node));
}

function say(id, sentence, refused) {
  const node = document.getElementById(id);
  node.textContent = sentence;
  node.classList.toggle("refused", Boolean(refused));
}

function line(tag, text, name) {
  const node = document.createElement(tag);
  node.textContent = text;
  if (name) node.className = name;
  return node;
}

// --- self-test ---------------------------------------------------------------------------------------------

on("test", async (button) => {
  const findings = document.getElementById("findings");
  button.disabled = true;
  findings.replaceChildren(line("li", button.dataset.busy, "calm"));
  const answer = await post(`${base}/test`, {});
  button.disabled = false;
  if (answer.refused) return findings.replaceChildren(line("li", answer.refused, "bad"));
  findings.replaceChildren(...answer.findings.map((one) => line("li", one.sentence, one.state)));
});

// --- why a card is not read ----------------------------------------------------------------------------------

on("explain", (button) => {
  const shown = document.getElementById("explained");
  const picture = new Image();
  button.disabled = true;
  picture.alt = shown.firstElementChild.alt;
  picture.addEventListener("load", () => {
    button.disabled = false;
    say("explain-said", "");
    shown.replaceChildren(picture);
    shown.href = picture.src;
    shown.hidden = false;
  });
  picture.addEventListener("error", () => {
    button.disabled = false;
    say("explain-said", document.getElementById("explain-said").dataset.none, true);
  });
  picture.src = `${base}/explained.jpg?${freshId()}`;
});

// --- orders --------------------------------------------------------------------------------------------------

const order = document.getElementById("order");
if (order) {
  let id = freshId();
  order.addEventListener("submit", async (event) => {
    event.preventDefault();
    const asked = Object.fromEntries(new FormData(order));
    const answer = await post(`${base}/order`, { ...asked, id });
    const said = document.getElementById("order-said");
    say("order-said", answer.refused || said.dataset.sent, answer.refused);
    if (answer.refused) return;
    id = freshId();
    order.reset();
  });
}

// --- the line ------------------------------------------------------------------------------------------------

const talk = document.getElementById("talk");
let newest = 0;

function row(one) {
  const made = document.createElement("tr");
  made.className = `${one.in ? "in" : "out"}${one.masked ? " masked" : ""}`;
  const bytes = one.masked ? talk.dataset.count.replace("{count}", one.count) : one.hex + (one.count * 3 - 1 > one.hex.length ? " …" : "");
  made.append(line("td", clockText(one.at), "time"), line("td", one.in ? "←" : "→"), line("td", bytes, "hex"));
  made.append(line("td", one.frames.join("\n"), "frames"), line("td", one.readings.join("\n"), "readings"));
  return made;
}

function take(lines) {
  const scroll = talk.closest(".talk-scroll");
  const follows = scroll.scrollTop < 8;
  for (const one of lines) {
    if (one.n <= newest) continue;
    newest = one.n;
    talk.prepend(row(one));
  }
  while (talk.rows.length > ROWS_MAX) talk.deleteRow(-1);
  if (follows) scroll.scrollTop = 0;
}

// A browser tries a broken stream again by itself, but never one that was refused; and a studio that was started anew
// counts its lines from one.
function listen() {
  const source = new EventSource(`${base}/talk`);
  source.addEventListener("open", () => { newest = 0; talk.replaceChildren(); });
  source.addEventListener("talk", (event) => take(JSON.parse(event.data).lines));
  source.addEventListener("leave", signInAgain);
  source.addEventListener("error", () => { if (source.readyState === EventSource.CLOSED) setTimeout(listen, TALK_AGAIN_MS); });
  window.addEventListener("pagehide", () => source.close());
}

if (talk) listen();

// --- recording and replay ---------------------------------------------------------------------------------------

async function record(wanted) {
  const answer = await post(`${base}/record`, { on: wanted });
  say("tape-said", answer.refused || "", answer.refused);
}

// What is for a closed table is off while the table is open; the live part of the page says which.
setInterval(() => {
  const tape = document.getElementById("tape");
  if (!tape) return;
  const closed = tape.dataset.closed === "true";
  const running = tape.dataset.on === "true";
  for (const [id, can] of [["record", closed && !running], ["stop", running], ["capture", closed]]) {
    const node = document.getElementById(id);
    if (node) node.disabled = !can;
  }
  const download = document.getElementById("download");
  if (download) download.classList.toggle("off", !closed);
}, 500);

on("record", () => record(true));
on("stop", () => record(false));

const capture = document.getElementById("capture");
if (capture) {
  capture.addEventListener("change", async () => {
    const file = capture.files[0];
    if (!file) return;
    const answer = await post(`${base}/replay`, { text: await file.text() });
    capture.value = "";
    say("tape-said", answer.refused || "", answer.refused);
    const readings = (answer.readings || []).map(([ms, words]) => {
      const made = document.createElement("li");
      made.append(line("time", (ms / 1000).toFixed(3)), line("span", words));
      return made;
    });
    document.getElementById("replayed").replaceChildren(...readings);
  });
}
