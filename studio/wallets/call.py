"""What a studio asks of a wallet: eight calls, and no ninth.

Amounts are minor units of the currency named beside them. `id` names a movement of money for ever, on both sides: it
is made of facts (`studio/wallets/id.py`), so whoever sends a call again after a crash sends the same.
"""

from __future__ import annotations

import hashlib
from typing import Final

import msgspec


class _Call(msgspec.Struct, frozen=True, kw_only=True, tag_field="call", tag=str.lower):
    """What every call names. `bettor` is the operator's own name for him, `session` what he brought to the launch,
    `game` the table's key.
    """

    bettor: str
    session: str
    currency: str
    game: str


class Authenticate(_Call, frozen=True, kw_only=True):
    """Asks the operator whose session this is and whether that bettor may play."""


class Balance(_Call, frozen=True, kw_only=True):
    """What has he?"""


class Debit(_Call, frozen=True, kw_only=True):
    """Take a stake. No definite yes in time means that the bet is not in play, and is cancelled.

    `free`: the grant of free bets that the stake is taken from, and not from the bettor's money.
    """

    id: str
    round: str
    amount_minor: int
    free: str = ""


class Credit(_Call, frozen=True, kw_only=True):
    """Give what a bet returned; `debit` is the id of the stake it belongs to. Told again until the wallet says yes.

    `free`: the grant whose free bet has won it, without its stake. It is the bettor's own money.
    """

    id: str
    round: str
    amount_minor: int
    debit: str
    free: str = ""


class Cancel(_Call, frozen=True, kw_only=True):
    """Undo the movement of the id `undoes`, whether the wallet ever saw it or not. Told again until it says yes."""

    id: str
    round: str
    undoes: str


class EndRound(_Call, frozen=True, kw_only=True, tag="end_round"):
    """Tells the wallet that nothing more comes of this round; `debit` is the id of one of the round's stakes."""

    id: str
    round: str
    debit: str


class Adjust(_Call, frozen=True, kw_only=True):
    """The difference a correction makes to what `debit` returned: above zero it is given, below zero taken.

    `free`: the grant of free bets that it is given to or taken from; else it is the bettor's money.
    """

    id: str
    round: str
    amount_minor: int
    debit: str
    free: str = ""


class Status(_Call, frozen=True, kw_only=True):
    """What became of the movement of this id?"""

    id: str


Call = Authenticate | Balance | Debit | Credit | Cancel | EndRound | Adjust | Status

CALLS: Final = (Authenticate, Balance, Debit, Credit, Cancel, EndRound, Adjust, Status)


def kind_of(call: msgspec.Struct) -> str:
    """
    >>> kind_of(Balance(bettor="ann", session="s", currency="EUR", game="three_knights"))
    'balance'
    """
    tag = call.__struct_config__.tag
    assert isinstance(tag, str)
    return tag


def digest_of(call: msgspec.Struct) -> str:
    """SHA-256 of all a call says: the same id with another digest is another call, and an error on either side."""
    return hashlib.sha256(msgspec.json.encode(call, order="deterministic")).hexdigest()
