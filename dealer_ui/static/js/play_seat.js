// A player's seat in the poker room: asking for it, sizing a bet, and setting a street of Open-Face Chinese by tap or by drag.
import { instant, passedMs } from "./clock.js";
import { askUntilSure, freshId, plays } from "./play_send.js";
import { drawSaid, money, tell, word } from "./play_words.js";
import { isFurtherTap } from "./taps.js";

const FAR_PX = 8;
const UNSURE_MS = 600000;

const amounts = new Map(); // what was dialled, by the id of its dial and the moment it was for
let rows = []; // where each card of the street goes
let chosen = -1;
let moment = "";
let held = null;
let busy = false;
let unsure = null; // {order, since}: one of which nobody knows what became; pressed once more it is that order again

const bar = () => document.querySelector(".seat-bar");
const placing = () => document.getElementById("placing");
const nameOf = (input) => `${bar()?.dataset.mark}/${input.id}`;

// --- asking for a seat --------------------------------------------------------------------------------------

async function askSeat(button) {
  if (busy) return;
  busy = true;
  const { ask: act, seat, amountFrom } = button.dataset;
  const amount = amountFrom ? Number(document.getElementById(amountFrom).value) : 0;
  const order = begun(act, seat, amount) || { client_id: `s${freshId()}`, act, seat, amount };
  const told = await askUntilSure("seats", order, () => tell(word("unsure"), "wait"));
  busy = false;
  const answer = told?.answers?.[0];
  unsure = told ? null : { order, since: instant() };
  if (!answer || answer.status === "refused") tell(answer?.sentence || told?.refused || word("unsure"), "bad");
  else tell(word("chosen", { bet: button.textContent.trim() }), "good");
}

function begun(act, seat, amount) {
  const order = unsure && passedMs(unsure.since) < UNSURE_MS ? unsure.order : null;
  return order && order.act === act && order.seat === seat && order.amount === amount ? order : null;
}

// --- how much -----------------------------------------------------------------------------------------------

function dial(input, minor) {
  amounts.set(nameOf(input), Math.min(Math.max(minor, Number(input.min)), Number(input.max)));
  drawSeat();
}

export function drawSeat() {
  if (!bar()) return;
  for (const input of bar().querySelectorAll("[data-amount]")) {
    const minor = amounts.get(nameOf(input)) ?? Number(input.value);
    input.value = String(minor);
    input.setAttribute("aria-valuetext", money(minor));
    const told = bar().querySelector(`output[for="${input.id}"]`);
    if (told) told.textContent = money(minor);
    const small = bar().querySelector(`[data-of="${input.id}"]`);
    if (small) small.textContent = money(minor);
  }
  drawPlacing();
  drawSaid();
}

export const amountFor = (button) => (button.dataset.to ? Number(document.getElementById(button.dataset.to)?.value || 0) : 0);
export const rowsOf = () => rows;

// --- setting a street ---------------------------------------------------------------------------------------

const cards = () => [...document.querySelectorAll(".place-card")];
const rowButtons = () => [...document.querySelectorAll(".place-row")];
const setTo = (row) => rows.filter((one) => one === row).length;

function put(at, row) {
  const button = rowButtons().find((one) => one.dataset.row === row);
  if (!button || at < 0) return;
  const before = rows[at];
  rows[at] = "";
  if (setTo(row) >= Number(button.dataset.room)) {
    rows[at] = before;
    tell(word("row_full", { bet: button.firstChild.textContent.trim() }), "bad");
  } else {
    rows[at] = row;
    chosen = cards().findIndex((_, other) => !rows[other]);
    tell(`${cards()[at].getAttribute("aria-label")}: ${button.firstChild.textContent.trim()}`);
  }
  drawSeat();
}

function drawPlacing() {
  if (!placing()) return;
  const { mark } = bar().dataset;
  if (mark !== moment) {
    moment = mark;
    rows = cards().map(() => "");
    chosen = 0;
  }
  for (const [at, one] of cards().entries()) {
    one.setAttribute("aria-pressed", String(at === chosen));
    const row = rowButtons().find((button) => button.dataset.row === rows[at]);
    one.querySelector("[data-where]").textContent = row ? row.firstChild.textContent.trim() : "";
    one.classList.toggle("set", Boolean(row));
  }
  document.getElementById("place-street").setAttribute("aria-disabled", String(rows.some((one) => !one)));
}

// A card that is dragged follows the finger; a tap is a drag that went nowhere.
function take(event) {
  const card = event.target.closest(".place-card");
  if (!card) return;
  held = { card, at: Number(card.dataset.at), x: event.clientX, y: event.clientY, moved: false };
  card.setPointerCapture?.(event.pointerId);
}

function follow(event) {
  if (!held) return;
  const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
  if (!held.moved && Math.hypot(dx, dy) < FAR_PX) return;
  held.moved = true;
  held.card.style.translate = `${dx}px ${dy}px`;
  held.card.classList.add("dragged");
}

function drop(event) {
  if (!held) return;
  const { card, at, moved } = held;
  held = null;
  card.style.translate = "";
  card.classList.remove("dragged");
  if (!moved) return;
  const row = document.elementsFromPoint(event.clientX, event.clientY).find((one) => one.closest?.(".place-row"))?.closest(".place-row");
  if (row) put(at, row.dataset.row);
}

function press(event) {
  const asked = event.target.closest("[data-ask]");
  if (asked) return isFurtherTap() ? undefined : askSeat(asked); // the second of two taps may meet another button there
  const size = event.target.closest("[data-size]");
  if (size) return dial(document.getElementById(size.dataset.for), Number(size.dataset.size));
  const card = event.target.closest(".place-card");
  if (card) {
    chosen = Number(card.dataset.at);
    return drawSeat();
  }
  const row = event.target.closest(".place-row");
  return row ? put(chosen, row.dataset.row) : undefined;
}

export function startSeat() {
  if (!plays) return;
  document.addEventListener("click", press);
  document.addEventListener("input", (event) => { if (event.target.matches("[data-amount]")) dial(event.target, Number(event.target.value)); });
  document.addEventListener("pointerdown", take);
  document.addEventListener("pointermove", follow);
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, drop);
  drawSeat();
}
