"""What a bettor has won since he began, as his page tells it all the time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from api_fake_floor import FakeFloor
from fake_poker import between
from patience import wait_until
from running_studio import TABLE, House
from test_api_hands import play
from test_free_bets import MONEY, bet, granted, play_out
from test_free_bets import house as house
from test_seamless_wallet import void_settled

from dealer_ui.desk.ticket import Ticket
from dealer_ui.floor.bet_offer import BetOffer
from dealer_ui.pages.play.sitting import PlaySessions
from studio.games import find_game
from studio.money import bettor_account, operator_account
from studio.operators import FreeBetsGranted
from studio.tables.event import table as e
from tests.studio.dealt_hand import DealtHand


@pytest.fixture
def floor() -> Iterator[FakeFloor]:
    floor = FakeFloor()
    floor.deposit("north", "ann", "d1", 10_000)
    yield floor
    floor.close()


def ticket(since_ms: int) -> Ticket:
    return Ticket("", "north", "ann", "t1", "en", 2**50, since_ms=since_ms)


def stake(floor: FakeFloor, id: str, minor: int, bet: str = "player1_win", free: str = "") -> None:
    [answer] = floor.place_bets("t1", "north", [BetOffer(id, "ann", bet, minor, "", free)])
    assert answer.status == "accepted", answer


def test_it_counts_what_is_over_and_his_own_money_alone(floor: FakeFloor) -> None:
    sittings, ann = PlaySessions(floor), ticket(floor.now)  # type: ignore[arg-type]
    assert sittings.of(ann).won == {}
    floor.open_bets("r1", 1)
    stake(floor, "b1", 500)
    assert sum(sittings.of(ann).won.values()) == 0, "what waits is not lost"
    floor.settle({"player1_win": 0})
    assert sittings.of(ann).won == {"EUR": -500}
    grant = FreeBetsGranted(
        at_ms=0, operator="north", bettor="ann", grant="g", stake_minor=300, count=3, currency="EUR"
    )
    floor.free_bets.grant(floor.reader(), grant)
    for number, (returns, won) in enumerate(((0, -500), (300, -500), (900, 100)), 2):
        floor.open_bets(f"r{number}", number)
        stake(floor, f"b{number}", 300, free="g")
        floor.settle({"player1_win": returns})
        assert sittings.of(ann).won == {"EUR": won}
    floor.open_bets("r5", 5)
    stake(floor, "b5", 700)
    floor.void()
    assert sittings.of(ann).won == {"EUR": 100}


def at_the_poker_table(floor: FakeFloor) -> None:
    floor.show(room=between("ann", "sue").room)


def won_at_poker(*hands: DealtHand) -> int:
    """What the first seat has won in them, by their own results."""
    told = [find_game("nlh").deal.describe(hand.outcome)["seats"][hand.terms.seats[0]] for hand in hands]
    return sum(seat["takes"] - seat["paid"] for seat in told)


def test_hands_of_poker_are_in_it_once_they_are_over(floor: FakeFloor) -> None:
    sittings, ann = PlaySessions(floor), ticket(1)  # type: ignore[arg-type]
    first = [play(floor, "nlh", seed, number=seed) for seed in (1, 2, 3)]
    assert won_at_poker(*first) != 0
    assert sittings.of(ann).won == {"EUR": won_at_poker(*first)}
    floor.open_bets("r1", 1)
    stake(floor, "b1", 500)
    floor.settle({"player1_win": 0})
    at_the_poker_table(floor)
    assert sittings.of(ann).won == {"EUR": won_at_poker(*first) - 500}, "bets and hands together"
    play(floor, "nlh", 4, number=4, end="voided")
    assert sittings.of(ann).won == {"EUR": won_at_poker(*first) - 500}, "a void hand took nothing"
    last = play(floor, "nlh", 5, number=5)
    assert sittings.of(ann).won == {"EUR": won_at_poker(*first, last) - 500}
    assert PlaySessions(floor).of(ann).won == sittings.of(ann).won, "a restart counts the same"  # type: ignore[arg-type]
    play(floor, "nlh", 6, number=6, end="open")
    assert sittings.of(ann).won == {"EUR": won_at_poker(*first, last) - 500}, "an open hand is not lost"


def test_a_hand_that_is_void_after_all_is_taken_out_of_it(floor: FakeFloor) -> None:
    sittings, ann = PlaySessions(floor), ticket(1)  # type: ignore[arg-type]
    at_the_poker_table(floor)
    hands = [play(floor, "nlh", seed, number=seed) for seed in (1, 2)]
    assert sittings.of(ann).won == {"EUR": won_at_poker(*hands)}
    outcome = find_game("nlh").deal.describe(hands[1].outcome)
    void = e.RoundResettled(
        round="nlh-2-2", number=2, revision=1, void=True, outcome={}, before=outcome, bets=0, stake_minor=0,
        returns_minor=0, digest="",
    )  # fmt: skip
    floor.tell("nlh-2-2", void)
    assert sittings.of(ann).won == {"EUR": won_at_poker(hands[0])}


def test_bets_beyond_one_look_are_counted_all(floor: FakeFloor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dealer_ui.pages.play.sitting.BETS_A_LOOK", 3)
    ann = ticket(1)
    for number in range(1, 6):
        floor.open_bets(f"r{number}", number)
        for twice in range(2):
            stake(floor, f"b{number}-{twice}", 100)
        floor.settle({"player1_win": 0})
    assert PlaySessions(floor).of(ann).won == {"EUR": -1_000}  # type: ignore[arg-type]


def test_what_he_played_before_is_another_session(floor: FakeFloor) -> None:
    floor.open_bets("r1", 1)
    stake(floor, "b1", 500)
    floor.settle({"player1_win": 0})
    sittings, before = PlaySessions(floor), ticket(floor.now)  # type: ignore[arg-type]
    assert sittings.of(before).won == {"EUR": -500}
    floor.now += 60_000
    assert sum(sittings.of(replace(before, since_ms=floor.now)).won.values()) == 0


def test_a_correction_is_in_it(house: House) -> None:
    ann, sittings = ticket(1), PlaySessions(house.floor)
    ann = replace(ann, table=TABLE)
    granted(house)
    assert bet(house, "own", "player2_lose", stake=500, free_bet="") == "accepted"
    assert bet(house, "free", "player2_lose") == "accepted"
    play_out(house)
    assert sittings.of(ann).won == {"EUR": 800}
    void_settled(house)
    purse = bettor_account("north", "ann")
    wait_until(lambda: house.floor.reader().balance(purse, "EUR") == MONEY)
    wait_until(lambda: sittings.of(ann).won.get("EUR", 0) == 0)
    assert house.floor.reader().balance(operator_account("north"), "EUR") == -MONEY
