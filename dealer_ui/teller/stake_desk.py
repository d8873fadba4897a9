"""The stakes that are asked of one operator's wallet: their rows, written under the hold of the table they are for.

Who has lost the table can write none of them any more: neither that a stake is asked for, nor what became of it.
Whoever has it then undoes what was asked for and has no end.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from studio.journal import Entry, Reader, Unit
from studio.journal.extract.wallet_rows import attempts, attempts_open, bought, chips_asked, last_sum, of_year, placed
from studio.money import Answer, Offer, Transfer
from studio.wallets.answer import WalletOutcome, Word, outcome_of
from studio.wallets.due import ROOM
from studio.wallets.id import Facts
from studio.wallets.record import AnyWalletEvent, End, Movement, WalletAnswered, WalletAsked, write_wallet

ROUNDS_KEPT: Final = 500
"""Of so many rounds it is remembered how often a bet's stake was asked for; of others it is read."""
CHIPS_KEPT: Final = 10_000
"""Of so many bets of chips at a table, which have no end as rounds do; of others the ledger knows."""

Commit = Callable[[Unit], object]
"""Makes a unit of the table durable, or raises and then nothing has changed."""


class StakeDesk:
    """Thread-safe. `reader` is the calling thread's own. `known`: whether anybody looks after what the wallet is owed;
    `stranded` is called once undoing some stakes is owed.
    """

    def __init__(
        self, operator: str, now_ms: Callable[[], int], reader: Callable[[], Reader],
        known: Callable[[], bool] = lambda: True, stranded: Callable[[], None] = lambda: None,
    ) -> None:  # fmt: skip
        self.operator = operator
        self.known = known
        self._stranded = stranded
        self._now_ms = now_ms
        self._reader = reader
        self._lock = threading.Lock()
        self._rounds: OrderedDict[str, dict[str, int]] = OrderedDict()

    def placed(self, offers: Sequence[Offer]) -> frozenset[str]:
        """The ids of those of these bets that the record knows: the writer answers them, and no stake is asked for."""
        ids = [offer.client_id for offer in offers if not offer.round.startswith(ROOM)]
        return placed(self._reader(), self.operator, ids) if ids else frozenset()

    def bought(self, offer: Offer) -> Answer | None:
        """The answer to chips whose id stands in the ledger, however long ago they were bought."""
        if not offer.round.startswith(ROOM) or (same := bought(self._reader(), offer)) is None:
            return None
        if same:
            return Answer(offer.client_id, "", "duplicate")
        sentence = f"The id {offer.client_id} already names another request; give each one an id of its own."
        return Answer(offer.client_id, "", "refused", "client_id_reused", sentence)

    def asked_as(self, facts: Facts) -> Facts:
        """Under which facts this stake is asked for next: those of how often it was in its round, by whichever host had
        the table.
        """
        attempt = self._known(facts.round).get(facts.bet, 0)
        if facts.round.startswith(ROOM):
            facts = of_year(self._reader(), facts)
            attempt = max(attempt, chips_asked(self._reader(), facts))
        return replace(facts, attempt=attempt)

    def _known(self, round: str) -> Mapping[str, int]:
        with self._lock:
            known = self._rounds.get(round)
        if known is None:
            found = dict(self._read(round))
            with self._lock:
                known = self._rounds.setdefault(round, found)
                while len(self._rounds) > ROUNDS_KEPT:
                    self._rounds.popitem(last=False)
        return known

    def forget(self, table: str) -> None:
        """Another host may have asked for stakes of this table's rounds: they are read anew."""
        with self._lock:
            for round in [one for one in self._rounds if one.startswith((f"{table}-", f"{ROOM}{table}"))]:
                del self._rounds[round]

    def ask(self, stakes: Sequence[Movement], commit: Commit) -> None:
        """These are asked for from now on."""
        asked = WalletAsked(operator=self.operator, at_ms=self._now_ms(), stakes=tuple(stakes))
        commit(Unit(entries=(_entry(asked),)))
        with self._lock:
            for stake in stakes:
                if (known := self._rounds.get(stake.facts.round)) is None:
                    continue  # it is read when it is asked after
                known[stake.facts.bet] = max(known.pop(stake.facts.bet, 0), stake.facts.attempt + 1)
                while stake.facts.round.startswith(ROOM) and len(known) > CHIPS_KEPT:
                    del known[next(iter(known))]

    def strand(self, ends: Sequence[tuple[Movement, Word]], commit: Commit) -> None:
        """Of these stakes no bet stands: refused, or suspended, and then undoing them is owed."""
        if not ends:
            return
        told = tuple(End(id=stake.id, word=word) for stake, word in ends)
        moved: tuple[Transfer, ...] = tuple(
            stake.suspended() for stake, word in ends if outcome_of(stake.call, word) is not WalletOutcome.REFUSED
        )
        answered = WalletAnswered(operator=self.operator, at_ms=self._now_ms(), ends=told)
        commit(Unit(entries=(_entry(answered),), transfers=moved))
        self._stranded()

    def _read(self, round: str) -> Mapping[str, int]:
        """Of a round since it began; of chips, which are of no round, as far as something stands open."""
        reader = self._reader()
        if round.startswith(ROOM):
            return attempts_open(reader, self.operator, round)
        first = next(reader.events(round=round, limit=1), None)
        return attempts(reader, self.operator, round, last_sum(reader, self.operator) if first is None else first.seq)


def _entry(event: AnyWalletEvent) -> Entry:
    return Entry(type(event).__name__, event.at_ms, write_wallet(event))
