// A player's decision: one press, one answer. Which window it was for is sent with it, so that it never counts in another.
import { ask, freshId, pause, plays } from "./play_send.js";
import { amountFor, rowsOf } from "./play_seat.js";
import { tell, word } from "./play_words.js";

const TRIES = 8;
let deciding = "";

const bar = () => document.getElementById("bar");

async function choose(button, rows = []) {
  const { mark } = bar().dataset;
  const { option, box } = button.dataset;
  const name = `${mark}/${box}`;
  if (deciding === name) return;
  deciding = name;
  drawDecision();
  const order = { client_id: `d${freshId()}`, option, box, mark, to: amountFor(button), rows };
  let told = null;
  for (let tries = 0; tries < TRIES && !told; tries += 1) {
    told = await ask("decisions", order);
    if (!told) {
      tell(word("unsure"), "wait");
      await pause(tries);
    }
  }
  deciding = "";
  const answer = told?.answers?.[0];
  if (!told) tell(word("unsure"), "bad");
  else if (!answer || answer.status === "refused") tell(answer?.sentence || told.refused || "", "bad");
  else tell(answer.status === "pending" ? word("pending", { sum: "" }) : word("chosen", { bet: button.firstChild.textContent.trim() }), "good");
  drawDecision();
}

export function drawDecision() {
  for (const one of document.querySelectorAll(".choice[data-option]")) {
    one.setAttribute("aria-disabled", String(Boolean(deciding) && deciding === `${bar().dataset.mark}/${one.dataset.box}`));
  }
}

export function startDecisions() {
  if (!plays) return;
  document.addEventListener("click", (event) => {
    const button = event.target.closest(".choice[data-option], [data-place-street]");
    if (!button || button.getAttribute("aria-disabled") === "true") return;
    if (button.dataset.option === "place") choose(button, rowsOf());
    else choose(button);
  });
}
