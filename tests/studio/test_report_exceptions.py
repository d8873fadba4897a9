"""A pit boss can do nothing that is not in the exception report: what names a person is told, no act goes unnamed."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from correction_bench import ask, dealt
from table_bench import DEALER, PIT, PIT_TOO, Bench, bench

import studio
from studio.decks.deck_event import AnyDeckEvent, DeckIssued, DeckLoaded, DeckReceived, write_deck_body
from studio.journal import Entry, Unit
from studio.people import Actor
from studio.people.record import write_staff
from studio.people.staff_event import AnyStaffEvent, StaffAdded, StaffSignedIn
from studio.reports import ReportAsked, cut
from studio.reports.exception import PERSON_FIELDS, SILENT, acts
from studio.reports.exception import make as exception_report
from studio.reports.record.standing import standings
from studio.rounds import HandsExchanged
from studio.tables import command as c
from studio.tables.decide import NAMES_A_PERSON, OBEYED

ROOT = Path(studio.__file__).parent
NO_ACT = {"BreakBegun", "BreakEnded"}
"""Somebody goes for a break and comes back, or is sent: coming and going, told in the register."""


def _events() -> Iterator[type[msgspec.Struct]]:
    """Every kind of event of every desk, wherever its file lies."""
    for path in sorted((*ROOT.glob("*/*event.py"), *ROOT.glob("*/event/*.py"))):
        module = importlib.import_module("studio." + ".".join(path.relative_to(ROOT).with_suffix("").parts))
        for found in vars(module).values():
            if isinstance(found, type) and issubclass(found, msgspec.Struct) and found.__struct_config__.tag:
                yield found


EVENTS = {one.__name__: one for one in _events()}


def test_all_desks_are_looked_at() -> None:
    assert {"IncidentRuled", "StaffBarred", "ShiftClosed", "DeckDestroyed", "PersonActed"} <= set(EVENTS)


_TOLD_BEFORE = {"opened_by", "seen_by"}
"""Who did something that has a row of its own: opened the shift, froze the table that the alarm tells of."""


@pytest.mark.parametrize("kind", sorted(EVENTS))
def test_a_kind_that_names_a_person_is_told(kind: str) -> None:
    fields = set(EVENTS[kind].__struct_fields__)
    people = {name for name in fields if name == "by" or name.endswith("_by")}
    assert people <= set(PERSON_FIELDS) | _TOLD_BEFORE, "name the field in PERSON_FIELDS"
    if people & set(PERSON_FIELDS):
        assert kind not in SILENT - NO_ACT


def test_what_names_an_actor_at_a_table_is_what_the_report_looks_for() -> None:
    assert set(NAMES_A_PERSON) <= set(PERSON_FIELDS)


def test_every_command_is_carried_out_where_nobody_stays_unnamed() -> None:
    assert set(c.COMMANDS) <= set(OBEYED)


def _told(table: Bench) -> list[tuple[str, str, tuple[str, ...]]]:
    with table.store.reader() as reader:
        asked = ReportAsked(reader, cut(reader, None, None))
        return [(one.what, one.detail, one.people) for one in acts(asked, standings(asked))]


def _acts_of(table: Bench, actor: Actor) -> set[str]:
    return {detail if what == "PersonActed" else what for what, detail, people in _told(table) if actor.id in people}


def test_what_only_dealers_used_to_do_is_told_of_a_pit_boss() -> None:
    with bench() as table:
        table.open()
        table.do(c.StartRound, PIT)
        table.burn()
        table.do(c.OpenBetting, PIT)
        assert {"StartRound", "OpenBetting"} <= _acts_of(table, PIT)


def test_the_dealers_own_work_at_his_table_is_not_told() -> None:
    with bench() as table:
        table.open()
        table.start().betting()
        table.do(c.CallPit)
        assert _acts_of(table, DEALER) == set()


def test_freezing_pausing_releasing_and_shoe_changes_are_told() -> None:
    with bench() as table:
        table.open()
        table.do(c.WithdrawShoe, table.pin(PIT), reason_code="deck_wrong", words="Bent.")
        table.do(c.PauseTable, PIT)
        table.do(c.ResumeTable, PIT)
        table.do(c.FreezeTable, PIT)
        table.do(c.ReleaseTable, table.pin(PIT), reason_code="other", words="All well.")
        wanted = {"TableOpened", "WithdrawShoe", "TablePaused", "TableResumed", "TableFrozen", "TableReleased"}
        assert wanted <= _acts_of(table, PIT)


def test_a_ruling_is_told_with_both_people_the_reason_and_the_change() -> None:
    with bench() as table:
        table.open()
        table.start().betting()
        table.report("exposed_card")
        table.rule("void_round", PIT)
        with table.store.reader() as reader:
            sheet = exception_report(ReportAsked(reader, cut(reader, None, None))).sheet("acts")
        told = [row for row in sheet.rows if row[sheet.place("act")] == "ExceptionRecorded"]
        assert [row[sheet.place("people")] for row in told] == [PIT.id]
        assert told[0][sheet.place("reason")] == "seen"
        assert told[0][sheet.place("before")] != told[0][sheet.place("after")]
        table.pay()


# --- what the report goes by is not fooled ----------------------------------------------------------------


def _staff(table: Bench, *events: AnyStaffEvent) -> None:
    table.writer.commit(Unit(tuple(Entry(type(one).__name__, one.at_ms, write_staff(one)) for one in events)))


def _decks(table: Bench, *events: AnyDeckEvent) -> None:
    table.writer.commit(Unit(tuple(Entry(type(one).__name__, one.at_ms, write_deck_body(one)) for one in events)))


def _joined(table: Bench, id: str, by: str) -> StaffAdded:
    return StaffAdded(at_ms=table.now, id=id, badge=id, name=id, roles=("pit_boss",), pin_hash="", by=by)


def test_a_change_of_the_staff_from_the_command_line_is_told_once_the_house_is_at_work() -> None:
    with bench() as table:
        table.open()
        _staff(table, _joined(table, "p1", "system"), StaffSignedIn(at_ms=table.now, id="p1", station="one"))
        _staff(table, _joined(table, "p9", "system"))
        assert [what for what, _, people in _told(table) if "system" in people] == ["StaffAdded"]


def test_a_deck_the_dealer_loads_at_his_table_is_his_ordinary_work_and_told_of_anybody_else() -> None:
    with bench() as table:
        table.open()
        given = {"at_ms": table.now, "deck": "RED-1"}
        taken_in = {"beside": PIT_TOO.id, "design": "plain", "back": "red", "packs": 1, "seal": "S1", "mark": "A"}
        _decks(
            table,
            DeckReceived(**given, by=PIT.id, **taken_in, place="Cage"),
            DeckIssued(**given, by=PIT.id, table="t1", seal="S1"),
            DeckLoaded(**given, by=DEALER.id, table="t1", name="A"),
            DeckLoaded(**given, by=PIT.id, table="t1", name="A"),
        )
        assert [people for what, _, people in _told(table) if what == "DeckLoaded"] == [(PIT.id,)]


def test_somebody_whose_id_is_the_name_of_a_device_is_told_all_the_same() -> None:
    with bench(camera="eye-1") as table:
        named = Actor("eye-1", "Petra", PIT.roles)
        table.open()
        table.do(c.PauseTable, named)
        with table.store.reader() as reader:
            asked = ReportAsked(reader, cut(reader, None, None), names={named.id: named.name})
            assert [one.what for one in acts(asked, standings(asked)) if named.id in one.people] == ["TablePaused"]


def test_of_a_correction_the_words_are_told_and_not_the_whole_result() -> None:
    with bench() as table:
        dealt(table)
        ask(table, HandsExchanged(a="player1", b="player3"))
        with table.store.reader() as reader:
            asked = ReportAsked(reader, cut(reader, None, None))
            [told] = [one for one in acts(asked, standings(asked)) if one.what == "CorrectionAsked"]
        assert (str(told.before), str(told.after)) == (
            "player1 and player3 as recorded",
            "player1 and player3 exchanged",
        )
