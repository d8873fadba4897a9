"""What a wallet's answer can say, and what it comes to: accepted, refused, or unknown.

Unknown is not a kind of no. Of a call whose outcome is unknown, money may have moved.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

import msgspec

from studio.wallets.call import kind_of


class Word(StrEnum):
    """A wallet's answer, in words that every dialect is translated into. `TEMPORARY` stands for every answer that could
    not be understood or never came.

    `UNSENT` is our own: the call never left.
    """

    OK = "ok"
    DUPLICATE_OK = "duplicate_ok"
    CONFLICT = "conflict"
    INSUFFICIENT_FUNDS = "insufficient_funds"
    LIMIT = "limit"
    TOKEN = "token"  # noqa: S105 - a session is over, as wallets say it
    BLOCKED = "blocked"
    UNKNOWN_TRANSACTION = "unknown_transaction"
    AFTER_CANCEL = "after_cancel"
    SIGNATURE = "signature"
    TEMPORARY = "temporary"
    UNSENT = "unsent"
    FATAL = "fatal"


class WalletOutcome(StrEnum):
    ACCEPTED = "accepted"
    REFUSED = "refused"
    UNKNOWN = "unknown"


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """What a wallet said. `reference` is its own name for the movement; `detail` is for people, never judged by."""

    word: Word
    balance_minor: int | None = None
    reference: str = ""
    detail: str = ""


YES: Final = frozenset({Word.OK, Word.DUPLICATE_OK})
_ALSO_DONE: Final[Mapping[str, frozenset[Word]]] = {
    "cancel": frozenset({Word.UNKNOWN_TRANSACTION, Word.AFTER_CANCEL}),
}
_STILL_OPEN: Final[Mapping[str, frozenset[Word]]] = {
    "debit": frozenset({Word.UNKNOWN_TRANSACTION, Word.CONFLICT}),
    "credit": frozenset({Word.UNSENT}),
    "cancel": frozenset({Word.UNSENT}),
    "adjust": frozenset({Word.UNSENT}),
    "round": frozenset({Word.UNSENT}),
}
"""A debit names no earlier movement: who answers so has not understood it. A wallet that has another movement under its
id may have taken money under it, and it is cancelled."""


def outcome_of(call: msgspec.Struct, word: Word) -> WalletOutcome:
    """What this answer to this call comes to.

    A cancel of what the wallet never saw, or has cancelled before, is done.

    >>> from studio.wallets.call import Cancel
    >>> never = Cancel(bettor="ann", session="s", currency="EUR", game="g", id="2", round="r", undoes="1")
    >>> outcome_of(never, Word.UNKNOWN_TRANSACTION), outcome_of(never, Word.TEMPORARY)
    (<Outcome.ACCEPTED: 'accepted'>, <Outcome.UNKNOWN: 'unknown'>)
    """
    kind = kind_of(call)
    if word in YES or word in _ALSO_DONE.get(kind, ()):
        return WalletOutcome.ACCEPTED
    if word is Word.TEMPORARY or word in _STILL_OPEN.get(kind, ()):
        return WalletOutcome.UNKNOWN
    return WalletOutcome.REFUSED
