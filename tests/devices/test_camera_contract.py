"""One script of what happens on a felt, and the observations any camera must make of it."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable

import pytest

from devices.camera.face.reader import CardReader
from devices.camera.felt.layout import layout_for, open_spots
from devices.camera.source.live import open_source
from devices.camera.watch import Watcher, WatchSettings
from devices.sim.eye.seeded_eye import SeededEye
from devices.sim.felt import SimFelt
from devices.sim.picture.felt_render import FeltRenderer
from studio.cards import Card, Sealer
from studio.ports import (
    CameraLostCard,
    CameraSawCard,
    CameraSawEmpty,
    CameraSawHand,
    CameraSawStray,
    CameraStrayGone,
    CardFace,
    Device,
    LinkDown,
    LinkUp,
    Observation,
)

UP, DOWN = CardFace.UP, CardFace.DOWN
LAYOUT = layout_for({"player1": 3, "player2": 3, "player3": 3, "banker": 3, "burn": 4})
READER = CardReader()


class Rig:
    """A camera over a felt, stepped by a clock of its own."""

    def __init__(self, look: Callable[[SimFelt, Sealer], Device]) -> None:
        self.felt = SimFelt(LAYOUT, random.Random(11))
        self.now_ms = 1_000_000
        self._device = look(self.felt, Sealer(random.Random(12).randbytes))

    def sees(self, wait_ms: int = 2_400) -> list[str]:
        """What the camera says in that time, in short words."""
        said: list[str] = []
        for _ in range(wait_ms // 80):
            self.now_ms += 80
            said.extend(short(observation) for observation in self._device.step(self.now_ms))
        return said

    def close(self) -> None:
        self._device.close()


def short(observation: Observation) -> str:
    match observation:
        case CameraSawCard(zone=zone, place=place, face=face, card=card):
            return f"{zone} {place} {card.card() if card else face.value}"
        case CameraSawEmpty(zone=zone, place=place):
            return f"{zone} {place} empty"
        case CameraSawHand(zone=zone, place=place):
            return f"{zone} {place} hand"
        case CameraLostCard(zone=zone, place=place, direction=direction, identified=identified):
            return f"{zone} {place} lost {direction}{' identified' if identified else ''}"
        case CameraSawStray(x=x, y=y, face=face, card=card):
            return f"stray {x:.1f} {y:.1f} {card.card() if card else face.value}"
        case CameraStrayGone(x=x, y=y):
            return f"stray {x:.1f} {y:.1f} gone"
        case _:
            return type(observation).__name__


def seeded_eye(felt: SimFelt, sealer: Sealer) -> Device:
    return SeededEye(felt, sealer, random.Random(13))


@functools.cache
def camera() -> FeltRenderer:
    return FeltRenderer(SimFelt(LAYOUT, random.Random(11)), 14)


def watcher(felt: SimFelt, sealer: Sealer) -> Device:
    feed = camera().over(felt).frame
    settings = WatchSettings(reader=READER)
    return Watcher(open_source("sim://felt", {"felt": feed}), felt.layout, sealer, settings=settings)


@pytest.fixture(params=[seeded_eye, watcher], ids=["seeded eye", "watcher over rendered frames"])
def rig(request: pytest.FixtureRequest):
    built = Rig(request.param)
    yield built
    built.close()


def test_a_camera_tells_the_whole_felt_once_when_it_connects_and_then_changes_only(rig):
    rig.felt.lay("player1", 1, Card.parse("As"), UP)
    rig.felt.lay("burn", 1, Card.parse("2c"), DOWN)
    said = rig.sees()
    assert said[0] == "LinkUp"
    places = [" ".join(line.split()[:2]) for line in said[1:]]
    assert sorted(places) == sorted(f"{slot.zone} {slot.place}" for slot in rig.felt.layout.slots)
    assert {"player1 1 As", "burn 1 down", "banker 3 empty"} <= set(said)
    assert rig.sees() == []


def test_cards_are_seen_as_they_come_turn_move_and_go(rig):
    rig.sees()
    rig.felt.lay("player2", 1, Card.parse("Th"), UP)
    assert rig.sees() == ["player2 1 Th"]
    rig.felt.lay("banker", 1, Card.parse("7d"), DOWN)
    assert rig.sees() == ["banker 1 down"]
    rig.felt.turn("banker", 1)
    assert rig.sees() == ["banker 1 7d"]
    rig.felt.move(("banker", 1), ("player3", 2))
    assert sorted(rig.sees()) == ["banker 1 empty", "player3 2 7d"]
    rig.felt.take("player3", 2)
    assert rig.sees() == ["player3 2 empty"]


def test_a_hand_that_passes_is_not_told_and_a_hand_that_stays_is(rig):
    rig.felt.lay("player2", 1, Card.parse("Qc"), UP)
    rig.sees()
    rig.felt.hand_over("player2", 1, on=True)
    assert rig.sees(240) == []
    rig.felt.hand_over("player2", 1, on=False)
    assert rig.sees() == []
    rig.felt.hand_over("player2", 1, on=True)
    assert "player2 1 hand" in rig.sees()
    rig.felt.hand_over("player2", 1, on=False)
    assert "player2 1 Qc" in rig.sees()


def test_a_card_over_the_edge_is_told_with_its_direction_and_whether_it_was_known(rig):
    rig.felt.lay("player1", 1, Card.parse("4d"), UP)
    rig.felt.lay("player3", 3, Card.parse("9s"), DOWN)
    rig.sees()
    rig.felt.drop("player1", 1, "left")
    assert rig.sees() == ["player1 1 lost left identified"]
    rig.felt.drop("player3", 3, "bottom")
    assert rig.sees() == ["player3 3 lost bottom"]


def test_a_card_where_no_place_is_is_a_stray_until_it_is_taken(rig):
    rig.sees()
    x, y = open_spots(rig.felt.layout)[0]
    serial = rig.felt.lay_stray(x, y, Card.parse("Kh"), UP)
    assert rig.sees() == [f"stray {x:.1f} {y:.1f} Kh"]
    rig.felt.move_stray(serial, ("player1", 3))
    assert sorted(rig.sees()) == ["player1 3 Kh", f"stray {x:.1f} {y:.1f} gone"]


def test_the_top_card_of_a_pile_is_what_is_seen(rig):
    rig.felt.lay("player1", 1, Card.parse("5h"), UP)
    rig.sees()
    rig.felt.move(("player1", 1), ("discard", 1))
    assert sorted(rig.sees()) == ["discard 1 5h", "player1 1 empty"]
    rig.felt.lay("discard", 1, Card.parse("6h"), DOWN)
    assert rig.sees() == ["discard 1 down"]
    rig.felt.clear()
    assert rig.sees() == ["discard 1 empty"]


def test_an_eye_with_the_cable_pulled_says_so_and_tells_the_felt_again_when_it_is_back():
    felt = SimFelt(LAYOUT, random.Random(1))
    eye = SeededEye(felt, Sealer(random.Random(2).randbytes), random.Random(3))
    eye.step(0)
    assert len(eye.step(1_000)) == 17
    eye.link(up=False)
    (down,) = eye.step(2_000)
    assert isinstance(down, LinkDown)
    assert down.reason.endswith(".")
    assert eye.step(3_000) == []
    eye.link(up=True)
    (up,) = eye.step(4_000)
    assert isinstance(up, LinkUp)
    eye.step(4_100)
    assert len(eye.step(5_000)) == 17


def test_a_blind_eye_says_nothing_of_the_felt_until_it_sees_again():
    felt = SimFelt(LAYOUT, random.Random(1))
    eye = SeededEye(felt, Sealer(random.Random(2).randbytes), random.Random(3))
    eye.step(0), eye.step(1_000)
    eye.blind("dark")
    assert [short(o) for o in eye.step(1_100)] == ["CameraBlind"]
    felt.lay("banker", 1, Card.parse("2d"), UP)
    assert eye.step(3_000) == []
    eye.see()
    assert [short(o) for o in eye.step(3_100)] == ["CameraSeesAgain"]
    assert "banker 1 2d" in [short(o) for o in eye.step(4_000)]


def test_the_faults_of_an_eye_bind_to_one_card_and_squaring_it_ends_them():
    felt = SimFelt(LAYOUT, random.Random(1))
    eye = SeededEye(felt, Sealer(random.Random(2).randbytes), random.Random(3))
    eye.step(0), eye.step(1_000)
    eye.unsure("player1", 1)
    felt.lay("player1", 1, Card.parse("2d"), UP)
    eye.misread("player1", 2, Card.parse("3d"))
    felt.lay("player1", 2, Card.parse("8c"), UP)
    eye.missed("player1", 3)
    felt.lay("player1", 3, Card.parse("9c"), UP)
    eye.step(1_100)
    assert [short(o) for o in eye.step(2_000)] == ["player1 1 unsure", "player1 2 3d"]
    for place in (1, 2, 3):
        felt.square("player1", place)
    eye.step(2_100)
    assert [short(o) for o in eye.step(3_000)] == ["player1 1 2d", "player1 2 8c", "player1 3 9c"]


def test_equal_seeds_make_equal_observations():
    def night(seed: int) -> list[tuple[int, str]]:
        felt = SimFelt(LAYOUT, random.Random(seed))
        eye = SeededEye(felt, Sealer(random.Random(seed).randbytes), random.Random(seed))
        for place in (1, 2, 3):
            felt.lay("player1", place, Card.parse("2d"), UP)
        return [(o.at_ms, short(o)) for now_ms in range(0, 2_000, 50) for o in eye.step(now_ms)]

    assert night(5) == night(5)
    assert night(5) != night(6)


def test_a_face_down_card_is_in_no_repr():
    felt = SimFelt(LAYOUT, random.Random(1))
    felt.lay("player1", 1, Card.parse("Ks"), DOWN)
    felt.drop("player1", 1, "left")
    assert "Ks" not in repr(felt.view())
