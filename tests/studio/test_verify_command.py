"""`studio verify`: a sound database is found sound, and every lie an honest chain can carry is found out."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result
from table_bench import BURNS, DEAL, PIT, Bench

from studio.cards import Card
from studio.cli.verify import command
from studio.journal import Entry, Unit
from studio.journal.extract.walk import steps
from studio.money import Transfer, house_account
from studio.proof.audit.database import audit
from studio.proof.audit.wrong import WrongError
from studio.rounds import CardBurned, CardDealt
from studio.tables import command as c
from studio.tables.event import table as e
from studio.tables.event.record import kind_of, read_body, write_body

Tamper = Callable[[Unit], Unit]


def verify(path: Path, *flags: str) -> Result:
    return CliRunner().invoke(command, [str(path), *flags])


def night(path: Path) -> Path:
    """The database of a night, closed."""
    played(Bench(path=str(path))).close()
    return path


def played(table: Bench, tamper: Tamper = lambda unit: unit) -> Bench:
    """A settled round of two bets, a voided round, and one still open; every commit may be tampered with."""
    table.tamper = tamper
    table.open().deposit(50_000)
    table.start().betting(("player1_tie", 1000), ("player2_win", 500)).deal(*DEAL)
    table.finish()
    table.start(_others(0)).betting(("player3_lose", 700))
    table.report("malfunction", PIT)
    table.rule("void_round", PIT)
    table.pay()
    table.clear()
    table.start(_others(4)).do(c.OpenBetting)
    table.bet()
    return table


def _others(skip: int) -> list[Card]:
    return [card for card in map(Card.parse, ("5s", "5h", "5d", "5c", "2s", "2h", "2d", "3s"))][skip : skip + 4]


def answer(path: Path) -> dict[str, object]:
    result = verify(path, "--json")
    found = json.loads(result.stdout)
    assert result.exit_code == (0 if found["ok"] else 1)
    return found  # type: ignore[no-any-return]


def test_a_sound_database_is_found_sound_with_a_round_still_open(tmp_path: Path) -> None:
    path = night(tmp_path / "studio.db")
    (tmp_path / "studio.db.keys").unlink()
    found = answer(path)
    with closing(sqlite3.connect(path)) as connection:
        [events] = connection.execute("SELECT count(*) FROM journal").fetchone()
        [entries] = connection.execute("SELECT count(*) FROM ledger").fetchone()
    assert found == {
        "rounds": 3,
        "events": events,
        "entries": entries,
        "uncommitted": 0,
        "ok": True,
        "first_wrong": None,
    }
    assert verify(path).stdout.startswith("All is as it was written, and every settlement comes out the same: 3 rounds")


def test_an_edited_byte_is_the_first_wrong_row(tmp_path: Path) -> None:
    path = night(tmp_path / "studio.db")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TRIGGER journal_refuses_update")
        connection.execute("UPDATE journal SET body = replace(body, '\"Js\"', '\"Ks\"') WHERE kind = 'CardDealt'")
        connection.commit()
        [seq] = connection.execute("SELECT min(seq) FROM journal WHERE kind = 'CardDealt'").fetchone()
    found = answer(path)
    assert found["first_wrong"] == {
        "table": "journal", "seq": seq, "sentence": "The row does not say what it said when it was written.",
    }  # fmt: skip
    assert f"Row {seq} of the journal is wrong." in verify(path).stdout


@pytest.mark.parametrize("content", [None, b"this is no database", b""])
def test_what_is_no_database_is_an_error_and_not_a_verdict(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "studio.db"
    if content is not None:
        path.write_bytes(content)
    result = verify(path, "--json")
    assert result.exit_code == 1
    assert set(json.loads(result.stdout)) == {"error"}
    people = verify(path)
    assert people.exit_code == 1
    assert "Error: " in people.stderr


def _moves(change: Callable[[Transfer], Transfer | None], kind: str) -> Tamper:
    def tamper(unit: Unit) -> Unit:
        kept = (change(one) if one.kind == kind else one for one in unit.transfers)
        return replace(unit, transfers=tuple(one for one in kept if one is not None))

    return tamper


def _tells(change: Callable[[e.AnyEvent], e.AnyEvent | None], kind: str) -> Tamper:
    def tamper(unit: Unit) -> Unit:
        return replace(unit, entries=tuple(kept for one in unit.entries if (kept := told(one)) is not None))

    def told(entry: Entry) -> Entry | None:
        if entry.kind != kind:
            return entry
        recorded = read_body(entry.body)
        event = change(recorded.event)
        if event is None:
            return None
        return Entry(kind_of(event), entry.at_ms, write_body(recorded.table, recorded.round, event))

    return tamper


def _of_fact(change: Callable[[CardDealt], CardDealt]) -> Callable[[e.AnyEvent], e.AnyEvent]:
    def changed(event: e.AnyEvent) -> e.AnyEvent:
        assert isinstance(event, e.FactStood)
        assert isinstance(event.fact, CardDealt)
        return e.FactStood(fact=change(event.fact)) if event.fact.face is Card.parse("Js") else event

    return changed


swap = msgspec.structs.replace

LIES: dict[str, tuple[Tamper, str, str]] = {
    "a return too small": (
        _moves(lambda moved: Transfer(*_plain(moved)[:5], moved.amount_minor - 1, *_plain(moved)[6:]), "return"),
        "ledger", "is due a return of 9000",
    ),
    "a return to somebody else": (
        _moves(lambda moved: Transfer(*_plain(moved)[:4], "bettor:north:bob", *_plain(moved)[5:]), "return"),
        "ledger", "to bettor:north:ann",
    ),
    "a return never paid": (_moves(lambda moved: None, "return"), "ledger", "is due a return"),
    "a bet never posted": (_moves(lambda moved: None, "post"), "ledger", "is due a post"),
    "a refund never made": (_moves(lambda moved: None, "void"), "journal", "lacks the void"),
    "a settlement never told": (_tells(lambda event: None, "BetsSettled"), "journal", "other sums"),
    "another digest": (
        _tells(lambda event: swap(event, digest="00" * 32), "BetsSettled"), "journal", "payouts",
    ),
    "another result": (
        _tells(lambda event: swap(event, outcome={**event.outcome, "player1": {}}), "ResultDeclared"),
        "journal", "another result",
    ),
    "a face the key does not open": (
        _tells(_of_fact(lambda fact: swap(fact, face=Card.parse("Ks"))), "CardDealt"), "journal", "another face",
    ),
    "a face without its key": (
        _tells(_of_fact(lambda fact: swap(fact, key=None)), "CardDealt"), "journal", "without its key",
    ),
    "a key that opens nothing": (
        _tells(_of_fact(lambda fact: swap(fact, key=bytes(32))), "CardDealt"), "journal", "does not open",
    ),
    "a card no shoe reported": (
        _tells(lambda event: None, "ShoeDrewCard"), "journal", "No device reported",
    ),
    "a card the camera never confirmed": (
        _tells(lambda event: None, "CardConfirmed"), "journal", "nobody had confirmed",
    ),
    "a row under another name": (
        lambda unit: replace(
            unit, entries=tuple(Entry("CutCardOut" if one.kind == "ShoeLoaded" else one.kind, one.at_ms, one.body)
                                for one in unit.entries)
        ),
        "journal", "tells of a ShoeLoaded",
    ),
    "a row nobody can read": (
        lambda unit: replace(
            unit, entries=tuple(Entry(one.kind, one.at_ms, b"{}" if one.kind == "ShoeLoaded" else one.body)
                                for one in unit.entries)
        ),
        "journal", "cannot be read",
    ),
    "a hold that was ignored": (
        lambda unit: replace(
            unit,
            entries=tuple(
                frozen for one in unit.entries
                for frozen in ((_frozen(one), one) if one.kind == "ResultDeclared" else (one,))
            ),
        ),
        "journal", "while the table was held",
    ),
    "money of a round that is over": (
        lambda unit: replace(
            unit,
            transfers=(
                *unit.transfers,
                *(Transfer("t1-0000001", "gift", "return", house_account("t1"), "bettor:north:ann", 5, "EUR")
                  for one in unit.entries if one.kind == "RoundRefunded"),
            ),
        ),
        "ledger", "which is not open",
    ),
    "money no event accounts for": (
        lambda unit: replace(
            unit,
            transfers=(
                *unit.transfers,
                *(Transfer("t1-0000001", "gift", "return", house_account("t1"), "bettor:north:ann", 5, "EUR")
                  for one in unit.entries if one.kind == "RoundSettled"),
            ),
        ),
        "ledger", "accounts for this return",
    ),
    "a window that was never opened": (
        _tells(lambda event: None, "BetsOpened"), "journal", "window was closed",
    ),
    "a burn card that is another": (
        _tells(
            lambda event: e.FactStood(fact=CardBurned(card=_forged(event), place=1)), "CardBurned",
        ),
        "journal", "is not the one",
    ),
}  # fmt: skip


def _plain(moved: Transfer) -> tuple[object, ...]:
    return (
        moved.round, moved.bet, moved.kind, moved.debit, moved.credit, moved.amount_minor, moved.currency,
        moved.revision,
    )  # fmt: skip


def _frozen(entry: Entry) -> Entry:
    told = e.TableFrozen(by="p1", by_name="Petra")
    return Entry(kind_of(told), entry.at_ms, write_body("t1", "t1-0000001", told))


def _forged(event: e.AnyEvent) -> object:
    assert isinstance(event, e.FactStood)
    assert isinstance(event.fact, CardBurned)
    card = event.fact.card
    return type(card)(card.id, card.nonce, bytes(len(card.ciphertext)), card.commitment)


@pytest.mark.parametrize(("tamper", "table", "words"), LIES.values(), ids=LIES)
def test_a_lie_in_an_unbroken_chain_is_found(tamper: Tamper, table: str, words: str) -> None:
    bench = played(Bench(), tamper)
    with closing(bench), pytest.raises(WrongError, match=words) as found:
        audit(steps(bench.store.connection))
    assert found.value.table == table
    assert found.value.seq > 0


def test_the_command_names_the_row_of_a_lie(tmp_path: Path) -> None:
    path = tmp_path / "studio.db"
    tamper, _, words = LIES["a return too small"]
    played(Bench(path=str(path)), tamper).close()
    row = answer(path)["first_wrong"]
    assert isinstance(row, dict)
    assert (row["table"], words in row["sentence"]) == ("ledger", True)


def test_no_face_of_a_burned_card_lies_in_the_database_or_its_log(tmp_path: Path) -> None:
    path = night(tmp_path / "studio.db")
    stored = path.read_bytes()
    for card in BURNS:
        assert f'"{card}"'.encode() not in stored
