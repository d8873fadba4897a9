"""Whether a request is its operator's own: signed with a secret both know, fresh, new, and from where he asks.

request-id         good once
request-timestamp  seconds of UTC, at most five minutes from the studio's
request-signature  v1,<base64 HMAC-SHA256 of method, target, id and timestamp, a line each, and the body>
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Final, Protocol, TypeAlias

from dealer_ui.config.operator import CallsSection
from dealer_ui.process.address import read_address
from dealer_ui.process.shared_secret import read_secret
from dealer_ui.process.throttle import TooOftenError
from studio.errors import RefusedError

Network: TypeAlias = IPv4Network | IPv6Network
SKEW_S: Final = 300
IDS_MAX: Final = 500_000
"""So many ids of one operator are remembered at once; whoever sends more in five minutes waits."""
ID_HEADER, TIME_HEADER, SIGNATURE_HEADER = "request-id", "request-timestamp", "request-signature"
_ID: Final = re.compile(r"[A-Za-z0-9._:-]{1,64}")
_TIME: Final = re.compile(r"[0-9]{1,12}")


@dataclass(frozen=True, slots=True)
class CallTerms:
    """What an operator's requests need beside his key. Any of the `secrets` may sign."""

    secrets: tuple[bytes, ...] = field(default=(), repr=False)
    networks: tuple[Network, ...] = ()

    @classmethod
    def of(cls, section: CallsSection) -> CallTerms:
        """`BadInputError` where a secret cannot be had."""
        secrets = tuple(read_secret(Path(file)) for file in section.key_files)
        return cls(secrets, tuple(ip_network(one) for one in section.addresses))

    def lets_in_from(self, address: str | None) -> bool:
        known = read_address(address or "")
        return not self.networks or (known is not None and any(known in network for network in self.networks))


ANY_CALL: Final = CallTerms()


@dataclass(frozen=True, slots=True)
class Sent:
    """A request as it came. `target`: path and query, as they were written. `headers`: those that sign it."""

    method: str
    target: str
    body: bytes = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)

    @property
    def text(self) -> bytes:
        """What is signed."""
        named = (self.method, self.target, self.headers[ID_HEADER], self.headers[TIME_HEADER], "")
        return "\n".join(named).encode("latin-1", "replace") + self.body


class Signatures:
    """Knows which ids were used. Thread-safe; a restart forgets them."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._lock = threading.Lock()
        self._used: dict[str, OrderedDict[int, int]] = {}

    def need(self, operator: str, secrets: tuple[bytes, ...], sent: Sent) -> None:
        """`RefusedError` unless one of the secrets has signed it, just now and for the first time."""
        headers = sent.headers
        if any(not headers.get(name) for name in (ID_HEADER, TIME_HEADER, SIGNATURE_HEADER)):
            sentence = "Your requests are signed: send request-id, request-timestamp and request-signature with each."
            raise RefusedError("signature_missing", sentence)
        id, at = headers[ID_HEADER], headers[TIME_HEADER]
        if not _ID.fullmatch(id) or not _TIME.fullmatch(at) or not _is_signed(secrets, sent):
            sentence = (
                "The signature does not fit this request: sign its method, target, id, time and body, as they are sent."
            )
            raise RefusedError("signature_wrong", sentence)
        now_s = self._now_ms() // 1000
        if abs(now_s - int(at)) > SKEW_S:
            sentence = f"It was signed at {at} and the studio has {now_s}: set your clock, or sign the request anew."
            raise RefusedError("signature_old", sentence)
        self._use(operator, id, int(at), now_s)

    def _use(self, operator: str, id: str, at_s: int, now_s: int) -> None:
        mark = int.from_bytes(hashlib.sha256(id.encode()).digest()[:8])
        with self._lock:
            used = self._used.setdefault(operator, OrderedDict())
            while used and next(iter(used.values())) < now_s:
                used.popitem(last=False)
            if mark in used and used[mark] >= now_s:
                sentence = "A request with this request-id has come before: give each an id of its own."
                raise RefusedError("signature_used", sentence)
            if len(used) >= IDS_MAX:
                raise TooOftenError("too_many_calls", "You send more requests than the studio can tell apart.", 10)
            used[mark] = at_s + SKEW_S
            used.move_to_end(mark)


class HasHeaders(Protocol):
    def get(self, name: str, default: str) -> str: ...


def signing_headers(headers: HasHeaders) -> Mapping[str, str]:
    """Those of a request's headers that sign it."""
    return {name: headers.get(name, "") for name in (ID_HEADER, TIME_HEADER, SIGNATURE_HEADER)}


def sign(secret: bytes, text: bytes) -> str:
    """
    >>> sign(b"sixteen bytes or more", b"GET\\n/api/v1/tables\\nr-1\\n1700000000\\n")
    'v1,WDAM696bVM1SGSnl8MLjn5aTWGjMvJyd72lasev9Slk='
    """
    return f"v1,{base64.b64encode(hmac.digest(secret, text, hashlib.sha256)).decode()}"


def _is_signed(secrets: tuple[bytes, ...], sent: Sent) -> bool:
    """Every secret is tried, each in constant time."""
    said, found = sent.headers[SIGNATURE_HEADER].encode(), False
    for secret in secrets:
        found |= hmac.compare_digest(sign(secret, sent.text).encode(), said)
    return found
