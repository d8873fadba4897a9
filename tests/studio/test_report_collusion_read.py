"""The report of collusion reads the record of either store: stakes, free stakes, seats that were taken and left."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from private_postgres import place_of

from studio.journal import Entry, Reader, Store, Unit, Writer
from studio.money import Offer, Transfer, bettor_account, operator_account
from studio.operators import FreeBetsGranted
from studio.operators.operator_event import OperatorAdded, write_operator
from studio.reports import ReportAsked, ReportChoice, cut
from studio.reports.collusion import opposite, seating
from studio.reports.collusion.lead import Looked, leads
from studio.reports.collusion.report import make
from studio.tables.config import TableConfig
from studio.tables.event.record import kind_of, write_body
from studio.tables.event.room import SeatLeft, SeatTaken
from studio.tables.event.table import AnyEvent, TableConfigured, TableOpened

SIDES = ("player", "banker")
BETTORS = ("ann", "bob", "cy", "dee")


@pytest.fixture(params=["memory", "server"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    with Store.open(place_of(request, tmp_path)) as store:
        yield store


def asked(reader: Reader, table: str = "") -> ReportAsked:
    return ReportAsked(reader, cut(reader, None, None), ReportChoice(table=table))


def named(looked: Iterator[Looked]) -> list[tuple[str, str, str, int]]:
    return [(one.rule.key, one.bettor, one.partner, int(one.seen)) for one in leads(list(looked))]


def purses(of: str) -> tuple[Transfer, ...]:
    bank = operator_account(of)
    own = [Transfer("", f"d-{name}", "deposit", bank, bettor_account(of, name), 10**7, "EUR") for name in BETTORS]
    granted = FreeBetsGranted(
        at_ms=1, operator=of, bettor="ann", grant="welcome", stake_minor=500, count=100, currency="EUR"
    )
    return *own, granted.funded()


def play_against(store: Store, of: str = "north") -> None:
    """Bob is on the other side than Ann, and in every third round, and in no other, against a free bet of hers."""
    writer, chance, ids = Writer(store), random.Random(1), itertools.count()
    writer.commit(Unit(transfers=purses(of)))
    for number in range(45):
        side, grant = chance.randrange(2), "welcome" if number % 3 == 0 else ""
        stakes = [("ann", side, grant), *((name, chance.randrange(2), "") for name in ("cy", "dee"))]
        stakes += [("bob", 1 - side, "")] if grant else []
        round = f"t1-{number:03}"
        offers = tuple(
            Offer(f"b{next(ids)}", of, f"c{next(ids)}", name, "t1", round, SIDES[at], 500, "EUR", free)
            for name, at, free in stakes
        )
        writer.commit(Unit(offers=offers, entries_for_bets=lambda _: ()))


def test_stakes_on_both_sides_are_read_round_by_round(store: Store) -> None:
    play_against(store)
    with store.reader() as reader:
        found = named(opposite.look(asked(reader)).look())
        assert list(opposite.look(asked(reader, "t2")).look()) == []
    assert sorted(found) == [("cover", "north/ann", "north/bob", 15), ("opposite", "north/ann", "north/bob", 15)]


def test_testers_who_play_as_they_were_asked_to_are_no_lead_but_counted(store: Store) -> None:
    added = OperatorAdded(at_ms=1, operator="qa", by="root", reason="acceptance", digest="0" * 64, test=True)
    Writer(store).commit(Unit(entries=(Entry("OperatorAdded", 1, write_operator(added)),)))
    play_against(store, "qa")
    with store.reader() as reader:
        told = make(asked(reader))
        alone = make(ReportAsked(reader, cut(reader, None, None), ReportChoice(operator="qa")))
    assert list(told.sheet("leads").rows) == []
    assert any(note.key == "collusion_tests" for note in told.sheet("collusion_rules").notes)
    assert len(alone.sheet("leads").rows) == 2


def test_seats_that_were_taken_and_left_are_read_in_their_order(store: Store) -> None:
    writer, tables = Writer(store), [f"nlh-{one}" for one in range(1, 5)]

    def said(table: str, *told: AnyEvent) -> None:
        writer.commit(Unit(entries=tuple(Entry(kind_of(one), 5, write_body(table, "", one)) for one in told)))

    for table in tables:
        config = TableConfig(key=table, title=table, game="nlh")
        opened = TableOpened(by="p1", dealer="d1", dealer_name="Dewi")
        said(table, TableConfigured(config=config), opened, sits("seat1", f"x-{table}"))
    chance = random.Random(2)
    for _ in range(14):
        table = chance.choice(tables)
        said(table, sits("seat2", "ann"), sits("seat3", "bob"))
        said(chance.choice(tables), sits("seat4", "cy"))
        said(
            table,
            SeatLeft(seat="seat2", stack_minor=0, client_id=""),
            SeatLeft(seat="seat3", stack_minor=0, client_id=""),
        )
    with store.reader() as reader:
        assert named(seating.look(asked(reader))) == [("together", "north/ann", "north/bob", 14)]


def sits(seat: str, bettor: str) -> SeatTaken:
    return SeatTaken(seat=seat, operator="north", bettor=bettor, stack_minor=10_000, client_id=f"s-{seat}")
