"""The id of a movement in somebody's wallet, made of facts, so that nobody can make two."""

from __future__ import annotations

import hashlib
import uuid

import msgspec


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What a movement is, and nothing about when or how often it was asked for.

    `kind`: debit, credit, cancel, end_round, adjust; free_stake, of one that its grant has back, or has no more.
    `generation` counts the corrections of its round, 0 before any; of the debit of chips, which are of no round, it
    is the row of the ledger that closed the year before, 0 in a first one.
    `attempt`, of a debit and of the cancel that undoes it: how often the stake had been asked for before.
    """

    operator: str
    table: str
    round: str
    bettor: str
    bet: str
    kind: str
    generation: int = 0
    attempt: int = 0


def transaction_id(facts: Facts) -> str:
    """A UUID of the facts, for wallets want one (version 8: the first 122 bits of a SHA-256).

    >>> transaction_id(Facts(operator="north", table="t1", round="t1-7", bettor="ann", bet="north/n-1", kind="debit"))
    '0a2a0310-9634-80af-a89d-fe775681a639'
    """
    bits = int.from_bytes(hashlib.sha256(msgspec.json.encode(msgspec.structs.astuple(facts))).digest()[:16])
    bits = bits & ~(0xF << 76) | 8 << 76
    bits = bits & ~(0x3 << 62) | 2 << 62
    return str(uuid.UUID(int=bits))
