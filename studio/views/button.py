"""The buttons of a console: which commands a person may give now, and why the others are off."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from studio.people import Actor, Role
from studio.tables import command as c
from studio.tables.decide import refusal
from studio.tables.state.table import TableState
from studio.views.act import next_act
from studio.views.shape import ButtonView, Words

_DEALER: Final = Actor("", "the dealer", frozenset({str(Role.DEALER)}))


def primary(state: TableState) -> ButtonView | None:
    """The big button: the command of the next act, where the act is a button and not a card."""
    commands: Mapping[str, tuple[str, c.PersonCommand]] = {
        "act.start_round": ("start_round", c.StartRound(actor=_DEALER)),
        "act.load_shoe": ("load_shoe", c.LoadShoe(actor=_DEALER)),
        "act.open_bets": ("open_betting", c.OpenBetting(actor=_DEALER)),
        "act.bets_open": ("close_betting", c.CloseBetting(actor=_DEALER)),
        "act.open_decisions": ("open_betting", c.OpenBetting(actor=_DEALER)),
        "act.decide": ("close_betting", c.CloseBetting(actor=_DEALER)),
        "act.declare_result": ("declare_result", c.DeclareResult(actor=_DEALER)),
        "act.nobody_bet": ("declare_result", c.DeclareResult(actor=_DEALER)),
        "act.shuffle_stub": ("shuffle_stub", c.ShuffleStub(actor=_DEALER)),
        "act.clear_felt": ("confirm_felt_clear", c.ConfirmFeltClear(actor=_DEALER)),
    }
    act = next_act(state).key
    found = commands.get(act)
    if found is None:
        return None
    name, command = found
    button = _button(state, command, name, _LABELS.get(act, f"button.{name}"), "Space")
    return None if act == "act.clear_felt" and button.refused else button  # the camera sees it clear by itself


_LABELS: Final = {
    "act.open_decisions": "button.open_decisions",
    "act.decide": "button.close_decisions",
    "act.nobody_bet": "button.close_round",
}
"""Where one command opens or closes a window of bets and one of decisions."""


def buttons(state: TableState) -> tuple[ButtonView, ...]:
    offered: tuple[tuple[str, c.PersonCommand, str], ...] = (
        ("freeze", c.FreezeTable(actor=_DEALER), "F"),
        ("call_pit", c.CallPit(actor=_DEALER), "P"),
    )
    return tuple(_button(state, command, name, f"button.{name}", key) for name, command, key in offered)


def _button(state: TableState, command: c.PersonCommand, name: str, label: str, shortcut: str) -> ButtonView:
    off = refusal(state, command, 0)
    if off is None:
        return ButtonView(name, Words(label), shortcut=shortcut)
    return ButtonView(name, Words(label), off.sentence, shortcut, off.words_key, off.values)
