"""One person's browser at the web nodes: signed in by badge and PIN, it sends what is pressed.

Where a node gives no answer the next one is asked, under the same id: a press is one act however often it is sent.
"""

from __future__ import annotations

import http.client
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Final
from urllib.parse import urlencode

import msgspec

from dealer_ui.rehearsal.floor.form import Form
from studio.errors import RefusedError

TIMEOUT_S: Final = 30.0
"""A node asks after an answer for twenty seconds before it says that it does not know."""
ROUNDS: Final = 3
"""So often each node is asked for one press."""
_CSRF: Final = re.compile(r'data-csrf="([^"]+)"')
_OUT: Final = frozenset({401, 403})
_FORM: Final = {"Content-Type": "application/x-www-form-urlencoded"}
NOWHERE: Final = "No web node takes the press: look at the table, and press again."


class _Refusal(msgspec.Struct, frozen=True):
    refused: str
    key: str = ""


_REFUSALS: Final = msgspec.json.Decoder(_Refusal)


@dataclass(slots=True, eq=False)
class Browser:
    """`nodes` are addresses, `host:port`. Not thread-safe: each person at each table has one."""

    nodes: Sequence[str]
    badge: str
    pin: str = field(repr=False)
    timeout_s: float = TIMEOUT_S
    moves: int = 0
    """How often another node was asked."""
    _at: int = 0
    _line: http.client.HTTPConnection | None = field(default=None, repr=False)
    _cookies: dict[str, str] = field(default_factory=dict, repr=False)
    _csrf: str = field(default="", repr=False)

    def press(self, table: str, form: Form, *, types_pin: bool) -> None:
        """Send a form of this table; `RefusedError` says why it was not done, or that nobody has answered."""
        said = {**form, "pin": self.pin} if types_pin else form
        for _ in range(ROUNDS * len(self.nodes)):
            try:
                if not self._csrf:
                    self._sign_in()
                status, answer = self._send(f"/table/{table}/command", msgspec.json.encode(said), self._headers)
            except (OSError, http.client.HTTPException):
                self._next_node()
                continue
            if status == 200:
                return
            refusal = _refusal(answer)
            if refusal is not None and refusal.key:
                raise RefusedError(refusal.key, refusal.refused)
            if status in _OUT:
                self._csrf = ""  # this node knows nobody of that session
            else:
                self._next_node()
        raise RefusedError("no_node", NOWHERE)

    def close(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None

    @property
    def _headers(self) -> dict[str, str]:
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        return {
            "Content-Type": "application/json", "Accept": "application/json", "Cookie": cookies,
            "X-CSRF-Token": self._csrf,
        }  # fmt: skip

    def _sign_in(self) -> None:
        """Show badge and PIN at the door; `RefusedError` where it stays shut."""
        shown = urlencode({"badge": self.badge, "pin": self.pin})
        status, _ = self._send("/sign-in", shown.encode(), {**_FORM, "Cookie": self._headers["Cookie"]})
        if status not in (302, 303):
            raise RefusedError("not_signed_in", f"Badge {self.badge} does not open the door: it was answered {status}.")
        _, page = self._send("/sign-in", None, {"Cookie": self._headers["Cookie"]})
        found = _CSRF.search(page.decode(errors="replace"))
        if found is None:
            raise http.client.HTTPException("The page names no token.")
        self._csrf = found[1]

    def _send(self, path: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, bytes]:
        """One request and its whole answer; cookies are kept. The connection is dropped when anything goes wrong."""
        if self._line is None:
            host, _, port = self.nodes[self._at].rpartition(":")
            self._line = http.client.HTTPConnection(host, int(port), timeout=self.timeout_s)
        try:
            self._line.request("GET" if body is None else "POST", path, body, headers)
            response = self._line.getresponse()
            for one in response.headers.get_all("Set-Cookie", []):
                self._cookies |= {name: morsel.value for name, morsel in SimpleCookie(one).items()}
            return response.status, response.read()
        except BaseException:
            self.close()
            raise

    def _next_node(self) -> None:
        self.close()
        self._at, self.moves = (self._at + 1) % len(self.nodes), self.moves + 1


def _refusal(answer: bytes) -> _Refusal | None:
    try:
        return _REFUSALS.decode(answer)
    except msgspec.MsgspecError:
        return None
