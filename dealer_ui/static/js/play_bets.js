// A player's chips. What is laid lies on this page alone; a press on "place" sends it, and only an answer makes it a bet.
import { ask, askUntilSure, closesInMs, freshId, keepUnanswered, pause, plays, unanswered } from "./play_send.js";
import { chip as short, drawSaid, money, tell, word } from "./play_words.js";
import { isFurtherTap } from "./taps.js";

const SOON_MS = 5000;
const CHIP = "studio.play.chip";
const LAID = `studio.play.laid.${document.body.dataset.play}`;

let taps = []; // [{bet, minor, free}], in the order laid; free names the free bets that one is of
let round = "";
let picked = "";
let asking = false;
let repeating = false;
let repeated = null; // what lay when all was laid again
let ended = ""; // the last round whose end was told

const cloth = () => document.getElementById("cloth");
const spots = () => [...document.querySelectorAll("button.bet-spot")];
const spotOf = (bet) => document.querySelector(`button.bet-spot[data-bet="${CSS.escape(bet)}"]`);
const isOpen = () => cloth()?.dataset.open === "true" && closesInMs() > 0 && !document.documentElement.hasAttribute("data-offline");

function sums() {
  const found = new Map();
  for (const { bet, minor } of taps) found.set(bet, (found.get(bet) || 0) + minor);
  return found;
}

const owned = () => taps.filter((one) => !one.free);
// What it costs him: a free bet nothing, but the house's bet beside it is his own.
const costs = ({ bet, minor, free }) => minor * ((free ? 0 : 1) + alongside(bet));
const total = () => taps.reduce((sum, one) => sum + one.minor * (1 + alongside(one.bet)), 0);
const cost = () => taps.reduce((sum, one) => sum + costs(one), 0);
const alongside = (bet) => document.querySelectorAll(`.by-house[data-with="${CSS.escape(bet)}"]`).length;
const waiting = () => unanswered().flatMap(([, order]) => order.bets);
// Where nobody has said what he has, his operator's wallet decides.
const known = () => document.getElementById("balance")?.dataset.minor;
const balance = () => (known() === "" ? Infinity : Number(known() || 0)) - waiting().reduce((sum, one) => sum + (one.free_bet ? 0 : one.stake), 0);
const chipOf = () => document.querySelector(`[data-chip="${CSS.escape(picked)}"]`);
const freeLeft = (free) => Number(document.querySelector(`[data-free="${CSS.escape(free)}"]`)?.dataset.left || 0)
  - taps.filter((one) => one.free === free).length - waiting().filter((one) => one.free_bet === free).length;

// --- laying -----------------------------------------------------------------------------------------------

// Why this much cannot be laid on the field; empty where it can.
function hindrance(spot, minor, free = "") {
  if (spot.hasAttribute("data-taken")) return word("taken", { bet: spot.dataset.name });
  const { bet, placed, most, name, needs } = spot.dataset;
  const there = (sums().get(bet) || 0) + Number(placed);
  if (there + minor > Number(most)) return word("over", { bet: name, sum: money(Number(most)) });
  if (free && freeLeft(free) < 1) return word("no_free_left");
  if (cost() + costs({ bet, minor, free }) > balance()) return word("not_enough");
  if (spot.dataset.clashes.split(" ").some((other) => other && (sums().get(other) || Number(spotOf(other)?.dataset.placed)))) return word("clash", { bet: name });
  const needed = needs && spotOf(needs);
  if (needed && !Number(needed.dataset.placed) && !sums().get(needs)) return word("needs", { bet: needed.dataset.name });
  return "";
}

function lay(spot, minor, free = "") {
  if (!isOpen()) return tell(word("late"), "bad");
  const why = hindrance(spot, minor, free);
  if (why) return tell(why, "bad");
  taps = [...taps, { bet: spot.dataset.bet, minor, free }];
  round = cloth().dataset.round;
  tell(`${spot.dataset.name}: ${free ? word("laid_free", { sum: money(minor) }) : word("laid", { sum: money(sums().get(spot.dataset.bet)) })} · ${spot.dataset.says}`);
  return draw();
}

// All of it or nothing: half of what was meant is another bet.
function layAll(stakes) {
  const before = taps;
  for (const [bet, minor] of stakes) {
    const spot = spotOf(bet);
    const why = spot ? hindrance(spot, minor) : "";
    if (why) {
      taps = before;
      return tell(why, "bad");
    }
    if (spot) taps = [...taps, { bet, minor, free: "" }];
  }
  round = cloth()?.dataset.round || "";
  return draw();
}

const ACTS = {
  undo() { taps = taps.slice(0, -1); lift(); },
  clear() { taps = []; lift(); },
  double() { layAll(sums().size ? [...sums()] : spots().map((one) => [one.dataset.bet, Number(one.dataset.placed)]).filter(([, minor]) => minor)); },
  async repeat() {
    if (repeating || (taps.length && taps === repeated)) return; // two taps are one
    repeating = true;
    const { round: of } = cloth().dataset;
    const told = await askUntilSure("last", {}, () => tell(word("unsure"), "wait"));
    repeating = false;
    const stakes = (told?.bets || []).map((one) => [one.bet, one.stake]);
    if (!stakes.length) return tell(told?.refused || word(told ? "nothing_to_repeat" : "unsure"), "bad");
    if (cloth()?.dataset.round !== of) return tell(word("late"), "bad");
    const before = taps;
    layAll(stakes);
    if (taps !== before) repeated = taps;
  },
  async ready() { await ask("ready", { round }); },
  place,
};

// A side bet does not stay where the bet it needs was taken away.
function lift() {
  for (let lone; (lone = taps.find((one) => loses(one.bet))); ) taps = taps.filter((one) => one.bet !== lone.bet);
  draw();
}

function loses(bet) {
  const needs = spotOf(bet)?.dataset.needs;
  return Boolean(needs) && !sums().get(needs) && !Number(spotOf(needs)?.dataset.placed);
}

// --- placing ----------------------------------------------------------------------------------------------

// His own money on a field is one bet; each free bet is one of its own.
function orders() {
  const own = new Map();
  for (const { bet, minor } of owned()) own.set(bet, (own.get(bet) || 0) + minor);
  const free = taps.filter((one) => one.free).map(({ bet, minor, free: grant }) => ({ bet, stake: minor, free_bet: grant }));
  const found = [...[...own].map(([bet, stake]) => ({ bet, stake })), ...free];
  const first = (one) => Number(Boolean(spotOf(one.bet)?.dataset.needs));
  return found.sort((a, b) => first(a) - first(b));
}

function place() {
  if (!taps.length || !isOpen()) return;
  for (const [bet, minor] of sums()) {
    const spot = spotOf(bet);
    if (minor + Number(spot.dataset.placed) < Number(spot.dataset.least)) {
      tell(word("below", { bet: spot.dataset.name, sum: money(Number(spot.dataset.least)) }), "bad");
      return;
    }
  }
  const order = { round, bets: orders().map((one) => ({ client_id: `b${freshId()}`, ...one })) };
  keepUnanswered(order.bets[0].client_id, order);
  taps = [];
  tell(word("sending"));
  draw();
  askAll();
}

// Whatever has no answer is asked again under its own ids, for as long as it takes; the studio does it once.
async function askAll() {
  if (asking) return;
  asking = true;
  for (let tries = 0; unanswered().length; tries += 1) {
    for (const [name, order] of unanswered()) {
      keepUnanswered(name, { ...order, sent: true });
      const told = await ask("bets", { round: order.round, bets: order.bets });
      if (told) settle(name, order, told);
      else tell(word("unsure"), "wait");
    }
    if (unanswered().length) await pause(tries);
  }
  asking = false;
}

function settle(name, order, told) {
  const answers = new Map((told.answers || []).map((one) => [one.client_id, one]));
  const isOver = (one) => !told.ok || (answers.get(one.client_id) || {}).status !== "pending";
  const left = order.bets.filter((one) => !isOver(one));
  keepUnanswered(name, { ...order, bets: left, sent: true });
  const refused = told.ok ? order.bets.filter((one) => answers.get(one.client_id)?.status === "refused") : order.bets;
  const taken = order.bets.filter((one) => ["accepted", "duplicate"].includes(answers.get(one.client_id)?.status));
  if (!told.ok && order.sent) tell(told.refused || word("unsure"), "bad"); // it may have been taken when it was sent before
  else if (refused.length) tell(refused.map((one) => word("refused", { bet: spotOf(one.bet)?.dataset.name || one.bet, sum: money(one.stake), why: answers.get(one.client_id)?.sentence || told.refused || "" })).join(" "), "bad");
  else if (left.length) tell(word("pending", { sum: money(left.reduce((sum, one) => sum + one.stake, 0)) }), "wait");
  else tell(word("accepted", { sum: money(taken.reduce((sum, one) => sum + one.stake * (1 + alongside(one.bet)), 0)) }), "good");
  draw();
}

// --- drawing ----------------------------------------------------------------------------------------------

// The fragment comes without what only this page knows; it is drawn in again at once, so that nothing flickers.
export function draw() {
  if (!plays || !cloth()) return;
  keepRound();
  const laid = sums();
  const sent = new Map();
  for (const one of waiting()) sent.set(one.bet, (sent.get(one.bet) || 0) + one.stake);
  for (const spot of document.querySelectorAll(".bet-spot")) {
    const minor = laid.get(spot.dataset.bet) || laid.get(spot.dataset.with) || 0;
    const waits = sent.get(spot.dataset.bet) || sent.get(spot.dataset.with) || 0;
    const stack = spot.querySelector("[data-laid]");
    stack.hidden = !minor && !waits;
    stack.textContent = minor || waits ? short(minor + waits) : "";
    spot.classList.toggle("has-laid", Boolean(minor));
    spot.classList.toggle("waits", Boolean(waits));
  }
  drawBar();
  drawSaid();
  hearEnd();
  keepLaid();
}

// What a round came to stands on the bar for the eye; it is told to the ear once.
function hearEnd() {
  const end = document.querySelector("[data-ended]");
  if (!end || end.dataset.ended === ended) return;
  ended = end.dataset.ended;
  tell("");
  document.getElementById("told").textContent = end.textContent.trim().replace(/\s+/g, " ");
}

// Chips laid for a round that takes no more bets are no bets: they go back, and it is said.
function keepRound() {
  const { round: now, open } = cloth().dataset;
  if (!taps.length || (now === round && open === "true")) return;
  const sum = money(total());
  taps = [];
  tell(word("lifted", { sum }), "bad");
}

function drawBar() {
  const open = isOpen();
  const chips = [...document.querySelectorAll("[data-chip]")];
  if (chips.length && !chips.some((one) => one.dataset.chip === picked)) picked = chips[Math.min(1, chips.length - 1)].dataset.chip;
  for (const one of document.querySelectorAll("[data-free]")) one.querySelector("[data-left]").textContent = freeLeft(one.dataset.free);
  for (const one of chips) {
    const is = one.dataset.chip === picked;
    one.setAttribute("aria-checked", String(is));
    one.tabIndex = is ? 0 : -1;
  }
  const button = document.getElementById("place");
  if (!button) return;
  button.setAttribute("aria-disabled", String(!taps.length || !open));
  button.textContent = taps.length ? word("place_sum", { sum: money(total()) }) : word("place");
  button.classList.toggle("soon", taps.length > 0 && closesInMs() < SOON_MS);
  const deal = document.getElementById("act-ready");
  if (deal) deal.hidden = taps.length > 0;
  button.hidden = Boolean(deal) && !deal.hidden;
  for (const name of ["undo", "clear"]) document.getElementById(`act-${name}`)?.setAttribute("aria-disabled", String(!taps.length));
}

// --- what lives through a reload ---------------------------------------------------------------------------

function keepLaid() {
  try {
    if (taps.length) sessionStorage.setItem(LAID, JSON.stringify({ round, taps }));
    else sessionStorage.removeItem(LAID);
    if (picked && !picked.startsWith("free:")) localStorage.setItem(CHIP, picked);
  } catch { /* then it does not */ }
}

function bringBack() {
  try {
    picked = localStorage.getItem(CHIP) || "";
    const kept = JSON.parse(sessionStorage.getItem(LAID) || "null");
    if (kept) ({ round, taps } = kept);
  } catch { /* nothing was kept */ }
}

// --- hands ------------------------------------------------------------------------------------------------

function press(event) {
  const spot = event.target.closest("button.bet-spot");
  if (spot) return lay(spot, Number(chipOf()?.dataset.minor || picked), chipOf()?.dataset.free);
  const chip = event.target.closest("[data-chip]");
  if (chip) {
    picked = chip.dataset.chip;
    return draw();
  }
  const act = event.target.closest("[data-act]");
  if (act?.dataset.act === "ready" && isFurtherTap()) return undefined; // the second of two taps on "place"
  if (act && act.getAttribute("aria-disabled") !== "true") return ACTS[act.dataset.act]?.();
  return undefined;
}

function key(event) {
  const chips = [...document.querySelectorAll("[data-chip]")];
  const at = chips.indexOf(event.target);
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (at >= 0 && step) {
    event.preventDefault();
    const next = chips[(at + step + chips.length) % chips.length];
    picked = next.dataset.chip;
    draw();
    next.focus();
  }
  if (event.target.matches("button.bet-spot") && ["Backspace", "Delete"].includes(event.key)) {
    event.preventDefault();
    taps = taps.filter((one) => one.bet !== event.target.dataset.bet);
    lift();
  }
}

export function startBets() {
  if (!plays) return;
  bringBack();
  document.addEventListener("click", press);
  document.addEventListener("keydown", key);
  window.addEventListener("storage", draw);
  setInterval(drawBar, 500);
  draw();
  askAll();
}
