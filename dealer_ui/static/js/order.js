// Sends the forms of a console so that one tap is one act, however often the finger taps or the line fails. While an
// order is under way its buttons are off; they come back when the screen shows what came of it.
import { instant, passedMs } from "./clock.js";
import { drawAgain } from "./stream.js";
import { isFurtherTap } from "./taps.js";

const SETTLE_MS = 3000;
const AGAIN_MS = 20000; // so long a tap after an order without an answer is that order again, whatever the screen shows by then
const under_way = new Map(); // form id -> {id, seq: where it was journalled, or null while unanswered}
const unanswered = new Map(); // form id -> {id, mark, since}: the id kept for the next try, and the screen it was sent from
let offline = false;
let tapped = ""; // the form that the first of several taps was on

export function setOffline(value) {
  if (offline !== value) { offline = value; mark(); }
}

export function startOrders() {
  document.addEventListener("click", meantForAnother, true);
  document.body.addEventListener("htmx:beforeRequest", (event) => {
    const form = event.detail.elt.closest("form.act-form");
    if (!form) return;
    if (offline) { event.preventDefault(); toast(form, says().offline); return; }
    if (under_way.has(form.id)) { event.preventDefault(); return; }
    under_way.set(form.id, { id: form.dataset.orderId, seq: null });
    const { xhr } = event.detail;
    const name = form.id;
    xhr.addEventListener("loadend", () => answered(form, name, xhr));
    mark();
  });
  document.body.addEventListener("htmx:configRequest", (event) => {
    const form = event.detail.elt.closest("form.act-form");
    if (!form) return;
    const id = orderId(form);
    form.dataset.orderId = id;
    event.detail.parameters.set ? event.detail.parameters.set("id", id) : (event.detail.parameters.id = id);
    // A form that a hand is on is left as it was, so what it saw is read off the page around it: off the row of its
    // own table, where there are several.
    const moves = form.elements.seen && movesAround(form);
    if (moves) event.detail.parameters.set ? event.detail.parameters.set("seen", moves) : (event.detail.parameters.seen = moves);
    event.detail.headers.Accept = "application/json";
  });
  document.body.addEventListener("input", (event) => {
    const field = event.target.closest("form.act-form") && (event.target.closest("[data-fault]") || event.target);
    if (field) unmark(field);
  });
  // Enter in a field never rules: a finger or a key on the ruling itself does.
  document.body.addEventListener("keydown", (event) => {
    const form = event.key === "Enter" && event.target.matches("input") && event.target.closest("form.act-form");
    if (form && form.querySelector("button[name]")) event.preventDefault();
  });
  document.body.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    // After the submit: a form asks which button was pressed, and one that lost the focus is forgotten.
    if (button && event.detail > 0 && !button.closest(".sign-in")) setTimeout(() => button.blur(), 0);
  });
}

// The second of two taps falls where the first did, and the answer may have put another button there.
function meantForAnother(event) {
  const form = event.target.closest?.("form.act-form")?.id || "";
  if (!isFurtherTap()) tapped = form;
  else if (form && form !== tapped && event.target.closest("button")?.type === "submit") {
    event.preventDefault();
    event.stopPropagation();
  }
}

function movesAround(form) {
  const around = form.closest("[data-moves]") || document.getElementById("live");
  return around?.dataset.moves;
}

// An order that was never answered may have been carried out. The same tap in another round, or at another freeze, is not
// that order again: once the screen has moved on, its id is kept no longer than the hand takes to try again.
function orderId(form) {
  const mark = [movesAround(form), form.elements.pit_seq?.value].join();
  const kept = unanswered.get(form.id);
  if (kept && (kept.mark === mark || passedMs(kept.since) < AGAIN_MS)) return kept.id;
  const id = freshId();
  unanswered.set(form.id, { id, mark, since: instant() });
  return id;
}

// Heard from the request itself: by the time of the answer the stream may have taken the form off the page.
function answered(form, name, xhr) {
  if (!xhr.status) {
    under_way.delete(name);
    const kept = unanswered.get(name);
    if (kept) kept.since = instant();
    toast(form, says().lost);
    return mark();
  }
  unanswered.delete(name);
  if (xhr.status >= 200 && xhr.status < 300) return settle(form, name, read(xhr).seq || 0);
  under_way.delete(name);
  forgetPin(form);
  if (xhr.status === 401) return location.assign(`/sign-in?next=${encodeURIComponent(location.pathname)}`);
  const answer = read(xhr);
  toast(form, answer.refused || says().lost);
  if (answer.field === "about") beginAnew(form);
  else markFault(form, answer.field);
  mark();
}

// What the form was begun for is over: it is drawn as the table is now, and nothing of what was typed stays.
function beginAnew(form) {
  for (const old of form.querySelectorAll("[aria-invalid], [data-fault]")) unmark(old);
  form.reset();
  delete form.dataset.dirty;
  drawAgain();
}

// What was typed stays, and the stream leaves it alone; the field at fault is marked until it is changed.
function markFault(form, name) {
  form.dataset.dirty = "true";
  for (const old of form.querySelectorAll("[aria-invalid], [data-fault]")) unmark(old);
  const found = name ? [...form.querySelectorAll(`[name="${CSS.escape(name)}"]`)].find((one) => one.type !== "hidden") : null;
  if (!found) return;
  const group = found.closest("fieldset[data-field]");
  if (group) group.dataset.fault = "true";
  else found.setAttribute("aria-invalid", "true");
  const folded = found.closest("details");
  if (folded) folded.open = true;
  found.focus();
}

function unmark(field) {
  field.removeAttribute("aria-invalid");
  delete field.dataset.fault;
}

function settle(form, name, seq) {
  const under = under_way.get(name);
  if (under) under.seq = seq;
  delete form.dataset.dirty;
  form.reset();
  const dialog = form.closest("dialog");
  if (dialog) dialog.close();
  afterFragment(Number(document.body.dataset.seq || 0));
  setTimeout(() => { if (under_way.get(name) === under) { under_way.delete(name); mark(); } }, SETTLE_MS);
}

export function afterFragment(shown) {
  for (const [form, under] of under_way) if (under.seq !== null && shown >= under.seq) under_way.delete(form);
  mark();
}

function mark() {
  for (const form of document.querySelectorAll("form.act-form")) {
    const busy = under_way.has(form.id);
    for (const button of form.querySelectorAll("button")) {
      if (busy && !button.disabled) { button.disabled = true; button.dataset.held = "true"; button.setAttribute("aria-busy", "true"); }
      if (!busy && button.dataset.held) { button.disabled = false; delete button.dataset.held; button.removeAttribute("aria-busy"); }
    }
  }
}

function read(xhr) {
  try { return JSON.parse(xhr.responseText); } catch { return {}; }
}

function forgetPin(form) {
  for (const pin of form.querySelectorAll("input[name=pin]")) pin.value = "";
}

function says() {
  return document.getElementById("says").dataset;
}

// crypto.randomUUID is there only on a secure origin; stations may come by plain http inside the studio.
export function freshId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function toast(near, sentence) {
  for (const old of document.querySelectorAll(".toast")) old.remove();
  const box = near.getBoundingClientRect();
  const note = document.createElement("p");
  note.className = "toast";
  note.setAttribute("role", "alert");
  note.textContent = sentence;
  (near.closest("dialog") || document.body).append(note);
  const left = Math.min(Math.max(12, box.left), Math.max(12, innerWidth - note.offsetWidth - 12));
  const above = box.top - note.offsetHeight - 12;
  note.style.left = `${left}px`;
  note.style.top = `${above > 8 ? above : Math.min(box.bottom + 12, innerHeight - note.offsetHeight - 12)}px`;
  setTimeout(() => note.remove(), 7000);
}
