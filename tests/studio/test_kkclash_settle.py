"""`studio settle` for KKClash."""

import json
from typing import Any

from click.testing import CliRunner, Result

from studio.cli.settle import command
from studio.games.kkclash import BETS

CARDS = {"shark": ["Kh", "9c"], "king": ["Qh", "3d"], "board": ["Kc", "Jd", "8h", "5s", "2d"]}


def settle(cards: dict[str, Any], bets: dict[str, int], *options: str, folded: bool = False) -> Result:
    bettors = [{"id": "a", "bets": bets, "folded": folded}]
    line = json.dumps({"game": "kkclash", "cards": cards, "bettors": bettors})
    return CliRunner().invoke(command, options, input=line)


def test_every_bet_given_gets_its_payout_in_the_order_given() -> None:
    bets = dict.fromkeys((bet for bet in BETS if bet != "king"), 333)
    answer = json.loads(settle(CARDS, bets, "--json").stdout)
    assert [each["bet"] for each in answer["payouts"]] == list(bets)
    won = {each["bet"]: each["returns"] for each in answer["payouts"] if each["returns"]}
    assert won == {"shark": 672, "high_card_pair": 732, "k_high_pair": 6327}
    assert (answer["outcome"]["winner"], answer["outcome"]["won"]) == ("shark", list(won))


def test_people_get_the_hands_the_board_and_the_winning_hand_in_a_table() -> None:
    result = settle(CARDS, {"shark": 1000})
    assert result.exit_code == 0
    for words in ("KKClash", "Kc Jd 8h 5s 2d", "winning_hand", "Pair of kings", "lose", "2020"):
        assert words in result.stdout


def test_a_deal_or_a_bet_that_cannot_be_is_answered_with_a_sentence() -> None:
    twice = settle({**CARDS, "king": ["Kh", "3d"]}, {}, "--json")
    assert "card Kh is given 2 times" in json.loads(twice.stdout)["error"]
    assert "no bet 'ante'" in json.loads(settle(CARDS, {"ante": 5}, "--json").stdout)["error"]
    assert "no bettor for a decision" in json.loads(settle(CARDS, {"draw": 5}, "--json", folded=True).stdout)["error"]
