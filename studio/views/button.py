"""The big button of the dealer: which command the next act is, and why it may be off."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from studio.people import Actor, Role
from studio.tables import command as c
from studio.tables.decide import refusal
from studio.tables.declaration import Command, name_of
from studio.tables.state.table import TableState
from studio.views.act import next_act
from studio.views.shape import ButtonView, Words

_DEALER: Final = Actor("", "the dealer", frozenset({str(Role.DEALER)}))


_PRESSED: Final[Mapping[str, type[Command]]] = {
    "act.start_round": c.StartRound,
    "act.load_shoe": c.LoadShoe,
    "act.open_bets": c.OpenBetting,
    "act.bets_open": c.CloseBetting,
    "act.open_decisions": c.OpenBetting,
    "act.decide": c.CloseBetting,
    "act.declare_result": c.DeclareResult,
    "act.nobody_bet": c.DeclareResult,
    "act.shuffle_stub": c.ShuffleStub,
    "act.clear_felt": c.ConfirmFeltClear,
}
"""The acts that are a press of a button."""

_LABELS: Final = {
    "act.open_decisions": "button.open_decisions",
    "act.decide": "button.close_decisions",
    "act.nobody_bet": "button.close_round",
}
"""Where one command opens or closes a window of bets and one of decisions."""


def primary(state: TableState) -> ButtonView | None:
    """The big button: the command of the next act, where the act is a button and not a card."""
    act = next_act(state).key
    if act not in _PRESSED:
        return None
    name = name_of(_PRESSED[act])
    off = refusal(state, _PRESSED[act](actor=_DEALER), 0)
    label = Words(_LABELS.get(act, f"button.{name}"))
    if off is None:
        return ButtonView(name, label, shortcut="Space")
    if act == "act.clear_felt":
        return None  # the camera sees it clear by itself
    return ButtonView(name, label, off.sentence, "Space", off.words_key, off.values)
