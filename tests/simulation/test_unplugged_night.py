"""Cables pulled and put back while a night runs: the same device, another name, another machine in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from dealer_ui.rehearsal.check.night import Checker
from dealer_ui.rehearsal.machine.plug_board import PlugBoard
from dealer_ui.rehearsal.night import Night, NightOptions
from dealer_ui.rehearsal.simulate import SimulationPlan, play_night
from dealer_ui.rehearsal.trick.plan import TRICKS
from dealer_ui.rehearsal.trick.unplug import AMONG_OTHERS
from devices.link import LineSettings, LinkLostError
from studio.games import HOUSE_GAMES

STEPS_MAX = 6_000
LINE = LineSettings()


@pytest.mark.parametrize("game", [game.key for game in HOUSE_GAMES])
def test_a_night_of_pulled_cables_breaks_nothing(game: str) -> None:
    report = play_night(SimulationPlan(game, 5, seed=1, faults="unplug"))
    wrong = [f"{found.round}: {found.sentence}" for found in report.checker.violations]
    assert not wrong, f"{wrong}\nrepeat it with: {report.plan.command}"
    assert report.checker.rounds == 5
    assert sum(report.mischief.played.values()) >= 3


def test_cables_are_pulled_where_everything_goes_wrong_too() -> None:
    assert set(AMONG_OTHERS) <= set(TRICKS)


# --- one at a time ------------------------------------------------------------------------------------


@pytest.fixture
def night() -> Iterator[Night]:
    """In the middle of a deal."""
    found = Night(NightOptions("three_knights", 3))
    until(found, lambda: found.state.round is not None and len(found.state.round.deal.cards) >= 7)
    yield found
    found.close()


def until(night: Night, done: Callable[[], bool]) -> None:
    for _ in range(STEPS_MAX):
        if done():
            return
        night.step()
    raise AssertionError(f"it never came to that: {night.view().now.act}, {kinds(night)}")


def kinds(night: Night) -> set[str]:
    return {incident.kind for incident in night.state.incidents.open}


def link(night: Night, device: str) -> bool:
    return night.state.devices.links.get(device, False)


def test_a_shoe_that_comes_back_under_another_name_is_the_same_shoe(night: Night) -> None:
    config, asked = night.config, set[str]()
    night.rig.shoe.switch_on("unplug")
    until(night, lambda: not link(night, config.shoe))
    night.rig.board.rename(config.shoe)
    night.rig.shoe.switch_off("unplug")

    def settled() -> bool:
        asked.update(kinds(night))
        return night.state.round is not None and night.state.round.over

    until(night, settled)
    assert asked == {"device_lost"}


def test_another_shoe_in_its_place_holds_the_table_until_the_own_one_is_back(night: Night) -> None:
    night.pit.wait_ms = 1 << 40
    night.pit.rest(1 << 60)
    night.rig.put_other_shoe()
    until(night, lambda: "device_changed" in kinds(night))
    drawn = night.state.deck.drawn if night.state.deck else 0
    night.rig.put_own_back(night.config.shoe)
    until(night, lambda: "device_changed" not in kinds(night))
    assert night.state.deck is not None
    assert night.state.deck.drawn == drawn


def test_another_shuffler_is_dealt_from_once_a_pit_boss_has_accepted_it(night: Night) -> None:
    checker = Checker(night)
    night.rig.put_other_shuffler()
    until(night, lambda: "device_changed" in kinds(night))
    until(night, lambda: not kinds(night))
    rounds = night.state.rounds
    until(night, lambda: checker.watch() and night.state.rounds > rounds)
    assert not checker.violations
    known = night.state.devices.presences[night.config.shuffler].known
    assert known is not None
    assert known.serial == "SPARE-7"


# --- the plug board -----------------------------------------------------------------------------------


def test_a_device_is_found_by_its_adaptor_whatever_its_port_is_called() -> None:
    board = PlugBoard("t", ("shoe",), 0.0)
    before = board.plug_at("sim://t/shoe")
    board.rename("shoe")
    board.open("sim://t/shoe", LINE).close()
    assert board.plug_at("sim://t/shoe") == before


def test_whoever_holds_the_line_of_a_device_that_is_exchanged_loses_it() -> None:
    board = PlugBoard("t", ("shoe",), 0.0)
    before, held = board.plug_at("sim://t/shoe"), board.open("sim://t/shoe", LINE)
    board.put_instead("shoe")
    with pytest.raises(LinkLostError):
        held.read(1)
    assert board.plug_at("sim://t/shoe") != before
    other = board.open("sim://t/shoe", LINE)
    board.put_back("shoe")
    with pytest.raises(LinkLostError):
        other.read(1)
    assert board.plug_at("sim://t/shoe") == before


def test_what_is_not_on_the_board_cannot_be_opened() -> None:
    with pytest.raises(LinkLostError, match="no such device"):
        PlugBoard("t", ("shoe",), 0.0).open("sim://t/shuffler", LINE)
