"""The simulated shuffler, heard through the real driver over the wire, with every fault of its catalogue."""

from __future__ import annotations

import random
from functools import partial

import pytest

from devices.catalogue import DriverSpec, build_driver
from devices.driver import HostCommand
from devices.link import open_link
from devices.shuffler.generic_order import WORDS
from devices.sim.wire.far_end import Pacing
from devices.sim.wire.shuffler import ShufflerNotReadyError, SimShuffler
from devices.supervisor import LinkPace, Supervisor
from devices.wire import PatchBay, Wire
from studio.cards import DECK, Sealer
from studio.ports import (
    CommandAnswered,
    DeckVerified,
    LineBytes,
    LineIdled,
    LinkDown,
    LinkUp,
    Observation,
    ShoeLocked,
    ShufflerAlarm,
    ShufflerHello,
    ShufflerState,
    UnreadableFrame,
)

STEP_MS = 50


class Bench:
    """A simulated shuffler and the supervisor that listens to it."""

    def __init__(self, seed: int = 1, speed: float = 1.0) -> None:
        rng = random.Random(seed)
        wire, bay = Wire(), PatchBay()
        bay.plug("shuffler", wire)
        self.shuffler = SimShuffler(wire, rng, Pacing(speed=speed))
        sealer = Sealer(rng.randbytes)
        self.supervisor = Supervisor(
            "shuffler1",
            "sim://shuffler",
            open_link=partial(open_link, bay=bay),
            driver=build_driver("generic", DriverSpec("shuffler1", sealer, commands=frozenset(WORDS))),
            sealer=sealer,
            pace=LinkPace(down_wait_s=0),
        )
        self.now_ms = 0
        self.raw = b""
        self.shuffler.power_on()
        self.listen(1000)

    def listen(self, for_ms: int) -> list[Observation]:
        seen: list[Observation] = []
        for _ in range(0, for_ms, STEP_MS):
            self.now_ms += STEP_MS
            self.shuffler.step(self.now_ms)
            seen += self.supervisor.step(1_700_000_000_000 + self.now_ms)
        self.raw += b"".join(one.sealed.open() for one in seen if isinstance(one, LineBytes))
        return [one for one in seen if not isinstance(one, LineBytes | LineIdled)]

    def shuffle(self) -> list[str]:
        self.shuffler.shuffle(DECK)
        return words(self.listen(30_000))


def words(seen: list[Observation]) -> list[str]:
    told = []
    for one in seen:
        match one:
            case ShufflerState(state=state):
                told.append(state)
            case DeckVerified(count=count, verdict=verdict):
                told.append(f"{count} {verdict}")
            case ShufflerAlarm(alarm=alarm, raised=raised):
                told.append(f"{alarm} {'raised' if raised else 'cleared'}")
            case _:
                told.append(type(one).__name__)
    return told


SHUFFLE = ["loading", "shuffling", "verifying", "52 ok", "ready"]


def test_a_shuffler_says_hello_and_then_beats_quietly_for_as_long_as_it_stands() -> None:
    bench = Bench()
    assert bench.listen(60_000) == []
    assert bench.supervisor.is_up


def test_a_deck_goes_through_the_machine_and_comes_out_shuffled_and_whole() -> None:
    bench = Bench()
    assert bench.shuffle() == SHUFFLE
    deck = bench.shuffler.hand_over()
    assert deck != list(DECK)
    assert sorted(deck, key=DECK.index) == list(DECK)
    assert words(bench.listen(500)) == ["idle"]


def test_the_order_of_the_cards_is_never_transmitted() -> None:
    bench = Bench()
    bench.shuffle()
    deck = bench.shuffler.hand_over()
    assert not any(str(card).encode() in bench.raw for card in deck)


def test_speed_divides_the_waits_of_the_machine() -> None:
    bench = Bench(speed=20)
    bench.shuffler.shuffle(DECK)
    assert words(bench.listen(2000)) == SHUFFLE


def test_equal_seeds_shuffle_equally() -> None:
    decks = []
    for seed in (3, 3, 4):
        bench = Bench(seed)
        bench.shuffle()
        decks.append(bench.shuffler.hand_over())
    assert decks[0] == decks[1] != decks[2]


def test_the_machine_refuses_what_its_state_does_not_allow() -> None:
    bench = Bench()
    with pytest.raises(ShufflerNotReadyError, match="idle"):
        bench.shuffler.hand_over()
    bench.shuffler.shuffle(DECK)
    with pytest.raises(ShufflerNotReadyError, match="loading"):
        bench.shuffler.shuffle(DECK)


@pytest.mark.parametrize(
    ("fault", "verdict"),
    [
        ("deck_short", "51 short"),
        ("deck_over", "53 over"),
        ("deck_duplicate", "52 duplicate"),
        ("deck_foreign", "52 foreign"),
    ],
)
def test_a_wrong_deck_is_found_out(fault: str, verdict: str) -> None:
    bench = Bench()
    bench.shuffler.switch_on(fault)
    assert bench.shuffle() == ["loading", "shuffling", "verifying", verdict, "ready"]
    bench.shuffler.hand_over()
    bench.shuffler.switch_off(fault)
    assert bench.shuffle() == ["idle", *SHUFFLE]


@pytest.mark.parametrize(
    ("fault", "alarm"),
    [("jam", "jam"), ("cover_open", "cover"), ("double_feed", "double_feed"), ("misread", "misread")],
)
def test_an_alarm_stops_the_machine_until_it_is_cleared_and_the_deck_is_shuffled_anew(fault: str, alarm: str) -> None:
    bench = Bench()
    bench.shuffler.shuffle(DECK)
    bench.listen(5000)
    bench.shuffler.switch_on(fault)
    assert words(bench.listen(60_000)) == [f"{alarm} raised", "error"]
    bench.shuffler.switch_off(fault)
    assert words(bench.listen(1000)) == [f"{alarm} cleared", "idle"]
    assert len(bench.shuffler.take_out()) == 52
    assert bench.shuffle()[-2:] == ["52 ok", "ready"]


@pytest.mark.parametrize("fault", ["wrong_bcc", "lost_frame", "split_frame", "merged_frame", "noise"])
def test_a_fault_of_the_line_loses_no_record_for_it_is_sent_again(fault: str) -> None:
    bench = Bench()
    bench.shuffler.switch_on(fault)
    assert [one for one in bench.shuffle() if one != "UnreadableFrame"] == SHUFFLE


def test_a_machine_that_is_never_understood_is_lost_after_six_seconds() -> None:
    bench = Bench()
    bench.shuffler.switch_on("wrong_baud")
    seen = bench.listen(8000)
    assert LinkDown in map(type, seen)
    assert UnreadableFrame in map(type, seen)
    bench.shuffler.switch_off("wrong_baud")
    assert "LinkUp" in words(bench.listen(12_000))


def test_after_a_pulled_cable_the_machine_tells_how_things_stand() -> None:
    bench = Bench()
    bench.shuffler.shuffle(DECK)
    bench.listen(1000)
    bench.shuffler.switch_on("unplug")
    assert words(bench.listen(40_000)) == ["LinkDown"]
    bench.shuffler.switch_off("unplug")
    told = [one for one in words(bench.listen(20_000)) if one != "UnreadableFrame"]
    assert told[0] == "LinkUp"
    assert {"52 ok", "ready"} <= set(told)


@pytest.mark.parametrize(
    ("command", "answers"),
    [
        ("status", {CommandAnswered, ShufflerState}),
        ("ident", {CommandAnswered, ShufflerHello}),
        ("lock", {CommandAnswered, ShoeLocked}),
        ("unlock", {CommandAnswered, ShoeLocked}),
        ("eject", {CommandAnswered, ShufflerState}),
        ("clear", {CommandAnswered, ShufflerState}),
    ],
)
def test_every_command_is_taken(command: str, answers: set[type[Observation]]) -> None:
    bench = Bench()
    bench.supervisor.command(HostCommand(command))
    seen = bench.listen(1000)
    assert set(map(type, seen)) == answers
    assert all(one.accepted for one in seen if isinstance(one, CommandAnswered))


def test_two_decks_go_through_it_in_turn_each_verification_under_a_name_of_its_own() -> None:
    bench = Bench(speed=20)
    names = []
    for _ in range(4):
        bench.shuffler.shuffle(DECK)
        bench.listen(3000)
        names.append(bench.shuffler.deck_id)
        bench.shuffler.hand_over()
    assert names == ["A00001", "B00002", "A00003", "B00004"]


def test_a_deck_that_is_taken_out_of_the_machine_goes_in_again_under_another_number() -> None:
    bench = Bench(speed=20)
    bench.shuffler.shuffle(DECK)
    bench.listen(3000)
    bench.shuffler.take_out()
    bench.shuffler.shuffle(DECK)
    assert bench.shuffler.deck_id == "A00002"


def test_its_counter_goes_on_from_what_was_verified_before() -> None:
    bench = Bench()
    bench.shuffler.names.go_on_from(["A00041", "B00042", "red-12", ""])
    bench.shuffler.shuffle(DECK)
    assert bench.shuffler.deck_id == "A00043"


def test_without_power_it_says_nothing_and_switched_on_again_it_knows_of_no_deck() -> None:
    bench = Bench()
    bench.shuffler.shuffle(DECK)
    bench.listen(30_000)
    bench.shuffler.switch_on("power")
    assert words(bench.listen(10_000)) == ["LinkDown"]
    bench.shuffler.switch_off("power")
    assert words(bench.listen(12_000)) == ["LinkUp", "ShufflerHello", "idle"]
    assert bench.shuffle()[-2:] == ["52 ok", "ready"]


def test_after_a_pulled_cable_it_is_asked_who_it_is_and_how_things_stand() -> None:
    bench = Bench()
    bench.shuffler.shuffle(DECK)
    bench.listen(30_000)
    bench.shuffler.switch_on("misread")
    bench.listen(1000)
    bench.shuffler.switch_on("unplug")
    assert words(bench.listen(300)) == ["LinkDown"]
    bench.shuffler.switch_off("unplug")
    assert words(bench.listen(5000)) == ["LinkUp", "ShufflerHello", "misread raised", "error"]


def test_a_slow_machine_takes_a_command_once() -> None:
    bench = Bench()
    bench.shuffler.switch_on("slow_ack")
    bench.supervisor.command(HostCommand("status"))
    answers = [one for one in bench.listen(6000) if isinstance(one, CommandAnswered)]
    assert [one.accepted for one in answers] == [True]


def test_an_order_that_is_sent_again_is_obeyed_once() -> None:
    bench = Bench()
    bench.shuffler.switch_on("slow_ack")
    bench.supervisor.command(HostCommand("lock"))
    assert words(bench.listen(6000)).count("ShoeLocked") == 1


def test_the_machine_has_no_word_for_the_order_of_its_cards() -> None:
    """Its state, its count and its name are told; decks of the same cards in any order are told alike."""
    told = []
    for seed in (1, 2):
        bench = Bench(seed)
        bench.shuffle()
        told.append((bench.raw, bench.shuffler.hand_over()))
    assert told[0][1] != told[1][1]
    assert told[0][0] == told[1][0]


def test_a_busy_machine_refuses_four_times() -> None:
    bench = Bench()
    bench.shuffler.switch_on("nak_busy")
    bench.supervisor.command(HostCommand("status"))
    (answer,) = bench.listen(3000)
    assert isinstance(answer, CommandAnswered)
    assert "refused" in answer.reason


def test_a_cable_that_was_out_for_a_moment_is_up_again() -> None:
    bench = Bench()
    bench.shuffler.switch_on("unplug")
    bench.listen(1000)
    bench.shuffler.switch_off("unplug")
    assert LinkUp in map(type, bench.listen(3000))
