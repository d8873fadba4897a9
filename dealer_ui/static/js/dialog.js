// Dialogs: opened by `data-dialog`, closed by `data-close`, with panels and numbered choices.

export function startDialogs() {
  document.addEventListener("click", (event) => {
    const target = event.target.closest("[data-dialog], [data-close], [data-open-panel], [data-confirm-off]");
    if (!target) return;
    if (target.dataset.dialog) openDialog(document.getElementById(target.dataset.dialog));
    else if (target.hasAttribute("data-close")) target.closest("dialog").close();
    else if (target.dataset.openPanel) openPanel(target.closest("dialog"), target.dataset.openPanel);
  });
  numberDigits();
}

function openDialog(dialog) {
  if (!dialog || dialog.open) return;
  const first = dialog.querySelector("[data-panel]");
  if (first) openPanel(dialog, first.dataset.panel);
  dialog.showModal();
  if (document.activeElement && dialog.contains(document.activeElement)) document.activeElement.blur();
  numberDigits();
}

function openPanel(dialog, name) {
  for (const panel of dialog.querySelectorAll("[data-panel]")) panel.hidden = panel.dataset.panel !== name;
  numberDigits();
}

// Every choice shows the digit that picks it.
export function numberDigits() {
  for (const panel of document.querySelectorAll("[data-panel]")) {
    panel.querySelectorAll("[data-digit]").forEach((choice, index) => {
      let badge = choice.querySelector(".digit");
      if (!badge && index < 9) {
        badge = document.createElement("span");
        badge.className = "digit";
        badge.setAttribute("aria-hidden", "true");
        badge.textContent = String(index + 1);
        choice.append(badge);
      }
    });
  }
}
