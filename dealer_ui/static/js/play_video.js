// The table as it is seen: the studio's own camera, or a media server's stream where the table has one (WHEP or HLS).
const AGAIN_MS = 4000;
const CHOICE = "studio.play.picture";

let shown = "";
let peer = null;

const frame = () => document.getElementById("table-picture");

function wanted() {
  try {
    return localStorage.getItem(CHOICE) !== "off";
  } catch {
    return true;
  }
}

function keep(on) {
  try {
    localStorage.setItem(CHOICE, on ? "on" : "off");
  } catch { /* then the next page shows it again */ }
}

async function whep(video, address) {
  peer = new RTCPeerConnection();
  for (const kind of ["video", "audio"]) peer.addTransceiver(kind, { direction: "recvonly" });
  peer.ontrack = ({ streams: [stream] }) => { video.srcObject = stream; };
  peer.onconnectionstatechange = () => { if (["failed", "disconnected"].includes(peer?.connectionState)) later(); };
  await peer.setLocalDescription(await peer.createOffer());
  const answer = await fetch(address, { method: "POST", headers: { "Content-Type": "application/sdp" }, body: peer.localDescription.sdp });
  if (!answer.ok) throw new Error(`the media server answers ${answer.status}`);
  await peer.setRemoteDescription({ type: "answer", sdp: await answer.text() });
}

function stop() {
  peer?.close();
  peer = null;
  shown = "";
}

// What does not come is asked for again, and never in a hurry.
function later() {
  stop();
  setTimeout(drawPicture, AGAIN_MS);
}

export function drawPicture() {
  const place = frame();
  if (!place) return;
  const on = wanted() && !document.hidden;
  const button = document.getElementById("picture-on");
  button?.setAttribute("aria-pressed", String(wanted()));
  place.hidden = !wanted();
  const { picture, whep: by_whep, hls } = place.dataset;
  const source = by_whep || hls || picture;
  if (!on || !source) {
    place.querySelector("img")?.removeAttribute("src");
    return stop();
  }
  if (shown === source) return undefined;
  shown = source;
  const video = place.querySelector("video");
  if (by_whep && video) return void whep(video, by_whep).catch(later);
  if (hls && video && video.canPlayType("application/vnd.apple.mpegurl")) return void (video.src = hls);
  if (video) video.hidden = true;
  const image = place.querySelector("img");
  image.hidden = false;
  image.src = picture;
  return undefined;
}

export function startPicture() {
  document.addEventListener("error", (event) => { if (frame()?.contains(event.target)) later(); }, true);
  document.addEventListener("visibilitychange", drawPicture);
  document.addEventListener("click", (event) => {
    if (!event.target.closest("#picture-on")) return;
    keep(!wanted());
    drawPicture();
  });
  // A picture without an end would keep the page from ever having loaded.
  if (document.readyState === "complete") drawPicture();
  else addEventListener("load", drawPicture, { once: true });
}
