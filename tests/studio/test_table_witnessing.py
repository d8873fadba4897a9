"""What the camera sees happen, at a table: which incident it opens, under which row, and whether the deal is held."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from table_bench import CONFIG, DEALER, DOWN, PIT, UP, Bench, bench

from studio import ports
from studio.cards import Card, parse_cards
from studio.tables import command as c
from studio.tables.event.record import read_body
from studio.tables.state.round import Stage
from studio.tables.state.table import awaited
from studio.views import view_table

PLAYER, HOUSE = parse_cards("Ts Td 4h"), parse_cards("Qs 9d 5c")
SLOTS = tuple((box, place) for place in (1, 2, 3) for box in ("player", "dealer"))
DEAL = tuple(card for pair in zip(PLAYER, HOUSE, strict=True) for card in pair)
"""Three Card Poker: the player's cards open, the dealer's face down."""


@pytest.fixture
def poker() -> Iterator[Bench]:
    """Three Card Poker: bets are in, the player's first card is due."""
    with bench(CONFIG, game="three_card_poker", window_s=15.0) as table:
        table.deposit(10_000)
        table.open()
        table.do(c.StartRound)
        yield table.betting(("ante", 1000))


@pytest.fixture
def knights() -> Iterator[Bench]:
    """Three Knights: bets are in, Player 1's first card is due; every card is dealt open."""
    with bench() as table:
        table.deposit(10_000)
        yield table.open().start().betting(("player1_win", 1000))


def deal(table: Bench, count: int) -> Bench:
    for card in DEAL[:count]:
        now = awaited(table.state)
        assert now is not None
        slot = table.next_slot()
        table.draw(card)
        table.lay(*slot, card if slot[0] == "player" else None, UP if slot[0] == "player" else DOWN)
    return table


def flash(table: Bench, slot: tuple[str, int], card: Card) -> None:
    table.say(
        ports.CameraSawFlash(
            device="camera", at_ms=table.now, zone=slot[0], place=slot[1], card=table.sealer.card(card),
            confidence=0.999, evidence="c0a25e", model="m",
        )
    )  # fmt: skip


def swap(table: Bench, one: tuple[str, int], other: tuple[str, int]) -> None:
    table.say(
        ports.CameraSawSwap(
            device="camera", at_ms=table.now, zone=one[0], place=one[1], other_zone=other[0], other_place=other[1],
            evidence="aa", other_evidence="bb",
        )
    )  # fmt: skip


def stray(table: Bench, card: Card | None) -> None:
    sealed = table.sealer.card(card) if card else None
    table.say(
        ports.CameraSawStray(
            device="camera", at_ms=table.now, x=0.5, y=0.5, face=UP if card else DOWN, card=sealed, evidence="cc"
        )
    )  # fmt: skip


def confirmed(table: Bench, slot: tuple[str, int]) -> bool:
    return table.round.deal.cards[slot].card.id in table.round.eyes.confirmed


# --- a face that shows for a moment ---------------------------------------------------------------------------


def test_hg3_the_face_of_a_down_card_that_flashes_voids_the_round_and_is_named_nowhere(poker: Bench) -> None:
    deal(poker, 2)
    flash(poker, ("dealer", 1), HOUSE[0])
    assert (poker.incident.kind, poker.incident.ruling.row) == ("exposed_card", "HG3")
    assert (poker.incident.scene.box, poker.incident.scene.place, poker.incident.scene.evidence) == (
        "dealer",
        1,
        ("c0a25e",),
    )
    assert poker.state.held
    screen = msgspec.json.encode(view_table(poker.state, poker.table.book, 1)).decode()
    assert "Qs" not in screen + repr(poker.rows("IncidentOpened", "CameraSawFlash"))
    poker.rule("void_round", PIT)
    poker.pay()
    assert (poker.round.stage, poker.round.void.row, poker.balance()) == (Stage.VOIDED, "HG3", 10_000)


def test_hg3_a_flash_while_the_card_is_laid_is_told_though_the_camera_has_not_confirmed_it_yet(poker: Bench) -> None:
    deal(poker, 1)
    poker.draw(HOUSE[0])
    flash(poker, ("dealer", 1), HOUSE[0])
    poker.lay("dealer", 1, face=DOWN)
    assert (poker.incident.ruling.row, len(poker.incident.scene.cards)) == ("HG3", 1)


def test_hg3_a_flash_where_a_down_card_is_awaited_is_told_before_the_shoe_has_spoken(poker: Bench) -> None:
    deal(poker, 1)
    flash(poker, ("dealer", 1), HOUSE[0])
    assert (poker.incident.kind, poker.incident.ruling.row) == ("exposed_card", "HG3")


def test_a_flash_while_the_table_is_held_counts_too_for_nobody_can_unsee_it(poker: Bench) -> None:
    deal(poker, 2)
    poker.do(c.FreezeTable, DEALER)
    flash(poker, ("dealer", 1), HOUSE[0])
    assert poker.open_kinds() == ["exposed_card"]
    flash(poker, ("dealer", 1), HOUSE[0])
    assert poker.open_kinds() == ["exposed_card"]


@pytest.mark.parametrize("lies", [True, False], ids=["it lies in its place", "it is on its way"])
def test_an_open_card_carried_over_a_down_card_exposes_nothing(poker: Bench, lies: bool) -> None:
    deal(poker, 2)
    poker.draw(PLAYER[1])
    if lies:
        poker.lay("player", 2, PLAYER[1])
    flash(poker, ("dealer", 1), PLAYER[1])
    assert poker.state.incidents.open == ()


def test_a_card_out_of_the_shoe_too_early_carried_over_a_down_card_exposes_that_one_only(poker: Bench) -> None:
    deal(poker, 6)
    poker.draw("2c")
    assert poker.open_kinds() == ["extra_card"]
    flash(poker, ("dealer", 1), Card.parse("2c"))
    assert poker.open_kinds() == ["extra_card"]


def test_cards_laid_out_again_from_the_discard_may_show_their_faces(poker: Bench) -> None:
    deal(poker, 2)
    poker.lift("dealer", 1)
    poker.wait(4)
    assert poker.open_kinds() == ["cleared_early"]
    poker.rule("relay_from_discard", PIT)
    flash(poker, ("dealer", 1), HOUSE[0])
    poker.lay("dealer", 1, face=DOWN)
    assert poker.state.incidents.open == ()


def test_a_card_on_its_way_to_the_discard_exposes_nothing(poker: Bench) -> None:
    deal(poker, 6)
    poker.draw("2c")
    poker.rule("card_to_discard")
    assert poker.state.incidents.open == ()
    flash(poker, ("dealer", 1), Card.parse("2c"))
    assert poker.state.incidents.open == ()


def test_a_card_that_may_be_seen_by_now_flashes_without_consequence(knights: Bench) -> None:
    knights.deal("Js")
    flash(knights, ("player1", 1), Card.parse("Js"))
    assert knights.state.incidents.open == ()


def test_a_burn_card_that_shows_its_face_holds_the_table() -> None:
    with bench() as table:
        table.open().do(c.StartRound)
        table.draw("4s")
        table.lay("burn", 1)
        flash(table, ("burn", 1), Card.parse("4s"))
        assert (table.incident.kind, table.state.held) == ("exposed_card", True)
        assert "void_round" in table.incident.ruling.options


# --- cards that changed places, a card exchanged for another --------------------------------------------------


def test_two_cards_swapped_are_misplaced_and_the_incident_closes_when_they_lie_right(knights: Bench) -> None:
    knights.deal("Js", "2c", "Kc")
    swap(knights, ("player1", 1), ("player2", 1))
    assert (knights.incident.kind, knights.incident.ruling.row) == ("misplaced_card", "TK12")
    assert (knights.incident.circumstances["count"], knights.incident.scene.evidence) == (2, ("aa", "bb"))
    assert knights.state.held
    assert not confirmed(knights, ("player1", 1))
    knights.lay("player1", 1, "2c")
    knights.lay("player2", 1, "Js")
    knights.rule("move_card", PIT)
    knights.lay("player1", 1, "Js")
    assert knights.incident.ruled.ruling == "move_card"
    knights.lay("player2", 1, "2c")
    assert knights.state.incidents.open == ()
    assert confirmed(knights, ("player1", 1))
    assert confirmed(knights, ("player2", 1))
    knights.deal(*parse_cards("Qs 3h 3c 8d Th 6d 7d 8h 9d")).finish()
    assert knights.round.stage is Stage.SETTLED


def test_two_cards_swapped_may_lie_as_they_do_where_the_pit_says_so(knights: Bench) -> None:
    knights.deal("Js", "2c", "Kc")
    swap(knights, ("player1", 1), ("player2", 1))
    knights.lay("player1", 1, "2c")
    knights.lay("player2", 1, "Js")
    knights.rule("continue", PIT)
    assert knights.state.incidents.open == ()
    assert confirmed(knights, ("player1", 1))
    assert confirmed(knights, ("player2", 1))
    knights.deal(*parse_cards("Qs 3h 3c 8d Th 6d 7d 8h 9d")).finish()
    assert knights.round.outcome is not None


def test_hg4_the_last_two_cards_swapped_are_moved_by_the_dealer(poker: Bench) -> None:
    deal(poker, 2)
    swap(poker, ("player", 1), ("dealer", 1))
    assert (poker.incident.ruling.row, poker.incident.ruling.ruling) == ("HG4", "move_card")
    poker.lay("player", 1, face=DOWN)
    poker.lay("dealer", 1, PLAYER[0])
    poker.rule("move_card")
    poker.lay("player", 1, PLAYER[0])
    poker.lay("dealer", 1, face=DOWN)
    assert poker.state.incidents.open == ()


def test_hg15_a_card_exchanged_for_another_holds_the_table_with_both_pictures(knights: Bench) -> None:
    knights.deal("Js")
    knights.say(
        ports.CameraSawCard(
            device="camera", at_ms=knights.now, zone="player1", place=1, face=UP,
            card=knights.sealer.card(Card.parse("9c")), confidence=0.999, evidence="dd", exchanged=True, before="ee",
        )
    )  # fmt: skip
    assert (knights.incident.kind, knights.incident.ruling.row) == ("card_mismatch", "HG15")
    assert knights.incident.scene.evidence == ("ee", "dd")


# --- cards in the open, cards from nowhere, cards that leave --------------------------------------------------


def test_hg4_the_last_card_left_in_the_open_is_put_into_its_place_by_the_dealer(poker: Bench) -> None:
    poker.draw(PLAYER[0])
    stray(poker, PLAYER[0])
    assert (poker.incident.ruling.row, poker.incident.ruling.ruling) == ("HG4", "move_card")
    assert poker.incident.scene.evidence == ("cc",)
    poker.rule("move_card")
    poker.say(ports.CameraStrayGone(device="camera", at_ms=poker.now, x=0.5, y=0.5))
    assert poker.incident.ruled.ruling
    poker.lay("player", 1, PLAYER[0])
    assert poker.state.incidents.open == ()


def test_hg4_a_down_card_left_in_the_open_is_the_one_that_is_missed(poker: Bench) -> None:
    deal(poker, 1)
    poker.draw(HOUSE[0])
    stray(poker, None)
    assert (poker.incident.ruling.row, len(poker.incident.scene.cards)) == ("HG4", 1)
    poker.rule("move_card")
    poker.say(ports.CameraStrayGone(device="camera", at_ms=poker.now, x=0.5, y=0.5))
    poker.lay("dealer", 1, face=DOWN)
    assert poker.state.incidents.open == ()


def test_hg5_a_card_nobody_knows_in_the_open_is_for_the_pit(poker: Bench) -> None:
    deal(poker, 2)
    stray(poker, Card.parse("2c"))
    assert (poker.incident.kind, poker.incident.ruling.row, poker.incident.scene.cards) == ("misplaced_card", "HG5", ())


@pytest.mark.parametrize("handled", [True, False])
def test_hg6_a_card_from_nowhere_that_nobody_drew_is_one_too_many(poker: Bench, handled: bool) -> None:
    deal(poker, 2)
    poker.say(
        ports.CameraSawCard(
            device="camera", at_ms=poker.now, zone="dealer", place=3, face=DOWN, evidence="ff", handled=handled
        )
    )  # fmt: skip
    poker.wait(2)
    assert (poker.incident.kind, poker.incident.ruling.row) == ("extra_card", "HG6")
    assert (poker.incident.scene.box, poker.incident.scene.place, poker.incident.scene.evidence) == (
        "dealer",
        3,
        ("ff",),
    )
    flash(poker, ("dealer", 3), Card.parse("2c"))
    assert (poker.incident.ruling.row, poker.incident.circumstances["revealed"]) == ("HG6b", True)


def test_a_card_that_leaves_the_view_takes_its_picture_to_the_incident(poker: Bench) -> None:
    deal(poker, 1)
    poker.say(
        ports.CameraLostCard(
            device="camera", at_ms=poker.now, zone="player", place=1, direction="left", identified=True, evidence="ab"
        )
    )  # fmt: skip
    assert (poker.incident.kind, poker.incident.ruling.row, poker.incident.scene.evidence) == (
        "dropped_card",
        "HG16",
        ("ab",),
    )


# --- a hand that stays, a picture that fails ------------------------------------------------------------------


def hand(table: Bench, slot: tuple[str, int], *, stays: bool) -> None:
    table.say(ports.CameraSawHand(device="camera", at_ms=table.now, zone=slot[0], place=slot[1], stays=stays))


def test_hg21_a_hand_that_stays_over_a_card_leaves_it_unconfirmed_until_it_is_seen_again(poker: Bench) -> None:
    deal(poker, 2)
    hand(poker, ("player", 1), stays=False)
    assert confirmed(poker, ("player", 1))
    hand(poker, ("player", 1), stays=True)
    assert not confirmed(poker, ("player", 1))
    poker.wait(4)
    assert (poker.incident.kind, poker.incident.ruling.row, poker.state.held) == ("camera_unsure", "HG21", False)
    poker.lay("player", 1, PLAYER[0])
    poker.tick()
    assert poker.state.incidents.open == ()
    assert confirmed(poker, ("player", 1))


@pytest.mark.parametrize(
    "reason", ["dark", "glare", "colourless", "unsharp", "frozen", "moved", "covered", "resized", "no_picture"]
)
def test_ev1_a_picture_that_fails_holds_the_table_until_it_is_good_and_the_felt_agrees(
    poker: Bench, reason: str
) -> None:
    deal(poker, 2)
    poker.say(ports.CameraBlind(device="camera", at_ms=poker.now, reason=reason))
    assert (poker.incident.kind, poker.incident.ruling.row, poker.state.devices.camera_blind) == (
        "device_lost",
        "EV1",
        reason,
    )
    assert poker.refused_ruling("continue", PIT) == "blind"
    poker.say(ports.CameraSeesAgain(device="camera", at_ms=poker.now))
    poker.lay("player", 1, "2c")
    assert poker.refused_ruling("continue", PIT) == "felt_differs"
    poker.lay("player", 1, PLAYER[0])
    poker.rule("continue", PIT)
    assert poker.state.incidents.open == ()


# --- the record -----------------------------------------------------------------------------------------------


def test_what_a_camera_said_before_it_could_say_more_is_still_read(poker: Bench) -> None:
    deal(poker, 1)
    hand(poker, ("player", 1), stays=False)
    with poker.store.reader() as reader:
        bodies = [row.body for row in reader.events(kinds=("CameraSawCard", "CameraSawHand"))]
    for body in bodies:
        told = json.loads(body)
        old = without(told, "model", "exchanged", "before", "handled", "stays", "other_evidence")
        seen = read_body(json.dumps(old)).event.observation
        assert (getattr(seen, "handled", True), getattr(seen, "stays", False)) == (True, False)
    assert len(bodies) > 1


def without(told: Any, *names: str) -> Any:
    """The same record as it was before these fields were."""
    if isinstance(told, dict):
        return {name: without(value, *names) for name, value in told.items() if name not in names}
    return [without(one, *names) for one in told] if isinstance(told, list) else told
