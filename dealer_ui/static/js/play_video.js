// The table as it is seen: the studio's own camera, or a media server's stream where the table has one (WHEP or HLS).
// Where the stream does not come, or stands still, the camera is shown in its place and the page says so; the stream is
// asked for again.
import { word } from "./play_words.js";

const AGAIN_MS = 4000;
const STREAM_AGAIN_MS = 30000;
const GIVE_UP_MS = 10000;
const LOOK_MS = 4000;
const STILL_LOOKS = 3;
const HLS = "application/vnd.apple.mpegurl";
const CHOICE = "studio.play.picture";

let running = false;
let session = null; // at the media server: our end of it, and the resource that it made for us
let again = 0;
let watching = 0;

const frame = () => document.getElementById("table-picture");
const part = (name) => frame()?.querySelector(name);

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

// --- the media server ---------------------------------------------------------------------------------------

async function join(video, address) {
  const peer = new RTCPeerConnection();
  const own = { peer, resource: "" };
  session = own;
  const lost = () => { if (session === own) miss(); };
  for (const kind of ["video", "audio"]) peer.addTransceiver(kind, { direction: "recvonly" });
  peer.ontrack = ({ streams: [stream] }) => { if (session === own) video.srcObject = stream; };
  peer.onconnectionstatechange = () => { if (["failed", "disconnected"].includes(peer.connectionState)) lost(); };
  try {
    await peer.setLocalDescription();
    const asked = { method: "POST", headers: { "Content-Type": "application/sdp" }, body: peer.localDescription.sdp };
    const answer = await fetch(address, { ...asked, signal: AbortSignal.timeout(GIVE_UP_MS) });
    const made = answer.headers.get("Location");
    if (answer.ok && made) own.resource = new URL(made, answer.url).href;
    if (session !== own) return release(own); // it answers a page that has stopped asking
    if (!answer.ok) return lost();
    await peer.setRemoteDescription({ type: "answer", sdp: await answer.text() });
  } catch {
    lost();
  }
  return undefined;
}

// What a media server made for us is given back: it cannot know by itself that nobody looks any more.
function release({ peer, resource }) {
  peer.close();
  if (resource) fetch(resource, { method: "DELETE", keepalive: true }).catch(() => {});
}

function leave() {
  clearInterval(watching);
  const left = session;
  session = null;
  if (left) release(left);
  const video = part("video");
  if (!video) return;
  video.srcObject = null;
  if (!video.hasAttribute("src")) return;
  video.removeAttribute("src");
  video.load();
}

function askStream() {
  const { whep, hls } = frame().dataset;
  const video = part("video");
  if (whep) join(video, whep);
  else if (video.canPlayType(HLS)) video.src = hls;
  else return showCamera();
  return watch(video);
}

// A connection may stand and bring no more pictures: a table that has stopped is not shown as if it were live. Whoever
// pauses the picture by hand wants it so.
function watch(video) {
  let [seen, still] = [0, 0];
  clearInterval(watching);
  watching = setInterval(() => {
    const drawn = video.getVideoPlaybackQuality().totalVideoFrames;
    const paused = video.paused && !video.ended && video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA;
    still = drawn !== seen || paused ? 0 : still + 1;
    seen = drawn;
    if (still >= STILL_LOOKS) miss();
  }, LOOK_MS);
}

function miss() {
  leave();
  showCamera();
  clearTimeout(again);
  again = setTimeout(askStream, STREAM_AGAIN_MS);
}

// --- what is seen -------------------------------------------------------------------------------------------

// The camera lies over the stream, so that the stream can begin beneath it.
function showCamera() {
  const image = part("img");
  image.hidden = false;
  if (!image.hasAttribute("src")) image.src = frame().dataset.picture;
  const video = part("video");
  if (!video) return;
  video.inert = true;
  part("figcaption").textContent = word("camera_instead");
}

function hideCamera() {
  const [image, video] = [part("img"), part("video")];
  image.removeAttribute("src");
  if (!video) return;
  image.hidden = true;
  video.inert = false;
  part("figcaption").textContent = "";
}

function stop() {
  running = false;
  clearTimeout(again);
  leave();
  hideCamera();
}

export function drawPicture() {
  const place = frame();
  if (!place) return;
  document.getElementById("picture-on")?.setAttribute("aria-pressed", String(wanted()));
  place.hidden = !wanted();
  if (!wanted() || document.hidden) stop();
  else if (!running) {
    running = true;
    if (part("video")) askStream();
    else showCamera();
  }
}

// What does not come is asked for again, and never in a hurry.
function fail({ target }) {
  if (!running || !frame()?.contains(target)) return;
  if (target === part("video")) return void miss();
  target.removeAttribute("src");
  setTimeout(() => { if (running && !target.hidden) showCamera(); }, AGAIN_MS);
}

export function startPicture() {
  if (!frame()) return;
  document.addEventListener("error", fail, true);
  part("video")?.addEventListener("playing", hideCamera);
  document.addEventListener("visibilitychange", drawPicture);
  document.addEventListener("click", (event) => {
    if (!event.target.closest("#picture-on")) return;
    keep(!wanted());
    drawPicture();
  });
  // A picture without an end would keep the page from ever having loaded; a page may be left, and be come back to.
  addEventListener("pageshow", drawPicture);
  addEventListener("pagehide", stop);
}
