"""An authenticator in software: keys of P-256 for one address, answers as a browser gives them, no attestation."""

from __future__ import annotations

import hashlib
import json
import re
import struct
from dataclasses import dataclass, field
from html import unescape
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from webauthn.helpers import bytes_to_base64url as text

USER_PRESENT, WITH_KEY = 0x01, 0x40


def asked_in(page: str) -> dict[str, Any]:
    """What a page asks the browser for."""
    found = re.search(r'data-asked="([^"]+)"', page)
    assert found, page
    asked: dict[str, Any] = json.loads(unescape(found[1]))
    return asked


@dataclass
class SoftKey:
    """One authenticator with one key. `origin`: the page it is shown at; `party`: the name it signs for. `count`: how
    often it has signed; a negative step counts backwards, as a copy does.
    """

    credential: bytes
    origin: str = "http://localhost"
    party: str = "localhost"
    count: int = 0
    private: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def make(self, asked: dict[str, Any], **changed: Any) -> str:
        """The answer to `navigator.credentials.create`."""
        numbers = self.private.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        key = bytes(16) + struct.pack(">H", len(self.credential)) + self.credential + cbor2.dumps(public)
        data = self._data(USER_PRESENT | WITH_KEY) + key
        attested = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        return self._answer("webauthn.create", asked, changed, attestationObject=text(attested))

    def show(self, asked: dict[str, Any], *, step: int = 1, **changed: Any) -> str:
        """The answer to `navigator.credentials.get`."""
        self.count += step
        data, client = self._data(USER_PRESENT), self._client("webauthn.get", asked, changed)
        signature = self.private.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(SHA256()))
        told = {"authenticatorData": text(data), "signature": text(signature)}
        return self._answer("webauthn.get", asked, changed, **told)

    def _data(self, flags: int) -> bytes:
        return hashlib.sha256(self.party.encode()).digest() + struct.pack(">BI", flags, self.count)

    def _client(self, kind: str, asked: dict[str, Any], changed: dict[str, Any]) -> bytes:
        told = {"type": kind, "challenge": asked["challenge"], "origin": self.origin, "crossOrigin": False, **changed}
        return json.dumps(told).encode()

    def _answer(self, kind: str, asked: dict[str, Any], changed: dict[str, Any], **response: str) -> str:
        client = text(self._client(kind, asked, changed))
        id = text(self.credential)
        told = {"id": id, "rawId": id, "type": "public-key", "response": {"clientDataJSON": client, **response}}
        return json.dumps(told)
