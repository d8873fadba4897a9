"""Simulated people and a deck that is not right: it is taken out, exchanged, verified again, and the night goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from dealer_ui.rehearsal.check.night import Checker
from dealer_ui.rehearsal.machine.rig import Rig
from dealer_ui.rehearsal.night import Night, NightOptions
from studio.tables.event import table as e
from studio.tables.event.record import read_body
from studio.tables.state.rotation import DeckStage

STEPS_MAX = 4_000


@pytest.fixture
def night() -> Iterator[Night]:
    """In the first deal; the other deck is being shuffled."""
    found = Night(NightOptions("three_knights", 7))
    until(found, lambda: found.state.round is not None and len(found.state.round.deal.cards) >= 5)
    yield found
    found.close()


def until(night: Night, done: Callable[[], bool]) -> None:
    for _ in range(STEPS_MAX):
        if done():
            return
        night.step()
    raise AssertionError(f"it never came to that: {night.view().now.act} {night.view().shoe.machine}")


def events(night: Night, *kinds: str) -> list[e.AnyEvent]:
    with night.store.reader() as reader:
        return [read_body(row.body).event for row in reader.events(kinds=kinds)]


def fresh_shuffle(night: Night) -> None:
    """Whatever lies in the machine comes out, and another deck goes in at the dealer's next look."""

    def empty(rig: Rig) -> None:
        rig.shuffler.take_out()

    night.rig.do(empty)


@pytest.mark.parametrize("fault", ["deck_short", "deck_over", "deck_duplicate", "deck_foreign"])
def test_a_wrong_deck_is_blocked_and_exchanged_and_never_dealt(night: Night, fault: str) -> None:
    checker = Checker(night)
    night.rig.shuffler.switch_on(fault)
    fresh_shuffle(night)
    until(night, lambda: any(deck.stage is DeckStage.BLOCKED for deck in night.state.decks.records))
    blocked = night.state.decks.records[-1]
    assert blocked.verdict == fault.removeprefix("deck_")
    assert night.state.open_incident("deck_unverified") is not None
    assert not night.state.held
    night.rig.shuffler.switch_off(fault)

    def checked_to_the_fourth() -> bool:
        checker.watch()
        return night.state.rounds >= 4

    until(night, checked_to_the_fourth)
    assert night.state.open_incident("deck_unverified") is None
    loaded = [one.deck_id for one in events(night, "ShoeLoaded") if isinstance(one, e.ShoeLoaded)]
    assert len(loaded) >= 2
    assert blocked.id not in loaded
    assert checker.violations == []


@pytest.mark.parametrize("fault", ["cover_open", "double_feed", "misread", "power"])
def test_a_machine_in_trouble_stops_no_deal_and_its_deck_is_verified_anew(night: Night, fault: str) -> None:
    until(night, lambda: bool(night.state.approved))
    [waiting] = night.state.approved
    night.rig.shuffler.switch_on(fault)
    until(night, lambda: waiting not in night.state.approved or not night.state.devices.links["shuffler"])
    assert not night.state.held or fault == "power"
    night.rig.shuffler.switch_off(fault)
    rounds = night.state.rounds
    until(night, lambda: night.state.rounds >= rounds + 3)
    loaded = [one.deck_id for one in events(night, "ShoeLoaded") if isinstance(one, e.ShoeLoaded)]
    assert waiting not in loaded


def test_the_two_decks_are_dealt_in_turn(night: Night) -> None:
    until(night, lambda: len(events(night, "ShoeLoaded")) >= 4)
    loaded = [one.deck_id[:1] for one in events(night, "ShoeLoaded") if isinstance(one, e.ShoeLoaded)]
    assert "".join(loaded) in ("ABAB", "BABA")
