// The sign-in page: its numeric pad (the keyboard works without it), and going on when another tab has signed in.
const LOOK_MS = 3000;

export function startSignIn() {
  const form = document.getElementById("sign-in");
  if (!form) return;
  const inputs = [...form.querySelectorAll("input:not([type=hidden])")];
  let field = inputs.find((input) => !input.value) ?? inputs.at(-1);
  for (const input of inputs) input.addEventListener("focus", () => { field = input; });
  form.querySelector(".pad")?.addEventListener("pointerdown", (event) => {
    const key = event.target.closest("[data-key]");
    if (!key) return;
    event.preventDefault();
    if (key.dataset.key === "clear") field.value = "";
    else if (key.dataset.key === "back") field.value = field.value.slice(0, -1);
    else if (field.value.length < field.maxLength) field.value += key.dataset.key;
    field.focus();
  });
  const next = form.querySelector("[name=next]");
  if (next && form.querySelector("#badge") && !document.documentElement.dataset.csrf) setInterval(() => followOtherTab(form, next.value), LOOK_MS);
}

// A station has one sign-in for all its pages: the page that waits here goes on with the first of them. Where somebody
// has begun to write, or asked for this page while signed in, it stays.
async function followOtherTab(form, next) {
  if (document.hidden || form.querySelector("#badge").value || form.querySelector("#pin").value) return;
  try {
    const answer = await fetch("/whoami", { cache: "no-store", headers: { Accept: "application/json" } });
    if (answer.ok) location.replace(next);
  } catch { /* the studio cannot be reached */ }
}
