// Whether a click is a further tap of a hand that has just tapped there, and by now may meet another button. A mouse's
// clicks are counted by its machine. A finger's are counted here: some browsers call each of them the first, others begin
// anew at every fourth.
import { instant, passedMs } from "./clock.js";

const AGAIN_MS = 500;
const NEAR_PX = 24; // less than lies between the middles of two buttons

let by_finger = false;
let last = null; // the finger's last tap: {x, y, at}
let further = false; // what the newest click is

export function isFurtherTap() {
  return further;
}

function near(event) {
  return passedMs(last.at) < AGAIN_MS && Math.hypot(event.clientX - last.x, event.clientY - last.y) < NEAR_PX;
}

function count(event) {
  if (!event.detail) further = false; // by a key
  else if (by_finger) {
    further = Boolean(last) && near(event);
    last = { x: event.clientX, y: event.clientY, at: instant() };
  } else further = event.detail > 1;
}

window.addEventListener("pointerdown", (event) => { by_finger = event.pointerType === "touch"; }, true);
window.addEventListener("click", count, true);
