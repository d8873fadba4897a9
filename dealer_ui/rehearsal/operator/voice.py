"""The two dialects from the operator's side, sharing no line with the studio's own.

So a mistake in one is not repeated by the other.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any, Final, Protocol

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.hashes import SHA256

from dealer_ui.rehearsal.operator.till import Done, Till, TillMovement
from studio.money import decimals

Spoken = tuple[int, bytes]
"""HTTP status and body."""


class OperatorVoice(Protocol):
    def signed(self, headers: Mapping[str, str], body: bytes) -> bool: ...

    def unsigned(self) -> Spoken:
        """What is said to a request whose signature is wrong."""
        ...

    def answer(self, till: Till, path: str, body: bytes) -> Spoken: ...


def _json(told: dict[str, Any]) -> bytes:
    return json.dumps(told).encode()


class RsaVoice:
    _STATUS: Final = {
        "ok": "RS_OK", "conflict": "RS_ERROR_DUPLICATE_TRANSACTION", "after_cancel": "RS_ERROR_TRANSACTION_ROLLED_BACK",
        "nobody": "RS_ERROR_INVALID_TOKEN", "locked": "RS_ERROR_USER_DISABLED", "session": "RS_ERROR_TOKEN_EXPIRED",
        "currency": "RS_ERROR_WRONG_CURRENCY", "amount": "RS_ERROR_WRONG_TYPES", "funds": "RS_ERROR_NOT_ENOUGH_MONEY",
        "unknown": "RS_ERROR_TRANSACTION_DOES_NOT_EXIST", "won": "RS_ERROR_WRONG_SYNTAX",
    }  # fmt: skip
    _KINDS: Final = {"transaction/bet": "bet", "transaction/win": "win", "transaction/rollback": "rollback"}

    def __init__(self, studio: RSAPublicKey) -> None:
        self._studio = studio

    def signed(self, headers: Mapping[str, str], body: bytes) -> bool:
        try:
            signature = base64.b64decode(headers.get("X-Hub88-Signature", ""), validate=True)
            self._studio.verify(signature, body, PKCS1v15(), SHA256())
        except (InvalidSignature, ValueError):
            return False
        return True

    def unsigned(self) -> Spoken:
        return 200, _json({"status": "RS_ERROR_INVALID_SIGNATURE"})

    def answer(self, till: Till, path: str, body: bytes) -> Spoken:
        try:
            asked = json.loads(body)
            done = self._done(till, path, asked)
            told = {"request_uuid": asked["request_uuid"], "user": asked["user"], "status": self._STATUS[done.word]}
        except (ValueError, KeyError, TypeError):
            return 200, _json({"status": "RS_ERROR_WRONG_SYNTAX"})
        if done.word != "nobody":
            currency = till.currency(asked["user"])
            told |= {"currency": currency, "balance": done.balance_minor * _units(currency)}
        return 200, _json(told)

    def _done(self, till: Till, path: str, asked: dict[str, Any]) -> Done:
        if path not in self._KINDS:
            return till.look(asked["user"], asked["token"])
        units = _units(till.currency(asked["user"]))
        amount, part = divmod(asked.get("amount", 0), units)
        promoted, free_part = divmod(asked.get("promotion_amount", 0), units)
        if part or free_part:
            return Done("amount", till.balance_minor(asked["user"]))
        return till.move(
            TillMovement(
                asked["transaction_uuid"], self._KINDS[path], asked["user"], asked["token"], asked.get("currency", ""),
                asked["round"], amount, asked.get("reference_transaction_uuid", ""), promoted,
                asked["reward_uuid"] if asked.get("is_free") else "",
            )
        )  # fmt: skip


def _units(currency: str) -> int:
    """How many 100,000ths of a unit one minor unit is."""
    units: int = 10 ** (5 - decimals(currency))
    return units


class HmacVoice:
    _CODE: Final = {
        "conflict": 400, "nobody": 101, "locked": 110, "session": 601, "currency": 154, "amount": 400, "funds": 100,
        "won": 400,
    }  # fmt: skip

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def signed(self, headers: Mapping[str, str], body: bytes) -> bool:
        expected = hmac.new(self._secret, body, hashlib.sha256).hexdigest()
        return hmac.compare_digest(headers.get("X-REQUEST-SIGN", "").encode(), expected.encode())

    def unsigned(self) -> Spoken:
        return 403, _json({"code": 403, "message": "The signature is wrong."})

    def answer(self, till: Till, path: str, body: bytes) -> Spoken:
        try:
            asked = json.loads(body)
            if not asked.get("actions"):
                return self._told(asked, till.look(asked["user_id"], asked["session_id"]), None)
            [action] = asked["actions"]
            return self._told(asked, till.move(self._movement(asked, action)), action["action_id"])
        except (ValueError, KeyError, TypeError):
            return 400, _json({"code": 400, "message": "This is no request."})

    def _movement(self, asked: dict[str, Any], action: dict[str, Any]) -> TillMovement:
        return TillMovement(
            action["action_id"], action["action"], asked["user_id"], asked["session_id"], asked["currency"],
            asked["game_id"], action.get("amount", 0), action.get("original_action_id", ""),
            action.get("freebet_amount", 0), action.get("freebet_id", ""),
        )  # fmt: skip

    def _told(self, asked: dict[str, Any], done: Done, action_id: str | None) -> Spoken:
        if done.word in self._CODE:
            told = {"code": self._CODE[done.word], "message": done.word, "balance": done.balance_minor}
            return 412, _json(told)
        told = {"balance": done.balance_minor}
        if "game_id" in asked:
            told["game_id"] = asked["game_id"]
        if action_id is not None:
            told["transactions"] = [{"action_id": action_id, "tx_id": f"w-{done.number}" if done.number else ""}]
        return 200, _json(told)
