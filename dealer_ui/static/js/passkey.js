// A passkey is shown, or made: asks the browser for what the form says, and sends its answer with the form.
const TOLD = { InvalidStateError: "known", NotSupportedError: "none", SecurityError: "elsewhere" };

export function startPasskey() {
  const form = document.getElementById("passkey");
  if (!form) return;
  const says = form.querySelector(".refused");
  const button = form.querySelector("button");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (button.getAttribute("aria-busy")) return;
    if (!window.PublicKeyCredential) return void (says.textContent = form.dataset.none);
    button.setAttribute("aria-busy", "true");
    says.textContent = "";
    try {
      form.elements.answer.value = JSON.stringify(await answered(form.dataset.act, JSON.parse(form.dataset.asked)));
      form.submit();
    } catch (error) {
      says.textContent = form.dataset[TOLD[error.name] ?? "silent"];
      button.removeAttribute("aria-busy");
    }
  });
}

// What the owner's device says, as the JSON of WebAuthn level 3.
async function answered(act, asked) {
  const named = (list) => (list ?? []).map((one) => ({ ...one, id: bytes(one.id) }));
  const publicKey = { ...asked, challenge: bytes(asked.challenge) };
  if (act === "create") {
    publicKey.user = { ...asked.user, id: bytes(asked.user.id) };
    publicKey.excludeCredentials = named(asked.excludeCredentials);
  } else publicKey.allowCredentials = named(asked.allowCredentials);
  const { rawId, type, response } = await navigator.credentials[act]({ publicKey });
  const told = { clientDataJSON: text(response.clientDataJSON) };
  for (const part of ["attestationObject", "authenticatorData", "signature"]) {
    if (response[part]) told[part] = text(response[part]);
  }
  return { id: text(rawId), rawId: text(rawId), type, response: told };
}

function bytes(base64url) {
  return Uint8Array.from(atob(base64url.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}

function text(buffer) {
  const letters = Array.from(new Uint8Array(buffer), (one) => String.fromCharCode(one)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
