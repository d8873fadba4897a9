"""An operator's statement accounts for every unit, and his own file is held against it line by line."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from studio.cli.statement import command, reconcile_command
from studio.journal import Reader, Store, Unit, Writer
from studio.money import (
    Offer,
    Transfer,
    bettor_account,
    escrow_account,
    house_account,
    operator_account,
    receivable_account,
)
from studio.reports import cut
from studio.reports.statement.movement import StatementLine, held, lines
from tests.studio.report_night import count, play

GAMES = {"three_knights": 7, "nlh": 4}
"""Rounds of each night."""


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("nights")
    return {game: play(folder, game, rounds=rounds, seed=5) for game, rounds in GAMES.items()}


def operator_of(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        [[name]] = connection.execute("SELECT DISTINCT operator FROM bet").fetchall()
    return str(name)


def told(
    path: Path, begin: int | None = None, end: int | None = None
) -> tuple[list[StatementLine], Counter[str], Counter[str]]:
    """The lines of a span, and what the bettors had before and after it."""
    operator = operator_of(path)
    with Reader.open(path) as reader:
        period = cut(reader, begin, end)
        before, after = (Counter(held(reader, operator, seq)) for seq in (period.ledger_after, period.ledger_upto))
        return list(lines(reader, period, operator)), before, after


def moved(found: list[StatementLine]) -> Counter[str]:
    sums: Counter[str] = Counter()
    for line in found:
        sums[line.currency] += line.amount_minor
    return sums


# --- the statement ------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_what_bettors_had_and_what_moved_is_what_they_have(nights: dict[str, Path], game: str) -> None:
    found, before, after = told(nights[game])
    assert before == {}
    assert moved(found) == after
    in_purses = "SELECT sum(amount) FROM balance WHERE account LIKE 'bettor:%'"
    assert after.total() == count(nights[game], in_purses) > 0


@pytest.mark.parametrize("game", GAMES)
def test_two_spans_together_say_what_the_whole_says(nights: dict[str, Path], game: str) -> None:
    first = count(nights[game], "SELECT min(at) FROM journal WHERE at > 0")
    middle = (first + count(nights[game], "SELECT max(at) FROM journal")) // 2
    whole, *_ = told(nights[game])
    early, _, between = told(nights[game], end=middle)
    late, then, _ = told(nights[game], begin=middle)
    assert between == then
    assert early
    assert late
    parts: Counter[tuple[str, str, str]] = Counter()
    for line in (*early, *late):
        parts[line.kind, line.id, line.bettor] += line.amount_minor
    assert {key: amount for key, amount in parts.items() if amount} == {
        (line.kind, line.id, line.bettor): line.amount_minor for line in whole
    }


@pytest.mark.parametrize("game", GAMES)
def test_every_bet_is_a_debit_of_its_stake_in_the_state_it_is_in(nights: dict[str, Path], game: str) -> None:
    operator, (found, *_) = operator_of(nights[game]), told(nights[game])
    debits = {line.id: line for line in found if line.kind == "debit"}
    credits = {line.id: line.amount_minor for line in found if line.kind == "credit"}
    assert len(debits) == count(nights[game], "SELECT count(*) FROM bet") > 20
    states = {"posted": "settled", "voided": "void", "pending": "open"}
    with Reader.open(nights[game]) as reader:
        for id, line in debits.items():
            status = reader.bet_status(operator, id)
            assert status is not None
            assert (line.round, -line.amount_minor) == (status.bet.round, status.bet.stake_minor)
            assert line.state == states[status.status]
            assert credits.get(id, 0) == status.returned_minor


def test_no_line_names_chips_as_a_bettor(nights: dict[str, Path]) -> None:
    assert not [line for path in nights.values() for line in told(path)[0] if "/" in line.bettor]


def _bet(id: str, stake_minor: int, operator: str = "north") -> Offer:
    return Offer(f"{operator}/{id}", operator, id, "ann", "t1", "t1-1", "main", stake_minor, "EUR")


def _of_round(id: str, kind: str, way: tuple[str, str], amount_minor: int, revision: int = 0) -> Transfer:
    return Transfer("t1-1", f"north/{id}", kind, *way, amount_minor, "EUR", revision)


ANN, OUT = bettor_account("north", "ann"), operator_account("north")
ESCROW, HOUSE, OWES = escrow_account("t1-1"), house_account("t1"), receivable_account(ANN)


def _deposit(operator: str, amount_minor: int) -> Transfer:
    purse = bettor_account(operator, "ann")
    return Transfer("", f"{operator}/d-1", "deposit", operator_account(operator), purse, amount_minor, "EUR")


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """Bets of every state, a correction that took more back than the purse had, and operators with names alike."""
    path = tmp_path / "studio.db"
    with Store.open(path) as store:
        writer = Writer(store)
        for unit in (
            Unit(transfers=(_deposit("north", 500), _deposit("north2", 70), _deposit("nort", 9)), at_ms=1_000),
            Unit(offers=(_bet("won", 100), _bet("given back", 50), _bet("open", 30), _bet("undone", 20))),
            Unit(offers=(_bet("theirs", 7, "north2"),)),
            Unit(
                transfers=(
                    _of_round("won", "post", (ESCROW, HOUSE), 100), _of_round("won", "return", (HOUSE, ANN), 250),
                    _of_round("given back", "void", (ESCROW, ANN), 50),
                    _of_round("undone", "post", (ESCROW, HOUSE), 20), _of_round("undone", "return", (HOUSE, ANN), 40),
                    Transfer("", "north/w-1", "withdraw", ANN, OUT, 640, "EUR"),
                )
            ),
            Unit(
                transfers=(
                    _of_round("undone", "advance", (OWES, ANN), 20, 1),
                    _of_round("undone", "reverse_return", (ANN, HOUSE), 40, 1),
                    _of_round("undone", "reverse_post", (HOUSE, ESCROW), 20, 1),
                    _of_round("undone", "void", (ESCROW, ANN), 20, 1),
                )
            ),
        ):  # fmt: skip
            writer.commit(unit)
        writer.close()
    return path


LEDGER_LINES = {
    ("deposit", "d-1", "", 500), ("withdrawal", "w-1", "", -640),
    ("debit", "won", "settled", -100), ("credit", "won", "", 250),
    ("debit", "given back", "void", -50), ("credit", "given back", "", 50),
    ("debit", "open", "open", -30),
    ("debit", "undone", "void", -20), ("credit", "undone", "", 20), ("claw_back", "undone", "", 20),
}  # fmt: skip


def test_a_statement_tells_of_one_operator_what_his_ids_moved_and_where_each_bet_stands(ledger: Path) -> None:
    with Reader.open(ledger) as reader:
        period = cut(reader, None, None)
        found = list(lines(reader, period, "north"))
        assert held(reader, "north", period.ledger_upto) == {"EUR": sum(line.amount_minor for line in found)}
    assert {(line.kind, line.id, line.state, line.amount_minor) for line in found} == LEDGER_LINES
    assert len(found) == len(LEDGER_LINES)
    assert {line.bettor for line in found} == {"ann"}


# --- reconciling --------------------------------------------------------------------------------------


def statement(path: Path, *more: str) -> Result:
    return CliRunner().invoke(command, [str(path), "--operator", operator_of(path), *more])


def reconciled(path: Path, rows: list[list[str]] | str, *more: str) -> Result:
    file = path.with_name("theirs.csv")
    if isinstance(rows, str):
        file.write_text(rows, newline="")
    else:
        with file.open("w", newline="") as out:
            csv.writer(out).writerows(rows)
    asked = [str(path), "--operator", operator_of(path), "--against", str(file), *more]
    return CliRunner().invoke(reconcile_command, asked)


@pytest.fixture(scope="module")
def rows(nights: dict[str, Path]) -> list[list[str]]:
    return list(csv.reader(io.StringIO(statement(nights["three_knights"]).stdout)))


def test_a_statement_is_printed_and_written_alike(nights: dict[str, Path], tmp_path: Path) -> None:
    path, file = nights["three_knights"], tmp_path / "day.csv"
    printed, written = statement(path), statement(path, "--csv", str(file))
    assert (printed.exit_code, written.exit_code, written.stdout) == (0, 0, "")
    assert printed.stdout.splitlines() == file.read_text().splitlines()
    assert re.search(r"^  deposit    [0-9.]+ EUR$", written.stderr, re.MULTILINE)


def test_lines_that_nobody_reads_to_the_end_end_with_the_record(nights: dict[str, Path]) -> None:
    """Piped into `head`, or written to a disk that is full."""
    path = nights["three_knights"]
    with Reader.open(path) as reader:
        left = reader.stream("SELECT seq FROM journal", ())
        next(left)
    left.close()


def test_a_folder_is_no_file_for_lines(nights: dict[str, Path], tmp_path: Path) -> None:
    path = nights["three_knights"]
    said = CliRunner().invoke(command, [str(path), "--operator", operator_of(path), "--csv", str(tmp_path)])
    assert said.exit_code == 2
    assert "is a directory" in said.output


def test_our_own_statement_agrees_with_our_books(nights: dict[str, Path], rows: list[list[str]]) -> None:
    done = reconciled(nights["three_knights"], rows)
    assert done.exit_code == 0
    assert done.stdout.splitlines()[-1] == f"{len(rows) - 1} transactions agree, 0 do not."


def test_columns_stand_in_any_order_and_a_mark_and_more_columns_do_no_harm(
    nights: dict[str, Path], rows: list[list[str]]
) -> None:
    turned = [["note", *reversed(row)] for row in rows]
    turned[0][0] = "\ufeffnote"
    assert reconciled(nights["three_knights"], turned).exit_code == 0


AMOUNT, ID, BETTOR, CURRENCY = 5, 1, 2, 6


def _changed(place: int, text: str) -> Callable[[list[str]], list[list[str]]]:
    return lambda row: [[*row[:place], text, *row[place + 1 :]]]


FINDS: dict[str, tuple[Callable[[list[str]], list[list[str]]], list[str]]] = {
    "a line is missing": (lambda row: [], ["only_here"]),
    "a line is there twice": (lambda row: [row, row], ["twice_there"]),
    "one unit more": (lambda row: _changed(AMOUNT, str(int(row[AMOUNT]) + 1))(row), ["differs"]),
    "another bettor": (_changed(BETTOR, "zoe"), ["differs"]),
    "another currency": (_changed(CURRENCY, "chips"), ["differs"]),
    "another id": (_changed(ID, "x-0"), ["only_here", "only_there"]),
}


@pytest.mark.parametrize(("change", "found"), FINDS.values(), ids=FINDS)
def test_each_difference_is_named_and_the_command_ends_with_1(
    nights: dict[str, Path], rows: list[list[str]], change: Callable[[list[str]], list[list[str]]], found: list[str]
) -> None:
    heads, one, *rest = rows
    changed = [heads, *change(one), *rest]
    plain, as_json = (reconciled(nights["three_knights"], changed, *more) for more in ((), ("--json",)))
    assert (plain.exit_code, as_json.exit_code) == (1, 1)
    told = [json.loads(line) for line in as_json.stdout.splitlines()]
    assert [line["what"] for line in told[:-1]] == found
    assert told[-1] == {"agreed": len(rows) - 1 - (found != ["twice_there"]), "differences": len(found)}
    assert one[ID] in plain.stdout.splitlines()[0]
    assert plain.stdout.splitlines()[-1].endswith(f"{len(found)} do not.")


BAD_FILES = {
    "empty": ("", "Its first line does not name kind, id, bettor, amount_minor, currency"),
    "without amounts": ("kind,id,bettor,currency\n", "does not name amount_minor"),
    "semicolons": (
        "kind;id;bettor;amount_minor;currency\n",
        "bettor, amount_minor, currency. Its columns are parted by semicolons: save it with commas.",
    ),
    "tabs": ("kind\tid\tbettor\tamount_minor\tcurrency\n", "are parted by tabs"),
    "half a unit": (
        "kind,id,bettor,amount_minor,currency\ndebit,1,ann,0.5,EUR\n",
        "Line 2 cannot be read: amount_minor",
    ),
    "too short": ("kind,id,bettor,amount_minor,currency\ndebit,1\n", "Line 2 cannot be read: it has too few"),
    "a quote that never ends": ('kind,id,bettor,amount_minor,currency\n"debit,1\n', "cannot be read"),
}


@pytest.mark.parametrize(("text", "said"), BAD_FILES.values(), ids=BAD_FILES)
def test_a_file_that_cannot_be_read_is_said_so(nights: dict[str, Path], text: str, said: str) -> None:
    from dealer_ui.cli import main

    file = nights["three_knights"].with_name("bad.csv")
    file.write_text(text, newline="")
    asked = ["reconcile", str(nights["three_knights"]), "--operator", operator_of(nights["three_knights"])]
    done = CliRunner().invoke(main, [*asked, "--against", str(file)])
    assert done.exit_code == 1
    assert said in done.output
    assert done.output.startswith("Error: ")


def test_a_file_in_another_encoding_is_told_with_what_to_do(nights: dict[str, Path], tmp_path: Path) -> None:
    path, file = nights["three_knights"], tmp_path / "theirs.csv"
    file.write_text("kind,id,bettor,amount_minor,currency\n", encoding="utf-16")
    done = CliRunner().invoke(reconcile_command, [str(path), "--operator", operator_of(path), "--against", str(file)])
    assert "Line 1 cannot be read: it is not UTF-8: save it so, as CSV." in str(done.exception)


def test_an_operator_nobody_knows_is_refused_and_the_known_are_named(nights: dict[str, Path]) -> None:
    from dealer_ui.cli import main

    path = nights["three_knights"]
    done = CliRunner().invoke(main, ["statement", str(path), "--operator", "nobody"])
    assert done.exit_code == 1
    assert f"It has: {operator_of(path)}." in done.output
