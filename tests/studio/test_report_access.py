"""The reports of access and of purses: who may sign in and how he stands, and what lies where and moves no more."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from table_bench import Bench, bench

from studio.care.signing import signer_beside
from studio.cli.archive import command as archive
from studio.journal import Entry, Store, Unit, Writer
from studio.money import Transfer, bettor_account, operator_account
from studio.people.paper_event import StaffBarred
from studio.people.record import write_staff
from studio.people.staff_event import (
    AnyStaffEvent,
    PasskeyCopied,
    PasskeyEnrolled,
    SignInRefused,
    StaffAdded,
    StaffLockedOut,
    StaffPinChanged,
    StaffRetired,
    StaffSignedIn,
)
from studio.reports import Regard, Report, ReportAsked, ReportChoice, cut
from studio.reports.access import make as access_report
from studio.reports.purse import make as purse_report

DAY_MS = 86_400_000


def keep(table: Bench, *events: AnyStaffEvent) -> None:
    table.writer.commit(Unit(tuple(Entry(type(one).__name__, one.at_ms, write_staff(one)) for one in events)))


def joined(id: str, at_ms: int, *roles: str) -> StaffAdded:
    return StaffAdded(
        id=id, at_ms=at_ms, badge=id, name=id.title(), roles=roles or ("dealer",), pin_hash="x", by="system"
    )


def signed_in(id: str, at_ms: int) -> StaffSignedIn:
    return StaffSignedIn(id=id, at_ms=at_ms, station="s")


def access(table: Bench, begin_ms: int | None = None, end_ms: int | None = None) -> Report:
    with table.store.reader() as reader:
        return access_report(ReportAsked(reader, cut(reader, begin_ms, end_ms)))


def purses(table: Bench, end_ms: int | None = None, regard: Regard | None = None, operator: str = "") -> Report:
    """The record goes on until then."""
    keep(table, joined("dana", end_ms or table.now))
    with table.store.reader() as reader:
        choice = ReportChoice(operator=operator)
        return purse_report(ReportAsked(reader, cut(reader, None, end_ms), choice, regard=regard or Regard()))


def cells(report: Report, sheet: str, *columns: str) -> list[tuple[object, ...]]:
    found = report.sheet(sheet)
    return [tuple(row[found.place(one)] for one in columns) for row in found.rows]


def deposit(table: Bench, at_ms: int, amount_minor: int, bettor: str, operator: str = "north") -> None:
    moved = Transfer(
        "", f"{bettor}{at_ms}", "deposit", operator_account(operator), bettor_account(operator, bettor), amount_minor,
        "EUR",
    )  # fmt: skip
    table.writer.commit(Unit(transfers=(moved,), at_ms=at_ms))


# --- access -----------------------------------------------------------------------------------------------


def test_everybody_is_told_with_since_when_last_seen_and_the_age_of_his_pin() -> None:
    with bench() as table:
        now = table.now
        keep(
            table, joined("dana", now, "dealer", "pit_boss"), signed_in("dana", now + 10),
            StaffPinChanged(id="dana", at_ms=now + 20, pin_hash="y", by="ada"),
            signed_in("dana", now + 30), SignInRefused(id="dana", at_ms=now + 40, station="s", reason="wrong_pin"),
        )  # fmt: skip
        told = access(table)
        wanted = ("id", "name", "roles", "stands", "since", "last_seen", "sign_ins", "refused", "pin_since", "ended")
        assert cells(told, "people", *wanted) == [
            ("dana", "Dana", "dealer, pit_boss", "active", now, now + 30, 2, 1, now + 20, None)
        ]


def test_it_is_told_since_when_a_factor_is_asked_for_and_how_many_passkeys_open() -> None:
    with bench() as table:
        now = table.now
        keys = (
            PasskeyEnrolled(id="dana", at_ms=now + at, credential=name, public_key="p", count=0, name=name)
            for at, name in enumerate(("blue", "green", "red"), 1)
        )
        copied = PasskeyCopied(id="dana", at_ms=now + 9, credential="blue", count=0, station="s")
        keep(table, joined("ben", now), joined("dana", now), *keys, copied)
        told = cells(access(table), "people", "id", "factor_since", "passkeys")
        assert told == [("ben", None, 0), ("dana", now + 2, 2)]


def test_whoever_is_barred_locked_or_gone_stands_there_as_such() -> None:
    with bench() as table:
        now = table.now
        keep(
            table, joined("ann", now), joined("ben", now), joined("cat", now), joined("dan", now),
            StaffBarred(id="ann", at_ms=now + 1, reason="under inquiry", by="ada"),
            StaffLockedOut(id="ben", at_ms=now + 1, until_ms=now + DAY_MS),
            StaffRetired(id="cat", at_ms=now + 2, by="ada"),
        )  # fmt: skip
        table.open()
        told = access(table, None, now + 1_000)
        assert cells(told, "people", "id", "stands", "ended") == [
            ("ann", "barred", None), ("ben", "locked", None), ("cat", "left", now + 2), ("dan", "active", None),
        ]  # fmt: skip


def test_sign_ins_are_those_of_the_span_and_the_rest_is_as_it_stood_at_its_end() -> None:
    with bench() as table:
        now = table.now
        keep(table, joined("dana", now), signed_in("dana", now + 10), signed_in("dana", now + 2_000))
        keep(table, joined("late", now + 9_000))
        told = access(table, now + 1_000, now + 5_000)
        assert cells(told, "people", "id", "sign_ins", "last_seen") == [("dana", 1, now + 2_000)]


def test_whoever_has_not_signed_in_for_three_months_is_named() -> None:
    with bench() as table:
        now = table.now
        keep(table, joined("dana", now), joined("seldom", now), joined("gone", now))
        keep(table, StaffRetired(id="gone", at_ms=now + 1, by="ada"), signed_in("dana", now + 91 * DAY_MS))
        table.now += 91 * DAY_MS
        [loud] = access(table).loud
        assert loud.english == "May sign in, and has not for 90 days: Seldom."


def test_a_record_without_staff_has_an_empty_list() -> None:
    with bench() as table:
        assert cells(access(table), "people", "id") == []


# --- purses -----------------------------------------------------------------------------------------------


def test_a_purse_that_nothing_moved_for_a_year_is_dormant() -> None:
    with bench() as table:
        now = table.now
        deposit(table, now, 5_000, "ann")
        deposit(table, now, 7_000, "ben")
        deposit(table, now + 30 * DAY_MS, 1_000, "ben")
        told = purses(table, now + 366 * DAY_MS)
        found = cells(told, "dormant", "operator", "bettor", "opened", "last_moved", "idle_days")
        assert found == [("north", "ann", now, now, 366)]
        assert cells(told, "by_operator", "operator", "currency", "purses", "dormant") == [("north", "EUR", 2, 1)]
        [(held, dormant)] = cells(told, "by_operator", "held_here", "dormant_sum")
        assert (held.amount_minor, dormant.amount_minor) == (13_000, 5_000)  # type: ignore[attr-defined]


def test_how_long_is_long_is_configured_and_an_empty_purse_is_not_dormant() -> None:
    with bench() as table:
        now = table.now
        deposit(table, now, 5_000, "ann")
        back = Transfer("", "w-1", "withdraw", bettor_account("north", "ann"), operator_account("north"), 5_000, "EUR")
        table.writer.commit(Unit(transfers=(back,), at_ms=now + 1))
        deposit(table, now, 1_000, "ben")
        told = purses(table, now + 8 * DAY_MS + 1_000, Regard(dormant_days=7))
        assert cells(told, "dormant", "bettor", "idle_days") == [("ben", 8)]


def test_closing_years_moves_no_purse(tmp_path: Path) -> None:
    """Else no purse of a studio that closes its books each year would ever be dormant."""
    db = tmp_path / "studio.db"
    with closing(Bench(path=str(db))) as table:
        now = table.now
        deposit(table, now, 5_000, "ann")
        deposit(table, now + DAY_MS, 7_000, "ben")
    signer_beside(db, lambda count: bytes(range(count)))
    for year in (2024, 2025):
        said = CliRunner().invoke(archive, [str(db), str(year), "--to", str(tmp_path / "archive"), "--by", "Mika"])
        assert said.exit_code == 0, said.output
    with Store.open(db) as store, store.reader() as reader:
        writer, later = Writer(store), max(row.at_ms for row in reader.events()) + DAY_MS
        put_in = Transfer("", "d-9", "deposit", operator_account("north"), bettor_account("north", "ben"), 1_000, "EUR")
        writer.commit(Unit(transfers=(put_in,), at_ms=later))
        told = purse_report(ReportAsked(reader, cut(reader, None, None, later + DAY_MS)))
        writer.close()
    assert cells(told, "dormant", "bettor", "opened", "last_moved") == [("ann", now, now)]
    assert cells(told, "by_operator", "purses", "dormant") == [(2, 1)]


@pytest.mark.parametrize(("operator", "bettors"), [("north", ["ann"]), ("south", ["ann"]), ("", ["ann", "ann"])])
def test_one_operator_is_told_alone_where_he_is_named(operator: str, bettors: list[str]) -> None:
    with bench() as table:
        now = table.now
        deposit(table, now, 5_000, "ann")
        deposit(table, now, 6_000, "ann", "south")
        told = purses(table, now + 366 * DAY_MS, operator=operator)
        assert [bettor for (bettor,) in cells(told, "dormant", "bettor")] == bettors


def test_a_studio_whose_operators_keep_the_money_says_so() -> None:
    with bench() as table:
        [note] = purses(table).sheet("by_operator").notes
        assert "ever kept" in note.english
