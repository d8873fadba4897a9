"""A media server with a picture behind it: a second page of the browser paints one and sends it, or makes a film of it.

The server itself knows nothing of pictures: it hands an offer to the page that sends, and its answer back.
"""

from __future__ import annotations

import contextlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Empty, Queue
from typing import Final

from patience import LOOK_S, PATIENCE_S

WHEP: Final = "/t1/whep"
HLS: Final = "/t1/live.m3u8"
COLOUR: Final = (20, 90, 200)
"""What is painted, but for a bar that moves."""
_ASK_S: Final = 0.5
_CORS: Final = {
    "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Methods": "GET, POST, DELETE",
    "Access-Control-Allow-Headers": "Content-Type, Range", "Access-Control-Expose-Headers": "Location, Content-Range",
}  # fmt: skip

Told = tuple[int, bytes, str]
"""A status, a body, and of what type that is."""

_SENDER: Final = """<!doctype html><canvas id="c" width="320" height="180"></canvas><script>
const canvas = document.getElementById("c"), pen = canvas.getContext("2d");
let at = 0, peers = [];
window.moves = true;
setInterval(() => {
  if (!window.moves) return;
  pen.fillStyle = "rgb(20, 90, 200)"; pen.fillRect(0, 0, 320, 180);
  pen.fillStyle = "white"; pen.fillRect((at = at + 7) % 320, 150, 12, 30);
}, 60);
const gathered = (peer) => new Promise((done) => {
  const look = () => peer.iceGatheringState === "complete" && done();
  peer.addEventListener("icegatheringstatechange", look); look();
});
async function send() {
  for (;;) {
    const asked = await fetch("/offer");
    if (asked.status !== 200) continue;
    const { id, sdp } = await asked.json(), peer = new RTCPeerConnection();
    peers.push(peer);
    const stream = canvas.captureStream(15);
    for (const track of stream.getTracks()) peer.addTrack(track, stream);
    await peer.setRemoteDescription({ type: "offer", sdp });
    await peer.setLocalDescription();
    await gathered(peer);
    await fetch(`/answer/${id}`, { method: "POST", body: peer.localDescription.sdp });
  }
}
window.film = (ms) => new Promise((done) => {
  const parts = [], taken = new MediaRecorder(canvas.captureStream(15), {
    mimeType: "video/mp4;codecs=avc1.42E01E", videoKeyFrameIntervalDuration: 1000,
  });
  taken.ondataavailable = ({ data }) => parts.push(data);
  taken.onstop = async () => { await fetch("/film", { method: "POST", body: new Blob(parts) }); done(); };
  taken.start(1000); setTimeout(() => taken.stop(), ms);
});
send();
</script>"""


class LiveMedia:
    """While it is `away` it answers nobody who looks on. `asked` counts the pictures that were asked for."""

    def __init__(self) -> None:
        self.away = False
        self.asked = 0
        self.film = b""
        self._offers: Queue[tuple[int, str]] = Queue()
        self._answers: dict[int, Queue[str]] = {}
        self._port = ThreadingHTTPServer(("127.0.0.1", 0), self._door())
        self.address = f"http://127.0.0.1:{self._port.server_port}"
        self._thread = threading.Thread(target=self._port.serve_forever, args=(LOOK_S,))
        self._thread.start()

    @property
    def sender(self) -> str:
        """The page that paints and sends."""
        return f"{self.address}/sender"

    def close(self) -> None:
        self._port.shutdown()
        self._thread.join()
        self._port.server_close()

    def next_offer(self) -> tuple[int, str] | None:
        try:
            return self._offers.get(timeout=_ASK_S)
        except Empty:
            return None

    def answered(self, id: int, sdp: str) -> None:
        self._answers[id].put(sdp)

    def join(self, sdp: str) -> str | None:
        """The answer to an offer; None while nobody sends."""
        self.asked += 1
        id = self.asked
        self._answers[id] = Queue()
        self._offers.put((id, sdp))
        try:
            return self._answers[id].get(timeout=PATIENCE_S)
        except Empty:
            return None

    def playlist(self) -> str:
        """The film: its head, and each of its fragments."""
        lines = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:3", "#EXT-X-MEDIA-SEQUENCE:0"]
        lines.append('#EXT-X-MAP:URI="head.mp4"')
        for number in range(len(parts_of(self.film)[1])):
            lines += ["#EXTINF:1.000,", f"part{number}.m4s"]
        return "\n".join([*lines, "#EXT-X-ENDLIST", ""])

    def part(self, name: str) -> bytes:
        head, fragments = parts_of(self.film)
        if name == "head.mp4":
            return self.film[:head]
        begin, size = fragments[int(name.removeprefix("part").removesuffix(".m4s"))]
        return self.film[begin : begin + size]

    def gives(self, path: str) -> Told:
        """What is read of it: the page that sends and what that asks, and what a player asks of a film."""
        if path == "/sender":
            return 200, _SENDER.encode(), "text/html"
        if path == "/offer":
            asked = self.next_offer()
            told = json.dumps({"id": asked[0], "sdp": asked[1]}).encode() if asked else b""
            return 200 if asked else 204, told, "application/json"
        if self.away:
            return 503, b"", ""
        if path == HLS:
            self.asked += 1
            return 200, self.playlist().encode(), "application/vnd.apple.mpegurl"
        return 200, self.part(path.rpartition("/")[2]), "video/mp4"

    def takes(self, path: str, body: bytes) -> Told:
        """What is sent to it: the film, the answer to an offer, and an offer, which is answered when that is there."""
        if path == "/film":
            self.film = body
            return 200, b"", ""
        if path.startswith("/answer/"):
            self.answered(int(path.rpartition("/")[2]), body.decode())
            return 200, b"", ""
        found = None if self.away else self.join(body.decode())
        return (201, found.encode(), "application/sdp") if found else (503, b"", "")

    def _door(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Door(BaseHTTPRequestHandler):
            def do_OPTIONS(self) -> None:
                self._say(204, b"", "")

            def do_DELETE(self) -> None:
                self._say(200, b"", "")

            def do_GET(self) -> None:
                self._say(*server.gives(self.path))

            def do_POST(self) -> None:
                self._say(*server.takes(self.path, self.rfile.read(int(self.headers["Content-Length"]))))

            def _say(self, status: int, body: bytes, kind: str) -> None:
                self.send_response(status)
                made = {"Location": "sessions/1"} if status == 201 else {}
                for name, value in {**_CORS, **made, "Content-Type": kind, "Content-Length": str(len(body))}.items():
                    self.send_header(name, value)
                with contextlib.suppress(ConnectionError):  # a page that is left hears nothing more
                    self.end_headers()
                    self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                """The test itself looks at what is played."""

        return Door


def parts_of(film: bytes) -> tuple[int, list[tuple[int, int]]]:
    """Of a fragmented MP4: how long its head is, and where each fragment begins and how long it is."""
    at, head, fragments = 0, 0, list[tuple[int, int]]()
    while at + 8 <= len(film):
        size, kind = int.from_bytes(film[at : at + 4]), film[at + 4 : at + 8]
        if kind == b"moof":
            fragments.append((at, size))
            head = head or at
        elif fragments and kind == b"mdat":
            fragments[-1] = (fragments[-1][0], fragments[-1][1] + size)
        at += size
    return head, fragments
