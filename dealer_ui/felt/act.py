"""The next act in the words of its game: a fan counts no cards, a hand is no round, a street has its turns and pots."""

from __future__ import annotations

from typing import Final

from dealer_ui.felt.spread import GAMES
from studio.games.blackjack import DEALER
from studio.procedures import Approval
from studio.rulebook.hand_terms import BOARD
from studio.spoken import Amount, Seats
from studio.views.shape import ButtonView, IncidentView, RoomView, TableView, Words

_NEXT: Final = {"preflop": "flop", "flop": "turn", "turn": "river"}
_STREET_OF: Final = {4: "act.deal_turn", 5: "act.deal_river"}
"""What a card of the board is called, by its place; the first three are the flop."""
PUSHES: Final = "act.declare_result"


_OF_ROOMS: Final = {"button.start_round": "button.start_hand", "button.declare_result": "button.push_pots"}
_OF_BOXES: Final = {"act.open_decisions": "act.offer_insurance", "act.decide": "act.insurance_open"}


MENDED: Final = frozenset({"device_lost", "restart"})
"""Kinds that hold a table until what was lost is back, and somebody has said so."""


def mended(incident: IncidentView) -> bool:
    """Whether what stopped the table is over, and only the dealer's acknowledgement is left."""
    is_dealers = incident.row.approval == Approval.DEALER
    return incident.kind in MENDED and is_dealers and not incident.ruled and "continue" not in incident.row.hindered


_VOID: Final = {"act.refunding": "act.void", "act.clear_felt": "act.void_clear", "act.start_round": "act.void_start"}
"""Acts after a void round: it is announced first."""
_BARE: Final = frozenset({"empty", "awaited"})


def act_of(view: TableView) -> Words:
    """The next act as a screen says it, in one sentence."""
    act = view.now.act
    if act.key == "act.held":
        return _held_act(view)
    if (told := _void_told(view)) is not None:
        return told
    if view.room is not None:
        return room_act(view, view.room)
    if view.game.key not in GAMES:
        return act
    if act.key == "act.deal":
        return Words("act.deal_own") if act.values["box"] == f"box.{DEALER}" else Words("act.deal_to", act.values)
    return Words(_OF_BOXES.get(act.key, act.key), act.values)


def _held_act(view: TableView) -> Words:
    """Once the device is there again, the next act is no longer to keep one's hands off."""
    first = next((one for one in view.incidents.open if one.holds), None)
    if first is None or first.kind not in MENDED or first.ruled:
        return view.now.act
    if mended(first):
        return (
            Words("act.device_back", {"device": f"device.{first.where.device}"})
            if first.where.device
            else Words("act.all_back")
        )
    hindered = first.row.hindered.get("continue")
    differs = hindered is not None and hindered.refused_key == "felt_differs"
    return Words("act.lay_as_recorded") if differs else view.now.act


def _void_told(view: TableView) -> Words | None:
    """The announcement that the round is void. The dealer sees it until the cards are away; if none were dealt, until
    the next round.
    """
    key = view.now.act.key
    if view.round.stage not in ("voiding", "voided") or key not in _VOID:
        return None
    if key == "act.start_round" and any(card.state not in _BARE for box in view.boxes for card in box.places):
        return None
    return Words(f"{_VOID[key]}.hand" if view.room is not None else _VOID[key])


def ready_said(view: TableView, *, lasting: bool = False) -> Words | None:
    """How many of the bettors are done, in games that ask them; after that, that they ended the betting window
    themselves.

    The second is said until the first card lies, or, when `lasting`, as long as the round is dealt.
    """
    bets = view.bets
    if not bets.bettors or view.now.held or view.round.stage != "dealing":
        return None
    if bets.open:
        return Words("bets.ready", {"n": bets.ready, "of": bets.bettors})
    if view.now.phase == "betting":
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
    taking = not view.now.held and view.now.status == "open"
    match view.now.phase:
        case "betting" if taking:
            return "bets_open" if view.bets.open else "before_bets"
        case "deciding" if taking and view.now.act.key == "act.open_decisions":
            return "before_decision"
    return view.now.phase


def room_act(view: TableView, room: RoomView) -> Words:
    """The next act as the dealer of a room says it, in one sentence."""
    act, values = view.now.act, view.now.act.values
    match act.key:
        case "act.start_round":
            few = view.now.primary is not None and view.now.primary.refused_key == "few_seats"
            return Words("act.wait_players" if few else "act.start_hand")
        case "act.burn" if room.street in _NEXT:
            return Words(f"act.burn_then.{_NEXT[room.street]}")
        case "act.deal" if values["box"] == f"box.{BOARD}":
            return Words(_STREET_OF.get(int(str(values["place"])), "act.deal_flop"), values)
        case "act.turn" if room.choices:
            return _turn(view, room)
        case "act.turn":
            return Words("act.to_set", values)
        case "act.reveal":
            return Words("act.turn_up", {"seats": Seats((str(values["box"]).removeprefix("box."),))})
        case "act.declare_result" if room.spoken:
            return room.spoken[0] if len(room.spoken) == 1 else Words("act.push_pots")
    return act


def _turn(view: TableView, room: RoomView) -> Words:
    box = view.now.act.values["box"]
    if any(one.option == "muck" for one in room.choices):
        return Words("act.show_or_muck", {"box": box})
    owed_minor = max(one.cost_minor for one in room.choices)
    if owed_minor:
        return Words("act.to_call", {"box": box, "money": Amount(owed_minor, view.bets.currency)})
    return Words("act.to_act", {"box": box})


def speaks(view: TableView) -> tuple[Words, ...]:
    """What the dealer says beside the act: the pots when a street is over; at the end the hand that wins each."""
    room = view.room
    if room is None or view.now.held or view.now.act.key not in ("act.burn", "act.reveal", PUSHES):
        return ()
    if view.now.act.key != PUSHES:
        return room.spoken
    return room.told or (room.spoken if len(room.spoken) > 1 else ())
