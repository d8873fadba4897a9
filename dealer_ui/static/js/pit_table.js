// Which act of the pit's page of a table stands open: the one chosen, else the one the studio puts first.
// The choice outlasts new fragments. A tap on an open card of the felt opens the reading of that card.

let chosen = "";

export function startPitTable() {
  if (!page()) return;
  chosen = location.hash.slice(1);
  document.addEventListener("click", choose);
  document.addEventListener("studio:fragment", draw);
  addEventListener("hashchange", () => { chosen = location.hash.slice(1); draw(); });
  draw();
}

function page() {
  return document.querySelector("#live.pit-table");
}

function choose(event) {
  const tab = event.target.closest("[data-tab]");
  if (tab) chosen = tab.dataset.tab === chosen ? "" : tab.dataset.tab;
  const place = tab ? null : event.target.closest(".pit-table .place");
  if (place && !readOtherwise(place)) return;
  if (tab || place) draw();
}

// The place's id is `place-BOX-NUMBER`; only a card that lies open is in the list.
function readOtherwise(place) {
  const list = document.getElementById("override-at");
  const [, box, number] = place.id.match(/^place-(.+)-(\d+)$/) || [];
  const option = list && [...list.options].find((one) => one.value === `${box} ${number}`);
  if (!option) return false;
  list.value = option.value;
  list.form.dataset.dirty = "true";
  chosen = "act-override";
  return true;
}

function draw() {
  if (!page()) return;
  const panels = [...document.querySelectorAll(".act .panel")];
  const open = panels.find((panel) => panel.id === chosen) || panels.find((panel) => panel.classList.contains("open"));
  if (open) chosen = open.id;
  for (const panel of panels) panel.classList.toggle("open", panel === open);
  for (const tab of document.querySelectorAll("[data-tab]")) {
    tab.classList.toggle("open", Boolean(open) && tab.dataset.tab === open.id);
    tab.setAttribute("aria-expanded", String(Boolean(open) && tab.dataset.tab === open.id));
  }
  const told = [...document.querySelectorAll(".incident-told")];
  const about = open && told.find((one) => one.id === open.id.replace("incident-", "told-"));
  for (const one of told) one.classList.toggle("open", one === (about || told[0]));
}
