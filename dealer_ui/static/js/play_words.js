// What a player's page says: in the catalogue's words, on the bar for the eye and in a live region for the ear.
import { instant, passedMs } from "./clock.js";

const patterns = new Map();
for (const one of document.getElementById("play-words")?.content.querySelectorAll("[data-word]") || []) {
  patterns.set(one.dataset.word, one.textContent);
}

const SEEN_MS = 6000;

let said = { text: "", tone: "", of: "", at: instant() }; // `of`: the round that it is about
let hush = 0;

const roundNow = () => document.querySelector("[data-round]")?.dataset.round || "";

export function word(key, values = {}) {
  return (patterns.get(key) || "").replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

export function tell(text, tone = "") {
  said = { text, tone, of: roundNow(), at: instant() };
  clearTimeout(hush);
  if (tone !== "bad") hush = setTimeout(forget, SEEN_MS);
  const ear = document.getElementById("told");
  if (ear) ear.textContent = text;
  drawSaid();
}

function forget() {
  said = { ...said, text: "", tone: "" };
  drawSaid();
}

// Why something was refused stands until something else is said, and for the round that it was asked in.
export function drawSaid() {
  const line = document.getElementById("bar-says");
  if (!line) return;
  if (said.text && said.of !== roundNow() && passedMs(said.at) > SEEN_MS) return forget();
  if (line.textContent !== said.text) line.textContent = said.text;
  line.dataset.tone = said.tone;
}

export function money(minor) {
  const { currency, decimals } = (document.querySelector("[data-currency]") || document.body).dataset;
  const digits = Number(decimals || 2);
  const format = { style: "currency", currency: currency || "EUR", minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(document.body.dataset.language || "en", format).format(minor / 10 ** digits);
}

export function chip(minor) {
  const { decimals } = (document.querySelector("[data-currency]") || document.body).dataset;
  const format = { notation: "compact", maximumFractionDigits: 1 };
  return new Intl.NumberFormat(document.body.dataset.language || "en", format).format(minor / 10 ** Number(decimals || 2));
}
