"""What a shift hands over: everything that waits for somebody, at every table and beside the tables."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from altered import altered
from console_visitor import Visitor, app_over
from fake_floor import BETTING, DEALING, IDLE, NOW_MS, FakeFloor, held, incident

from dealer_ui.floor.watch import PitWatch
from dealer_ui.pages.shift.matter import matters_of
from studio.pit import pit_event as e
from studio.pit.alarm import ESCALATE_MS
from studio.pit.message import MessageDraft, compose
from studio.views.shape import CaseView, CorrectionView, RequestView, SealedView, SeatView, TableView, UnsealingView

FIRST, SECOND = replace(IDLE, table="t1", title="Table 1"), replace(BETTING, table="t2", title="Table 2")
CORRECTION = CorrectionView(
    "C-1", "t2-7", 7, False, ("Kh", "Qh"), 3, (), RequestView("p1", "Paul Pit", "other", "seen", 9)
)  # fmt: skip
UNSEALING = UnsealingView("U-1", "t2-7", 7, "x", "burn", 1, 1, RequestView("p1", "Paul Pit", until_ms=9))


def told(*views: TableView) -> list[tuple[str, str, str]]:
    return [(one.table, one.what, one.kind or one.about) for one in matters_of(FakeFloor(*views))]  # type: ignore[arg-type]


def test_an_open_complaint_is_handed_over_and_an_answered_one_is_not() -> None:
    floor = FakeFloor(FIRST, SECOND)
    for number, table in ((1, "t1"), (2, "t2")):
        floor.pit.record(
            (e.ComplaintMade(
                id=f"C-{number}", operator="north", client_id=f"c{number}", bettor="ann", table=table,
                round=f"{table}-12", words="The window closed early.", at_ms=NOW_MS,
            ),)
        )  # fmt: skip
    answer = e.ComplaintAnswered(
        id="C-1", outcome="declined", words="It did not.", by="petra", by_name="Petra", at_ms=NOW_MS
    )
    floor.pit.record((answer,))
    floor.shifts.open(floor.staff.actor("petra"))
    page = Visitor(app_over(floor), "petra").page("/shift")
    assert "Nothing is open" not in page
    assert re.search(r"Table 2</b> <span>A complaint is not answered: t2-12</span><a [^>]*complaint-C-2", page)
    closed = floor.shifts.close(
        floor.staff.confirm_pin("petra", "590427"), "One complaint.", matters_of(floor)  # type: ignore[arg-type]
    )  # fmt: skip
    assert [(one.what, one.id, one.since_ms) for one in closed.matters] == [("complaint", "C-2", NOW_MS)]


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"now": {"held": True, "frozen_by": "dora", "frozen_by_name": "Dora Deal"}}, [("held", "Dora Deal")]),
        ({"aftermath": {"cases": (CaseView("t2-7", "I-1", "first5", "", NOW_MS, True, 1, 900, ""),)}},
         [("case", "first5")]),
        ({"aftermath": {"correction": CORRECTION}}, [("correction", "Paul Pit")]),
        ({"aftermath": {"correction": replace(CORRECTION, approved_by="p2")}}, [("paying", "Paul Pit")]),
        ({"aftermath": {"sealed": SealedView(1, UNSEALING)}},
         [("unsealing", "Paul Pit")]),
        ({"now": {"pit_called_by": "dora", "pit_called_by_name": "Dora Deal"}}, [("call", "Dora Deal")]),
        ({"seat": SeatView(relief="d2", relief_name="Hana", relief_at_ms=5)}, [("relief", "Hana")]),
        ({"seat": SeatView(stood_down="Dora Deal")}, [("no_dealer", "Dora Deal")]),
        ({"devices": {"links": {"shoe": False, "camera": True}}}, [("device", "shoe")]),
        ({"devices": {"links": {"camera": True}, "camera_blind": "dark"}}, [("blind", "dark")]),
        ({"now": {"status": "closed"}, "devices": {"links": {"shoe": False}, "camera_blind": "dark"}}, []),
    ],
)  # fmt: skip
def test_what_waits_at_a_table_is_handed_over(changes: dict[str, object], found: list[tuple[str, str]]) -> None:
    here = [one for one in told(FIRST, altered(SECOND, **changes)) if one[1] != "unseen"]
    assert here == [("t2", *one) for one in found]


def test_an_incident_a_second_person_and_an_alarm_nobody_has_seen_are_handed_over() -> None:
    asked = incident("exposed_card", asked={"by": "p1", "by_name": "Paul Pit", "ruling": "void_round"})
    floor = FakeFloor(FIRST, replace(held(DEALING, asked), table="t2", title="Table 2"))
    watch = PitWatch(floor)  # type: ignore[arg-type]
    watch.step()
    kinds = [(one.what, one.kind or one.about) for one in matters_of(floor)]  # type: ignore[arg-type]
    assert kinds == [("incident", "exposed_card"), ("ruling", "Paul Pit"), ("unseen", "held")]
    floor.clock_ms += ESCALATE_MS
    petra = Visitor(app_over(floor), "petra")
    seen = petra.client.post(
        "/pit/act", json={"act": "acknowledge_alarm", "alarm": "A-1"}, headers={"X-CSRF-Token": petra.csrf}
    )
    assert seen.status_code == 200
    assert [one.what for one in matters_of(floor)] == ["incident", "ruling"]  # type: ignore[arg-type]


def test_a_message_that_stands_until_it_is_taken_away_is_handed_over() -> None:
    floor = FakeFloor(FIRST, SECOND)
    for stays in (True, False):
        shown = compose(
            MessageDraft("t1", "technical", "", stays), floor.staff.actor("paul"), (), stopped=False, round="r"
        )
        floor.pit.record((replace_id(shown, f"M-{stays:d}"),))
    assert [(one.what, one.id, one.kind) for one in matters_of(floor)] == [("message", "M-1", "technical")]  # type: ignore[arg-type]


def replace_id(shown: e.MessageShown, id: str) -> e.MessageShown:
    return e.MessageShown(
        id=id, table=shown.table, text=shown.text, words=shown.words, until=shown.until, round=shown.round,
        by=shown.by, by_name=shown.by_name, at_ms=NOW_MS,
    )  # fmt: skip
