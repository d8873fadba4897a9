"""Verify makes every correction again: a forged one, a missing reversal, a doubled one, one too many are each found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from correction_bench import approve, ask, dealt, replaced
from table_bench import PIT_TOO, Bench

from studio.journal import Entry, Unit
from studio.journal.extract.walk import steps
from studio.money import Transfer
from studio.proof.audit.database import audit, verify
from studio.proof.audit.wrong import WrongError
from studio.settlement import Short
from studio.tables import command as c
from studio.tables.event import table as e
from studio.tables.event.record import read_body, write_body

Forge = Callable[[e.AnyEvent], e.AnyEvent]
Money = Callable[[Sequence[Transfer]], Sequence[Transfer]]


def forged(kind: type, change: Forge) -> Callable[[Unit], Unit]:
    """Every event of that kind is told otherwise than it was decided."""

    def entry(one: Entry) -> Entry:
        recorded = read_body(one.body)
        if not isinstance(recorded.event, kind):
            return one
        return Entry(one.kind, one.at_ms, write_body(recorded.table, recorded.round, change(recorded.event)))

    def tamper(unit: Unit) -> Unit:
        inside = unit.with_balances
        if inside is None:
            return replace(unit, entries=tuple(map(entry, unit.entries)))

        def told(balance: object) -> object:
            entries, transfers = inside(balance)  # type: ignore[arg-type]
            return tuple(map(entry, entries)), transfers

        return replace(unit, with_balances=told)  # type: ignore[arg-type]

    return tamper


def moved(change: Money) -> Callable[[Unit], Unit]:
    """The money of a correction moves otherwise than it was told."""

    def tamper(unit: Unit) -> Unit:
        inside = unit.with_balances
        if inside is None:
            return unit

        def told(balance: object) -> object:
            entries, transfers = inside(balance)  # type: ignore[arg-type]
            found = tuple(transfers)
            return entries, change(found) if any(one.revision for one in found) else found

        return replace(unit, with_balances=told)  # type: ignore[arg-type]

    return tamper


def with_fields(**changes: object) -> Forge:
    return lambda event: msgspec.structs.replace(event, **changes)


def one_more(found: Sequence[Transfer]) -> Sequence[Transfer]:
    last = found[-1]
    return (
        *found,
        msgspec.structs.replace(last, bet=f"{last.bet}x", kind="return", debit=last.debit, credit=last.credit),
    )


TELL = {
    "another-digest-asked": forged(e.CorrectionAsked, with_fields(digest="0" * 64)),
    "other-sums-asked": forged(e.CorrectionAsked, with_fields(sums=())),
    "another-result-asked": forged(e.CorrectionAsked, with_fields(after={})),
    "approved-by-the-same": forged(e.CorrectionApproved, with_fields(approved_by="p1")),
    "approved-by-nobody": forged(e.CorrectionApproved, with_fields(approved_by="")),
    "approved-for-void-instead": forged(e.CorrectionApproved, with_fields(void=True)),
    "another-policy": forged(e.CorrectionApproved, with_fields(claw_back={"north": "write_off"})),
    "another-exception": forged(e.ExceptionRecorded, with_fields(approved_by="p9")),
    "no-exception": forged(e.ExceptionRecorded, with_fields(revision=0)),
    "a-chunk-too-far": forged(e.BetsResettled, with_fields(cursor=99)),
    "a-purse-that-was-short": forged(
        e.BetsResettled,
        with_fields(
            shorts=(Short(bet_id="x", account="bettor:north:ann", currency="EUR", amount_minor=1, policy="x"),)
        ),
    ),
    "other-returns": forged(e.RoundResettled, with_fields(returns_minor=1)),
    "another-result": forged(e.RoundResettled, with_fields(outcome={})),
    "another-revision": forged(e.RoundResettled, with_fields(revision=2)),
    "a-missing-reversal": moved(lambda found: [one for one in found if one.kind != "reverse_return"]),
    "a-missing-return": moved(lambda found: [one for one in found if one.kind != "return"]),
    "a-return-of-one-more": moved(
        lambda found: (*found[:-1], msgspec.structs.replace(found[-1], amount_minor=found[-1].amount_minor + 1))
    ),
    "a-difference-too-many": moved(one_more),
    "another-order": moved(lambda found: tuple(reversed(found))),
}


@pytest.mark.parametrize("tamper", TELL.values(), ids=TELL)
def test_a_correction_told_or_moved_otherwise_is_found(tamper: Callable[[Unit], Unit]) -> None:
    table = Bench()
    with closing(table):
        dealt(table)
        audit(steps(table.store.connection))
        fact = replaced(table, "player1", 3, "Ts"), replaced(table, "player3", 3, "Ah")
        ask_and_pay(table, tamper, *fact)
        with pytest.raises(WrongError):
            audit(steps(table.store.connection))


def test_the_same_correction_untouched_is_right() -> None:
    table = Bench()
    with closing(table):
        dealt(table)
        ask_and_pay(table, lambda unit: unit, replaced(table, "player1", 3, "Ts"), replaced(table, "player3", 3, "Ah"))
        audit(steps(table.store.connection))


def ask_and_pay(table: Bench, tamper: Callable[[Unit], Unit], *facts: e.Righting) -> None:
    table.tamper = tamper
    ask(table, *facts)
    approve(table)
    while table.state.aftermath.corrections.current is not None and table.table.pay(table.now):
        table.now += 1


@pytest.mark.parametrize("end", ["lapsed", "declined", "carried out"])
def test_a_file_with_a_correction_is_right_however_that_ended(tmp_path: Path, end: str) -> None:
    path = tmp_path / "studio.db"
    with closing(Bench(path=str(path))) as table:
        dealt(table)
        ask(table, void=True)
        match end:
            case "lapsed":
                table.wait(61)
            case "declined":
                table.do(c.DeclineCorrection, PIT_TOO, correction="t1-c1")
            case _:
                approve(table)
                table.pay()
        assert table.state.aftermath.corrections.current is None
    assert verify(path).first_wrong is None


def test_a_correction_moved_a_second_time_is_found() -> None:
    """The same transfers once more, under a revision nobody has agreed to."""
    table = Bench()
    with closing(table):
        dealt(table)
        ask_and_pay(table, lambda unit: unit, replaced(table, "player3", 3, "Ah"))
        with table.store.reader() as reader:
            again = [
                msgspec.structs.replace(one, revision=2)
                for one in reader.transfers(table.round.id)
                if one.revision == 1
            ]
        table.writer.commit(Unit(transfers=tuple(again)))
        with pytest.raises(WrongError):
            audit(steps(table.store.connection))


def test_a_deposit_that_does_not_repay_what_is_owed_is_found() -> None:
    from studio.money import bettor_account, operator_account

    table = Bench()
    with closing(table):
        dealt(table)
        account = bettor_account("north", "ann")
        out = Transfer("", "o", "withdraw", account, operator_account("north"), table.balance(), "EUR")
        table.writer.commit(Unit(transfers=(out,)))
        ask_and_pay(table, lambda unit: unit, replaced(table, "player1", 3, "Ts"))
        audit(steps(table.store.connection))
        table.deposit(500)
        with pytest.raises(WrongError, match="repay"):
            audit(steps(table.store.connection))
