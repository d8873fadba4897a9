// The only place for the numeric pad of the sign-in page; the keyboard works without it.

export function startSignIn() {
  const form = document.getElementById("sign-in");
  if (!form) return;
  let field = form.querySelector("#badge").value ? form.querySelector("#pin") : form.querySelector("#badge");
  for (const input of form.querySelectorAll("#badge, #pin")) input.addEventListener("focus", () => { field = input; });
  form.querySelector(".pad").addEventListener("pointerdown", (event) => {
    const key = event.target.closest("[data-key]");
    if (!key) return;
    event.preventDefault();
    if (key.dataset.key === "clear") field.value = "";
    else if (key.dataset.key === "back") field.value = field.value.slice(0, -1);
    else if (field.value.length < field.maxLength) field.value += key.dataset.key;
    field.focus();
  });
}
