// Lists that sort themselves. Nothing in a list moves while a hand is on it: a new entry comes at the end, one that is
// over stays as a shade. The list sorts itself when the hand has gone, and until then the page says that it has not.

const REST_MS = 6000;
const touched = new Map(); // list id -> when a pointer last moved on it, or a key was pressed in it

export function startListOrder() {
  for (const name of ["pointermove", "pointerdown", "focusin", "keydown"]) document.addEventListener(name, (event) => note(event.target), { passive: true, capture: true });
  document.addEventListener("pointerleave", leave, true);
  setInterval(settle, 300);
}

function note(target) {
  const list = target.closest && target.closest("[data-keep-order]");
  if (list) touched.set(list.id, performance.now());
}

function leave(event) {
  const list = event.target;
  if (list.matches && list.matches("[data-keep-order]") && !list.contains(document.activeElement)) touched.delete(list.id);
}

function busy(list) {
  const at_ms = touched.get(list.id);
  const on = list.matches(":hover") || list.contains(document.activeElement);
  return on && at_ms !== undefined && performance.now() - at_ms < REST_MS;
}

// The new fragment with every list that a hand is on in the order it has on the screen.
export function keepOrder(html) {
  const lists = [...document.querySelectorAll("[data-keep-order]")];
  if (!lists.some(busy)) return html;
  const made = document.createElement("template");
  made.innerHTML = html;
  for (const list of lists) {
    const fresh = made.content.getElementById(list.id);
    if (!fresh) continue;
    const wanted = ids(fresh);
    if (busy(list)) arrange(list, fresh);
    fresh.dataset.wanted = wanted.join(" ");
  }
  return made.innerHTML;
}

function arrange(list, fresh) {
  const known = new Map([...fresh.children].map((child) => [child.id, child]));
  const kept = [...list.children].map((child) => known.get(child.id) || shade(child));
  const newcomers = [...fresh.children].filter((child) => !kept.includes(child));
  fresh.replaceChildren(...kept, ...newcomers);
}

function shade(child) {
  const left = child.cloneNode(true);
  left.classList.add("over");
  left.inert = true;
  return left;
}

function settle() {
  let waits = false;
  for (const list of document.querySelectorAll("[data-keep-order][data-wanted]")) {
    if (busy(list)) { waits ||= list.dataset.wanted !== ids(list).join(" "); continue; }
    const focused = list.contains(document.activeElement) ? document.activeElement : null;
    for (const child of [...list.children]) if (child.classList.contains("over")) child.remove();
    const by_id = new Map([...list.children].map((child) => [child.id, child]));
    const wanted = list.dataset.wanted.split(" ").map((id) => by_id.get(id)).filter(Boolean);
    wanted.forEach((child, at) => { if (list.children[at] !== child) list.insertBefore(child, list.children[at]); });
    delete list.dataset.wanted;
    if (focused && document.activeElement !== focused) focused.focus({ preventScroll: true });
  }
  const word = document.getElementById("order-waits");
  if (word) word.hidden = !waits;
}

function ids(list) {
  return [...list.children].map((child) => child.id);
}
