"""The rules of Baccarat under their own numbers: docs/games/baccarat.md; and its returns."""

from __future__ import annotations

import doctest
from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction

import pytest
from rulebook_page import rows

import studio.games.baccarat
from studio.cards import DECK, Card, parse_cards
from studio.errors import BadInputError
from studio.games.baccarat import BACCARAT, BETS, burned_by, counts, due
from studio.proof.returns.rtp import prove
from studio.rulebook.script import Burn, Deal, OpenBets, Rules, Step
from studio.settlement.payout import payout_minor

DEFAULTS = BACCARAT.options.defaults
OF_COUNT = {counts(card): card for card in DECK}


def hand(*of: int) -> tuple[Card, ...]:
    """Cards that count so."""
    return tuple(OF_COUNT[count] for count in of)


def read(player: str, banker: str, rules: Rules = DEFAULTS) -> Mapping[str, Fraction]:
    """What every bet returns after that deal."""
    rules = BACCARAT.options.check(rules)
    hands = {"player": parse_cards(player), "banker": parse_cards(banker)}
    return BACCARAT.payment.returns(rules, BACCARAT.deal.outcome(rules, hands), "")


def owed(rules: Rules, cards: str) -> list[Step]:
    """What the script owes while these cards come, one after the other."""
    steps: list[Step] = []
    script = BACCARAT.deal.script(rules)
    coming = iter(parse_cards(cards))
    with suppress(StopIteration):
        step = next(script)
        while isinstance(step, Burn | OpenBets | Deal):
            steps.append(step)
            step = script.send(next(coming) if isinstance(step, Deal) else None)
    return steps


def test_the_first_card_of_a_new_shoe_is_turned_up_and_burns_as_many_as_it_counts() -> None:
    deal = [OpenBets(BETS, 15), *(Deal(box) for box in ("player", "banker", "player", "banker"))]  # [PB-5] [PB-7]
    assert owed(DEFAULTS, "Ks 2c 9d 5h") == deal
    assert owed({**DEFAULTS, "new_shoe": True}, "4s Ks 2c 9d 5h") == [Deal("first"), Burn(4), *deal]  # [PB-2] [PB-3]
    assert [burned_by(Card(rank, "s")) for rank in "A29TJQK"] == [1, 2, 9, 10, 10, 10, 10]  # [PB-3]


def test_eight_decks_are_dealt_through_many_rounds_and_six_where_the_house_has_them() -> None:
    shoe = BACCARAT.shoe  # [PB-1]
    assert (shoe.decks, shoe.cards, shoe.cards_per_round, shoe.rounds_per_shuffle) == (8, 416, 6, None)
    assert shoe.under({"decks": 6}).cards == 312
    assert BACCARAT.felt.zones == {"player": 3, "banker": 3, "first": 1, "burn": 10}
    assert [shoe.under({"after_cut": way}).rounds_after_cut for way in ("one_more", "none_more")] == [1, 0]  # [PB-4]


@pytest.mark.parametrize("points", range(10))
def test_the_player_draws_on_five_and_less(points: int) -> None:  # [PB-9]
    assert due(hand(0, points), hand(0, 7)) == ("player" if points <= 5 else None)


@pytest.mark.parametrize("points", range(10))
def test_the_banker_draws_on_five_and_less_where_the_player_stood(points: int) -> None:  # [PB-10]
    assert due(hand(0, 6), hand(0, points)) == ("banker" if points <= 5 else None)


def test_the_banker_draws_by_the_third_card_of_the_player_as_on_the_page() -> None:  # [PB-11]
    drawing = {}
    for banker, thirds in rows("baccarat", "Banker has"):
        drawing |= {int(points): {int(third) for third in thirds.split(", ") if third} for points in banker.split(", ")}
    assert set(drawing) == set(range(8))
    for points, thirds in drawing.items():
        found = {third for third in range(10) if due(hand(0, 2, third), hand(0, points)) == "banker"}
        assert found == thirds, points


@pytest.mark.parametrize(
    ("player", "banker"), [pytest.param((0, 8), (0, 0), id="player"), pytest.param((0, 0), (4, 5), id="banker")]
)
def test_after_a_natural_both_stand(player: tuple[int, ...], banker: tuple[int, ...]) -> None:  # [PB-8]
    assert due(hand(*player), hand(*banker)) is None


@pytest.mark.parametrize(
    ("player", "banker", "returns"),
    [
        pytest.param("Ks 7c", "Qd 6h", (2, 0, 0), id="PB-12-player"),
        pytest.param("Ks 6c", "Qd 7h", (0, Fraction(39, 20), 0), id="PB-14-banker"),
        pytest.param("Ks 7c", "Qd 7h", (1, 1, 9), id="PB-15-tie"),
        pytest.param("8s 9c", "Qd 6h", (2, 0, 0), id="PB-6-seventeen-is-seven"),
        pytest.param("As 2c 4d", "2d 4h", (2, 0, 0), id="PB-9-third-card"),
    ],
)
def test_who_wins_and_what_it_returns(player: str, banker: str, returns: tuple[object, ...]) -> None:
    assert tuple(read(player, banker)[bet] for bet in ("player", "banker", "tie")) == returns


def test_the_banker_is_paid_half_on_a_six_where_the_house_takes_no_commission() -> None:  # [PB-14]
    half = {"banker": "six_pays_half"}
    assert read("Ks 2c Td", "Qd 6h", half)["banker"] == Fraction(3, 2)
    assert read("Ks 2c Td", "Qd 7h", half)["banker"] == 2


@pytest.mark.parametrize(
    ("player", "banker", "won"),
    [
        pytest.param("7s 7c Qd", "Qd 7h", {"player_pair": 12, "either_pair": 6}, id="PB-16-player"),
        pytest.param("Ks 7c", "3d 3d", {"banker_pair": 12, "either_pair": 6, "perfect_pair": 26}, id="PB-17-one"),
        pytest.param(
            "4s 4s", "3d 3d",
            {"player_pair": 12, "banker_pair": 12, "either_pair": 6, "perfect_pair": 201}, id="PB-17-both",
        ),
        pytest.param("Ks Qs Qs", "Qd 7h", {}, id="PB-16-a-king-and-a-queen-are-none"),
    ],
)  # fmt: skip
def test_pairs(player: str, banker: str, won: Mapping[str, int]) -> None:
    back = read(*_dealt_out(player, banker))
    assert {bet: back[bet] for bet in back if bet.endswith("_pair") and back[bet]} == won


def _dealt_out(player: str, banker: str) -> tuple[str, str]:
    """Those hands, with kings for third cards that are due and not given."""
    own, bank = parse_cards(player)[:2], parse_cards(banker)[:2]
    while box := due(own, bank):
        own, bank = ((*own, OF_COUNT[0]), bank) if box == "player" else (own, (*bank, OF_COUNT[0]))
    return " ".join(map(str, own)), " ".join(map(str, bank))


def test_the_bonus_pays_as_on_the_page() -> None:  # [PB-18]
    paid = {line: Fraction(returns) for line, returns in rows("baccarat", "that hand", "returns")}
    assert read("Ks 9c", "Qd 8h")["player_bonus"] == paid["wins with a natural"]
    assert read("Ks 9c", "Qd 9h")["banker_bonus"] == paid["ties, both with naturals"]
    assert read("Ks 7c", "Qd 7h")["banker_bonus"] == 0
    for margin in range(1, 8):
        back = read("Ks 7c", _to(7 - margin))
        assert back["player_bonus"] == paid.get(f"wins by {margin} without a natural", 0), margin
        assert back["banker_bonus"] == 0
    for margin, (player, banker) in {8: ("Ks 8c", "Qd Kh"), 9: ("4s 5c", "Qd Kh")}.items():
        assert read(player, banker)["player_bonus"] == paid["wins with a natural"], margin
    assert read("Ks Qc 9d", "Qd Ah Qc")["player_bonus"] == paid["wins by 8 without a natural"]
    assert read("Ks Qc 9d", "Qd Kh Qc")["player_bonus"] == paid["wins by 9 without a natural"]


def _to(points: int) -> str:
    """A hand of three that ends on so many points, against a Player who stands."""
    return f"{OF_COUNT[0]} {OF_COUNT[0]} {OF_COUNT[points]}"


@pytest.mark.parametrize(
    ("player", "banker", "small"),
    [
        pytest.param("Ks 7c", "Qd 7h", True, id="four"),
        pytest.param("Ks 7c", "Qd 5h Kh", False, id="five"),
        pytest.param("Ks 2c Kd", "Qd 2h 3c", False, id="six"),
    ],
)
def test_small_and_big_count_cards(player: str, banker: str, small: bool) -> None:  # [PB-19]
    back = read(*(_dealt_out(player, banker) if not small else (player, banker)))
    assert (back["small"], back["big"]) == ((Fraction(5, 2), 0) if small else (0, Fraction(77, 50)))


def test_super_six_is_won_by_a_banker_with_six_alone() -> None:  # [PB-20]
    assert read("Ks 2c Td", "Qd 6h")["super_six"] == 16
    assert read("Ks 6c", "Qd 7h")["super_six"] == 0
    assert read("Ks 6c", "Qd 6h")["super_six"] == 0


def test_what_a_bet_returns_is_a_house_option() -> None:  # [PB-21]
    back = read("Ks 9c", "Qd 9h", {"tie": "10", "bonus": "natural_tie 0"})
    assert (back["tie"], back["player_bonus"]) == (10, 0)


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        pytest.param({"new_shoe": True}, "no house option 'new_shoe'", id="unknown"),
        pytest.param({"decks": 7}, "decks cannot be '7': write one of 8, 6", id="decks"),
        pytest.param({"banker": "even"}, "banker cannot be 'even'", id="banker"),
        pytest.param({"tie": "much"}, "tie cannot return 'much'", id="odds"),
        pytest.param({"bonus": "three 2"}, "does not pay 'three'", id="bonus"),
    ],
)
def test_an_option_that_is_none_is_refused(rules: Rules, sentence: str) -> None:
    with pytest.raises(BadInputError, match=sentence):
        BACCARAT.options.check(rules)


def test_a_return_of_an_odd_stake_is_rounded_down_once() -> None:
    assert payout_minor(101, Fraction(39, 20)) == 196  # [PB-22]


@pytest.mark.parametrize(
    ("hands", "sentence"),
    [
        pytest.param({"player": "As"}, "The banker is due card 1", id="missing"),
        pytest.param({"player": "As 2c", "banker": "Ks Kd"}, "The player is due card 3", id="third-card-missing"),
        pytest.param(
            {"player": "Ks 6c 2d", "banker": "Ks 7d"}, "The player stands on 6: no card 3", id="no-third-card"
        ),
        pytest.param({"player": "Ks 2c 8d", "banker": "Ks 3d 2h"}, "The banker stands on 3", id="banker-stands"),
        pytest.param({"player": "Ks 8c", "banker": "Ks 3d", "first": "3c"}, "no box 'first'", id="unknown"),
    ],
)
def test_a_deal_that_is_none_is_refused(hands: dict[str, str], sentence: str) -> None:
    with pytest.raises(BadInputError, match=sentence):
        BACCARAT.deal.outcome({}, {box: parse_cards(cards) for box, cards in hands.items()})


FOUND = {
    "player": Fraction(19283843717413, 19524993263685),
    "banker": Fraction(10732465128097, 10847218479825),
    "tie": Fraction(619306544887, 723147898655),
    "player_pair": Fraction(372, 415),
    "banker_pair": Fraction(372, 415),
    "either_pair": Fraction(680326, 788417),
    "perfect_pair": Fraction(1553513, 1689465),
    "player_bonus": Fraction(3801450797986, 3904998652737),
    "banker_bonus": Fraction(93623815842, 103306842665),
    "small": Fraction(350890, 370461),
    "big": Fraction(506231, 529230),
    "super_six": Fraction(3365403805696, 3904998652737),
}
"""By independent enumeration, of eight decks."""


def test_every_bet_returns_what_independent_enumeration_found() -> None:
    assert {bet: proof.rtp for bet, proof in prove(BACCARAT, {}).items()} == FOUND
    half = prove(BACCARAT, {"banker": "six_pays_half"})["banker"]
    assert half.rtp == Fraction(19240298465317, 19524993263685)


@pytest.mark.parametrize(
    ("column", "rules"), [(1, {}), (2, {"banker": "six_pays_half"}), (3, {"decks": "6"})], ids=["usual", "half", "six"]
)
def test_the_figures_on_the_page_are_the_proved_ones(column: int, rules: Rules) -> None:
    printed = {row[0]: float(row[column]) for row in rows("baccarat", "bet", "exact")}
    assert printed == {bet: round(proof.rtp_percent, 4) for bet, proof in prove(BACCARAT, rules).items()}


def test_the_examples_in_the_code_run() -> None:
    assert doctest.testmod(studio.games.baccarat).failed == 0
