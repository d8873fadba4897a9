"""At Blackjack the cards fixed the decisions: a corrected card is paid where they fit, else a hand or all is void."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from blackjack_bench import Boxes, boxes
from correction_bench import approve, ask, correct, previewed, replaced

from studio.errors import RefusedError
from studio.games.blackjack import BLACKJACK
from studio.rounds import CardReplaced, HandVoided
from studio.tables.correction.preview import OtherWay, other_ways, weigh
from studio.tables.state.box import zones_of

BROUGHT = 100_000


@pytest.fixture
def table() -> Iterator[Boxes]:
    with boxes() as made:
        yield made


def stood(table: Boxes) -> Boxes:
    """Box 3 stands on nineteen, the dealer has seventeen."""
    table.bet_on({"3:main": 1_000}).no_more_bets().cards("Th 7c 9h").chosen("3 stand").cards("Tc").finish()
    assert table.balance() == BROUGHT + 1_000
    return table


def test_a_card_that_fits_the_decisions_is_paid(table: Boxes) -> None:
    stood(table)
    correct(table, replaced(table, "dealer", 1, "9c"))
    assert table.balance() == BROUGHT
    correct(table, replaced(table, "3", 2, "8h"))
    assert table.balance() == BROUGHT - 1_000


@pytest.mark.parametrize(
    ("box", "place", "face"), [("3", 2, "Ah"), ("dealer", 2, "5c")], ids=["a-blackjack-decides-nothing", "he-draws-on"]
)
def test_a_card_that_would_have_led_elsewhere_leaves_only_void(table: Boxes, box: str, place: int, face: str) -> None:
    stood(table)
    with pytest.raises(RefusedError) as refused:
        previewed(table, replaced(table, box, place, face))
    assert refused.value.key == "misfit"
    correct(table, void=True)
    assert table.balance() == BROUGHT


def test_a_stake_put_out_in_parts_is_corrected_as_one(table: Boxes) -> None:
    """Doubled on eleven with an odd stake: both parts are counted together, before and after."""
    table.bet_on({"3:main": 1_001}).no_more_bets().cards("6h 7c 5h").chosen("3 double").cards("9s Tc").finish()
    assert table.balance() == BROUGHT + 2_002
    correct(table, replaced(table, "3", 3, "2s"))
    assert table.balance() == BROUGHT - 2_002
    correct(table, void=True)
    assert table.balance() == BROUGHT


# --- what is left where the deal would have gone another way -------------------------------------------------


def hand(box: str) -> HandVoided:
    return HandVoided(box=box, zones=zones_of(BLACKJACK, box))


def two(table: Boxes) -> Boxes:
    """Box 3 stands on nineteen and wins, box 5 on seventeen and has its stake back."""
    table.bet_on({"3:main": 1_000, "3:perfect_pair": 100, "5:main": 2_000}).no_more_bets()
    table.cards("Th 9s 7c 9h 8s").chosen("3 stand", "5 stand").cards("Tc").finish()
    assert table.balance() == BROUGHT + 900
    return table


def ways(table: Boxes, *facts: CardReplaced) -> tuple[OtherWay, ...]:
    return other_ways(table.dossier(), facts)


def test_the_hand_of_the_card_can_be_void_and_the_others_stand(table: Boxes) -> None:
    two(table)
    card = replaced(table, "3", 1, "2h")
    correct(table, card, hand("3"))
    assert table.balance() == BROUGHT
    [resettled] = table.rows("RoundResettled")
    assert (resettled.void, "3" in resettled.outcome, resettled.outcome["5"]["result"]) == (False, False, "push")  # type: ignore[union-attr]


def test_a_blackjack_nobody_saw_is_paid_and_its_hand_is_over(table: Boxes) -> None:
    two(table)
    facts = replaced(table, "3", 2, "Ah"), hand("3")
    correct(table, *facts)
    assert table.balance() == BROUGHT + 1_500
    correct(table, replaced(table, "5", 1, "8h"))
    assert table.balance() == BROUGHT - 500
    with pytest.raises(RefusedError) as refused:
        previewed(table, facts[0])
    assert refused.value.key == "no_card"
    correct(table, void=True)
    assert table.balance() == BROUGHT


def test_what_a_blackjack_nobody_saw_put_out_later_goes_back(table: Boxes) -> None:
    """Doubled on a hand that was a blackjack: its first stake is paid, the second one goes back."""
    table.bet_on({"3:main": 1_000, "5:main": 2_000}).no_more_bets()
    table.cards("Th 9s 7c 9h 8s").chosen("3 double").cards("9c").chosen("5 stand").cards("Tc").finish()
    assert table.balance() == BROUGHT - 2_000
    correct(table, replaced(table, "3", 2, "Ah"), hand("3"))
    assert table.balance() == BROUGHT + 1_500


def test_a_split_hand_is_void_with_both_its_rows(table: Boxes) -> None:
    table.bet_on({"3:main": 1_000, "5:main": 2_000}).no_more_bets().cards("8h 9s 7c 8d 8s").chosen("3 split")
    table.cards("Tc").chosen("3a stand").cards("Td").chosen("3b stand", "5 stand").cards("Th").finish()
    assert table.balance() == BROUGHT + 2_000
    correct(table, hand("3"))
    assert table.balance() == BROUGHT


def test_a_blackjack_is_counted_by_its_own_hand_where_another_is_void_already(table: Boxes) -> None:
    """Box 3 doubles and is void; then box 5, which had doubled too, turns out to have been dealt a blackjack."""
    table.bet_on({"1:main": 500, "3:main": 1_000, "5:main": 2_000}).no_more_bets()
    table.cards("Th 6s Ts 7c 9h 5d 9d").chosen("1 stand", "3 double").cards("9c").chosen("5 double").cards("2c")
    table.cards("Tc").finish()
    assert table.balance() == BROUGHT + 500 + 2_000 + 4_000
    correct(table, hand("3"))
    correct(table, replaced(table, "5", 2, "Ad"), hand("5"))
    assert table.balance() == BROUGHT + 500 + 3_000


def test_a_blackjack_against_the_dealers_own_has_its_stake_back(table: Boxes) -> None:
    table.bet_on({"3:main": 1_000, "5:main": 2_000}).no_more_bets()
    table.cards("Th 9s Td 9h 8s").chosen("3 stand", "5 stand").cards("Ac").finish()
    assert table.balance() == BROUGHT - 3_000
    correct(table, replaced(table, "3", 2, "Ah"), hand("3"))
    assert table.balance() == BROUGHT - 2_000


def test_both_ways_are_weighed_and_the_smaller_comes_first(table: Boxes) -> None:
    two(table)
    smaller, larger = ways(table, replaced(table, "3", 2, "Ah"))
    assert (smaller.boxes, larger.pays) == (("3",), "pay_dealt")
    assert [one.out_minor for way in (smaller, larger) for one in way.weighed.sums] == [600, 600]
    assert tuple(map(str, smaller.weighed.said)) == ("3 2 = 9h, 3 settled", "3 2 = Ah, 3 void")


def test_a_card_of_the_dealers_leaves_the_round_alone(table: Boxes) -> None:
    two(table)
    [only] = ways(table, replaced(table, "dealer", 2, "5c"))
    assert (only.boxes, only.pays) == ((), "pay_dealt")


def test_the_only_hand_of_a_round_is_void_with_the_round(table: Boxes) -> None:
    stood(table)
    assert [way.pays for way in ways(table, replaced(table, "3", 2, "Ah"))] == ["pay_dealt"]


def test_a_round_that_is_void_pays_the_blackjacks_it_dealt(table: Boxes) -> None:
    """Box 3 was dealt one and is paid; box 5 has its stake back."""
    table.bet_on({"3:main": 1_000, "5:main": 2_000}).no_more_bets()
    table.cards("Th 9s 7c Ah 8s").chosen("5 stand").cards("Td").finish()
    before = table.balance()
    weighed = weigh(table.dossier(), (replaced(table, "dealer", 2, "5c"),), void=True, pays="pay_dealt")
    assert str(weighed.said[1]).endswith("void pay_dealt")
    ask(table, *weighed.facts, void=True, pays="pay_dealt")
    approve(table)
    table.pay()
    assert (before, table.balance()) == (BROUGHT + 1_500, BROUGHT + 1_500)
    [done] = table.rows("RoundResettled")
    assert (done.void, done.stake_minor, done.returns_minor) == (True, 1_000, 2_500)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("fact", "key"),
    [(HandVoided(box="4", zones=zones_of(BLACKJACK, "4")), "no_hand"), (HandVoided(box="3", zones=()), "no_hand")],
    ids=["nobody-there", "half-a-hand"],
)
def test_only_a_hand_that_lies_there_is_void(table: Boxes, fact: HandVoided, key: str) -> None:
    two(table)
    with pytest.raises(RefusedError) as refused:
        previewed(table, fact)
    assert refused.value.key == key


def test_a_void_that_pays_what_the_game_does_not_know_is_refused(table: Boxes) -> None:
    stood(table)
    for pays, facts, key in (("pay_all", (), "unknown_pays"), ("", (replaced(table, "3", 2, "Ah"),), "void_or_cards")):
        with pytest.raises(RefusedError) as refused:
            weigh(table.dossier(), facts, void=True, pays=pays)
        assert refused.value.key == key
