"""The simulated shoe, heard through the real driver over the wire, with every fault of its catalogue."""

from __future__ import annotations

import random
from functools import partial

import pytest

from devices.catalogue import DriverSpec, build_driver
from devices.driver import HostCommand
from devices.link import LineSettings, open_link
from devices.shoe.angel_eye_order import ORDERS
from devices.sim.wire.far_end import Pacing
from devices.sim.wire.fault import FAULTS, SHOE, SHUFFLER, FaultPanel, UnknownFaultError
from devices.sim.wire.shoe import EmptyShoeError, SimShoe
from devices.sim.wire.shoe_voice import SHOES
from devices.supervisor import LinkPace, Supervisor
from devices.wire import PatchBay, Wire
from studio.cards import DECK, Card, Sealer, parse_cards
from studio.ports import (
    CommandAnswered,
    CutCardOut,
    LineBytes,
    LineIdled,
    LinkDown,
    LinkUp,
    Observation,
    ShoeCardUnread,
    ShoeDrewCard,
    ShoeErrorCleared,
    ShoeErrorRaised,
    ShoeLocked,
    ShoeStandby,
    ShoeStarted,
    UnreadableFrame,
)

STEP_MS = 20


class Bench:
    """A simulated shoe and the supervisor that listens to it."""

    def __init__(self, seed: int = 1, pacing: Pacing | None = None) -> None:
        self.rng = random.Random(seed)
        wire, bay = Wire(), PatchBay()
        bay.plug("shoe", wire)
        self.shoe = SimShoe(wire, self.rng, pacing)
        sealer = Sealer(self.rng.randbytes)
        self.supervisor = Supervisor(
            "shoe1",
            "sim://shoe",
            open_link=partial(open_link, bay=bay),
            driver=build_driver("angel_eye", DriverSpec("shoe1", sealer, commands=frozenset(ORDERS))),
            sealer=sealer,
            pace=LinkPace(down_wait_s=0),
        )
        self.now_ms = 0
        deck = list(DECK)
        self.rng.shuffle(deck)
        self.shoe.load(deck)
        self.listen()

    def listen(self, for_ms: int = 1000) -> list[Observation]:
        """Everything but raw bytes that is observed meanwhile."""
        seen: list[Observation] = []
        for _ in range(0, for_ms, STEP_MS):
            self.now_ms += STEP_MS
            self.shoe.step(self.now_ms)
            seen += self.supervisor.step(1_700_000_000_000 + self.now_ms)
        return [one for one in seen if not isinstance(one, LineBytes | LineIdled)]

    def draw(self, count: int) -> list[Card]:
        return [self.shoe.draw() for _ in range(count)]


def cards(seen: list[Observation]) -> list[Card]:
    return [one.card.card() for one in seen if isinstance(one, ShoeDrewCard)]


def kinds(seen: list[Observation]) -> list[type[Observation]]:
    return [type(one) for one in seen]


def test_a_shoe_that_is_switched_on_starts_and_stands_by() -> None:
    bench = Bench()
    bench.shoe.power_on()
    assert kinds(bench.listen()) == [ShoeStarted, ShoeStandby]


def test_a_whole_deck_is_heard_card_for_card() -> None:
    bench = Bench()
    drawn = bench.draw(52)
    assert cards(bench.listen()) == drawn
    assert sorted(drawn, key=DECK.index) == list(DECK)
    assert bench.shoe.cards_left == 0
    with pytest.raises(EmptyShoeError):
        bench.shoe.draw()


def test_the_cut_card_comes_out_where_it_was_put() -> None:
    bench = Bench()
    bench.shoe.put_cut_card(2)
    bench.draw(4)
    assert kinds(bench.listen()) == [ShoeDrewCard, ShoeDrewCard, CutCardOut, ShoeDrewCard, ShoeDrewCard]


def test_an_unread_card_leaves_the_shoe_all_the_same() -> None:
    bench = Bench()
    bench.shoe.draw_unread()
    assert kinds(bench.listen()) == [ShoeCardUnread]
    assert bench.shoe.cards_left == 51


def test_a_card_taken_past_the_reader_says_nothing() -> None:
    bench = Bench()
    bench.shoe.draw_unseen()
    assert bench.listen() == []
    assert bench.shoe.cards_left == 51


def test_a_locked_shoe_tells_a_card_as_outside_the_game() -> None:
    bench = Bench()
    bench.shoe.lock()
    bench.shoe.draw()
    locked, card = bench.listen()
    assert locked == ShoeLocked(device="shoe1", at_ms=locked.at_ms, locked=True)
    assert isinstance(card, ShoeDrewCard)
    assert (card.outside_game, card.label) == (True, "Lock")


def test_an_error_is_raised_and_cleared() -> None:
    bench = Bench()
    bench.shoe.raise_error(6)
    bench.shoe.clear_error(6)
    raised, cleared = bench.listen()
    assert isinstance(raised, ShoeErrorRaised)
    assert isinstance(cleared, ShoeErrorCleared)
    assert (raised.error, raised.error_mode, cleared.error) == ("card_code", True, "card_code")


def test_at_4800_baud_a_card_takes_its_time_and_speed_divides_it() -> None:
    def heard_after_ms(speed: float) -> int:
        bench = Bench(pacing=Pacing(LineSettings(baud=4800), speed))
        bench.shoe.draw()
        before_ms = bench.now_ms
        while not bench.listen(STEP_MS):
            pass
        return bench.now_ms - before_ms

    assert heard_after_ms(0.1) == 180  # 8 bytes at a tenth of 4800 baud: 167 ms
    assert heard_after_ms(20) == STEP_MS


# --- commands -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "command", "expected"),
    [
        pytest.param("", HostCommand("lock"), (True, None), id="taken"),
        pytest.param("stx_in_strict", HostCommand("lock"), (True, None), id="counts STX"),
        pytest.param("stx_out_strict", HostCommand("lock"), (True, None), id="leaves STX out: second try"),
        pytest.param("nak_busy", HostCommand("lock"), (False, 0x21), id="busy"),
        pytest.param("slow_ack", HostCommand("lock"), (False, None), id="too slow"),
    ],
)
def test_a_command_is_answered_as_the_shoe_is_minded(
    fault: str, command: HostCommand, expected: tuple[bool, int | None]
) -> None:
    bench = Bench()
    if fault:
        bench.shoe.switch_on(fault)
    bench.supervisor.command(command)
    (answer,) = [one for one in bench.listen(1400) if isinstance(one, CommandAnswered)]
    assert (answer.accepted, answer.code) == expected
    bench.listen(500)
    assert bench.shoe.locked == (fault != "nak_busy")


def test_an_error_is_cancelled_by_command() -> None:
    bench = Bench()
    bench.shoe.raise_error(1)
    bench.listen()
    bench.supervisor.command(HostCommand("cancel_error", 1))
    assert set(kinds(bench.listen())) == {CommandAnswered, ShoeErrorCleared}
    assert bench.shoe.errors == frozenset()


# --- faults -------------------------------------------------------------------------------------------

HARMLESS = ["triple_send_off", "wrong_bcc", "lost_frame", "split_frame", "merged_frame", "noise"]


@pytest.mark.parametrize("fault", HARMLESS)
def test_a_fault_of_the_line_loses_and_invents_no_card(fault: str) -> None:
    bench = Bench()
    bench.shoe.switch_on(fault)
    drawn = []
    heard = []
    for _ in range(20):
        drawn += bench.draw(1)
        heard += bench.listen(500)
    assert cards([*heard, *bench.listen(2000)]) == drawn


@pytest.mark.parametrize("fault", ["wrong_bcc", "lost_frame"])
def test_without_the_triple_send_a_damaged_frame_is_a_lost_card(fault: str) -> None:
    bench = Bench()
    bench.shoe.switch_on("triple_send_off")
    bench.shoe.switch_on(fault)
    bench.draw(1)
    assert cards(bench.listen()) == []


def test_a_wrong_checksum_is_told() -> None:
    bench = Bench()
    bench.shoe.switch_on("wrong_bcc")
    bench.draw(1)
    assert kinds(bench.listen()) == [UnreadableFrame, ShoeDrewCard]


def test_swapped_frames_tell_a_card_twice_as_a_real_line_would() -> None:
    bench = Bench()
    bench.shoe.switch_on("swapped_frame")
    first, second = bench.draw(2)
    assert cards(bench.listen(2000)) == [first, second, first, second]


def test_a_wrong_baud_rate_gives_noise_and_no_card() -> None:
    bench = Bench()
    bench.shoe.switch_on("wrong_baud")
    bench.draw(20)
    seen = bench.listen()
    assert cards(seen) == []
    assert set(kinds(seen)) == {UnreadableFrame}


def test_a_conflicting_reread_is_another_card_for_the_same_slot() -> None:
    bench = Bench()
    bench.shoe.switch_on("conflicting_reread")
    (drawn,) = bench.draw(1)
    first, again = bench.listen()
    assert isinstance(first, ShoeDrewCard)
    assert isinstance(again, ShoeDrewCard)
    assert (first.card.card(), again.resent, again.label) == (drawn, True, first.label)
    assert again.card.card() != drawn


@pytest.mark.parametrize(("fault", "error"), [("overdraw", "overdraw"), ("reverse_run", "reverse_exit")])
def test_an_error_fault_stands_until_it_is_switched_off(fault: str, error: str) -> None:
    bench = Bench()
    bench.shoe.switch_on(fault)
    (raised,) = bench.listen()
    assert isinstance(raised, ShoeErrorRaised)
    assert raised.error == error
    bench.shoe.switch_off(fault)
    assert kinds(bench.listen()) == [ShoeErrorCleared]


def test_the_remaining_faults_say_what_they_are() -> None:
    bench = Bench()
    bench.shoe.switch_on("unread_card")
    bench.draw(1)
    assert kinds(bench.listen()) == [ShoeCardUnread]
    bench.shoe.switch_on("cut_card_mid_round")
    assert kinds(bench.listen()) == [CutCardOut]
    bench.shoe.switch_on("start_without_cut_card")
    assert kinds(bench.listen()) == [ShoeStarted, ShoeStandby]
    bench.shoe.switch_on("unplug")
    assert kinds(bench.listen()) == [LinkDown]
    bench.shoe.switch_off("unplug")
    assert kinds(bench.listen(6000)) == [LinkUp]


def test_a_card_drawn_while_the_cable_is_out_is_never_heard() -> None:
    bench = Bench()
    bench.shoe.switch_on("unplug")
    bench.draw(1)
    bench.listen()
    bench.shoe.switch_off("unplug")
    assert cards(bench.listen(6000)) == []


def test_faults_are_switched_by_name_and_listed() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
    assert all(fault.sentence.endswith(".") for fault in FAULTS)
    assert {device for fault in FAULTS for device in fault.devices} == {
        *(one.faults for one in SHOES.values()),
        SHUFFLER,
    }
    panel = FaultPanel(SHOE)
    panel.switch_on("noise")
    assert panel.active == {"noise"}
    panel.switch_off("noise")
    assert panel.active == frozenset()
    with pytest.raises(UnknownFaultError, match="known are triple_send_off"):
        panel.switch_on("jam")


def test_equal_seeds_send_equal_bytes() -> None:
    def sent(seed: int) -> list[str]:
        bench = Bench(seed)
        bench.shoe.switch_on("noise")
        bench.draw(5)
        return [repr(one) for one in bench.listen()]

    assert sent(7) == sent(7)
    assert sent(7) != sent(8)


def test_a_simulated_shoe_shows_no_card_in_its_repr() -> None:
    bench = Bench()
    bench.shoe.load(parse_cards("8s"))
    assert "8s" not in repr(bench.shoe)
