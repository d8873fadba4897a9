"""The pit's book is strict: `verify` folds the same facts, and what cannot have happened is found."""

from __future__ import annotations

import pytest

from studio.errors import BadInputError
from studio.journal.extract.walk import WalkStep
from studio.pit import AnyPitEvent, PitBook, evolve_pit
from studio.pit import pit_event as e
from studio.proof.audit.book import PitAudit
from studio.proof.audit.wrong import WrongError

RAISED = e.AlarmRaised(id="A-1", cause="device:cam", word="device", tables=("t1",), at_ms=1)
SEEN = e.AlarmAcknowledged(id="A-1", by="p1", by_name="Made", at_ms=2)
ENDED = e.AlarmEnded(id="A-1", at_ms=3)
MADE = e.ComplaintMade(id="C-1", operator="n", client_id="c", bettor="b", table="t1", round="r", words="w", at_ms=1)
ANSWERED = e.ComplaintAnswered(id="C-1", outcome="declined", words="no", by="p1", by_name="Made", at_ms=2)
DRAINED = e.HostDrained(host="a", tables=("t1",), by="p1", by_name="Made", reason_code="drill", words="w", at_ms=1)
SENT = e.TableSent(table="t1", to="b", by="p1", by_name="Made", reason_code="drill", words="w", at_ms=1)
KEPT = e.TableKept(table="t1", by="p1", by_name="Made", at_ms=2)

IMPOSSIBLE: dict[str, tuple[AnyPitEvent, ...]] = {
    "acknowledged twice": (RAISED, SEEN, SEEN),
    "acknowledged after its end": (RAISED, ENDED, SEEN),
    "raised twice under one id": (RAISED, RAISED),
    "ended and never raised": (ENDED,),
    "answered twice": (MADE, ANSWERED, ANSWERED),
    "answered and never made": (ANSWERED,),
    "a message ended that never stood": (e.MessageEnded(id="M-1", at_ms=1),),
    "a host drained twice": (DRAINED, DRAINED),
    "a host taken back that was not drained": (e.HostReturned(host="a", tables=(), by="p1", by_name="Made", at_ms=1),),
    "a table kept that was not sent": (e.TableKept(table="t1", by="p1", by_name="Made", at_ms=1),),
    "a table kept twice": (SENT, KEPT, KEPT),
    "a table that arrives elsewhere": (SENT, e.TableArrived(table="t1", host="c", at_ms=2)),
    "a release without a freeze": (
        e.FloorReleased(id="F-1", tables=(), by="p1", by_name="Made", reason_code="drill", words="w", at_ms=1),
    ),
}


def step(seq: int, event: AnyPitEvent, kind: str = "") -> WalkStep:
    return WalkStep(seq, event.at_ms, kind or type(event).__name__, e.write_row(event), ())


@pytest.mark.parametrize("events", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_verify_finds_the_row_that_cannot_have_happened(events: tuple[AnyPitEvent, ...]) -> None:
    book, audit = PitBook(), PitAudit()
    for seq, event in enumerate(events[:-1], 1):
        book = evolve_pit(book, event)
        audit.take(step(seq, event))
    with pytest.raises(BadInputError):
        evolve_pit(book, events[-1])
    with pytest.raises(WrongError) as found:
        audit.take(step(len(events), events[-1]))
    assert found.value.seq == len(events)


def test_verify_finds_a_row_under_a_wrong_name_and_one_that_cannot_be_read() -> None:
    with pytest.raises(WrongError):
        PitAudit().take(step(1, RAISED, "AlarmEnded"))
    with pytest.raises(WrongError):
        PitAudit().take(WalkStep(1, 1, "AlarmRaised", b'{"pit":{"kind":"AlarmRaised"}}', ()))


def test_an_alarm_that_grows_waits_again_and_keeps_when_it_began() -> None:
    book = PitBook()
    for event in (RAISED, SEEN, e.AlarmGrew(id="A-1", tables=("t1", "t2"), at_ms=9)):
        book = evolve_pit(book, event)
    alarm = book.alarms["A-1"]
    assert (alarm.waits, alarm.raised_ms, alarm.loud_ms, alarm.tables) == (True, 1, 9, ("t1", "t2"))
