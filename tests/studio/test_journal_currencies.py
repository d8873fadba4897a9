"""Balances by currency: a bettor has one, everybody else as many as bettors bring; none is added to another."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils import Database

from studio.errors import InvariantError, RefusedError
from studio.journal import IN_MEMORY, Store, Unit, Writer
from studio.journal.chain import check
from studio.journal.sqlite.schema import APPLICATION_ID, migrations
from studio.money import Offer, Transfer, bettor_account, escrow_account, house_account, operator_account

ANN, JUN = bettor_account("north", "ann"), bettor_account("north", "jun")


def deposit(bettor: str, currency: str, id: str, amount_minor: int = 1_000) -> Unit:
    return Unit(transfers=(Transfer("", id, "deposit", operator_account("north"), bettor, amount_minor, currency),))


def bet(bettor: str, currency: str) -> Unit:
    return Unit(offers=(Offer(f"b-{bettor}", "north", f"c-{bettor}", bettor, "t1", "r1", "x", 400, currency),))


def test_an_operator_a_house_and_a_round_hold_each_currency_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "studio.db"
    with closing(Store.open(path)) as store:
        writer = Writer(store)
        writer.commit(deposit(ANN, "EUR", "d1"))
        writer.commit(deposit(JUN, "JPY", "d2", 9_000))
        for bettor, currency in (("ann", "EUR"), ("jun", "JPY")):
            [answer] = writer.commit(bet(bettor, currency)).answers
            assert answer.status == "accepted", answer
        with store.reader() as reader:
            held = [reader.balance(escrow_account("r1"), currency) for currency in ("EUR", "JPY", "USD")]
            assert held == [400, 400, 0]
            assert reader.balance(operator_account("north"), "JPY") == -9_000
            with pytest.raises(InvariantError, match="name the one"):
                reader.balance(escrow_account("r1"))
        posts = (
            Transfer("r1", "b-ann", "post", escrow_account("r1"), house_account("t1"), 400, "EUR"),
            Transfer("r1", "b-jun", "post", escrow_account("r1"), house_account("t1"), 400, "JPY"),
        )
        writer.commit(Unit(transfers=posts[:1]))
        with pytest.raises(InvariantError, match="below zero"):
            writer.commit(Unit(transfers=(Transfer("r1", "x", "post", escrow_account("r1"), "house:t1", 1, "EUR"),)))
        writer.commit(Unit(transfers=posts[1:]))
        assert store.connection.execute("SELECT count(*) FROM balance WHERE account LIKE 'escrow:%'").fetchone() == (0,)
    assert check(path) is None


def test_a_bettor_is_kept_in_the_currency_of_his_first_deposit() -> None:
    with closing(Store.open(IN_MEMORY)) as store:
        writer = Writer(store)
        writer.commit(deposit(JUN, "JPY", "d1"))
        with pytest.raises(RefusedError, match="can only be made in JPY"):
            writer.commit(deposit(JUN, "EUR", "d2"))
        [answer] = writer.commit(bet("jun", "EUR")).answers
        assert (answer.status, answer.key) == ("refused", "currency_mismatch")
        gift = Transfer("r1", "b", "return", house_account("t1"), JUN, 5, "EUR")
        with pytest.raises(InvariantError, match="kept in JPY"):
            writer.commit(Unit(transfers=(gift,)))


def test_the_balances_of_an_older_database_are_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "studio.db"
    with closing(sqlite3.connect(path)) as old:
        old.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        migrations.apply(Database(old, recursive_triggers=False), stop_before="m002_balance_by_currency")
        old.execute("INSERT INTO balance VALUES ('house:t1', 'EUR', -5)")
        old.commit()
    with closing(Store.open(path)) as store, store.reader() as reader:
        assert reader.balance("house:t1") == reader.balance("house:t1", "EUR") == -5
