"""The RSA dialect: five addresses, signed with our private key, amounts in 100,000ths of a unit.

Its shape is that of the public documents of Hub88's Wallet API. Every answer is HTTP 200 and carries `status`; an id
that comes again with the same contents gets the same answer again, with others `RS_ERROR_DUPLICATE_TRANSACTION`.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from dealer_ui.wallets.dialect import Request, decoded, unclear, whole
from studio.errors import BadInputError
from studio.money import decimals
from studio.wallets.answer import Said, Word
from studio.wallets.call import Adjust, Authenticate, Balance, Call, Cancel, Credit, Debit, EndRound, Status

SIGNATURE: Final = "X-Hub88-Signature"
UNIT: Final = 100_000
KEY_BITS_LEAST: Final = 2048
ACCEPTED: Final = 200

_WORDS: Final[Mapping[str, Word]] = {
    "RS_OK": Word.OK,
    "RS_ERROR_NOT_ENOUGH_MONEY": Word.INSUFFICIENT_FUNDS,
    "RS_ERROR_LIMIT_REACHED": Word.LIMIT,
    "RS_ERROR_DUPLICATE_TRANSACTION": Word.CONFLICT,
    "RS_ERROR_TRANSACTION_DOES_NOT_EXIST": Word.UNKNOWN_TRANSACTION,
    "RS_ERROR_TRANSACTION_ROLLED_BACK": Word.AFTER_CANCEL,
    "RS_ERROR_TOKEN_EXPIRED": Word.TOKEN,
    "RS_ERROR_INVALID_TOKEN": Word.TOKEN,
    "RS_ERROR_USER_DISABLED": Word.BLOCKED,
    "RS_ERROR_INVALID_SIGNATURE": Word.SIGNATURE,
    "RS_ERROR_INVALID_PARTNER": Word.FATAL,
    "RS_ERROR_INVALID_GAME": Word.FATAL,
    "RS_ERROR_WRONG_CURRENCY": Word.FATAL,
    "RS_ERROR_WRONG_SYNTAX": Word.FATAL,
    "RS_ERROR_WRONG_TYPES": Word.FATAL,
}
"""What is missing here (`RS_ERROR_TIMEOUT`, `RS_ERROR_UNKNOWN`, a status nobody has told us of) is unknown."""


class RsaDialect:
    def __init__(self, private_key: RSAPrivateKey) -> None:
        self._key = private_key

    def write(self, call: Call, attempt: str) -> Request | None:
        said = _said(call)
        if said is None:
            return None
        path, fields = said
        body = msgspec.json.encode({"request_uuid": attempt, "user": call.bettor, "token": call.session, **fields})
        signed = base64.b64encode(self._key.sign(body, PKCS1v15(), SHA256())).decode()
        return Request(path, body, (("Content-Type", "application/json"), (SIGNATURE, signed)))

    def read(self, call: Call, attempt: str, status: int, body: bytes) -> Said:
        told = decoded(body)
        if told is None:
            return unclear(f"HTTP {status}, and no JSON object")
        key = told.get("status")
        if not isinstance(key, str) or key not in _WORDS or not _may_be_judged(status, key):
            return unclear(f"HTTP {status}, status {str(key)[:60]}")
        word = _WORDS[key]
        if wrong := _not_ours(attempt, told, word) or (word is Word.OK and _no_yes(call, told)):
            return unclear(wrong)
        return Said(word=word, balance_minor=_minor(told.get("balance"), call.currency), detail=key)


def rsa_key(pem: bytes, where: str) -> RSAPrivateKey:
    """The private key of a PEM file; `BadInputError` when it is none, or a short one."""
    try:
        key = load_pem_private_key(pem, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise BadInputError("This is no private key in PEM, without a passphrase.", where=where) from error
    if not isinstance(key, RSAPrivateKey) or key.key_size < KEY_BITS_LEAST:
        raise BadInputError(f"An RSA key of {KEY_BITS_LEAST} bits or more is needed: make one anew.", where=where)
    return key


def _said(call: Call) -> tuple[str, dict[str, Any]] | None:
    match call:
        case Authenticate():
            return "user/info", {"currency": call.currency}
        case Balance():
            return "user/balance", {"game_code": call.game}
        case Debit():
            return "transaction/bet", _moved(call, call.amount_minor)
        case Credit():
            return "transaction/win", _moved(call, call.amount_minor) | {"reference_transaction_uuid": call.debit}
        case Adjust() if call.amount_minor > 0:
            return "transaction/win", _moved(call, call.amount_minor) | {"reference_transaction_uuid": call.debit}
        case Adjust():
            return "transaction/bet", _moved(call, -call.amount_minor)
        case EndRound():
            ended = {"round_closed": True, "reference_transaction_uuid": call.debit}
            return "transaction/win", _moved(call, 0) | ended
        case Cancel():
            return "transaction/rollback", _named(call) | {"reference_transaction_uuid": call.undoes}
        case Status():
            return None


def _named(call: Debit | Credit | Cancel | EndRound | Adjust) -> dict[str, Any]:
    return {"transaction_uuid": call.id, "round": call.round, "round_closed": False, "game_code": call.game}


def _moved(call: Debit | Credit | EndRound | Adjust, amount_minor: int) -> dict[str, Any]:
    """A free bet moves no money of the bettor's but what it wins: its stake is told as `promotion_amount`."""
    amount = amount_minor * UNIT // 10 ** decimals(call.currency)
    told = _named(call) | {"currency": call.currency, "amount": amount}
    free = "" if isinstance(call, EndRound) else call.free
    if not free:
        return told
    won = isinstance(call, Credit)
    promoted = {"amount": amount if won else 0, "promotion_amount": 0 if won else amount}
    return told | promoted | {"is_free": True, "reward_uuid": free}


def _minor(balance: Any, currency: str) -> int | None:
    """A balance in minor units, without what is smaller than one of them."""
    units = whole(balance)
    return None if units is None else units * 10 ** decimals(currency) // UNIT


def _may_be_judged(status: int, key: str) -> bool:
    """A yes is HTTP 200; a no may also be of the 400s; a server that failed has not said what it did."""
    return status == ACCEPTED or (key != "RS_OK" and 400 <= status < 500)


def _not_ours(attempt: str, told: dict[str, Any], word: Word) -> str:
    """A sentence when the answer names another request than `attempt`, empty when it is ours.

    The yes or no of another request says nothing of ours. An answer that our signature was not accepted may name no
    request: who cannot check the signature has not read the body.
    """
    named = told.get("request_uuid")
    unread = named is None and word is Word.SIGNATURE
    return "" if named == attempt or unread else "The answer is to another request."


def _no_yes(call: Call, told: dict[str, Any]) -> str:
    """Why a yes to this call is none."""
    if told.get("user") != call.bettor:
        return "The answer is about another bettor."
    if "currency" in told and told["currency"] != call.currency:
        return "The answer is in another currency."
    if not isinstance(call, Authenticate) and whole(told.get("balance")) is None:
        return "The answer lacks the balance."
    return ""
