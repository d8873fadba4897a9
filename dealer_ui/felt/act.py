"""The next act in the words of its game: a fan counts no cards, a hand is no round."""

from __future__ import annotations

from typing import Final

from dealer_ui.felt.room_act import room_act
from dealer_ui.felt.spread import GAMES
from studio.games.blackjack import DEALER
from studio.procedures import Approval
from studio.views.shape import ButtonView, IncidentView, TableView, Words

_OF_ROOMS: Final = {"button.start_round": "button.start_hand", "button.declare_result": "button.push_pots"}
_OF_BOXES: Final = {"act.open_decisions": "act.offer_insurance", "act.decide": "act.insurance_open"}


MENDED: Final = frozenset({"device_lost", "restart"})
"""Kinds that hold a table until what was lost is back, and somebody has said so."""


def mended(incident: IncidentView) -> bool:
    """Whether what stopped the table is over, and only the dealer's acknowledgement is left."""
    is_dealers = incident.approval == Approval.DEALER
    return incident.kind in MENDED and is_dealers and not incident.ruled and "continue" not in incident.hindered


_VOID: Final = {"act.refunding": "act.void", "act.clear_felt": "act.void_clear", "act.start_round": "act.void_start"}
"""Acts after a void round: it is announced first."""
_BARE: Final = frozenset({"empty", "awaited"})


def act_of(view: TableView) -> Words:
    """The next act as a screen says it, in one sentence."""
    act = view.act
    if act.key == "act.held":
        return _held_act(view)
    if (told := _void_told(view)) is not None:
        return told
    if view.room is not None:
        return room_act(view, view.room)
    if view.game not in GAMES:
        return act
    if act.key == "act.deal":
        return Words("act.deal_own") if act.values["box"] == f"box.{DEALER}" else Words("act.deal_to", act.values)
    return Words(_OF_BOXES.get(act.key, act.key), act.values)


def _held_act(view: TableView) -> Words:
    """Once the device is there again, the next act is no longer to keep one's hands off."""
    first = next((one for one in view.incidents if one.holds), None)
    if first is None or first.kind not in MENDED or first.ruled:
        return view.act
    if mended(first):
        return Words("act.device_back", {"device": f"device.{first.device}"}) if first.device else Words("act.all_back")
    hindered = first.hindered.get("continue")
    differs = hindered is not None and hindered.refused_key == "felt_differs"
    return Words("act.lay_as_recorded") if differs else view.act


def _void_told(view: TableView) -> Words | None:
    """That the round is void, which the dealer announces, until its cards are away; without cards, until the next."""
    key = view.act.key
    if view.round_stage not in ("voiding", "voided") or key not in _VOID:
        return None
    if key == "act.start_round" and any(card.state not in _BARE for box in view.boxes for card in box.places):
        return None
    return Words(f"{_VOID[key]}.hand" if view.room is not None else _VOID[key])


def ready_said(view: TableView, *, lasting: bool = False) -> Words | None:
    """How many of those who bet are done, where a game asks that, and that they ended their window: to the first card,
    or, `lasting`, as long as the round is dealt.
    """
    bets = view.bets
    if not bets.bettors or view.held or view.round_stage != "dealing":
        return None
    if bets.open:
        return Words("bets.ready", {"n": bets.ready, "of": bets.bettors})
    if view.phase == "betting":
        return None
    dealt = any(card.state not in _BARE for box in view.boxes for card in box.places)
    ended = bets.ready == bets.bettors and (lasting or not dealt)
    return Words("bets.ended_early", {"of": bets.bettors}) if ended else None


def label_of(view: TableView, button: ButtonView) -> Words:
    """What a button is called at this table."""
    if view.room is None or (button.label.key == "button.declare_result" and not view.room.pots):
        return button.label
    return Words(_OF_ROOMS.get(button.label.key, button.label.key), button.label.values)


def phase_word(view: TableView) -> str:
    """The phase as a screen may call it: a key of `phase.` and, while nothing is held, of `public.`.

    Bets are open, and bettors decide, while the window is, and not already when it is the next thing to come.
    """
    taking = not view.held and view.status == "open"
    match view.phase:
        case "betting" if taking:
            return "bets_open" if view.bets.open else "before_bets"
        case "deciding" if taking and view.act.key == "act.open_decisions":
            return "before_decision"
    return view.phase
