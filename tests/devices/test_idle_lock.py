"""The shoe is locked while no card is due, and the lock never costs the dealer time."""

from __future__ import annotations

import random
from functools import partial

import pytest

from devices.catalogue import DriverSpec, build_driver
from devices.driver import HostCommand
from devices.link import LineSettings, open_link
from devices.shoe.angel_eye_order import ORDERS
from devices.shoe.idle_lock import REST_MS, IdleLock
from devices.sim.wire.far_end import Pacing
from devices.sim.wire.shoe import SimShoe
from devices.supervisor import LinkPace, Supervisor
from devices.wire import PatchBay, Wire
from studio.cards import DECK, Sealer
from studio.ports import CommandAnswered, LineBytes, LineIdled, Observation, ShoeDrewCard

T0 = 1_700_000_000_000


class Bench:
    """A simulated shoe at its real speed, and the driver that locks it."""

    def __init__(self, driver: str = "angel_eye", baud: int = 4800) -> None:
        wire, bay = Wire(), PatchBay()
        bay.plug("shoe", wire)
        self.shoe = SimShoe(wire, random.Random(1), Pacing(LineSettings(baud=baud)), driver=driver)
        self.shoe.load(DECK)
        sealer = Sealer(random.Random(2).randbytes)
        spec = DriverSpec("shoe1", sealer, commands=frozenset({*ORDERS, "lock", "unlock"}), lock_when_idle=True)
        self.supervisor = Supervisor(
            "shoe1", "sim://shoe", open_link=partial(open_link, bay=bay), driver=build_driver(driver, spec),
            sealer=sealer, pace=LinkPace(down_wait_s=0),
        )  # fmt: skip
        assert isinstance(self.supervisor.driver, IdleLock)
        self.lock = self.supervisor.driver
        self.now_ms = 0
        self.run(1_000)

    def run(self, for_ms: int, step_ms: int = 5) -> list[Observation]:
        seen: list[Observation] = []
        for _ in range(0, for_ms, step_ms):
            self.now_ms += step_ms
            self.shoe.step(self.now_ms)
            seen += self.supervisor.step(T0 + self.now_ms)
        return [one for one in seen if not isinstance(one, LineBytes | LineIdled)]

    def rest(self) -> list[Observation]:
        """No card is due for two seconds."""
        self.lock.rest(True)
        return self.run(2_000)

    def unlocked_after_ms(self) -> int:
        """A card is due: how long until the shoe lets it go."""
        self.lock.rest(False)
        began_ms = self.now_ms
        while self.shoe.locked and self.now_ms - began_ms < 60_000:
            self.run(5)
        return self.now_ms - began_ms


def answers(seen: list[Observation]) -> list[tuple[str, bool]]:
    return [(one.command, one.accepted) for one in seen if isinstance(one, CommandAnswered)]


@pytest.mark.parametrize("driver", ["angel_eye", "generic_shoe"])
def test_a_shoe_at_rest_is_locked_and_let_go_within_a_tenth_of_a_second(driver: str) -> None:
    bench = Bench(driver)
    assert not bench.shoe.locked
    assert answers(bench.rest()) == [("lock", True)]
    assert bench.shoe.locked
    assert bench.unlocked_after_ms() <= 100
    bench.shoe.draw()
    assert any(isinstance(one, ShoeDrewCard) and not one.outside_game for one in bench.run(500))


def test_a_pause_in_a_deal_is_no_rest() -> None:
    bench = Bench()
    for _ in range(5):
        bench.lock.rest(True)
        assert answers(bench.run(REST_MS - 50)) == []
        bench.lock.rest(False)
        assert answers(bench.run(200)) == []


def test_a_lock_under_way_when_a_card_falls_due_is_undone_at_once() -> None:
    bench = Bench()
    bench.lock.rest(True)
    bench.run(REST_MS + 15)
    bench.lock.rest(False)
    bench.run(150)
    assert not bench.shoe.locked


@pytest.mark.parametrize("fault", ["nak_busy", "slow_ack"])
def test_a_shoe_that_locks_badly_is_told_and_not_locked_again_before_its_link_comes_up_anew(fault: str) -> None:
    bench = Bench()
    bench.shoe.switch_on(fault)
    said = answers(bench.rest())
    assert said == [("lock", False)]
    bench.shoe.switch_off(fault)
    bench.unlocked_after_ms()
    bench.run(2_000)
    assert not bench.shoe.locked
    assert answers(bench.rest()) == []
    bench.shoe.switch_on("unplug")
    bench.run(200)
    bench.shoe.switch_off("unplug")
    bench.lock.rest(False)
    bench.run(6_000)
    assert answers(bench.rest()) == [("lock", True)]


def test_a_shoe_that_will_not_unlock_is_asked_again_and_again_but_ever_more_seldom() -> None:
    bench = Bench()
    bench.rest()
    bench.shoe.switch_on("nak_busy")
    bench.lock.rest(False)
    said = answers(bench.run(60_000))
    assert set(said) == {("unlock", False)}
    assert 5 <= len(said) <= 8
    bench.shoe.switch_off("nak_busy")
    bench.run(20_000)
    assert not bench.shoe.locked


def test_what_a_person_locked_stays_locked_until_a_person_unlocks_it() -> None:
    bench = Bench()
    bench.supervisor.command(HostCommand("lock"))
    bench.run(500)
    bench.lock.rest(False)
    bench.run(2_000)
    assert bench.shoe.locked
    bench.supervisor.command(HostCommand("unlock"))
    bench.run(500)
    assert not bench.shoe.locked
    assert answers(bench.rest()) == [("lock", True)]


def test_a_lock_turned_by_hand_at_the_shoe_is_let_be() -> None:
    bench = Bench()
    bench.shoe.lock()
    bench.run(500)
    bench.lock.rest(False)
    assert answers(bench.run(2_000)) == []
    assert bench.shoe.locked
    bench.shoe.unlock()
    bench.run(500)
    assert answers(bench.rest()) == [("lock", True)]


def test_a_shoe_that_comes_back_locked_is_unlocked_when_a_card_is_due() -> None:
    bench = Bench()
    bench.rest()
    bench.shoe.switch_on("unplug")
    bench.run(200)
    bench.lock.rest(False)
    bench.shoe.switch_off("unplug")
    bench.run(6_000)
    assert not bench.shoe.locked
