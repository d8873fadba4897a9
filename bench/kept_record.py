"""Makes a record of many rounds: a few hundred are dealt, and what they wrote is booked again as later rounds.

    dealt    shoe 1, shoe 2 … shoe n
    again             shoe n+1 … shoe 2n-1, and so on

Numbers of rounds, shoes and bets go up, and times go on. All goes through the journal's own booking, a few hundred
rounds to a transaction, so that the record holds as a dealt one does. Sealed cards alone come again as they were.

By hand: `python -m bench.kept_record studio.db 100000`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Final

import msgspec

from bench.table import Bare
from studio.journal import Reader, Store, Unit
from studio.journal.booking import book
from studio.journal.purse import Purses
from studio.journal.reader import Row
from studio.journal.unit import Entry
from studio.money import Offer, Transfer, bettor_account
from studio.settlement import Payout, payouts_digest

GAME: Final = "baccarat"
DEALT: Final = 500
"""So many rounds are dealt, and the rest of their last shoe: three shoes at least, for no card may be dealt again from
the next.
"""
BETS: Final = 4
BETTORS: Final = tuple(f"b{number}" for number in range(40))
ROUND_MS: Final = 20_000
_COUNTED: Final = re.compile(
    r'(?P<round>(?<="t1-)\d{7}|(?<=escrow:t1-)\d{7}|(?<="number":)\d+)|(?P<shoe>(?<="deck-)\d+)'
    r'|(?P<bet>(?<="c)\d{1,9}(?=")|(?<="north/c)\d+)|(?P<ms>(?<="at_ms":)\d{13}|(?<="closes_at_ms":)\d{13})'
)
_DIGEST: Final = re.compile(rb'(?<="digest":")[0-9a-f]{64}')


def make(path: Path, rounds: int) -> None:
    """A record at `path` of so many rounds of one table, with four bets each."""
    with Store.open(path) as store:
        table = Bare(store, GAME)
        dealt = _dealt(table, rounds)
        table.writer.close()
        if dealt < rounds:
            _go_on(store, dealt, rounds)


def _dealt(table: Bare, rounds: int) -> int:
    """How many rounds were dealt: all, or whole shoes of at least `DEALT`."""
    table.open(BETTORS)
    dealt = 0
    while dealt < rounds and (dealt < DEALT or not table.hands.is_shoe_spent()):
        table.now_ms += ROUND_MS
        table.play_round(BETS, BETTORS)
        dealt += 1
    return dealt


def _go_on(store: Store, made: int, rounds: int) -> None:
    with store.reader() as reader:
        cycle, shoes = _from_second_shoe(reader)
    turn = 0
    while made < rounds:
        turn += 1
        later = turn * len(cycle)
        step = {"round": later, "shoe": turn * shoes, "bet": later * BETS, "ms": later * ROUND_MS}
        again = cycle[: rounds - made]
        _book(store, (unit for text in again for unit in text.later(step).units()))
        made += len(again)


def _book(store: Store, units: Iterator[Unit]) -> None:
    heads, purses = store.engine.begin(), Purses()
    for unit in units:
        receipt, heads = book(store.connection, unit, heads, purses)
        assert all(answer.status == "accepted" for answer in receipt.answers), receipt
    store.engine.commit(heads)


class _Told(msgspec.Struct, frozen=True):
    at_ms: int
    kind: str
    body: msgspec.Raw


class _Round(msgspec.Struct, frozen=True):
    """What a round wrote: until its bets, with them, and as it was paid and cleared."""

    begun: tuple[_Told, ...]
    placed: tuple[_Told, ...]
    bets: tuple[Offer, ...]
    paid: tuple[_Told, ...]
    transfers: tuple[Transfer, ...]

    def units(self) -> Iterator[Unit]:
        digest = self._digest()
        yield Unit(entries=_entries(self.begun))
        yield Unit(entries=_entries(self.placed), offers=self.bets)
        yield Unit(entries=_entries(self.paid, digest), transfers=self.transfers)

    def _digest(self) -> bytes:
        """Of its settlement, which names the bets."""
        back = {one.bet: one.amount_minor for one in self.transfers if one.kind == "return"}
        return payouts_digest(
            Payout(
                bet.bet_id, bet.bet, bettor_account(bet.operator, bet.bettor), bet.stake_minor, back.get(bet.bet_id, 0)
            )
            for bet in self.bets
        ).encode()


def _entries(told: Sequence[_Told], digest: bytes = b"") -> tuple[Entry, ...]:
    return tuple(Entry(one.kind, one.at_ms, _DIGEST.sub(digest, bytes(one.body))) for one in told)


@dataclass(frozen=True, slots=True)
class _RoundText:
    """A round as it was written, cut where something is counted."""

    pattern: str
    counted: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, round: _Round) -> _RoundText:
        text = msgspec.json.encode(round).decode().replace("%", "%%")
        counted = tuple((f"{found.lastgroup}", int(found[0])) for found in _COUNTED.finditer(text))
        return cls(_COUNTED.sub(lambda found: f"%0{len(found[0])}d", text), counted)

    def later(self, step: Mapping[str, int]) -> _Round:
        text = self.pattern % tuple(number + step[name] for name, number in self.counted)
        return msgspec.json.decode(text, type=_Round)


def _from_second_shoe(reader: Reader) -> tuple[list[_RoundText], int]:
    """The rounds dealt since the second shoe was loaded, and how many shoes they took."""
    loaded = [row.seq for row in reader.events(kinds=("DeckVerified",))]
    rows = reader.events(after_seq=loaded[1] - 1)
    rounds = [_round(reader, list(together)) for _, together in groupby(rows, lambda row: row.at_ms)]
    return [_RoundText.of(round) for round in rounds], len(loaded) - 1


def _round(reader: Reader, rows: Sequence[Row]) -> _Round:
    kinds = [row.kind for row in rows]
    placed, paid = kinds.index("BetsPlaced"), kinds.index("BetsSettled")
    told = [_Told(row.at_ms, row.kind, msgspec.Raw(row.body)) for row in rows]
    name = msgspec.json.decode(rows[-1].body)["round"]
    round = _Round(
        begun=tuple(told[:placed]),
        placed=tuple(told[placed:paid]),
        bets=tuple(reader.bets(name)),
        paid=tuple(told[paid:]),
        transfers=tuple(one for one in reader.transfers(name) if one.kind != "reserve"),
    )
    assert [entry.body for unit in round.units() for entry in unit.entries] == [row.body for row in rows]
    return round


if __name__ == "__main__":
    make(Path(sys.argv[1]), int(sys.argv[2]))
