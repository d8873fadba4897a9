// The keys of a console: Space and Enter do the primary act, letters the side acts, digits choose.

const TYPING = "input, select, textarea, [contenteditable]";
const PRESSABLE = "button, a[href], summary, [role=button]";

export function startKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (event.target.closest && event.target.closest(TYPING)) return;
    const wanted = wantedBy(event);
    if (!wanted) return;
    event.preventDefault();
    if (!event.repeat) press(wanted);
  });
}

function wantedBy(event) {
  const dialog = document.querySelector("dialog[open]");
  if (/^[1-9]$/.test(event.key)) return seen(dialog || document.getElementById("live"), "[data-digit]")[Number(event.key) - 1]
    || (dialog ? null : document.querySelector(`#live [data-shortcut="${event.key}"]`));
  if (dialog) return null;
  if (event.key === " " || event.key === "Enter") {
    if (event.target.closest && event.target.closest(PRESSABLE)) return null;
    return document.querySelector("#live [data-primary]");
  }
  if (/^[a-z]$/i.test(event.key)) return document.querySelector(`#live [data-shortcut="${event.key.toLowerCase()}"]`);
  return null;
}

function seen(within, selector) {
  return within ? Array.from(within.querySelectorAll(selector)).filter((node) => node.offsetParent !== null && !node.disabled) : [];
}

function press(node) {
  if (!node.disabled && !node.closest("[inert]")) node.click();
}
