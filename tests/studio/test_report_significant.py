"""The report of significant events: which rows are told, in which class, with whom, and until when."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from correction_bench import correct, dealt, replaced
from table_bench import CONFIG, DEAL, PIT, PROOF, Bench, bench
from test_report_exceptions import EVENTS

from dealer_ui.config.shape import RegulatorSection
from studio.care.event import PartFound, ProgramAccepted, ProgramFound, entry_of
from studio.care.program import digest_of
from studio.cli.report import command
from studio.journal import Entry, Unit
from studio.operators.bettor_event import BettorBlocked, write_bettor
from studio.people.paper_event import StaffBarred
from studio.people.record import write_staff
from studio.people.staff_event import StaffAdded, StaffLockedOut
from studio.reports import Regard, Report, ReportAsked, ReportChoice, between, cut
from studio.reports.exception import make as exceptions
from studio.reports.significant import _LARGE, CLASSES, LARGE, _due, make
from studio.tables import command as c
from studio.tables.config import Limit

MINUTE_MS = 60_000


def told(table: Bench, regard: Regard | None = None) -> Report:
    with table.store.reader() as reader:
        return make(ReportAsked(reader, cut(reader, None, None), regard=regard or Regard()))


def lines(report: Report, *columns: str) -> list[tuple[object, ...]]:
    sheet = report.sheet("events")
    return [tuple(row[sheet.place(one)] for one in columns) for row in sheet.rows]


def of_class(report: Report, sort: str, *columns: str) -> list[tuple[object, ...]]:
    return [row[1:] for row in lines(report, "class", *columns) if row[0] == sort]


def keep(table: Bench, *entries: Entry) -> None:
    table.writer.commit(Unit(entries=entries))


def test_every_kind_that_is_told_is_a_kind_the_record_has() -> None:
    kinds = {kind for sort, kinds in CLASSES.items() if sort != LARGE for kind in kinds}
    assert kinds - set(EVENTS) == {"LinkDown"}


def test_a_void_round_and_a_frozen_table_are_told_with_who_did_it() -> None:
    with bench() as table:
        table.open()
        table.start().betting()
        table.do(c.FreezeTable, PIT)
        table.do(c.ReleaseTable, table.pin(PIT), reason_code="other", words="All well.")
        table.report("exposed_card")
        table.rule("void_round", PIT)
        report = told(table)
        assert of_class(report, "floor", "act", "people", "table") == [("TableFrozen", PIT.id, "t1")]
        found = of_class(report, "result", "act", "people", "before", "after")
        assert ("ExceptionRecorded", PIT.id) in {row[:2] for row in found}
        assert all(before != after for act, _, before, after in found if act == "ExceptionRecorded")
        table.pay()


def test_an_event_that_is_told_says_until_when_and_another_does_not() -> None:
    with bench() as table:
        table.open()
        table.start().betting()
        table.report("exposed_card")
        table.rule("void_round", PIT)
        report = told(table, Regard(told=("result",), tell_ms=60 * MINUTE_MS))
        due = {sort: tell_by for sort, at, tell_by in lines(report, "class", "at", "tell_by")}
        assert due["game"] is None
        assert [tell_by - at for at, tell_by in of_class(report, "result", "at", "tell_by")] != []  # type: ignore[operator]
        assert {tell_by - at for at, tell_by in of_class(report, "result", "at", "tell_by")} == {60 * MINUTE_MS}  # type: ignore[operator]
        assert "within 1 h of" in " ".join(note.english for note in report.loud)
        table.pay()


def test_a_device_that_was_away_is_an_outage_from_five_minutes_on() -> None:
    with bench() as table:
        table.open()
        for seconds in (299, 301):
            table.links(up=False, only=("camera",))
            table.now += seconds * 1000
            table.links(only=("camera",))
        [(device, lasted)] = of_class(told(table), "outage", "words", "lasted")
        assert device == "camera"
        assert 301_000 <= lasted < 302_000  # type: ignore[operator]
        assert len(of_class(told(table, Regard(outage_ms=MINUTE_MS)), "outage", "lasted")) == 2


def test_a_studio_that_was_down_is_an_outage() -> None:
    with bench() as table:
        table.open()
        began = table.now
        table.now += 10 * MINUTE_MS
        found = ProgramFound(
            at_ms=table.now, why="start", version="1", digest=digest_of({"a": "1"}),
            changed=(PartFound(part="a", digest="1"),),
        )  # fmt: skip
        keep(table, entry_of(found))
        [(act, at, lasted)] = of_class(told(table), "outage", "act", "at", "lasted")
        assert act == "StudioStopped"
        assert at == began
        assert lasted == 10 * MINUTE_MS


def test_another_program_is_told_by_its_parts_and_a_look_that_found_nothing_is_not() -> None:
    with bench() as table:
        parts = {f"studio/{one}": one for one in "abcde"}
        changed = tuple(PartFound(part=part, digest=one) for part, one in parts.items())
        was, at_first = {"studio/a": "0"}, (PartFound(part="studio/a", digest="0"),)
        first = ProgramFound(at_ms=table.now, why="start", version="0.9", digest=digest_of(was), changed=at_first)
        keep(table, entry_of(first))
        assert of_class(told(table), "program", "act") == [], "a first program differs from none"
        other = ProgramFound(at_ms=table.now, why="day", version="1.0", digest=digest_of(parts), changed=changed)
        again = ProgramFound(at_ms=table.now + 1, why="day", version="1.0", digest=digest_of(parts), changed=())
        accepted = ProgramAccepted(at_ms=table.now + 2, version="1.0", digest="d" * 64, by="Mika (root)", reason="17")
        keep(table, *map(entry_of, (other, again, accepted)))
        assert of_class(told(table), "program", "act", "people", "words") == [
            ("ProgramFound", "", "1.0 · studio/a · studio/b · studio/c + 2"),
            ("ProgramAccepted", "Mika (root)", "17 · dddddddddddd"),
        ]


def test_what_is_a_large_sum_is_said_by_currency() -> None:
    with bench() as table:
        table.open()
        table.deposit(50_000)
        table.deposit(49_999, "ben")
        report = told(table, Regard(large_minor={"EUR": 50_000}))
        found = of_class(report, "large", "act", "bettor", "sum")
        assert [(act, bettor, money.amount_minor) for act, bettor, money in found] == [("deposit", "north/ann", 50_000)]  # type: ignore[attr-defined]
        assert of_class(told(table, Regard(large_minor={"JPY": 1})), "large", "act") == []
        assert "No sum is called large" in " ".join(note.english for note in told(table).sheet("by_class").notes)


def test_a_large_return_is_told_with_its_round() -> None:
    with bench() as table:
        table.open()
        table.deposit(50_000)
        table.start().betting(("player2_lose", 1_000))
        table.deal(*DEAL)
        table.finish()
        found = of_class(told(table, Regard(large_minor={"EUR": 1_500})), "large", "act", "bettor", "round", "table")
        assert ("return", "north/ann", "t1-0000001", "t1") in found


def large(table: Bench, least_minor: int, *, after_seq: int = 0) -> list[tuple[object, ...]]:
    """The large sums told of what happened after that row: what, whose, how much."""
    with table.store.reader() as reader:
        period = between(reader, after_seq, reader.head().seq, begin_ms=0, end_ms=table.now)
        report = make(ReportAsked(reader, period, regard=Regard(large_minor={"EUR": least_minor})))
    found = of_class(report, "large", "act", "bettor", "sum")
    return [(act, bettor, money.amount_minor) for act, bettor, money in found]  # type: ignore[attr-defined]


def test_what_a_correction_took_back_is_no_part_of_a_large_return() -> None:
    with bench() as table:
        dealt(table, bets=(("player3_win", 1_000),))
        for face in ("As", "2d", "As"):
            correct(table, replaced(table, "player3", 3, face))
        got = table.balance() - 9_000
        assert large(table, got) == [("deposit", "north/ann", 10_000), ("return", "north/ann", got)]
        assert large(table, got + 1) == [("deposit", "north/ann", 10_000)]


def test_a_return_that_a_correction_made_large_is_told_in_the_span_of_the_correction() -> None:
    with bench() as table:
        dealt(table, bets=(("player2_lose", 1_000), ("player3_win", 1_000)))
        first = table.balance() - 8_000
        with table.store.reader() as reader:
            settled = reader.head().seq
        correct(table, replaced(table, "player3", 3, "As"))
        both = table.balance() - 8_000
        assert both > first > 1_000
        assert large(table, both, after_seq=settled) == [("return", "north/ann", both)]
        with table.store.reader() as reader:
            corrected = reader.head().seq
        correct(table, replaced(table, "player3", 3, "2d"))
        assert large(table, first, after_seq=corrected) == []


def test_what_came_before_the_span_is_found_by_its_round_and_not_by_reading_the_record() -> None:
    with bench() as table, table.store.reader() as reader:
        plan = [str(line[3]) for line in reader.read(f"EXPLAIN QUERY PLAN {_LARGE}", (1, 2, "EUR", 5))]
    assert sum("ledger_once" in line for line in plan) == 2, plan
    assert not [line for line in plan if "ledger" in line and line.endswith("(rowid<?)")]


def test_locked_badges_and_blocked_bettors_are_told() -> None:
    with bench() as table:
        dana = StaffAdded(
            id="d1", at_ms=table.now, badge="1", name="Dana", roles=("dealer",), pin_hash="x", by="system"
        )
        locked = StaffLockedOut(id="d1", at_ms=table.now, until_ms=table.now + 1, address="10.0.0.1", station="s")
        blocked = BettorBlocked(operator="north", bettor="ann", at_ms=table.now + 1)
        keep(
            table, Entry("StaffAdded", dana.at_ms, write_staff(dana)),
            Entry("StaffLockedOut", locked.at_ms, write_staff(locked)),
            Entry("BettorBlocked", blocked.at_ms, write_bettor(blocked)),
        )  # fmt: skip
        report = told(table)
        assert len(of_class(report, "door", "act")) == 1
        assert of_class(report, "bettor", "act", "bettor") == [("BettorBlocked", "north/ann")]


def test_another_game_at_a_table_is_told_with_when_what_and_who() -> None:
    with bench() as table:
        table.open()
        opened = of_class(told(table), "game", "act", "table")
        assert opened == [("TableConfigured", "t1")], "a table that is offered for the first time"
        table.wait(90)
        given = {
            "preset": "holdem", "game": "ultimate_holdem", "rules": {}, "window_s": 12.0, "proof": PROOF,
            "limits": {"*": Limit(least_minor=500, most_minor=5_000)}, "reason_code": "other", "words": "A quiet day.",
        }  # fmt: skip
        table.do(c.ChangeTable, table.pin(PIT), **given)
        columns = ("act", "at", "table", "people", "before", "after", "words")
        [changed] = [row for row in of_class(told(table), "game", *columns) if row[0] == "TableChanged"]
        act, at, where, people, before, after, words = changed
        assert (act, at, where, people, words) == ("TableChanged", table.now, "t1", PIT.id, "A quiet day.")
        assert str(before).startswith("Three Knights; ")
        assert str(after).startswith("Ultimate")


def test_a_table_is_told_alone_where_it_is_named() -> None:
    with bench() as table:
        table.open()
        with table.store.reader() as reader:
            report = make(ReportAsked(reader, cut(reader, None, None), ReportChoice(table="t9")))
        assert {row[0] for row in lines(report, "table")} <= {""}


# --- from outside -----------------------------------------------------------------------------------------


def test_the_command_takes_what_is_large_and_refuses_what_is_no_sum(tmp_path: Path) -> None:
    path = tmp_path / "studio.db"
    table = Bench(CONFIG, path=str(path))
    table.open()
    table.deposit(50_000)
    table.writer.close()
    table.store.close()
    asked = ["significant", "--db", str(path), "--json"]
    done = CliRunner().invoke(command, [*asked, "--large", "EUR=500.00"], catch_exceptions=False)
    rows = json.loads(done.stdout)["sheets"]["events"]["rows"]
    assert [row["bettor"] for row in rows if row["class"] == "large"] == ["north/ann"]
    for wrong in ("500", "EUR=much", "EUR"):
        done = CliRunner().invoke(command, [*asked, "--large", wrong])
        assert done.exit_code == 1
        assert "write currency and amount" in done.output


def test_the_configuration_says_what_is_told_and_refuses_a_class_there_is_not() -> None:
    section = RegulatorSection(large_minor={"EUR": 100}, outage_min=2, tell=("door",), tell_within_h=1)
    assert section.regard == Regard({"EUR": 100}, 2 * MINUTE_MS, ("door",), 60 * MINUTE_MS)
    assert RegulatorSection().regard == Regard()
    with pytest.raises(ValueError, match="There is no class 'gossip'"):
        RegulatorSection(tell=("gossip",))


def test_a_first_program_with_damaged_files_is_told_by_these_alone() -> None:
    with bench() as table:
        changed = (PartFound(part="studio/a", digest="1"),)
        found = ProgramFound(
            at_ms=table.now,
            why="start",
            version="1.0",
            digest=digest_of({"studio/a": "1"}),
            changed=changed,
            damaged=("flask/app.py",),
        )
        keep(table, entry_of(found))
        assert of_class(told(table), "program", "words") == [("1.0 · flask/app.py",)]


def test_one_event_is_told_in_the_singular() -> None:
    assert _due(1, 24).sentence.startswith("One of these is to be told")
    assert _due(2, 24).sentence.startswith("{count} of these are to be told")


def test_whom_of_the_staff_something_was_done_to_is_told() -> None:
    with bench() as table:
        dana = StaffAdded(at_ms=table.now, id="d1", badge="1", name="Dana", roles=("dealer",), pin_hash="", by="system")
        barred = StaffBarred(at_ms=table.now, id="d1", reason="under inquiry", by="p1")
        keep(
            table, Entry("StaffAdded", dana.at_ms, write_staff(dana)),
            Entry("StaffBarred", barred.at_ms, write_staff(barred)),
        )  # fmt: skip
        with table.store.reader() as reader:
            asked = ReportAsked(reader, cut(reader, None, None), names={"d1": "Dana"})
            report, acts = make(asked), exceptions(asked).sheet("acts")
        assert of_class(report, "people", "act", "words") == [
            ("StaffAdded", "Dana"), ("StaffBarred", "Dana · under inquiry"),
        ]  # fmt: skip
        assert [row[acts.place("words")] for row in acts.rows] == ["Dana · under inquiry"]
