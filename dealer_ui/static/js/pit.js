// The keys of the floor's page: the next alarm, acknowledge, open, freeze, freeze the floor.
import { toast } from "./order.js";

const TYPING = "input, select, textarea, [contenteditable]";

export function startPit() {
  document.addEventListener("keydown", (event) => {
    const page = document.querySelector("#live.pit");
    if (!page || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    if (event.target.closest && event.target.closest(TYPING)) return;
    const act = event.shiftKey ? (event.key === "F" ? freezeFloor : null) : KEYS[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act(page);
  }, true);
}

const KEYS = { n: next, a: acknowledge, o: open, f: freeze };

function chosen(selector) {
  return document.activeElement && document.activeElement.closest(selector);
}

// Those that wait first, in the order of the screen; then round again. The hand lies on a link of the alarm: what has
// the focus itself is not drawn anew.
function next(page) {
  const all = [...page.querySelectorAll(".alarm:not(.over)")];
  const waiting = all.filter((alarm) => alarm.dataset.waits !== undefined);
  const from = waiting.length ? waiting : all;
  if (!from.length) return;
  const at = from.indexOf(chosen(".alarm"));
  const found = from[(at + 1) % from.length];
  (found.querySelector(".where a") || found).focus();
  found.scrollIntoView({ block: "nearest" });
}

function acknowledge(page) {
  const alarm = chosen(".alarm") || page.querySelector(".alarm[data-waits]:not(.over)");
  const button = alarm && alarm.querySelector(".acknowledge");
  if (button) button.click();
}

function open() {
  const on = chosen(".alarm, .row");
  const link = on && on.querySelector("a[href^='/pit/']");
  if (link) link.click();
}

function freeze(page) {
  const on = chosen(".alarm, .row");
  const tables = on ? (on.dataset.table || on.dataset.tables || "").split(" ") : [];
  const row = tables.length === 1 && tables[0] ? document.getElementById(`row-${tables[0]}`) : null;
  const button = row && row.querySelector("form[id^='form-freeze_table'] button");
  if (button) button.click();
  else toast(on || page, page.dataset.chooseTable);
}

function freezeFloor() {
  const button = document.querySelector(".freeze-floor");
  if (button && !button.disabled) button.click();
}
