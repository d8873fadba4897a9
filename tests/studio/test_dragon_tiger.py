"""The rules of Dragon Tiger under their own numbers: docs/games/dragon_tiger.md; and its returns."""

from __future__ import annotations

import doctest
from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction

import pytest
from rulebook_page import rows

import studio.games.dragon_tiger
import studio.rulebook.shoe_terms
from studio.cards import DECK, parse_cards
from studio.errors import BadInputError
from studio.games.dragon_tiger import BETS, DRAGON_TIGER, HEIGHT, sides_of
from studio.proof.returns.rtp import prove
from studio.rulebook.script import Burn, Deal, OpenBets, Rules, Step
from studio.settlement.payout import payout_minor

HALF, LOST = Fraction(1, 2), Fraction(0)


def read(dragon: str, tiger: str, rules: Rules = DRAGON_TIGER.options.defaults) -> Mapping[str, Fraction]:
    """What every bet returns after that deal."""
    rules = DRAGON_TIGER.options.check(rules)
    hands = {"dragon": parse_cards(dragon), "tiger": parse_cards(tiger)}
    return DRAGON_TIGER.payment.returns(rules, DRAGON_TIGER.deal.outcome(rules, hands), "")


def steps(rules: Rules) -> list[Step]:
    """What the script owes, the first card of the deck being all it is dealt."""
    owed: list[Step] = []
    script = DRAGON_TIGER.deal.script(rules)
    with suppress(StopIteration):
        step = next(script)
        while isinstance(step, Burn | OpenBets | Deal):
            owed.append(step)
            step = script.send(DECK[0])
    return owed


def test_bets_open_and_either_box_gets_a_card_and_only_a_new_shoe_is_burned_from() -> None:
    deal = [OpenBets(BETS, 15), Deal("dragon"), Deal("tiger")]  # [DT-4] [DT-5]
    assert steps(DRAGON_TIGER.options.defaults) == deal
    assert steps({**DRAGON_TIGER.options.defaults, "new_shoe": True}) == [Burn(1), *deal]  # [DT-2]


def test_eight_decks_are_dealt_through_many_rounds() -> None:
    shoe = DRAGON_TIGER.shoe  # [DT-1]
    assert (shoe.decks, shoe.cards, shoe.cards_per_round, shoe.rounds_per_shuffle) == (8, 416, 2, None)
    assert DRAGON_TIGER.felt.zones == {"dragon": 1, "tiger": 1, "burn": 1}


@pytest.mark.parametrize(
    ("dragon", "tiger", "returns"),
    [
        pytest.param("Ks", "Qs", (2, 0, 0, 0), id="DT-7-dragon"),
        pytest.param("2h", "3c", (0, 2, 0, 0), id="DT-7-tiger"),
        pytest.param("As", "2c", (0, 2, 0, 0), id="DT-6-the-ace-is-the-lowest"),
        pytest.param("9s", "9c", (HALF, HALF, 12, 0), id="DT-8-tie"),
        pytest.param("9s", "9s", (HALF, HALF, 12, 51), id="DT-9-suited-tie"),
        pytest.param("7d", "7d", (HALF, HALF, 12, 51), id="DT-9-of-sevens"),
        pytest.param("Tc", "Ks", (0, 2, 0, 0), id="DT-6-suits-never-count"),
    ],
)
def test_who_wins_and_what_it_returns(dragon: str, tiger: str, returns: tuple[object, ...]) -> None:
    assert tuple(read(dragon, tiger)[bet] for bet in ("dragon", "tiger", "tie", "suited_tie")) == returns


def test_each_rank_wins_the_side_bets_that_stand_on_the_page() -> None:
    for bets, ranks in rows("dragon_tiger", "bets", "won by"):  # [DT-10]
        won = set(ranks.split(", "))
        for bet in bets.replace("`", "").split(", "):
            box = bet.partition("_")[0]
            for rank in HEIGHT:
                back = read(f"{rank}s", "7h") if box == "dragon" else read("7h", f"{rank}s")
                assert back[bet] == (2 if rank in won else LOST), (bet, rank)


def test_a_seven_loses_all_four() -> None:
    assert not sides_of(parse_cards("7s")[0])  # [DT-11]
    assert {back for bet, back in read("7s", "7h").items() if "_" in bet} == {LOST}


def test_what_a_bet_returns_is_a_house_option_and_nothing_else_is() -> None:
    back = read("9s", "9s", {"tie": "9", "win_on_tie": "0", "suited_tie": "41"})  # [DT-12]
    assert (back["dragon"], back["tie"], back["suited_tie"]) == (0, 9, 41)
    with pytest.raises(BadInputError, match="no house option 'new_shoe'"):
        DRAGON_TIGER.options.check({"new_shoe": True})


def test_half_of_an_odd_stake_is_rounded_down_once() -> None:
    assert payout_minor(101, HALF) == 50  # [DT-13]


@pytest.mark.parametrize(
    ("hands", "sentence"),
    [
        pytest.param({"dragon": "As"}, "The box tiger has 0 cards", id="missing"),
        pytest.param({"dragon": "As Ks", "tiger": "2c"}, "The box dragon has 2 cards", id="too-many"),
        pytest.param({"dragon": "As", "tiger": "2c", "lion": "3c"}, "no box 'lion'", id="unknown"),
    ],
)
def test_a_deal_that_is_none_is_refused(hands: dict[str, str], sentence: str) -> None:
    with pytest.raises(BadInputError, match=sentence):
        DRAGON_TIGER.deal.outcome({}, {box: parse_cards(cards) for box, cards in hands.items()})


def test_every_bet_returns_what_independent_enumeration_found() -> None:
    found = {bet: proof.rtp for bet, proof in prove(DRAGON_TIGER, {}).items()}
    sides = {
        f"{box}_{side}": Fraction(12, 13) for box in ("dragon", "tiger") for side in ("odd", "even", "small", "big")
    }
    main = {"dragon": Fraction(799, 830), "tiger": Fraction(799, 830)}
    assert found == {**main, "tie": Fraction(372, 415), "suited_tie": Fraction(357, 415), **sides}
    assert prove(DRAGON_TIGER, {"tie": "9"})["tie"].rtp == Fraction(279, 415)


def test_the_figures_on_the_page_are_the_proved_ones() -> None:
    printed = {bet: float(exact) for bet, exact in rows("dragon_tiger", "bet", "exact")}
    assert printed == {bet: round(proof.rtp_percent, 4) for bet, proof in prove(DRAGON_TIGER, {}).items()}


@pytest.mark.parametrize("module", [studio.games.dragon_tiger, studio.rulebook.shoe_terms])
def test_the_examples_in_the_code_run(module: object) -> None:
    assert doctest.testmod(module).failed == 0  # type: ignore[arg-type]
