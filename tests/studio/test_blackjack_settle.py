"""`studio settle` for Blackjack: the shape of its lines, the stakes put out, and the rounds that cannot be."""

import json
from typing import Any

import pytest
from click.testing import CliRunner

from studio.cli.settle import command

Line = dict[str, Any]


def settled(dealer: list[str], hands: list[Line], bets: dict[str, int]) -> Line:
    line = {"game": "blackjack", "cards": {"dealer": dealer, "hands": hands}, "bettors": [{"id": "a", "bets": bets}]}
    result = CliRunner().invoke(command, ["--json"], input=json.dumps(line))
    answer = json.loads(result.stdout)
    assert result.exit_code == ("error" in answer)
    assert isinstance(answer, dict)
    return answer


def payouts(dealer: list[str], hands: list[Line], bets: dict[str, int]) -> list[tuple[str, int, int]]:
    """Bet, the whole stake put out, and what comes back."""
    return [(each["bet"], each["stake"], each["returns"]) for each in settled(dealer, hands, bets)["payouts"]]


def test_one_line_for_each_bet_of_every_box() -> None:
    hands = [{"box": 3, "cards": ["Ts", "9d"]}, {"box": 1, "cards": ["Ks", "Ks"]}]
    bets = {"1:main": 1000, "1:perfect_pair": 100, "3:main": 500}
    assert payouts(["Td", "9s"], hands, bets) == [
        ("1:main", 1000, 2000),
        ("1:perfect_pair", 100, 10100),
        ("3:main", 500, 500),
    ]


@pytest.mark.parametrize(
    ("hands", "stake", "returned"),
    [
        pytest.param([{"cards": ["6s", "5d", "Tc"], "doubled": True}], 2000, 4000, id="BJ-12-doubled-and-won"),
        pytest.param([{"cards": ["6s", "5d", "2c"], "doubled": True}], 2000, 0, id="BJ-12-doubled-and-lost"),
        pytest.param(
            [{"cards": ["8s", "Ts"], "split": True}, {"cards": ["8d", "3s", "9c"], "split": True}],
            2000, 2000, id="BJ-25-one-hand-of-two-won",
        ),
        pytest.param(
            [{"cards": ["8s", "3s", "Tc"], "split": True, "doubled": True}, {"cards": ["8d", "Ts"], "split": True}],
            3000, 4000, id="BJ-25-one-of-two-doubled",
        ),
        pytest.param([{"cards": ["9s", "7d"], "surrendered": True}], 1000, 500, id="BJ-15-surrendered"),
        pytest.param([{"cards": ["As", "Td"]}], 1000, 2500, id="BJ-7-blackjack"),
    ],
)  # fmt: skip
def test_the_stake_is_all_that_was_put_out(hands: list[Line], stake: int, returned: int) -> None:
    boxed = [{"box": 1, **hand} for hand in hands]
    assert payouts(["Td", "9s"], boxed, {"1:main": 1000}) == [("1:main", stake, returned)]


def test_an_odd_half_is_rounded_down() -> None:  # [BJ-25]
    assert payouts(["9s"], [{"box": 2, "cards": ["As", "Td"]}], {"2:main": 1001}) == [("2:main", 1001, 2502)]


def test_insurance_and_even_money() -> None:
    hands = [{"box": 1, "cards": ["Ts", "9d"]}, {"box": 2, "cards": ["As", "Kd"], "even_money": True}]
    bets = {"1:main": 100, "1:insurance": 50, "2:main": 100}
    assert payouts(["Ad", "Ks"], hands, bets) == [("1:main", 100, 0), ("1:insurance", 50, 150), ("2:main", 100, 200)]


def test_the_outcome_names_every_hand() -> None:
    hands = [{"box": 1, "cards": ["As", "Kd"], "split": True}, {"box": 1, "cards": ["Ad", "5d"], "split": True}]
    outcome = settled(["Td", "9s"], hands, {})["outcome"]
    assert {row: (said["name"], said.get("result")) for row, said in outcome.items()} == {
        "dealer": ("19", None),
        "1a": ("Soft 21", "win"),
        "1b": ("Soft 16", "lose"),
    }


STANDING: list[Line] = [{"box": 1, "cards": ["Ts", "9d"]}]


def box(*cards: str, **how: object) -> list[Line]:
    return [{"box": 1, "cards": list(cards), **how}]


@pytest.mark.parametrize(
    ("dealer", "hands", "said"),
    [
        ([], STANDING, "The dealer has no card"),
        (["Td", "6s"], STANDING, "The dealer's hand is not finished"),
        (["Td", "7s", "2d"], STANDING, "The dealer drew on 17 or more"),
        (["Td"], box("As", "Kd"), "The dealer's hand is not finished"),
        (["Td", "9s"], box("Ts"), "has 1 cards"),
        (["Td", "9s"], box(split=True) * 2, "has 0 cards"),
        (["Td", "9s", "2c"], STANDING, "The dealer drew on 17 or more"),
        (["Td", "9s"], box("Ts", "5d", "6c", "2c"), "drew on 21 or more"),
        (["Td", "9s"], box("As", "Td", "6c"), "drew on 21 or more"),
        (["Td", "9s"], box("5s", "6d", doubled=True), "A doubled hand of box 1 has three cards"),
        (["Ad", "9s"], box("9s", "7d", surrendered=True), "cannot be surrendered"),
        (["Td", "9s"], box("As", "Kd", surrendered=True), "cannot be surrendered"),
        (["Td", "9s"], box("9s", "2d", "5d", surrendered=True), "cannot be surrendered"),
        (["Td", "9s"], box("As", "Kd", even_money=True), "Even money at box 1 is for a blackjack against an ace only"),
        (["Ad", "9s"], box("9s", "Kd", even_money=True), "Even money at box 1 is for a blackjack against an ace only"),
        (["Td", "9s"], box("As", "2d", "5c", split=True) * 2, "A split ace of box 1 gets one card"),
        (["Td", "9s"], [*box("8s", "2d", split=True), *box("9s", "2d", split=True)], "not of equal value"),
        (["Td", "9s"], box("8s", "9d", split=True), "give it exactly two hands"),
        (["Td", "9s"], STANDING * 2, "only a split box has two"),
        (["Td", "9s"], [{"box": 8, "cards": ["Ts", "9d"]}], "There is no box 8"),
        (["Td", "9s"], [{"box": 1, "cards": ["Ts", "9x"]}], "not a card"),
        (["Td", "9s"], [{"box": 1}], "cannot be read"),
        (["9s"], box(*["2s"] * 9), "is given 9 times: Blackjack holds it 8 times"),
    ],
)
def test_a_round_that_cannot_be_is_refused_with_a_sentence(dealer: list[str], hands: list[Line], said: str) -> None:
    assert said in settled(dealer, hands, {})["error"]


@pytest.mark.parametrize("bet", ["2:main", "1:insurance"])
def test_a_bet_this_deal_does_not_decide_is_refused(bet: str) -> None:
    assert f"The bet {bet} is not decided by this deal" in settled(["Td", "9s"], STANDING, {bet: 100})["error"]


def test_cards_may_be_given_as_one_string() -> None:
    line = '{"game": "blackjack", "cards": {"dealer": "Td 9s", "hands": [{"box": 1, "cards": "Ts Jd"}]}}'
    assert CliRunner().invoke(command, ["--json"], input=line).exit_code == 0
