"""The rounds one bettor bet on: newest first, page after page, whole, and nobody else's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from private_postgres import place_of

from studio.journal import Entry, Reader, Store, Unit, Writer
from studio.journal.extract.played import (
    Played,
    bet_sums_after,
    corrected_at,
    hands_dealt,
    newest_rounds,
    place_at,
    played_in,
    rounds_played,
)
from studio.money import Offer, Transfer, bettor_account, escrow_account, house_account, operator_account


@pytest.fixture(params=["memory", "server"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    with Store.open(place_of(request, tmp_path)) as store:
        yield store


class Bank:
    """Bettors with money, who bet 1.00 wherever they like."""

    def __init__(self, store: Store) -> None:
        self.writer = Writer(store)
        self.reader: Reader = store.reader()
        self._sent = 0
        for bettor in ("ann", "bob"):
            purse = bettor_account("north", bettor)
            self._move(Transfer("", f"d-{bettor}", "deposit", operator_account("north"), purse, 10**9, "EUR"))

    def bet(self, round: str, bettor: str = "ann", count: int = 1) -> list[str]:
        placed = []
        for _ in range(count):
            self._sent += 1
            id, table = f"c{self._sent}", round.partition("-")[0]
            offer = Offer(f"north/{id}", "north", id, bettor, table, round, "ante", 100, "EUR")
            self.writer.commit(Unit(offers=(offer,)))
            placed.append(id)
        return placed

    def settle(self, round: str) -> None:
        for bet in list(self.reader.bets(round)):
            escrow, house = escrow_account(round), house_account(bet.table)
            self._move(Transfer(round, bet.bet_id, "post", escrow, house, bet.stake_minor, "EUR"))
            self._move(Transfer(round, bet.bet_id, "return", house, bettor_account("north", bet.bettor), 250, "EUR"))

    def _move(self, transfer: Transfer) -> None:
        self.writer.commit(Unit(transfers=(transfer,)))


def pages(bank: Bank, limit: int, tables: int = 1) -> Iterator[list[Played]]:
    before: int | None = None
    while page := list(rounds_played(bank.reader, "north", "ann", limit, before, tables)):
        yield page
        before = page[-1].seq


def test_a_round_has_its_bets_in_order_and_what_they_gave_back(store: Store) -> None:
    bank = Bank(store)
    placed = [*bank.bet("t1-r1", count=2), *bank.bet("t1-r1", "bob")[:0], *bank.bet("t1-r1")]
    bank.settle("t1-r1")
    played = played_in(bank.reader, "north", "ann", "t1-r1")
    assert played is not None
    assert [one.bet.client_id for one in played.bets] == placed
    assert (played.stake_minor, played.stood_minor, played.returned_minor) == (300, 300, 750)
    assert (played.table, played.currency, played.pending) == ("t1", "EUR", False)


def test_what_waits_did_not_stand_yet(store: Store) -> None:
    bank = Bank(store)
    bank.bet("t1-r1")
    played = played_in(bank.reader, "north", "ann", "t1-r1")
    assert played is not None
    assert (played.stake_minor, played.stood_minor, played.pending) == (100, 0, True)


def test_where_he_placed_nothing_there_is_nothing(store: Store) -> None:
    bank = Bank(store)
    bank.bet("t1-r1", "bob")
    assert played_in(bank.reader, "north", "ann", "t1-r1") is None
    assert played_in(bank.reader, "north", "ann", "t1-r9") is None
    assert played_in(bank.reader, "south", "bob", "t1-r1") is None


def test_pages_tell_every_round_once_newest_first(store: Store) -> None:
    bank = Bank(store)
    for number in range(1, 8):
        bank.bet(f"t1-r{number}", count=3)
        bank.bet(f"t1-r{number}", "bob")
    told = [[one.round for one in page] for page in pages(bank, 3)]
    assert told == [["t1-r7", "t1-r6", "t1-r5"], ["t1-r4", "t1-r3", "t1-r2"], ["t1-r1"]]


def test_a_round_of_more_bets_than_a_page_of_the_reader_is_told_whole(store: Store) -> None:
    bank = Bank(store)
    for round in ("t1-r1", "t1-r2"):
        bank.bet(round, count=260)
    assert [[len(one.bets) for one in page] for page in pages(bank, 1)] == [[260], [260]]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["t1", "t2", "t3"]), st.booleans()), max_size=40),
    st.integers(min_value=1, max_value=5),
)
def test_rounds_of_several_tables_at_once_are_each_told_once_and_whole(
    steps: list[tuple[str, bool]], limit: int
) -> None:
    with Store.open(":memory:") as store:
        bank, number, placed, first = Bank(store), dict.fromkeys(("t1", "t2", "t3"), 0), {}, []
        for table, begins in steps:
            number[table] += begins
            round = f"{table}-r{number[table]}"
            if round not in placed:
                first.append(round)
            placed[round] = placed.get(round, 0) + len(bank.bet(round))
        told = [one for page in pages(bank, limit, tables=3) for one in page]
        assert [one.round for one in told] == first[::-1]
        assert {one.round: len(one.bets) for one in told} == placed


# --- what a session has brought -------------------------------------------------------------------------


def summed(bank: Bank, seq: int = 0, limit: int = 100) -> list[tuple[str, int, int]]:
    """Round, what the bet has brought, and whether it has ended, of Ann's bets after that place."""
    found = bet_sums_after(bank.reader, "north", "ann", seq, limit)
    return [(one.round, one.won_minor, one.ended) for one in found]


def test_bets_are_summed_as_each_by_itself_stands(store: Store) -> None:
    bank = Bank(store)
    bank.bet("t1-r1", count=2)
    bank.bet("t1-r1", "bob")
    bank.settle("t1-r1")
    bank.bet("t2-r1")
    [offer] = bank.reader.bets("t2-r1")
    bank._move(
        Transfer("t2-r1", offer.bet_id, "void", escrow_account("t2-r1"), bettor_account("north", "ann"), 100, "EUR")
    )
    bank.bet("t1-r2")
    assert summed(bank) == [("t1-r1", 150, 1), ("t1-r1", 150, 1), ("t2-r1", 0, 1), ("t1-r2", 0, 0)]
    first = bet_sums_after(bank.reader, "north", "ann", 0, 1)
    assert summed(bank, first[0].seq, 2) == [("t1-r1", 150, 1), ("t2-r1", 0, 1)]
    assert newest_rounds(bank.reader, "north", "ann", 0) == {"t1": "t1-r2", "t2": "t2-r1"}
    assert newest_rounds(bank.reader, "north", "ann", 10**9) == {}
    for one in bet_sums_after(bank.reader, "north", "ann", 0, 100):
        stood = [bank.reader.status(bet) for bet in bank.reader.bets(one.round) if bet.bettor == "ann"]
        assert one.returned_minor in {status.returned_minor for status in stood}


def test_what_the_chips_of_a_poker_table_stake_is_no_bet_of_their_bettors(store: Store) -> None:
    bank = Bank(store)
    bank.bet("t1-r1")
    chips = bettor_account("north", "ann/n1")
    bank._move(Transfer("room:n1", "north/b1", "buy_in", bettor_account("north", "ann"), chips, 1_000, "EUR"))
    bank.bet("n1-r1", "ann/n1", count=3)
    for round in ("n1-r1", "t1-r1"):
        bank.settle(round)
    assert [one.bet.round for one in bank.reader.bets_of("north", "ann", 9)] == ["t1-r1"]
    assert [one.round for one in rounds_played(bank.reader, "north", "ann", 9, tables=2)] == ["t1-r1"]
    assert played_in(bank.reader, "north", "ann", "n1-r1") is None
    assert summed(bank) == [("t1-r1", 150, 1)]
    assert newest_rounds(bank.reader, "north", "ann", 0) == {"t1": "t1-r1"}


def test_a_place_is_found_by_time_between_numbers_that_nobody_has_taken(store: Store) -> None:
    bank = Bank(store)
    for at_ms in (1_000, 2_000, 2_000, 5_000):
        moved = Transfer("", f"d{at_ms}-{bank.reader.ledger_head().seq}", "deposit", operator_account("north"),
                         bettor_account("north", "ann"), 1, "EUR")  # fmt: skip
        bank.writer.commit(Unit(transfers=(moved,), at_ms=at_ms))
    times = dict(bank.reader.read("SELECT seq, at FROM ledger WHERE at > 0", ()))
    for at_ms in (1_001, 2_000, 2_001, 9_000):
        place = place_at(bank.reader, at_ms)
        assert [at for seq, at in times.items() if seq > place] == [at for at in times.values() if at >= at_ms]


def test_a_place_is_found_where_the_rows_before_lie_in_an_archive(tmp_path: Path) -> None:
    with Store.open(tmp_path / "studio.db") as store:
        for chain in ("journal", "ledger"):
            store.connection.execute("INSERT INTO origin VALUES (?, 5000, ?)", (chain, "0" * 64))
    with Store.open(tmp_path / "studio.db") as store:
        bank = Bank(store)
        assert place_at(bank.reader, 1) == bank.reader.ledger_head().seq == 5_002
        assert place_at(bank.reader, 0) < 5_001
        bank.reader.close()


def test_hands_and_corrections_are_found_in_either_store(store: Store) -> None:
    bank = Bank(store)

    def tell(kind: str, body: str) -> None:
        bank.writer.commit(Unit(entries=(Entry(kind, 7, body.encode()),)))

    assert corrected_at(bank.reader) == 0
    sits = '{"table":"t1","event":{"seat":"seat1","operator":"north","bettor":"ann"}}'
    begins = '{"table":"t1","round":"t1-r1","event":{"players":{"seat1":["north","ann"]}}}'
    tell("SeatTaken", sits)
    tell("RoundStarted", begins)
    tell("RoundResettled", '{"table":"t1","round":"t1-r1"}')
    tell("SeatLeft", '{"table":"t1","event":{"seat":"seat1"}}')
    tell("RoundStarted", begins.replace("t1-r1", "t1-r2"))
    assert [one.round for one in hands_dealt(bank.reader, "north", "ann", 9)] == ["t1-r1"]
    assert hands_dealt(bank.reader, "north", "bob", 9) == []
    [[resettled]] = bank.reader.read("SELECT seq FROM journal WHERE kind = 'RoundResettled'", ())
    assert corrected_at(bank.reader) == resettled
