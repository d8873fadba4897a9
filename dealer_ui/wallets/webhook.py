"""A round told to an operator's address: one POST of JSON, signed as the public Standard Webhooks describe it.

    webhook-id         t1-0000017:0, the same at every telling
    webhook-timestamp  seconds of UTC, of this telling
    webhook-signature  v1,<base64 HMAC-SHA256 of id.timestamp.body>, by each shared secret, a space between them;
                       v1a,<base64 Ed25519> without any

Any answer of the 200s that came whole is a yes, and nothing else is: a redirection is not followed.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable, Sequence

import structlog

from dealer_ui.wallets.dialect import NoReply, Reply, Request, Sending, said_nothing, unclear
from studio.wallets.answer import Said, Word
from studio.wallets.notice import RoundNotice

_LOG = structlog.get_logger("dealer_ui.wallets.webhook")

Sign = Callable[[bytes], str]
"""The signature of these bytes, as the header has it."""


class Webhook:
    """One operator's address. `write` gives the round's JSON. See `dealer_ui.teller.caller.FarEnd`."""

    def __init__(
        self, line: Sending, sign: Sign, write: Callable[[RoundNotice], bytes], now_ms: Callable[[], int]
    ) -> None:
        self._line = line
        self._sign = sign
        self._write = write
        self._now_ms = now_ms

    def ask(self, call: RoundNotice, wait_s: float, heard: Callable[[Said], None]) -> None:
        """Tell him; whatever is no yes is told again, and so is a round that cannot be read now."""
        try:
            body = self._write(call)
        except Exception as error:
            _LOG.error("a round cannot be read to be told", round=call.id, exc_info=error)
            heard(unclear("the studio could not read the round"))
            return
        self._line.send(self._signed(call.id, body), wait_s, lambda reply: heard(_said(reply)))

    def close(self) -> None:
        self._line.close()

    def _signed(self, id: str, body: bytes) -> Request:
        at = str(self._now_ms() // 1000)
        headers = (
            ("Content-Type", "application/json"),
            ("webhook-id", id),
            ("webhook-timestamp", at),
            ("webhook-signature", self._sign(signed_text(id, at, body))),
        )
        return Request("", body, headers)


def _said(reply: Reply | NoReply) -> Said:
    if isinstance(reply, NoReply):
        return said_nothing(reply)
    return Said(word=Word.OK) if 200 <= reply.status < 300 else unclear(f"HTTP {reply.status}")


def signed_text(id: str, at: str, body: bytes) -> bytes:
    """What is signed: `id.timestamp.body`."""
    return b"%s.%s.%s" % (id.encode(), at.encode(), body)


def signing_with(*secrets: bytes) -> Sign:
    """By each of the secrets the operator knows too: he takes what one of his own fits.

    >>> signing_with(b"sixteen bytes or more")(b"t1-r1:0.1700000000.{}")
    'v1,jkhrh5ykLZAp6O0oGxKbb1WQpMaCgDh18Gi1IYdcRYk='
    """

    def sign(text: bytes) -> str:
        marks = (hmac.digest(secret, text, hashlib.sha256) for secret in secrets)
        return " ".join(f"v1,{base64.b64encode(mark).decode()}" for mark in marks)

    return sign


def signing_as_studio(signatures: Callable[[str], Sequence[str]]) -> Sign:
    """By the studio's own key, whose public half the operator has, and by the one before while it signs beside;
    `signatures` gives hexadecimal digits.
    """

    def sign(text: bytes) -> str:
        marks = map(bytes.fromhex, signatures(text.decode()))
        return " ".join(f"v1a,{base64.b64encode(mark).decode()}" for mark in marks)

    return sign
