"""Free stakes told apart in reports and statements: with them and without them the revenue is what the ledger says."""

from __future__ import annotations

import csv
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import plain_figures as plain
import pytest
from click.testing import CliRunner
from plain_figures import Books

from dealer_ui.rehearsal.night import OwnWallet
from studio.cli.migrate import command as migrate
from studio.cli.statement import command as statement
from studio.journal import Reader
from studio.proof.audit.database import verify
from studio.reports import KINDS, Money, Report, ReportAsked, ReportChoice, cut
from tests.studio.report_night import play

GAMES = {"three_knights": 10, "blackjack": 12}
"""Rounds of each night: in the one bets win, lose and are voided, in the other half a stake comes back too."""


@pytest.fixture(scope="module", params=GAMES)
def night(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = play(
        tmp_path_factory.mktemp("night"),
        request.param,
        rounds=GAMES[request.param],
        seed=4,
        wallet=OwnWallet("rsa", 0.1),
    )
    assert verify(found).first_wrong is None
    return found


def made(place: Path | str, kind: str, **choice: str) -> Report:
    with Reader.open(place) as reader:
        asked = ReportAsked(reader, cut(reader, None, None), ReportChoice(**choice))
        return next(one for one in KINDS if one.key == kind).make(asked)


def rows(report: Report, key: str) -> list[dict[str, Any]]:
    sheet = report.sheet(key)
    names = [column.key for column in sheet.columns]
    return [
        {name: cell.amount_minor if isinstance(cell, Money) else cell for name, cell in zip(names, row, strict=True)}
        for row in sheet.rows
    ]


def test_the_revenue_of_each_operator_is_told_with_free_stakes_and_without(night: Path) -> None:
    due = plain.revenue(Books(night))
    found = {(row.pop("operator"), row.pop("currency")): row for row in rows(made(night, "closing"), "revenue")}
    assert found == due
    for row in found.values():
        assert 0 < row["free_stakes"] < row["handle"]
        assert 0 < row["free_won"] < row["returns"]
        assert row["revenue"] - row["own_revenue"] == row["free_stakes"] - row["free_back"]


def test_what_is_left_of_grants_is_told_and_every_book_agrees(night: Path) -> None:
    closing = made(night, "closing")
    found = {(row.pop("operator"), row.pop("currency")): row for row in rows(closing, "free_bets")}
    for side, own in plain.grants(Books(night)).items():
        assert {key: found[side].get(key) for key in own} == own
    assert not closing.loud
    checks = {row["check"] for row in rows(closing, "agreement")}
    assert {"revenue", "free_stakes"} <= checks
    assert "other" not in rows(closing, "operators")[0]


def test_the_hold_of_a_table_is_its_accounts_gain_and_the_bettors_own_loss_without_free_stakes(night: Path) -> None:
    report = made(night, "table")
    [money], [told] = rows(report, "money"), rows(report, "revenue")
    [own] = plain.revenue(Books(night)).values()
    assert (money["hold"], told["revenue"], told["own_revenue"]) == (own["revenue"], own["revenue"], own["own_revenue"])
    with closing(sqlite3.connect(night)) as connection:
        [[gained]] = connection.execute(
            "SELECT coalesce(sum(CASE WHEN credit LIKE 'house:%' THEN amount ELSE -amount END), 0) FROM ledger"
            " WHERE (debit LIKE 'house:%') <> (credit LIKE 'house:%') AND bet IN (SELECT id FROM bet)"
        ).fetchall()
        [[fed]] = connection.execute("SELECT coalesce(sum(amount), 0) FROM ledger WHERE kind = 'compensate'").fetchall()
    assert money["hold"] == gained + fed


def test_what_came_back_of_a_bet_counts_the_stake_of_a_free_one(night: Path) -> None:
    due = plain.returns(Books(night))
    for row in rows(made(night, "returns"), "returns"):
        count, handle, back = due.pop((row["game"], row["bet"]))
        assert (row["rounds"], row["handle"], row["came_back"]) == (count, handle, pytest.approx(back / handle))
    assert due == {}


def test_a_bet_whose_free_stake_was_changed_in_the_register_is_shouted(night: Path, tmp_path: Path) -> None:
    altered = tmp_path / "altered.db"
    altered.write_bytes(night.read_bytes())
    with closing(sqlite3.connect(altered)) as connection, connection:
        connection.execute("DROP TRIGGER bet_refuses_update")
        connection.execute("UPDATE bet SET free = '' WHERE id = (SELECT max(id) FROM bet WHERE free <> '')")
    report = made(altered, "closing")
    wrong = [row["check"] for row in rows(report, "agreement") if row["difference"]]
    assert wrong == ["free_stakes"]
    assert [note.key for note in report.loud] == ["closing_wrong"]


def test_a_statement_tells_what_free_bets_have_won(night: Path, tmp_path: Path) -> None:
    own = next(iter(plain.revenue(Books(night)).values()))
    with closing(sqlite3.connect(night)) as connection:
        [[operator]] = connection.execute("SELECT DISTINCT operator FROM bet").fetchall()
    file = tmp_path / "theirs.csv"
    told = CliRunner().invoke(statement, [str(night), "--operator", operator, "--csv", str(file)])
    assert told.exit_code == 0, told.output
    with file.open(newline="") as lines:
        found = list(csv.DictReader(lines))
    won: Counter[str] = Counter()
    for line in found:
        if line["free_bet"]:
            won[line["kind"]] += int(line["amount_minor"])
    assert own["free_won"] > 0
    with closing(sqlite3.connect(night)) as connection:
        [[owed]] = connection.execute(
            "SELECT coalesce(sum(CASE WHEN kind = 'return' THEN amount ELSE -amount END), 0) FROM ledger"
            " WHERE kind IN ('return', 'reverse_return') AND bet IN (SELECT id FROM bet WHERE free <> '')"
        ).fetchall()
    assert owed == own["free_won"]
    assert won["credit"] + won["recovery"] > 0
    assert f"{won['credit'] // 100}.{won['credit'] % 100:02d} EUR of it won with free bets" in told.stderr


def test_both_stores_tell_the_same(night: Path, postgres_address: str) -> None:
    assert CliRunner().invoke(migrate, [str(night), postgres_address]).exit_code == 0
    for kind in ("closing", "table", "returns"):
        assert made(postgres_address, kind).sheets == made(night, kind).sheets
