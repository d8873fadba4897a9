"""The HMAC dialect: one `play` and one `rollback`, signed with a shared secret, in minor units.

Its shape is that of the public documents of aggregators' game-to-wallet interfaces. A definite no is HTTP 412 with
`code`. A `tx_id` that is empty stands for a movement that was cancelled before it came.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from dealer_ui.wallets.dialect import Request, decoded, unclear, whole
from studio.wallets.answer import Said, Word
from studio.wallets.call import Adjust, Authenticate, Balance, Call, Cancel, Credit, Debit, EndRound, Status

SIGNATURE: Final = "X-REQUEST-SIGN"
REFUSED: Final = 412
FORBIDDEN: Final = 403
ACCEPTED: Final = 200

_WORDS: Final[Mapping[int, Word]] = {
    100: Word.INSUFFICIENT_FUNDS,
    101: Word.BLOCKED,
    105: Word.LIMIT,
    107: Word.LIMIT,
    110: Word.BLOCKED,
    154: Word.FATAL,
    400: Word.FATAL,
    403: Word.SIGNATURE,
    600: Word.FATAL,
    601: Word.TOKEN,
}
"""A code that is missing here is unknown."""


class HmacDialect:
    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def write(self, call: Call, attempt: str) -> Request | None:
        path, fields = "play", _said(call)
        if fields is None:
            return None
        if isinstance(call, Cancel):
            path = "rollback"
        head = {"user_id": call.bettor, "session_id": call.session, "currency": call.currency, "game": call.game}
        body = msgspec.json.encode(head | fields)
        signed = hmac.new(self._secret, body, hashlib.sha256).hexdigest()
        return Request(path, body, (("Content-Type", "application/json"), (SIGNATURE, signed)))

    def read(self, call: Call, attempt: str, status: int, body: bytes) -> Said:
        told = decoded(body)
        if told is None:
            return unclear(f"HTTP {status}, and no JSON object")
        balance_minor = whole(told.get("balance"))
        if status == ACCEPTED and "code" not in told:
            return _accepted(call, told, balance_minor)
        code = whole(told.get("code"))
        if status not in (ACCEPTED, REFUSED, FORBIDDEN, 400) or code is None or code not in _WORDS:
            return unclear(f"HTTP {status}, code {str(told.get('code'))[:60]}")
        return Said(word=_WORDS[code], balance_minor=balance_minor, detail=f"code {code}")


def _said(call: Call) -> dict[str, Any] | None:
    match call:
        case Authenticate() | Balance():
            return {}
        case Debit():
            return _played(call, ("bet", call.amount_minor))
        case Credit():
            return _played(call, ("win", call.amount_minor))
        case Adjust() if call.amount_minor > 0:
            return _played(call, ("win", call.amount_minor))
        case Adjust():
            return _played(call, ("bet", -call.amount_minor))
        case EndRound():
            return {"game_id": call.round, "finished": True, "actions": []}
        case Cancel():
            action = {"action": "rollback", "action_id": call.id, "original_action_id": call.undoes}
            return {"game_id": call.round, "finished": False, "actions": [action]}
        case Status():
            return None


def _played(call: Debit | Credit | Adjust, moved: tuple[str, int]) -> dict[str, Any]:
    """A free bet moves no money of the bettor's but what it wins: its stake is told as `freebet_amount`."""
    kind, amount_minor = moved
    action: dict[str, Any] = {"action": kind, "action_id": call.id, "amount": amount_minor}
    if call.free:
        won = isinstance(call, Credit)
        action |= {"amount": amount_minor if won else 0, "freebet_amount": 0 if won else amount_minor}
        action["freebet_id"] = call.free
    return {"game_id": call.round, "finished": False, "actions": [action]}


def _accepted(call: Call, told: dict[str, Any], balance_minor: int | None) -> Said:
    """A yes, if it is one to this call: an answer that names another movement must not let a bet into play."""
    if balance_minor is None:
        return unclear("The answer lacks the balance.")
    if not isinstance(call, Debit | Credit | Cancel | Adjust):
        return Said(word=Word.OK, balance_minor=balance_minor)
    if told.get("game_id") != call.round:
        return unclear("The answer is about another round.")
    moved = told.get("transactions")
    mine = [one for one in moved if isinstance(one, dict)] if isinstance(moved, list) else []
    references = [one.get("tx_id") for one in mine if one.get("action_id") == call.id]
    reference = references[0] if len(references) == 1 else None
    if not isinstance(reference, str):
        return unclear("The answer does not name this movement.")
    cancelled = not reference and not isinstance(call, Cancel)
    word = Word.AFTER_CANCEL if cancelled else Word.OK
    return Said(word=word, balance_minor=balance_minor, reference=reference)
