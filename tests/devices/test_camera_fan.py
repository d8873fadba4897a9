"""Fans: overlapping cards, of which only the newest is seen whole, told alike by the seeded eye and the real camera."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable

import numpy as np
import pytest

from devices.camera.face.reader import CardReader
from devices.camera.felt.layout import Layout, layout_for, open_spots
from devices.camera.place.fan import FanOrder, strip_stays
from devices.camera.source.live import open_source
from devices.camera.watch import Watcher, WatchSettings
from devices.sim.eye.seeded_eye import SeededEye
from devices.sim.felt import SimFelt
from devices.sim.picture.felt_render import FeltRenderer
from studio.cards import DECK, Card, Sealer
from studio.games import find_game
from studio.ports import (
    CameraLostCard,
    CameraSawCard,
    CameraSawEmpty,
    CameraSawHand,
    CameraSawStray,
    CardFace,
    Device,
    Observation,
)

UP, DOWN = CardFace.UP, CardFace.DOWN
LAYOUT = layout_for(find_game("blackjack").felt.zones)
READER = CardReader()


class Rig:
    """A camera over the felt of Blackjack, or another one of fans, stepped by a clock of its own."""

    def __init__(self, look: Callable[[SimFelt, Sealer], Device], layout: Layout = LAYOUT) -> None:
        self.felt = SimFelt(layout, random.Random(11))
        self.now_ms = 1_000_000
        self.device = look(self.felt, Sealer(random.Random(12).randbytes))

    def sees(self, wait_ms: int = 1_200) -> list[str]:
        said: list[str] = []
        for _ in range(wait_ms // 80):
            self.now_ms += 80
            said.extend(short(observation) for observation in self.device.step(self.now_ms))
        return said

    def lay(self, zone: str, place: int, card: str, wait_ms: int = 1_200) -> list[str]:
        self.felt.lay(zone, place, Card.parse(card), UP)
        return self.sees(wait_ms)


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
        case CameraSawStray(face=face, card=card):
            return f"stray {card.card() if card else face.value}"
        case _:
            return type(observation).__name__


def seeded_eye(felt: SimFelt, sealer: Sealer) -> Device:
    return SeededEye(felt, sealer, random.Random(13))


@functools.cache
def camera(layout: Layout = LAYOUT) -> FeltRenderer:
    return FeltRenderer(SimFelt(layout, random.Random(11)), 14)


def watcher(felt: SimFelt, sealer: Sealer) -> Device:
    source = open_source("sim://felt", {"felt": camera(felt.layout).over(felt).frame})
    return Watcher(source, felt.layout, sealer, settings=WatchSettings(reader=READER))


@pytest.fixture(params=[seeded_eye, watcher], ids=["seeded eye", "watcher over rendered frames"])
def rig(request: pytest.FixtureRequest):
    built = Rig(request.param)
    built.sees()
    yield built
    built.device.close()


@pytest.fixture(params=[seeded_eye, watcher], ids=["seeded eye", "watcher over rendered frames"])
def fresh(request: pytest.FixtureRequest):
    built = Rig(request.param)
    yield built
    built.device.close()


def test_a_bare_fan_is_told_once_and_one_with_cards_by_its_cards(fresh):
    for place, card in enumerate(("As", "Kd", "9c"), 1):
        fresh.felt.lay("3", place, Card.parse(card), UP)
    said = fresh.sees()
    assert said[0] == "LinkUp"
    assert sorted(one for one in said if one.startswith("3 ")) == ["3 1 unsure", "3 2 unsure", "3 3 9c"]
    assert sum(one.endswith(" empty") for one in said) == len(LAYOUT.regions) - 1


def test_cards_laid_on_each_other_are_read_as_they_come_and_the_covered_ones_are_kept(rig):
    hand = ["5s", "2d", "2d", "Ah", "3c", "4h"]
    for place, card in enumerate(hand, 1):
        assert rig.lay("4", place, card) == [f"4 {place} {card}"]
    rig.felt.take("4", 6)
    assert rig.sees() == ["4 6 empty"]
    assert rig.lay("4", 6, "8c") == ["4 6 8c"]


@pytest.mark.long
def test_neighbouring_fans_and_the_rows_of_a_split_box_do_not_disturb_each_other(rig):
    for zone, place, card in (
        ("1", 1, "8s"), ("2", 1, "Td"), ("dealer", 1, "6h"), ("1", 2, "8d"), ("2", 2, "9h"),
        ("1a", 1, "3c"), ("1a", 2, "Qs"), ("1b", 1, "Kc"), ("dealer", 2, "Jd"), ("dealer", 3, "5c"),
    ):  # fmt: skip
        assert rig.lay(zone, place, card) == [f"{zone} {place} {card}"]


def test_the_place_is_counted_and_the_dealer_need_not_lay_the_first_card_on_its_spot(rig):
    rig.felt.lay("5", 3, Card.parse("7h"), UP)
    assert rig.sees() == ["5 1 7h"]
    rig.felt.lay("5", 4, Card.parse("6h"), UP)
    assert rig.sees() == ["5 2 6h"]


def test_a_card_covered_before_it_was_read_is_unsure_and_never_another_card(rig):
    rig.lay("2", 1, "9d")
    rig.felt.lay("2", 2, Card.parse("4c"), UP)
    assert rig.sees(80) == []
    rig.felt.lay("2", 3, Card.parse("Kh"), UP)
    assert rig.sees() == ["2 2 unsure", "2 3 Kh"]
    rig.felt.take("2", 3)
    assert rig.sees() == ["2 3 empty", "2 2 4c"]
    assert rig.lay("2", 3, "Kh") == ["2 3 Kh"]


def test_backs_that_come_faster_than_anybody_looks_are_told_face_down(rig):
    said = []
    for place, card in enumerate(("As", "Kd", "9c", "2h", "7s"), 1):
        rig.felt.lay("3", place, Card.parse(card), DOWN)
        said += rig.sees(160)
    said += rig.sees(2_000)
    last = {one[:3]: one[4:] for one in said if one.startswith("3 ")}
    assert last == {f"3 {place}": "down" for place in range(1, 6)}


def test_a_face_under_backs_is_not_told_as_one(rig):
    rig.felt.lay("3", 1, Card.parse("As"), UP)
    rig.sees(80)
    rig.felt.lay("3", 2, Card.parse("Kd"), DOWN)
    rig.sees(80)
    rig.felt.lay("3", 3, Card.parse("9c"), DOWN)
    last = {one[:3]: one[4:] for one in rig.sees(2_000) if one.startswith("3 ")}
    assert last.get("3 1") != "down"
    assert last["3 3"] == "down"


def test_a_card_taken_from_under_others_makes_its_place_unsure_until_it_lies_there_again(rig):
    for place, card in enumerate(("5s", "Jd", "2c"), 1):
        rig.lay("6", place, card)
    rig.felt.take("6", 2)
    assert rig.sees() == ["6 2 unsure"]
    rig.felt.lay("6", 2, Card.parse("Jd"), UP)
    assert rig.sees() == ["6 2 Jd"]
    rig.felt.take("6", 2)
    rig.felt.lay("6", 2, Card.parse("3h"), UP)
    assert rig.sees() == ["6 2 unsure"]


def test_the_newest_card_of_a_fan_that_slides_over_the_edge_is_told_with_its_direction(rig):
    for place, card in enumerate(("5s", "Jd", "2c"), 1):
        rig.lay("7", place, card)
    rig.felt.drop("7", 3, "right")
    assert rig.sees() == ["7 3 lost right identified"]
    rig.lay("1", 1, "Ac")
    rig.felt.drop("1", 1, "left")
    assert rig.sees() == ["1 1 lost left identified"]


def test_a_hand_that_stays_over_a_fan_is_told_of_its_newest_card_which_is_told_again_afterwards(rig):
    rig.lay("4", 1, "Qs")
    rig.lay("4", 2, "2h")
    rig.felt.hand_over("4", 2, on=True)
    assert "4 2 hand" in rig.sees()
    rig.felt.hand_over("4", 2, on=False)
    assert "4 2 2h" in rig.sees()


def test_a_card_laid_in_another_box_is_told_there(rig):
    rig.lay("4", 1, "Qs")
    rig.lay("4", 2, "2h")
    rig.felt.move(("4", 2), ("5", 1))
    assert sorted(rig.sees()) == ["4 2 empty", "5 1 2h"]


def test_a_card_laid_exactly_on_the_newest_is_told_in_its_place(rig):
    rig.lay("4", 1, "Qs")
    rig.lay("4", 2, "2h")
    rig.felt.lay("4", 2, Card.parse("7c"), UP)
    rig.felt.square("4", 2)
    assert rig.sees() == ["4 2 7c"]
    rig.felt.take("4", 2)
    assert rig.sees() == ["4 2 2h"]


def test_a_card_beside_the_fans_is_a_stray(rig):
    rig.lay("4", 1, "Qs")
    rig.felt.lay_stray(*open_spots(LAYOUT)[-1], Card.parse("3d"), UP)
    assert rig.sees() == ["stray 3d"]


def test_cards_beyond_the_last_spot_lie_on_each_other_and_are_told_apart_by_their_faces(rig):
    spots = next(fan.spots for fan in LAYOUT.fans if fan.zone == "1")
    hand = [card for card in DECK if card.rank in "A23"][: spots + 2]
    for place, card in enumerate(hand, 1):
        said = rig.lay("1", place, str(card), 960)
        if place > spots and said != [f"1 {place} {card}"]:
            assert said == [f"1 {place - 1} hand"]
            rig.felt.square("1", place)
            said = rig.sees()
        assert f"1 {place} {card}" in said
    rig.felt.take("1", spots + 2)
    assert rig.sees() == [f"1 {spots + 2} empty"]


def test_after_being_blind_the_fans_are_told_again_and_covered_cards_are_still_known():
    rig = Rig(watcher)
    over = camera().over(rig.felt)
    source = open_source("sim://felt", {"felt": over.frame})
    rig.device = Watcher(source, LAYOUT, Sealer(random.Random(1).randbytes), settings=WatchSettings(reader=READER))
    rig.sees()
    for place, card in enumerate(("5s", "Jd", "2c"), 1):
        rig.lay("6", place, card)
    over.spoil = "dark"
    assert rig.sees() == ["CameraBlind"]
    rig.felt.take("6", 1)
    over.spoil = ""
    said = rig.sees()
    assert said[0] == "CameraSeesAgain"
    assert sorted(one for one in said if one.startswith("6 ")) == ["6 1 unsure", "6 2 Jd", "6 3 2c"]


def test_a_card_partly_under_the_fan_it_was_laid_on_is_no_card_that_can_be_named():
    rig = Rig(watcher)
    rig.sees()
    rig.lay("dealer", 5, "9d")
    rig.felt.lay("dealer", 3, Card.parse("4c"), UP)  # laid under the first, to its left
    assert not any("4c" in one for one in rig.sees())


@pytest.mark.parametrize("seed", range(2))
def test_a_felt_full_of_fans_is_read_without_a_wrong_card(seed):
    rig, rng = Rig(watcher), random.Random(seed)
    rig.sees()
    laid = {}
    for place in range(1, 6):
        for fan in LAYOUT.fans:
            if rng.random() < 0.7 and (place == 1 or (fan.zone, place - 1) in laid):
                laid[fan.zone, place] = rng.choice(DECK)
                rig.felt.lay(fan.zone, place, laid[fan.zone, place], UP)
        said = rig.sees(1_200)
        want = sorted(f"{zone} {at} {card}" for (zone, at), card in laid.items() if at == place)
        assert sorted(said) == want


@pytest.mark.parametrize(
    "look",
    [
        pytest.param(seeded_eye, id="seeded eye"),
        pytest.param(watcher, id="watcher over rendered frames", marks=pytest.mark.long),
    ],
)
def test_a_row_of_twenty_five_cards_is_read_card_upon_card_and_nothing_else_is_said(look):
    rig = Rig(look, layout_for(find_game("andar_bahar").felt.zones))
    rig.sees()
    assert rig.lay("joker", 1, "7s") == ["joker 1 7s"]
    cards = [*(card for card in DECK if card.rank != "7"), Card.parse("7d")]
    for at, card in enumerate(cards):
        zone, place = ("andar", "bahar")[at % 2], at // 2 + 1
        assert rig.lay(zone, place, str(card)) == [f"{zone} {place} {card}"]
    rig.device.close()


def test_cards_high_enough_to_be_read_lie_anywhere_on_a_felt_of_fans():
    width_px, height_px = LAYOUT.frame_px
    assert (width_px, height_px) == (1920, 1080)
    assert all(88 * width_px / LAYOUT.width_mm * 0.93 >= 110 for _ in LAYOUT.fans)


def test_every_other_game_keeps_the_felt_it_had():
    for key in ("three_knights", "ultimate_holdem", "holdem_bonus", "three_card_poker", "kkclash", "casino_holdem"):
        layout = layout_for(find_game(key).felt.zones)
        assert (layout.fans, layout.frame_px, layout.regions) == ((), (1280, 720), layout.slots)


def test_two_cards_further_on_came_together():
    order = FanOrder(next(fan for fan in LAYOUT.fans if fan.zone == "1"))
    order.set_top(1, 100.0, None)
    assert [order.place_of(x_mm, 100.0, None) for x_mm in (95.0, 107.0, 108.0, 122.0, 123.0)] == [1, 1, 2, 2, 3]
    order.set_top(3, 130.0, None)
    assert [order.place_of(x_mm, 100.0, None) for x_mm in (130.0, 115.0, 100.0)] == [3, 2, 1]


def test_a_nudge_of_a_covered_card_is_none_and_another_card_is_one():
    rng = np.random.default_rng(1)
    before = rng.integers(0, 255, (170, 290), dtype=np.uint8)
    card = np.array([(20, 20), (114, 20), (114, 152), (20, 152)], np.float32)
    cover = card + np.float32([22, 0])
    assert strip_stays(before, np.roll(before, 2, axis=1), card, cover)
    assert not strip_stays(before, rng.integers(0, 255, (170, 290), dtype=np.uint8), card, cover)
    assert strip_stays(before, before // 2, card, card + np.float32([4, 0]))


def test_the_strip_of_a_back_half_dark_and_half_light_stays_whatever_lies_around_it():
    across, down = np.meshgrid(np.arange(290), np.arange(170))
    before = np.where((across // 7 + down // 7) % 2, 230, 60).astype(np.uint8)
    card = np.array([(20, 20), (114, 20), (114, 152), (20, 152)], np.float32)
    for pitch in (12, 14, 16, 22):
        cover = card + np.float32([pitch, 0])
        now = before.copy()
        now[:, 21 + pitch :] = np.roll(before, 3, axis=1)[:, 21 + pitch :]
        assert strip_stays(before, now, card, cover)
        assert strip_stays(before, (now * 0.9).astype(np.uint8), card, cover)
        assert not strip_stays(before, np.full_like(before, 230), card, cover)


def test_backs_that_lie_in_a_fan_are_told_once(fresh):
    fresh.sees()
    told = []
    for place, card in enumerate(("As", "Kd", "9c", "2h", "7s"), 1):
        fresh.felt.lay("3", place, Card.parse(card), DOWN)
        told += fresh.sees()
    assert told == [f"3 {place} down" for place in range(1, 6)]
