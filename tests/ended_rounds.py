"""Rounds as the journal has them, of three operators' bettors, written without a table."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from contextlib import suppress

from studio.errors import RefusedError
from studio.journal import Entry, Reader, Store, Unit, Writer
from studio.journal.extract.round_end import (
    RoundEnd,
    ends_after,
)
from studio.money import Offer, Transfer, bettor_account, operator_account

Told = tuple[str, int]
"""A round and its generation."""


class Rounds:
    """Rounds of a table as the journal has them: bets, ends, and what comes between."""

    def __init__(self, store: Store, first: int = 1) -> None:
        self.writer = Writer(store)
        self.reader: Reader = store.reader()
        self.told: dict[str, list[Told]] = {"north": [], "south": [], "west": []}
        self.parties: dict[str, set[str]] = {}
        self._sent = itertools.count(first)
        for operator in self.told:
            purse = bettor_account(operator, "ann")
            moved = Transfer("", f"d-{operator}", "deposit", operator_account(operator), purse, 10**9, "EUR")
            with suppress(RefusedError):  # made before, by the same program begun again
                self.writer.commit(Unit(transfers=(moved,)))

    def bet(self, round: str, operator: str = "north", stake: int = 100) -> Unit:
        id = f"c{next(self._sent)}"
        self.parties.setdefault(round, set()).add(operator)
        offer = Offer(f"{operator}/{id}", operator, id, "ann", round[:2], round, "ante", stake, "EUR")
        return Unit(offers=(offer,))

    def row(self, round: str, kind: str, **event: object) -> Unit:
        body = json.dumps({"table": round[:2], "round": round, "event": {"kind": kind, **event}})
        return Unit(entries=(Entry(kind, 1_000, body.encode()),))

    def end(self, round: str, kind: str = "RoundSettled", **event: object) -> Unit:
        for operator in self.parties.get(round, ()):
            told = self.told[operator]
            told.append((round, sum(one == round for one, _ in told)))
        return self.row(round, kind, **event)

    def pull(self, operator: str, after: int, limit: int) -> tuple[Sequence[RoundEnd], int]:
        return ends_after(self.reader, operator, after, limit)
