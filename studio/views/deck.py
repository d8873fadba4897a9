"""The rotation of a table's decks, as a screen shows it, and what it asks of the dealer."""

from __future__ import annotations

from typing import Final

from studio.tables.decks.shuffler import blocked
from studio.tables.state.rotation import AT_WORK, DeckStage
from studio.tables.state.table import TableState
from studio.views.shape import DeckView, MachineView, Words

_TOLD: Final = frozenset({"short", "over", "duplicate", "foreign", "in_shoe", "unexpected"})
"""Verdicts with words of their own; any other is an alarm, or a deck not verified any more."""


def view_machine(state: TableState) -> MachineView | None:
    if not state.config.shuffler:
        return None
    machine, deck = state.decks.machine, blocked(state)
    return MachineView(
        says=_says(state),
        tone=_tone(state),
        state=machine.state,
        since_ms=machine.since_ms,
        deck=machine.deck,
        verdict=deck.verdict if deck else "",
        alarms=tuple(sorted(machine.alarms)),
    )


def view_decks(state: TableState) -> tuple[DeckView, ...]:
    """Every deck that is remembered, the newest last."""
    return tuple(DeckView(one.id, str(one.stage), one.count, one.verdict) for one in state.decks.records)


def shuffle_act(state: TableState) -> Words:
    """What the dealer does where no deck is verified: the machine is put right, waited for, or fed."""
    machine, deck = state.decks.machine, blocked(state)
    if not state.config.shuffler:
        return Words("act.shuffle")
    if deck is not None:
        verdict = deck.verdict if deck.verdict in _TOLD else "again"
        return Words(f"act.deck_{verdict}", {"deck": deck.id})
    if machine.alarms:
        return Words("act.see_to_shuffler", {"alarm": f"alarm.{min(machine.alarms)}"})
    return Words("act.wait_shuffler" if machine.state in AT_WORK else "act.shuffle")


def _says(state: TableState) -> Words:
    machine, deck = state.decks.machine, blocked(state)
    if not state.devices.links.get(state.config.shuffler, False):
        return Words("machine.lost")
    if deck is not None:
        verdict = deck.verdict if deck.verdict in _TOLD else "again"
        return Words(f"machine.{verdict}", {"deck": deck.id})
    if machine.alarms:
        return Words("machine.alarm", {"alarm": f"alarm.{min(machine.alarms)}"})
    if _is_ready(state):
        return Words("machine.verified", {"deck": machine.deck})
    return Words(f"machine.{machine.state or 'silent'}")


def _tone(state: TableState) -> str:
    machine = state.decks.machine
    if not state.devices.links.get(state.config.shuffler, False) or machine.alarms or blocked(state) is not None:
        return "bad"
    if _is_ready(state):
        return "good"
    return "busy" if machine.state in AT_WORK else "bad" if machine.state == "error" else "calm"


def _is_ready(state: TableState) -> bool:
    machine = state.decks.machine
    return any(one.id == machine.deck and one.stage is DeckStage.VERIFIED for one in state.decks.records)
