"""Reports of what only a person can see: who may make them, and which card or box they are about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from studio.errors import RefusedError
from studio.people import may, need_right
from studio.procedures import KIND_BY_KEY, Reporter
from studio.procedures.circumstance import is_yes
from studio.rounds import CardBurned, CardDealt
from studio.rulebook.hand_terms import BOARD
from studio.spoken import Slot
from studio.tables import command as c
from studio.tables.draft import Draft
from studio.tables.felt.camera_look import awaited_slot, place_of
from studio.tables.felt.skipped_card import need_passed_over
from studio.tables.incident import open_incident, tell, tell_more
from studio.tables.state.incident import Incident
from studio.tables.state.table import TableState
from studio.tables.street import hand_of


def report_incident(draft: Draft, command: c.ReportIncident) -> None:
    """Anybody at the table may report what only a person can see: one tap, no PIN."""
    need_right(command.actor, "report_incident")
    _check_report(draft.state, command)
    found = dict(command.circumstances)
    if command.kind in _NOTED:
        tell(draft, command.kind, by=command.actor.id, circumstances=found)
        return
    about = _about(draft.state, command, found)
    known = next((one for one in draft.state.incidents.open if _same_trouble(one, command)), None)
    if known is not None and found:
        tell_more(draft, known, found, by=command.actor.id, slot=about.slot)
        return
    open_incident(draft, command.kind, by=command.actor.id, circumstances=found, cards=about.cards, slot=about.slot)


@dataclass(frozen=True, slots=True)
class _About:
    """What a report is about: ids of cards, and a place; a box alone has place 0."""

    cards: tuple[str, ...]
    slot: Slot


def _about(state: TableState, command: c.ReportIncident, found: Mapping[str, str]) -> _About:
    """The card in the place named; else what lies aside; of a boxed card, the one that came out last."""
    slot = (command.box or named_box(found), command.place)
    if state.round is not None and (fact := state.round.deal.cards.get(slot)):
        return _About((fact.card.id,), slot)
    aside = tuple(one.sealed.id for one in state.undisposed)
    if command.kind == "boxed_card" and not aside and not command.box:
        return _boxed(state, drawn=is_yes(found.get("drawn")))
    if command.kind == "dropped_card" and not aside and not command.box:
        return _fallen(state)
    if command.kind == "exposed_card" and not aside and not command.box and hand_of(state) is not None:
        return _seen(state)
    return _About(aside, slot)


def _seen(state: TableState) -> _About:
    """The card that was dealt face down last in a betting hand."""
    cards = state.round.deal.cards if state.round else {}
    dealt = state.round.deal.plain if state.round else ()
    seats = (fact for fact in reversed(dealt) if isinstance(fact, CardDealt) and fact.box != BOARD)
    last = next((fact for fact in seats if (fact.box, fact.place) in cards), None)
    return _About((), _NOWHERE) if last is None else _About((last.card.id,), (last.box, last.place))


def _fallen(state: TableState) -> _About:
    """The card read last among those that the camera sees nowhere, with its place: the table waits until it lies there
    again.
    """
    round = state.round
    if round is None or not round.live:
        return _About((), _NOWHERE)
    dealt = (fact for fact in reversed(round.deal.plain) if isinstance(fact, CardDealt | CardBurned))
    placed = ((fact.card.id, place_of(round, fact.card.id)) for fact in dealt)
    bare = ((id, slot) for id, slot in placed if slot is not None and slot not in state.felt.looks)
    id, slot = next(bare, ("", _NOWHERE))
    return _About((id,) if id else (), slot)


def _boxed(state: TableState, *, drawn: bool) -> _About:
    """The card the shoe could not read just now, for its face lay the wrong way; else the last one that it did."""
    round, due = state.round, awaited_slot(state)
    if round is None or not round.live:
        return _About((), _NOWHERE)
    if due is not None and due in round.eyes.unread:
        return _About((), due)
    last = next((fact for fact in reversed(round.deal.plain) if isinstance(fact, CardDealt | CardBurned)), None)
    if last is None or not drawn:
        return _About((), _NOWHERE)
    return _About((last.card.id,), place_of(round, last.card.id) or _NOWHERE)


_NOWHERE: Final[Slot] = ("", 0)


def named_box(found: Mapping[str, str]) -> str:
    """The one box whose cards are told, as in `3_cards=0`; empty where none is, or several are.

    >>> named_box({"3_cards": "0"}), named_box({"count": "1"})
    ('3', '')
    """
    boxes = [name.removesuffix("_cards") for name in found if name.endswith("_cards")]
    return boxes[0] if len(boxes) == 1 else ""


def _same_trouble(incident: Incident, command: c.ReportIncident) -> bool:
    """A device has noticed it, and nobody has ruled yet: what a person adds is told of that incident."""
    noticed = incident.kind == command.kind and not incident.ruled.ruling and incident.asked is None
    return noticed and bool(incident.scene.cards) and command.box in ("", incident.scene.box)


def _check_report(state: TableState, command: c.ReportIncident) -> None:
    if state.status == "closed":
        raise RefusedError("closed", "The table is closed; open it before you report what happens on it.")
    kind = KIND_BY_KEY.get(command.kind)
    pit = not may(command.actor.roles, "rule_dealer") or may(command.actor.roles, "rule_pit")
    reporters = {Reporter.DEALER, Reporter.PIT} if pit else {Reporter.DEALER}
    if kind is None or not reporters & set(kind.reporters):
        raise RefusedError("not_reported", "This is not for you to report; choose one of those shown, or call the pit.")
    if command.kind in _VOIDS_THE_ROUND and (state.round is None or not state.round.live):
        raise RefusedError(
            "no_round", "No round is being dealt, so there is nothing to void; freeze the table instead.", which="void"
        )
    if command.box and command.box not in (*state.game.felt.zones, "discard"):
        raise RefusedError("no_such_place", "This table has no such place: choose one of those on the felt.")
    if command.kind == "wrong_count" and state.game.owned is not None:
        need_passed_over(state, dict(command.circumstances))


_NOTED = frozenset({"disconnected"})
"""What changes nothing, and is ruled by its row at once [EV9, BJ12]."""

_VOIDS_THE_ROUND = frozenset({"malfunction", "void_called", "video_lost", "prize_lost"})
