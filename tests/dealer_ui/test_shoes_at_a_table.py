"""Every kind of shoe at a table: it deals, and what its line cannot tell is told by the script and the camera."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise

import pytest

from dealer_ui.assembly.table_room import Followers
from dealer_ui.rehearsal.night import STEP_MS, Night, NightOptions
from dealer_ui.rehearsal.simulate import SimulationPlan, play_night
from devices.shoe import barcode_codec, bee_tek_codec
from devices.shoe.idle_lock import IdleLock
from devices.sim.wire.fault import TEXT_SHOES
from devices.sim.wire.shoe_voice import SHOES
from devices.supervisor import Supervisor
from studio.cards import DECK, Card
from studio.tables.event.record import read_body
from studio.tables.event.table import IncidentOpened
from studio.tables.felt.shoe_reading import may_rest

STUCK_MS = 240_000
BURNED = 4
SAYS: dict[str, Callable[[Card], bytes]] = {
    "bee_tek": lambda card: bee_tek_codec.encode_card("Manual Burn Cards", card),
    "barcode": lambda card: barcode_codec.encode(barcode_codec.code_of(card)),
}


@contextmanager
def table(shoe: str, seed: int = 1, *, lock_when_idle: bool = False) -> Iterator[Night]:
    night = Night(NightOptions("three_knights", seed, shoe=shoe, lock_when_idle=lock_when_idle))
    try:
        yield night
    finally:
        night.close()


def play_until_dealt(night: Night, cards: int) -> None:
    """Up to the moment when so many cards lie in the boxes, behind the four that are burned."""
    until_ms = night.now_ms + STUCK_MS
    while night.state.round is None or len(night.state.round.deal.cards) < BURNED + cards:
        night.step()
        assert night.now_ms < until_ms


def draw_one_more(night: Night) -> Card:
    """Let the dealer draw; gives the card that left the shoe."""
    left = night.rig.shoe.cards_left
    drawn: list[Card] = []
    pull = night.rig.shoe.draw

    def draw() -> Card:
        drawn.append(pull())
        return drawn[0]

    night.rig.shoe.draw = draw  # type: ignore[method-assign]
    while night.rig.shoe.cards_left == left:
        night.step()
    night.rig.shoe.draw = pull  # type: ignore[method-assign]
    return drawn[0]


def still_in_the_shoe(card: Card, night: Night) -> Card:
    """Another card than this one, of those that have not been seen."""
    assert night.state.deck is not None
    return next(one for one in DECK if one is not card and one in night.rig.shoe._cards)


def play_to_the_end(night: Night) -> str:
    """How the round ends."""
    round, until_ms = night.state.round, night.now_ms + STUCK_MS
    assert round is not None
    while night.state.round is not None and night.state.round.id == round.id and night.state.round.live:
        night.step()
        assert night.now_ms < until_ms, "the round is stuck"
    return round.id


def incidents(night: Night) -> list[str]:
    with night.store.reader() as reader:
        events = [read_body(row.body).event for row in reader.events(table="sim", kinds=("IncidentOpened",))]
    return [event.incident for event in events if isinstance(event, IncidentOpened)]


@pytest.mark.parametrize("shoe", SHOES)
def test_a_table_deals_rounds_from_any_shoe(shoe: str) -> None:
    report = play_night(SimulationPlan("three_knights", 4, seed=3, shoe=shoe))
    assert (report.checker.settled, report.checker.voided) == (4, 0)
    assert (sum(report.checker.incidents.values()), report.checker.violations) == (0, [])


@pytest.mark.parametrize("shoe", TEXT_SHOES)
def test_a_table_with_a_plain_shoe_stands_everything_that_goes_wrong(shoe: str) -> None:
    plan = SimulationPlan("three_knights", 12, seed=8, faults="many", shoe=shoe)
    assert f"--faults many --shoe {shoe}" in plan.command
    report = play_night(plan)
    assert report.checker.settled + report.checker.voided == 12
    assert report.checker.violations == []


@pytest.mark.parametrize("shoe", TEXT_SHOES)
def test_a_card_lost_on_the_line_is_missed_by_the_camera_and_the_round_goes_on(shoe: str) -> None:
    with table(shoe) as night:
        play_until_dealt(night, 2)
        night.rig.shoe.switch_on("lost_frame")
        draw_one_more(night)
        night.step()
        night.rig.shoe.switch_off("lost_frame")
        play_to_the_end(night)
        assert incidents(night) == ["unread_card"]


@pytest.mark.parametrize("shoe", TEXT_SHOES)
def test_a_card_changed_on_the_line_is_contradicted_by_the_camera(shoe: str) -> None:
    with table(shoe) as night:
        play_until_dealt(night, 2)
        night.rig.shoe.switch_on("lost_frame")
        card = draw_one_more(night)
        night.step()
        night.rig.shoe.switch_off("lost_frame")
        night.rig.wires[night.config.shoe].machine_write(SAYS[shoe](still_in_the_shoe(card, night)))
        play_to_the_end(night)
        assert incidents(night)[0] == "card_mismatch"


def test_a_card_told_twice_by_a_plain_shoe_is_once_too_often_in_the_deck() -> None:
    with table("bee_tek") as night:
        play_until_dealt(night, 2)
        night.rig.shoe.switch_on("repeated_frame")
        draw_one_more(night)
        night.step()
        night.rig.shoe.switch_off("repeated_frame")
        play_to_the_end(night)
        assert incidents(night)[0] == "fouled_deck"


@pytest.mark.parametrize("shoe", ["angel_eye", "generic_shoe"])
def test_a_shoe_that_is_locked_when_no_card_is_due_never_keeps_the_dealer_waiting(shoe: str) -> None:
    with table(shoe, lock_when_idle=True) as night:
        line = night.devices[0]
        assert isinstance(line, Supervisor)
        assert isinstance(line.driver, IdleLock)
        was_locked: set[str] = set()
        due_steps = 0
        while night.state.rounds < 5:
            night.step()
            rests = may_rest(night.state)
            line.driver.rest(rests)
            due_steps = 0 if rests else due_steps + 1
            assert due_steps * STEP_MS <= 100 or not night.rig.shoe.locked, "a card is due, and the shoe is locked"
            if night.rig.shoe.locked:
                was_locked.add(night.view().now.act.key)
        assert incidents(night) == []
        assert {"act.bets_open", "act.clear_felt"} <= was_locked


def test_the_line_of_a_shoe_is_stepped_at_once_when_a_card_is_due_and_when_none_is_any_more() -> None:
    with table("angel_eye", lock_when_idle=True) as night:
        line, woken = night.devices[0], list[bool]()
        assert isinstance(line, Supervisor)
        assert isinstance(line.driver, IdleLock)
        followers = Followers([(line.driver, lambda: woken.append(may_rest(night.state)))])
        rested = [False]
        while night.state.rounds < 2:
            night.step()
            followers.follow(night.state)
            rested.append(may_rest(night.state))
        assert woken == [after for before, after in pairwise(rested) if after is not before] != []
