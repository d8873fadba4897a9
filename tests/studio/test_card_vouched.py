"""Two people say what a card is against an eye: felt, replay and report name them, and no overridden eye has a tick."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from table_bench import DEAL, PIT, PIT_TOO, Bench, bench

from dealer_ui.felt.face import marks_of, settled_of
from dealer_ui.verbs.replay import english
from studio.proof.telling.event import Narrator
from studio.reports.exception import make
from studio.reports.record.choice import ReportAsked
from studio.reports.record.period import cut
from studio.tables import command as c
from studio.tables.event import table as e
from studio.tables.event.record import read_body
from studio.views import view_table
from studio.views.shape import CardView, TableView


@pytest.fixture
def table() -> Iterator[Bench]:
    with bench() as one:
        yield one.open().start().betting().deal(*DEAL[:2])


def view(table: Bench) -> TableView:
    return view_table(table.state, table.table.book, 1)


def place(table: Bench, box: str, number: int) -> CardView:
    return next(one for found in view(table).boxes if found.key == box for one in found.places if one.place == number)


def override(table: Bench, card: str, box: str = "player1", number: int = 1) -> None:
    why = {"reason_code": "seen", "words": "We both read it."}
    table.do(c.OverrideCard, table.pin(PIT), box=box, place=number, card=card, **why)
    approve(table)


def approve(table: Bench) -> None:
    [asked] = [one for one in table.state.incidents.open if one.asked]
    assert asked.asked is not None
    table.do(c.ApproveRuling, table.pin(PIT_TOO), incident=asked.id, asked=asked.asked.mark)


def says(table: Bench, box: str = "player1") -> list[tuple[str, str]]:
    return [(mark.eye, mark.says) for mark in marks_of(place(table, box, 1))]


def test_after_an_override_neither_eye_has_a_tick_and_both_people_are_named(table: Bench) -> None:
    assert says(table) == [("shoe", "yes"), ("camera", "yes")]
    assert settled_of(view(table)) == ()
    override(table, "Kd")
    assert place(table, "player1", 1).face == "Kd"
    assert says(table) == [("shoe", "over"), ("camera", "over"), ("people", "settled")]
    [(box, _, vouch)] = settled_of(view(table))
    assert (box, vouch.by_name, vouch.second_name) == ("player1", "Petra", "Pavel")
    assert says(table, "player2") == [("shoe", "yes"), ("camera", "yes")]


@pytest.mark.parametrize(
    ("ruling", "arguments", "marks"),
    [("shoe", (), ["yes", "over"]), ("camera", (), ["over", "yes"]), ("manual", ("Kd",), ["over", "over"]),
     ("manual", ("9c",), ["over", "yes"])],
)  # fmt: skip
def test_the_eye_that_was_right_keeps_its_tick_and_the_other_has_none(
    table: Bench, ruling: str, arguments: tuple[str, ...], marks: list[str]
) -> None:
    table.draw(DEAL[2])
    table.lay("player3", 1, "9c")
    table.rule(ruling, table.pin(PIT), *arguments, kind="card_mismatch")
    if any(one.asked for one in table.state.incidents.open):
        approve(table)
    assert [said for _, said in says(table, "player3")] == [*marks, "settled"]


def test_the_replay_says_who_overrode_what_with_whom(table: Bench) -> None:
    override(table, "Kd")
    narrator = Narrator(table.config, english(table.config.currency), {})
    told = "\n".join(line for event in table.rows() for line in narrator.tell(event))
    assert "by Petra, approved by Pavel" in told
    assert "Player 1, card 1: overridden by Petra with Pavel." in told
    assert "Player 1, card 1 is confirmed by Pavel." in told


def test_the_report_of_exceptions_credits_the_asker_with_asking_and_the_second_with_approving(table: Bench) -> None:
    override(table, "Kd")
    with table.store.reader() as reader:
        report = make(ReportAsked(reader, cut(reader, None, None)))
    acts, people = report.sheet("acts"), report.sheet("by_person")
    [told] = [row for row in acts.rows if row[acts.place("act")] == "ExceptionRecorded"]
    assert (told[acts.place("people")], told[acts.place("approved_by")]) == (PIT.id, PIT_TOO.id)
    counted = {(row[0], row[1]): (row[2], row[3]) for row in people.rows}
    for act in ("IncidentRuled", "ExceptionRecorded"):
        assert (counted[PIT.id, act], counted[PIT_TOO.id, act]) == ((1, 0), (0, 1))


def test_a_ruling_kept_before_names_were_is_told_by_ids() -> None:
    body = (
        b'{"table":"t1","round":"r","event":{"kind":"IncidentRuled","id":"I-1","ruling":"shoe","arguments":[],'
        b'"row":"HG15","asked_by":"p1","approved_by":"p2","reason_code":"seen","words":"w"}}'
    )
    event = read_body(body).event
    assert isinstance(event, e.IncidentRuled)
    assert (event.asked_by_name, event.approved_by_name) == ("", "")
