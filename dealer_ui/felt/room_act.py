"""The next act at a poker table in a dealer's words: the street, the turn, the pots."""

from __future__ import annotations

from typing import Final

from studio.games.hand_terms import BOARD
from studio.spoken import Amount, Seats
from studio.views.shape import RoomView, TableView, Words

_NEXT: Final = {"preflop": "flop", "flop": "turn", "turn": "river"}
_STREET_OF: Final = {4: "act.deal_turn", 5: "act.deal_river"}
"""What a card of the board is called, by its place; the first three are the flop."""

PUSHES: Final = "act.declare_result"


def room_act(view: TableView, room: RoomView) -> Words:
    """The next act as the dealer of a room says it, in one sentence."""
    act, values = view.act, view.act.values
    match act.key:
        case "act.start_round":
            few = view.primary is not None and view.primary.refused_key == "few_seats"
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
    box = view.act.values["box"]
    if any(one.option == "muck" for one in room.choices):
        return Words("act.show_or_muck", {"box": box})
    owed_minor = max(one.cost_minor for one in room.choices)
    if owed_minor:
        return Words("act.to_call", {"box": box, "money": Amount(owed_minor, view.bets.currency)})
    return Words("act.to_act", {"box": box})


def speaks(view: TableView) -> tuple[Words, ...]:
    """What the dealer says beside the act: the pots when a street is over; at the end the hand that wins each."""
    room = view.room
    if room is None or view.held or view.act.key not in ("act.burn", "act.reveal", PUSHES):
        return ()
    if view.act.key != PUSHES:
        return room.spoken
    return room.told or (room.spoken if len(room.spoken) > 1 else ())
