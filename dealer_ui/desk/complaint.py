"""The desk of complaints: a bettor's complaint is kept, and gets its answer."""

from __future__ import annotations

import msgspec

from dealer_ui.desk.book import kept_anew
from dealer_ui.desk.pit import PitDesk
from studio.errors import RefusedError
from studio.people import Actor
from studio.pit import AnyPitEvent, answer_complaint, make_complaint
from studio.pit import pit_event as e
from studio.pit.complaint import Complaint


def complain(desk: PitDesk, made: e.ComplaintMade) -> tuple[Complaint, bool]:
    """Keep a complaint; gives it, and whether it is new."""
    return kept_anew(desk.catch_up, lambda: _complained(desk, made))


def _complained(desk: PitDesk, made: e.ComplaintMade) -> tuple[Complaint, bool]:
    with desk.lock:
        kept = make_complaint(made, desk.book.complaints.values())
        if kept is not None:
            id = f"C-{len(desk.book.complaints) + 1}"
            desk.record((msgspec.structs.replace(kept, id=id, at_ms=desk.now_ms()),))
        found = complaint_of(desk, made.operator, made.client_id)
        assert found is not None, "it was made, or kept just now"
        return found, kept is not None


def complaint_of(desk: PitDesk, operator: str, client_id: str) -> Complaint | None:
    known = desk.book.complaints.values()
    return next((one for one in known if (one.operator, one.client_id) == (operator, client_id)), None)


def complaints_of(desk: PitDesk, operator: str, bettor: str) -> tuple[Complaint, ...]:
    """All of a bettor's, newest first."""
    known = desk.book.complaints.values()
    return tuple(reversed([one for one in known if (one.operator, one.bettor) == (operator, bettor)]))


def answer(desk: PitDesk, actor: Actor, complaint: str, said: tuple[str, str], correction: int, id: str = "") -> int:
    """Answer a complaint with `said`: outcome and words."""

    def act() -> tuple[AnyPitEvent, ...]:
        found = desk.book.complaints.get(complaint)
        if found is None:
            raise RefusedError("no_complaint", "There is no such complaint.")
        answered = answer_complaint(found, actor, *said, correction)
        return (msgspec.structs.replace(answered, at_ms=desk.now_ms()),)

    return desk.once(actor, id, act)
