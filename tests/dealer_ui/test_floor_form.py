"""What simulated people send is what a console's form says: the house reads the same command from it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from werkzeug.datastructures import MultiDict

from dealer_ui.frame.command_form import read_command, read_fields
from dealer_ui.rehearsal.floor.form import form_of
from studio.people import Actor
from studio.tables import command as c
from studio.tables.declaration import Command, name_of

DEWI = Actor("d1", "Dewi", frozenset({"dealer"}))
SAID = (
    c.StartRound(actor=DEWI),
    c.OpenBetting(actor=DEWI),
    c.CloseBetting(actor=DEWI),
    c.DeclareResult(actor=DEWI),
    c.EndCount(actor=DEWI),
    c.LoadShoe(actor=DEWI, deck_id="A-17"),
    c.ReportIncident(actor=DEWI, kind="extra_card", circumstances=(("cards", "1"),), box="shark", place=2),
    c.RuleIncident(actor=DEWI, incident="i7", ruling="swap_hands", arguments=("shark", "king"), reason_code="other"),
    c.ApproveRuling(actor=DEWI, incident="i7", asked="a1"),
    c.DeclineRuling(actor=DEWI, incident="i7"),
    c.ResumeTable(actor=DEWI),
    c.ReleaseTable(actor=DEWI, reason_code="checked", words="all in order"),
    c.AnswerCall(actor=DEWI),
    c.CloseTable(actor=DEWI),
    c.DismissSeat(actor=DEWI, seat="seat2", reason_code="closing", words="the table closes"),
)


@pytest.mark.parametrize("command", SAID, ids=lambda one: name_of(type(one)))
def test_a_form_says_the_whole_command(command: Command) -> None:
    pressed = replace(command, id="x1", seen=7)
    fields = read_fields(dict(form_of(pressed)), MultiDict())
    assert read_command(fields, DEWI, "t1") == pressed


def test_the_name_of_a_dealer_is_the_houses_to_say() -> None:
    said = form_of(c.OpenTable(actor=DEWI, dealer="d1", dealer_name="Dewi", id="x1"))
    assert said == {"command": "open_table", "id": "x1", "dealer": "d1"}
