"""Holds the database against what was promised, and reads from it what a soak wants to know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing

import msgspec

from soak.tester import BETTOR, OPERATOR, Promise
from studio.journal import Reader
from studio.journal.place import Place
from studio.money import bettor_account
from studio.ports import ShoeDrewCard
from studio.proof.audit.database import verify
from studio.tables.event.record import read_body
from studio.tables.event.table import ObservationRecorded

_TWICE = (
    "SELECT bet FROM ledger WHERE bet IN (SELECT id FROM bet) GROUP BY bet, kind, revision HAVING count(*) > 1",
    "SELECT bet FROM ledger WHERE bet IN (SELECT id FROM bet) GROUP BY bet"
    " HAVING sum(CASE WHEN kind IN ('post', 'void') THEN 1 WHEN kind IN ('reverse_post', 'reverse_void') THEN -1"
    " ELSE 0 END) > 1",
)
"""Of bets alone: a pot is fed once a round under one name."""
_MOVED = """
SELECT coalesce(sum(CASE WHEN credit = ?1 THEN amount ELSE -amount END), 0) FROM ledger WHERE ?1 IN (credit, debit)
"""
_ENDED = "SELECT count(*) FROM journal WHERE kind IN ('RoundSettled', 'RoundRefunded')"
_AT = """
SELECT DISTINCT "table" FROM journal WHERE seq > ? AND kind IN ('RoundSettled', 'RoundRefunded')
"""
_KINDS = "SELECT kind, count(*), sum(length(body)) FROM journal WHERE seq > ? GROUP BY kind ORDER BY 3 DESC"


def what_is_wrong(database: Place, promises: Iterable[Promise]) -> Iterator[str]:
    """A sentence for each thing that is not as it was promised; none where the studio is sound."""
    verdict = verify(database)
    if not verdict.ok:
        yield f"The database does not verify: {verdict.first_wrong}."
    with closing(Reader.open(database)) as reader:
        yield from _of_bets(reader, promises)
        purse = bettor_account(OPERATOR, BETTOR)
        [(moved,)], has = reader.read(_MOVED, (purse,)), reader.balance(purse)
        if moved != has:
            yield f"The tester's purse holds {has}, and {moved} went in and out of it."
        for sql in _TWICE:
            for (bet,) in reader.read(sql, ()):
                yield f"Bet {bet} was paid twice."


def _of_bets(reader: Reader, promises: Iterable[Promise]) -> Iterator[str]:
    for one in promises:
        if one.kind != "bet" or not one.kept:
            continue
        found = reader.bet_status(OPERATOR, one.client_id)
        if found is None:
            yield f"Bet {one.client_id} was acknowledged and is lost."
        elif (found.bet.bet, found.bet.stake_minor) != (one.bet, one.amount_minor):
            yield f"Bet {one.client_id} is another than was acknowledged."


class Extent(msgspec.Struct, frozen=True):
    """How far the database goes: its newest row, and the rounds that have come to an end."""

    seq: int
    rounds: int


def extent(reader: Reader) -> Extent:
    [(seq,)] = reader.read("SELECT coalesce(max(seq), 0) FROM journal", ())
    [(rounds,)] = reader.read(_ENDED, ())
    return Extent(seq, rounds)


def tables_with_rounds(reader: Reader, after_seq: int) -> frozenset[str]:
    """The tables at which a round has come to its end since then."""
    return frozenset(table for (table,) in reader.read(_AT, (after_seq,)))


def by_kind(reader: Reader, after_seq: int) -> list[tuple[str, int, int]]:
    """Which kinds of rows came since then: how many, and the bytes of their bodies, the largest first."""
    return [(kind, rows, size) for kind, rows, size in reader.read(_KINDS, (after_seq,))]


def cards_since(reader: Reader, table: str, after_seq: int) -> list[tuple[int, int]]:
    """The cards that the table's shoe told since then: the row's number, and the moment they were read."""
    rows = reader.events(after_seq=after_seq, table=table, kinds=("ShoeDrewCard",))
    seen = ((row.seq, read_body(row.body).event) for row in rows)
    return [
        (seq, event.observation.at_ms)
        for seq, event in seen
        if isinstance(event, ObservationRecorded) and isinstance(event.observation, ShoeDrewCard)
    ]
