// A player's decision: one press, one answer. Which window it was for is sent with it, so that it never counts in another.
import { askUntilSure, freshId, plays } from "./play_send.js";
import { amountFor, rowsOf } from "./play_seat.js";
import { tell, word } from "./play_words.js";
import { isFurtherTap } from "./taps.js";

let deciding = "";
let decided = "";  // what was taken is not asked again before the table shows it

const bar = () => document.getElementById("bar");

async function choose(button, rows = []) {
  const { mark } = bar().dataset;
  const { option, box } = button.dataset;
  const name = `${mark}/${box}`;
  if (deciding === name || decided === name) return;
  deciding = name;
  drawDecision();
  const order = { client_id: `d${freshId()}`, option, box, mark, to: amountFor(button), rows };
  const told = await askUntilSure("decisions", order, () => tell(word("unsure"), "wait"));
  deciding = "";
  const answer = told?.answers?.[0];
  if (answer?.status === "accepted" || answer?.status === "duplicate") decided = name;
  if (!told) tell(word("unsure"), "bad");
  else if (!answer || answer.status === "refused") tell(answer?.sentence || told.refused || "", "bad");
  else tell(word("chosen", { bet: button.firstChild.textContent.trim() }), "good");
  drawDecision();
}

export function drawDecision() {
  for (const one of document.querySelectorAll(".choice[data-option]")) {
    const name = `${bar().dataset.mark}/${one.dataset.box}`;
    one.setAttribute("aria-disabled", String(name === deciding || name === decided));
  }
}

export function startDecisions() {
  if (!plays) return;
  document.addEventListener("click", (event) => {
    const button = event.target.closest(".choice[data-option], [data-place-street]");
    if (!button || button.getAttribute("aria-disabled") === "true") return;
    if (isFurtherTap()) return; // the second of two taps may meet the same choice for another box, or in another window
    if (button.dataset.option === "place") choose(button, rowsOf());
    else choose(button);
  });
}
