"""Every movement of an operator's bettors: once, in order, whatever the page, and at the cost of what is told."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from ended_rounds import Rounds
from hypothesis import given, settings
from hypothesis import strategies as st
from private_postgres import place_of
from sqlite_utils import Database

from studio.journal import Store, Unit
from studio.journal.extract.movement import PurseMovement, movement_at, movements_after
from studio.journal.sqlite.schema import APPLICATION_ID, migrations
from studio.journal.whose import whose
from studio.money import (
    KINDS,
    Transfer,
    bettor_account,
    escrow_account,
    house_account,
    operator_account,
    receivable_account,
    suspense_account,
)


@pytest.fixture(params=["memory", "server"])
def rounds(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rounds]:
    with Store.open(place_of(request, tmp_path)) as store:
        yield Rounds(store)


def short(found: Sequence[PurseMovement]) -> list[tuple[str, str, int]]:
    return [(one.kind, one.bettor, one.amount_minor) for one in found]


ANN, HOUSE, NORTH = bettor_account("north", "ann"), house_account("t1"), operator_account("north")


def test_each_row_is_told_as_its_bettor_has_it_and_chips_are_his_as_his_purse_is(rounds: Rounds) -> None:
    chips = f"{ANN}/n1"
    owed = receivable_account(ANN)
    rounds.writer.commit(rounds.bet("t1-r1", stake=100))
    moved = [
        ("t1-r1", "post", escrow_account("t1-r1"), HOUSE),
        ("t1-r1", "return", HOUSE, ANN),
        ("room:n1", "buy_in", ANN, chips),
        ("n1-r1", "return", HOUSE, chips),
        ("room:n1", "cash_out", chips, ANN),
        ("t1-r1", "advance", owed, ANN),
        ("t1-r1", "reverse_return", ANN, HOUSE),
        ("t1-r2", "suspend", NORTH, suspense_account("north")),
        ("t1-r2", "clear", suspense_account("north"), NORTH),
        ("t1-r1", "wallet_recover", NORTH, owed),
    ]
    for round, kind, debit, credit in moved:
        rounds.writer.commit(Unit(transfers=(Transfer(round, "north/c1", kind, debit, credit, 100, "EUR"),)))
    found, _ = movements_after(rounds.reader, "north", 0, 100)
    assert short(found) == [
        ("deposit", "ann", 10**9), ("reserve", "ann", -100), ("return", "ann", 100), ("return", "ann", 100),
        ("advance", "ann", 100), ("reverse_return", "ann", -100), ("suspend", "", 100), ("clear", "", -100),
        ("wallet_recover", "ann", 100),
    ]  # fmt: skip
    of_ann, _ = movements_after(rounds.reader, "north", 0, 100, "ann")
    assert of_ann == [one for one in found if one.bettor == "ann"]
    assert movements_after(rounds.reader, "north", 0, 100, "an")[0] == []


def test_nobody_is_told_another_operators_movement_nor_one_of_the_house(rounds: Rounds) -> None:
    rounds.writer.commit(rounds.bet("t1-r1", "south"))
    post = Transfer("t1-r1", "south/c1", "post", escrow_account("t1-r1"), HOUSE, 100, "EUR")
    rounds.writer.commit(Unit(transfers=(post,)))
    last = rounds.reader.ledger_head().seq
    for operator in ("north", "south", "west", "nor"):
        found, upto = movements_after(rounds.reader, operator, 0, 100)
        assert upto == last
        for seq in range(last + 2):
            assert (movement_at(rounds.reader, operator, seq) is not None) == (seq in {one.seq for one in found})


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("bet"), st.sampled_from(["north", "south"]), st.just(0)),
        st.tuples(st.just("pull"), st.sampled_from(["north", "south"]), st.integers(1, 3)),
    ),
    max_size=40,
)


@settings(deadline=None)
@given(STEPS)
def test_whatever_is_committed_between_pulls_each_movement_is_told_once_and_in_order(
    steps: list[tuple[str, str, int]],
) -> None:
    with Store.open(":memory:") as store:
        rounds, after = Rounds(store), {"north": 0, "south": 0}
        got: dict[str, list[PurseMovement]] = {"north": [], "south": []}

        def pull(operator: str, limit: int) -> bool:
            found, upto = movements_after(rounds.reader, operator, after[operator], limit)
            got[operator] += found
            after[operator] = upto
            return bool(found)

        for act, operator, limit in steps:
            if act == "bet":
                rounds.writer.commit(rounds.bet("t1-r1", operator))
            else:
                pull(operator, limit)
        for operator in got:
            while pull(operator, 2):
                pass
            assert after[operator] == rounds.reader.ledger_head().seq
            assert got[operator] == movements_after(rounds.reader, operator, 0, 10**6)[0]
            bets = sum(act == "bet" and by == operator for act, by, _ in steps)
            assert [one.kind for one in got[operator]] == ["deposit"] + ["reserve"] * bets


SOME_STEPS = 50
"""Not one for each of the 396 rounds between; versions of SQLite count a few more or fewer on their way down a tree."""


def costs_as_rounds_are_kept(rounds: Rounds, look: Callable[[], object]) -> list[int]:
    """The database's steps for such a look after 4 rounds and after 400."""
    connection, costs = rounds.writer._connection, list[int]()
    for number in range(400):
        for operator in ("north", "south"):
            rounds.writer.submit(rounds.bet(f"t1-r{number}", operator))
        rounds.writer.drain()
        if number in (3, 399):
            counted = itertools.count()
            connection.set_progress_handler(lambda counted=counted: next(counted) < 0, 1)
            look()
            connection.set_progress_handler(None, 0)
            costs.append(next(counted))
    return costs


@pytest.mark.parametrize("rounds", ["memory"], indirect=True)
@pytest.mark.parametrize("bettor", [None, "ann"])
def test_a_page_costs_what_it_tells_however_much_is_kept(rounds: Rounds, bettor: str | None) -> None:
    def look() -> None:
        last = rounds.reader.ledger_head().seq
        assert len(movements_after(rounds.reader, "north", last - 2, 10, bettor)[0]) == 1

    costs = costs_as_rounds_are_kept(rounds, look)
    assert 0 < costs[1] < costs[0] + SOME_STEPS


@pytest.mark.parametrize("rounds", ["memory"], indirect=True)
def test_a_bettors_newest_bets_cost_what_is_told_however_many_bet_and_whatever_came_before(rounds: Rounds) -> None:
    def look() -> None:
        assert len(rounds.reader.bets_of("north", "ann", 2)) == 2

    costs = costs_as_rounds_are_kept(rounds, look)
    assert 0 < costs[1] < costs[0] + SOME_STEPS


def test_a_database_from_before_tells_what_moved_in_it(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as old:
        migrations.apply(Database(old, recursive_triggers=False), stop_before="m006_movements_of_operators")
        old.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        for seq, bettor in enumerate(("north:ann", "south:kim", "north:bob:2"), 1):
            account = f"bettor:{bettor}"
            row = (seq, 1, "", f"d{seq}", "deposit", f"operator:{bettor.split(':')[0]}", account, 100, "EUR", 0, "")
            old.execute(f"INSERT INTO ledger VALUES ({', '.join('?' * len(row))})", row)
    with Store.open(path) as store, store.reader() as reader:
        found = {operator: movements_after(reader, operator, 0, 10)[0] for operator in ("north", "south")}
    assert short(found["north"]) == [("deposit", "ann", 100), ("deposit", "bob:2", 100)]
    assert short(found["south"]) == [("deposit", "kim", 100)]


ACCOUNTS = (
    ANN, f"{ANN}/n1", "bettor:north:bob:2", "promotion:north:ann", "promotion:north:ann/welcome", "suspense:north",
    "suspense:north/free", receivable_account(ANN), NORTH, HOUSE, "house:pot/first5", "escrow:t1-r1", "pot:first5",
    "prize:t1-r1",
)  # fmt: skip


def test_a_database_from_before_has_in_its_rows_what_is_written_of_new_ones(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    moved = [
        (kind, debit, credit)
        for kind in KINDS
        for debit, credit in itertools.permutations(ACCOUNTS, 2)
        if kind not in ("deposit", "withdraw", "post", "void")
    ]
    with closing(sqlite3.connect(path, isolation_level=None)) as old:
        migrations.apply(Database(old, recursive_triggers=False), stop_before="m008_whose_a_movement_is")
        old.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        rows = ((seq, 1, "t1-r1", f"b{seq}", *one, 1, "EUR", 0, "") for seq, one in enumerate(moved, 1))
        old.execute("BEGIN")
        old.executemany("INSERT INTO ledger VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        computed = old.execute("SELECT held_for, brought_by FROM ledger ORDER BY seq").fetchall()
        old.execute("COMMIT")
    with Store.open(path) as store:
        kept = store.connection.execute("SELECT held_for, brought_by FROM ledger ORDER BY seq").fetchall()
        with pytest.raises(sqlite3.IntegrityError, match="only added to"):
            store.connection.execute("UPDATE ledger SET held_for = NULL")
    assert kept == computed == [tuple(whose(*one)) for one in moved]
