"""The rounds of an operator's bettors, by their ends: each generation once, in order, whatever comes between."""

from __future__ import annotations

import itertools
import json
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from ended_rounds import Rounds, Told
from hypothesis import given, settings
from hypothesis import strategies as st
from private_postgres import place_of
from sqlite_utils import Database

from studio.journal import Entry, Store, Unit, Writer
from studio.journal.chain import check
from studio.journal.ending import ENDS
from studio.journal.extract.round_end import (
    RoundEnd,
    bets_at,
    end_of,
    ends_after,
    next_end,
    staked_at,
)
from studio.journal.sqlite.schema import APPLICATION_ID, migrations
from studio.money import Transfer, bettor_account, escrow_account, house_account


@pytest.fixture(params=["memory", "server"])
def rounds(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rounds]:
    with Store.open(place_of(request, tmp_path)) as store:
        yield Rounds(store)


def named(ends: Sequence[RoundEnd]) -> list[Told]:
    return [(end.round, end.generation) for end in ends]


# --- whose rounds, and how often -----------------------------------------------------------------------


def test_an_operator_is_told_of_the_rounds_his_bettors_bet_on_and_of_no_other(rounds: Rounds) -> None:
    for round, operators in (("t1-r1", ["north"]), ("t1-r2", ["south"]), ("t1-r3", ["north", "south"]), ("t1-r4", [])):
        for operator in operators:
            rounds.writer.commit(rounds.bet(round, operator))
        rounds.writer.commit(rounds.end(round))
    told = {operator: named(rounds.pull(operator, 0, 10)[0]) for operator in rounds.told}
    assert told == {
        "north": [("t1-r1", 0), ("t1-r3", 0)], "south": [("t1-r2", 0), ("t1-r3", 0)], "west": [],
    }  # fmt: skip


def test_a_round_that_is_put_right_comes_again_as_the_next_generation(rounds: Rounds) -> None:
    for unit in (
        rounds.bet("t1-r1"), rounds.end("t1-r1"), rounds.bet("t2-r1"), rounds.end("t1-r1", "RoundResettled"),
        rounds.end("t2-r1", "RoundRefunded"), rounds.row("t2-r1", "CompensationPaid", case="t2-r1", over=False),
    ):  # fmt: skip
        rounds.writer.commit(unit)
    paid = rounds.end("t2-r1", "CompensationPaid", case="t2-r1", over=True)
    [entry] = paid.entries
    later = entry.body.replace(b'"round": "t2-r1"', b'"round": "t2-r9"')  # it stands among the rows of a later round
    rounds.writer.commit(Unit(entries=(Entry(entry.kind, entry.at_ms, later),)))
    assert named(rounds.pull("north", 0, 10)[0]) == [("t1-r1", 0), ("t1-r1", 1), ("t2-r1", 0), ("t2-r1", 1)]
    newest, first = end_of(rounds.reader, "north", "t1-r1"), end_of(rounds.reader, "north", "t1-r1", 0)
    assert newest is not None
    assert first is not None
    assert (newest.generation, first.generation, end_of(rounds.reader, "north", "t1-r1", 2)) == (1, 0, None)
    assert end_of(rounds.reader, "south", "t1-r1") is None


def test_a_player_who_was_dealt_in_is_told_of_his_hand_though_he_put_nothing_in(rounds: Rounds) -> None:
    players = {"seat1": ["north", "ann"], "seat2": ["west", "kim"]}
    rounds.writer.commit(rounds.row("n1-r1", "RoundStarted", rules={"hand": {"seats": [], "players": players}}))
    rounds.writer.commit(rounds.bet("n1-r1", "north"))
    rounds.writer.commit(rounds.row("n1-r1", "RoundSettled"))
    told = [named(rounds.pull(operator, 0, 10)[0]) for operator in ("north", "west", "south")]
    assert told == [[("n1-r1", 0)], [("n1-r1", 0)], []]


def test_a_bet_that_was_refused_makes_nobody_a_party(rounds: Rounds) -> None:
    rounds.writer.commit(rounds.bet("t1-r1", "north", stake=10**12))
    rounds.writer.commit(rounds.row("t1-r1", "RoundSettled"))
    assert rounds.pull("north", 0, 10)[0] == []


def test_the_bets_of_a_round_are_told_as_they_stood_at_that_end(rounds: Rounds) -> None:
    bets = [rounds.bet("t1-r1") for _ in range(3)]
    for unit in (*bets, rounds.bet("t1-r1", "south")):
        rounds.writer.commit(unit)
    for bet in rounds.reader.bets("t1-r1"):
        post = Transfer("t1-r1", bet.bet_id, "post", escrow_account("t1-r1"), house_account("t1"), 100, "EUR")
        back = Transfer(
            "t1-r1", bet.bet_id, "return", house_account("t1"), bettor_account(bet.operator, "ann"), 250, "EUR"
        )
        rounds.writer.commit(Unit(transfers=(post, back)))
    rounds.writer.commit(rounds.end("t1-r1"))
    first = end_of(rounds.reader, "north", "t1-r1")
    assert first is not None
    [wrong, *_] = rounds.reader.bets("t1-r1")
    purse = bettor_account("north", "ann")
    undone = Transfer("t1-r1", wrong.bet_id, "reverse_return", purse, house_account("t1"), 250, "EUR", 1)
    rounds.writer.commit(Unit(transfers=(undone,), entries=rounds.end("t1-r1", "RoundResettled").entries))
    second = end_of(rounds.reader, "north", "t1-r1")
    assert second is not None
    returned = [[one.returned_minor for one in bets_at(rounds.reader, "north", end, 10)[0]] for end in (first, second)]
    assert returned == [[250, 250, 250], [0, 250, 250]]
    sums = [staked_at(rounds.reader, "north", end) for end in (first, second)]
    assert [(one.bets, one.stake_minor, one.returned_minor) for [one] in sums] == [(3, 300, 750), (3, 300, 500)]
    pages, after = [], 0
    while True:
        page, more = bets_at(rounds.reader, "north", first, 2, after)
        pages.append([one.bet.client_id for one in page])
        if more is None:
            break
        after = more
    assert pages == [["c1", "c2"], ["c3"]]


# --- the cursor ----------------------------------------------------------------------------------------

STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("bet"), st.sampled_from(["t1-r1", "t1-r2", "t2-r1"]), st.sampled_from(["north", "south"])),
        st.tuples(st.just("end"), st.sampled_from(["t1-r1", "t1-r2", "t2-r1"]), st.sampled_from(ENDS[:3])),
        st.tuples(st.just("row"), st.sampled_from(["t1-r1", "t2-r1"]), st.just("CardDealt")),
        st.tuples(st.just("pull"), st.sampled_from(["north", "south"]), st.integers(1, 3)),
        st.tuples(st.just("commit"), st.just(""), st.just(0)),
        st.tuples(st.just("restart"), st.just(""), st.just(0)),
    ),
    max_size=60,
)


@settings(deadline=None)
@given(STEPS)
def test_whatever_is_committed_between_pulls_each_generation_is_told_once_and_in_order(
    steps: list[tuple[str, str, str | int]],
) -> None:
    with Store.open(":memory:") as store:
        rounds, after = Rounds(store), {"north": 0, "south": 0}
        got: dict[str, list[Told]] = {"north": [], "south": []}

        def pull(operator: str, limit: int) -> bool:
            ends, upto = rounds.pull(operator, after[operator], limit)
            assert upto >= after[operator]
            after[operator] = upto
            got[operator] += named(ends)
            return bool(ends)

        for act, what, how in steps:
            match act:
                case "bet":
                    rounds.writer.submit(rounds.bet(what, str(how)))
                case "end":
                    rounds.writer.submit(rounds.end(what, str(how)))
                case "row":
                    rounds.writer.submit(rounds.row(what, str(how)))
                case "pull":
                    pull(what, int(how))
                case "commit":
                    rounds.writer.drain()
                case "restart":
                    rounds.writer.close()
                    rounds.writer = Writer(store)
        rounds.writer.close()
        for operator in got:
            while pull(operator, 2):
                pass
        assert got == {operator: rounds.told[operator] for operator in got}


def test_a_reader_beside_the_writers_thread_misses_nothing_and_hears_nothing_twice(tmp_path: Path) -> None:
    with Store.open(tmp_path / "studio.db") as store:
        rounds = Rounds(store)
        done = threading.Event()

        def write() -> None:
            for number in range(150):
                rounds.writer.submit(rounds.bet(f"t{number % 3}-r{number}"))
                rounds.writer.submit(rounds.end(f"t{number % 3}-r{number}"))
                if number % 7 == 0:
                    rounds.writer.drain()
            rounds.writer.close()
            done.set()

        thread = threading.Thread(target=write)
        thread.start()
        got, after, over = list[Told](), 0, False
        with store.reader() as reader:
            while not over:
                over = done.is_set()
                ends, after = ends_after(reader, "north", after, 5)
                got += named(ends)
                over = over and not ends
        thread.join()
        assert got == rounds.told["north"]
        rounds.reader.close()


def test_an_empty_page_moves_the_cursor_to_the_newest_row(rounds: Rounds) -> None:
    rounds.writer.commit(rounds.bet("t1-r1"))
    rounds.writer.commit(rounds.end("t1-r1"))
    [one], after = rounds.pull("north", 0, 1)
    assert after == one.seq
    rounds.writer.commit(rounds.row("t1-r2", "CardDealt"))
    assert rounds.pull("north", after, 1) == ([], after + 1)


def test_the_next_end_at_a_table_passes_other_tables_by(rounds: Rounds) -> None:
    for round in ("t1-r1", "t2-r1", "t1-r2"):
        rounds.writer.commit(rounds.bet(round))
        rounds.writer.commit(rounds.end(round))
    first = next_end(rounds.reader, "north", "t1", 0)
    assert first is not None
    second = next_end(rounds.reader, "north", "t1", first.seq)
    assert second is not None
    assert (first.round, second.round) == ("t1-r1", "t1-r2")
    assert next_end(rounds.reader, "north", "t1", second.seq) is None


# --- what it costs, and what holds it ------------------------------------------------------------------


@pytest.mark.parametrize("rounds", ["memory"], indirect=True)
def test_a_pull_costs_what_it_tells_however_many_rounds_are_kept(rounds: Rounds) -> None:
    def steps_of_a_pull() -> int:
        [last] = rounds.reader.read("SELECT max(seq) FROM round_end WHERE operator = 'north'", ())[0]
        counted = itertools.count()
        connection = rounds.writer._connection
        connection.set_progress_handler(lambda: next(counted) < 0, 1)
        ends, _ = rounds.pull("north", last - 1, 1)
        connection.set_progress_handler(None, 0)
        assert len(ends) == 1
        return next(counted)

    costs = []
    for number in range(400):
        rounds.writer.submit(rounds.bet(f"t1-r{number}"))
        rounds.writer.submit(rounds.end(f"t1-r{number}"))
        rounds.writer.drain()
        if number in (3, 399):
            costs.append(steps_of_a_pull())
    assert 0 < costs[1] < costs[0] + 50, "not a step for each of the 396 rounds between"


@pytest.mark.parametrize(
    "edit",
    [
        "UPDATE round_end SET generation = 5",
        "DELETE FROM round_end",
        "INSERT INTO round_end VALUES ('south', 1, 't1', 't1-r1', 0)",
        "DELETE FROM round_party WHERE operator = 'north'",
        "INSERT INTO round_party VALUES ('t1-r1', 'south')",
    ],
)
def test_a_note_that_was_edited_is_found(tmp_path: Path, edit: str) -> None:
    path = tmp_path / "studio.db"
    with Store.open(path) as store:
        rounds = Rounds(store)
        rounds.writer.commit(rounds.bet("t1-r1"))
        rounds.writer.commit(rounds.end("t1-r1"))
        rounds.reader.close()
    assert check(path) is None
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(edit)
    found = check(path)
    assert found is not None
    assert found.table in ("round_end", "round_party")


def test_a_database_from_before_gets_its_notes_from_journal_and_bets(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as old:
        migrations.apply(Database(old, recursive_triggers=False), stop_before="m005_rounds_of_operators")
        old.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        for seq, (round, operator) in enumerate([("t1-r1", "north"), ("t1-r1", "south"), ("t1-r2", "north")], 1):
            row = (seq, 1, round, f"b{seq}", "reserve", "bettor:x", "escrow:x", 100, "EUR", 0, "")
            old.execute(f"INSERT INTO ledger VALUES ({', '.join('?' * len(row))})", row)
            bet = (seq, f"b{seq}", operator, f"c{seq}", "ann", "t1", round, "ante", 100, "EUR")
            old.execute(f"INSERT INTO bet VALUES ({', '.join('?' * len(bet))})", bet)
        told = [("t1-r1", "RoundSettled"), ("t1-r2", "RoundRefunded"), ("t1-r1", "RoundResettled")]
        for seq, (round, kind) in enumerate(told, 1):
            body = json.dumps({"table": "t1", "round": round, "event": {}})
            columns = "seq, at, kind, body, ledger_seq, hash"
            old.execute(f"INSERT INTO journal ({columns}) VALUES (?, 1, ?, ?, 3, '')", (seq, kind, body))
    with Store.open(path) as store, store.reader() as reader:
        ends = {operator: ends_after(reader, operator, 0, 10)[0] for operator in ("north", "south")}
    assert named(ends["north"]) == [("t1-r1", 0), ("t1-r2", 0), ("t1-r1", 1)]
    assert named(ends["south"]) == [("t1-r1", 0), ("t1-r1", 1)]
