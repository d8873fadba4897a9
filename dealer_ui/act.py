"""The only place where the next act gets the words of its game: a fan counts no cards, a hand is no round."""

from __future__ import annotations

from typing import Final

from dealer_ui.room_act import room_act
from dealer_ui.spread import GAMES
from studio.games.blackjack import DEALER
from studio.views.shape import ButtonView, TableView, Words

_OF_ROOMS: Final = {"button.start_round": "button.start_hand", "button.declare_result": "button.push_pots"}
_OF_BOXES: Final = {"act.open_decisions": "act.offer_insurance", "act.decide": "act.insurance_open"}


def act_of(view: TableView) -> Words:
    """The next act as a screen says it, in one sentence."""
    act = view.act
    if view.room is not None:
        return room_act(view, view.room)
    if view.game not in GAMES:
        return act
    if act.key == "act.deal":
        return Words("act.deal_own") if act.values["box"] == f"box.{DEALER}" else Words("act.deal_to", act.values)
    return Words(_OF_BOXES.get(act.key, act.key), act.values)


def label_of(view: TableView, button: ButtonView) -> Words:
    """What a button is called at this table."""
    if view.room is None or (button.label.key == "button.declare_result" and not view.room.pots):
        return button.label
    return Words(_OF_ROOMS.get(button.label.key, button.label.key), button.label.values)
