"""The shoe and what fills it, as screens show them, what that asks of the dealer, and who a table's devices are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from studio.cards import Card
from studio.tables.deal.course import shoe_is_short
from studio.tables.decks.shuffler import blocked
from studio.tables.state.identity import Presence, is_approved
from studio.tables.state.rotation import AT_WORK, DeckStage
from studio.tables.state.table import Status, TableState
from studio.views.shape import ChangeStep, CountView, DeckView, DevicesView, DeviceView, MachineView, ShoeView, Words

_TOLD: Final = frozenset({"short", "over", "duplicate", "foreign", "in_shoe", "unexpected"})
"""Verdicts with words of their own; any other is an alarm, or a deck not verified any more."""


def view_shoe(state: TableState) -> ShoeView:
    deck = state.deck
    return ShoeView(
        deck=deck.id if deck else "",
        number=deck.shoe_number if deck else 0,
        cards_left=state.shoe.cards - deck.drawn if deck else None,
        rounds_left=_rounds_left(state),
        machine=view_machine(state),
        decks=view_decks(state),
        count=view_count(state),
        change=view_change(state),
    )


def _rounds_left(state: TableState) -> int | None:
    if state.deck is None or state.shoe.rounds_per_shuffle is None:
        return state.deck.last_rounds if state.deck else None
    return max(0, state.shoe.rounds_per_shuffle - state.deck.rounds)


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


def view_count(state: TableState) -> CountView | None:
    """The count under way, else how the last one ended."""
    count, ended = state.decks.count, state.decks.counted
    if count is not None:
        return CountView(True, count.deck_id, count.whole, count.drawn, count.wanted, count.unread)
    if ended is None:
        return None
    return CountView(
        False, ended.deck_id, ended.whole, ended.counted, ended.wanted, 0, ended.verdict, _signs(ended.missing),
        _signs(ended.doubled),
    )  # fmt: skip


def view_change(state: TableState) -> tuple[ChangeStep, ...]:
    """The steps from the cut card to the next deck, while a shoe change is due at an open table.

    Where each round has a shuffle of its own, taking the next deck is a part of the round: its act is enough.
    """
    if state.status is not Status.OPEN or state.decks.count is not None:
        return ()
    due = state.deck is not None and state.deck.change_due
    over = state.round is None or state.round.over
    of_the_round = state.shoe.rounds_per_shuffle == 1 and state.deck is not None
    if not due and (of_the_round or not (over and shoe_is_short(state))):
        return ()
    steps = (
        (Words("change.finish"), over),
        (Words("change.clear"), over and state.felt.clear),
        (Words("change.out", {"deck": state.deck.id}) if state.deck else Words("change.empty"), state.deck is None),
        (Words("change.verified", {"deck": state.approved[-1]}) if state.approved else Words("change.wait"),
         bool(state.approved)),
        (Words("change.load"), False),
    )  # fmt: skip
    return tuple(_ordered(steps))


def _ordered(steps: tuple[tuple[Words, bool], ...]) -> Iterator[ChangeStep]:
    """What is not done yet is due, the first of it, or comes later."""
    found_due = False
    for says, done in steps:
        yield ChangeStep(says, "done" if done else "later" if found_due else "due")
        found_due = found_due or not done


def _signs(cards: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(f"{Card.parse(card).sign}{f' × {times}' if times > 1 else ''}" for card, times in cards.items())


def view_devices(state: TableState) -> DevicesView:
    """Each device the table has, in the order shoe, shuffler, camera."""
    there = {part: id for part, id in parts(state).items() if id}
    return DevicesView(
        links={part: state.devices.links.get(id, False) for part, id in there.items()},
        each=tuple(_device(state, part, id) for part, id in there.items()),
        camera_blind=state.devices.camera_blind,
        camera_late=_camera_late(state),
    )


def parts(state: TableState) -> dict[str, str]:
    """The part each device plays at the table."""
    return {"shoe": state.config.shoe, "shuffler": state.config.shuffler, "camera": state.config.camera}


def part_of(state: TableState, device: str) -> str:
    """The part a device plays at this table; the id itself of one that has gone."""
    return next((part for part, id in parts(state).items() if id and id == device), device)


def _device(state: TableState, part: str, id: str) -> DeviceView:
    presence = state.devices.presences.get(id)
    known = presence.known if presence else None
    shown = presence.shown if presence else None
    return DeviceView(
        part=part,
        id=id,
        up=state.devices.links.get(id, False),
        proved=presence is not None and presence.proved,
        known=known.name if known else "",
        answers=shown.name if shown else "",
        model=known.model if known else "",
        serial=known.serial if known else "",
        firmware=known.firmware if known else "",
        plug=known.plug if known else "",
        approval=_approval(presence),
        mark=known.mark if known else "",
    )


def _approval(presence: Presence | None) -> str:
    if presence is None or not presence.approved:
        return "none"
    return "good" if presence.known and is_approved(presence, presence.known) else "changed"


def _camera_late(state: TableState) -> Words | None:
    """A camera that is blind, or whose cable is out, has nothing to be late with."""
    late = state.devices.camera_late
    if late is None or state.devices.camera_blind or not state.devices.links.get(state.config.camera, False):
        return None
    return Words("camera.behind", {"s": max(1, round(late.behind_ms / 1000)), "percent": late.shed_percent})
