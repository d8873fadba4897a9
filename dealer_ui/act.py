"""The only place where the next act gets the words of its game: a fan counts no cards, insurance has a name."""

from __future__ import annotations

from typing import Final

from dealer_ui.spread import GAMES
from studio.games.blackjack import DEALER
from studio.views.shape import TableView, Words

_OF_BOXES: Final = {"act.open_decisions": "act.offer_insurance", "act.decide": "act.insurance_open"}


def act_of(view: TableView) -> Words:
    """The next act as a screen says it, in one sentence."""
    act = view.act
    if view.game not in GAMES:
        return act
    if act.key == "act.deal":
        return Words("act.deal_own") if act.values["box"] == f"box.{DEALER}" else Words("act.deal_to", act.values)
    return Words(_OF_BOXES.get(act.key, act.key), act.values)
