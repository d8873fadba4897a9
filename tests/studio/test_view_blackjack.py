"""What screens say of Blackjack hands while they are played: totals, marks, and why the next act is due."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from studio.cards import Card, Sealer
from studio.games.blackjack import BLACKJACK
from studio.rounds import AnyFact, Awaiting, CardDealt, Chose, Misfit, WindowClosed, play
from studio.tables.state.round import Round, RoundDeal
from studio.views.hand.blackjack import HandView, hands_of, why
from studio.views.shape import Words

SEALER = Sealer(random.Random(11).randbytes)
STAKED = ("1:main", "3:main", "3:perfect_pair")


def played(*told: str) -> Round:
    """A round of boxes 1 and 3: `1 Ts` is a card to box 1, `1 hit` a choice, `1 stand!` one by default."""
    facts: list[AnyFact] = [WindowClosed(boxes=("1", "3"))]
    places: dict[str, int] = {}
    for one in told:
        box, what = one.split()
        if box == "took":
            facts.append(WindowClosed(boxes=tuple(what.replace("-", ""))))
        elif len(what) == 2 and what[0] in "A23456789TJQK":
            card = SEALER.card(Card.parse(what))
            places[box] = places.get(box, 0) + 1
            facts.append(
                CardDealt(card=card, box=box, place=places[box], face=Card.parse(what), key=card.publish_key())
            )
        else:
            facts.append(Chose(box=box, option=what.rstrip("!"), by_default=what.endswith("!")))
    standing = play(BLACKJACK.deal.script(BLACKJACK.options.defaults), facts)
    assert not isinstance(standing, Misfit), standing
    return Round("r1", 1, BLACKJACK.options.defaults, 1, "dora", RoundDeal(standing, facts=tuple(facts)))


def said(round: Round, *, dealer_draws: bool = False) -> Words | None:
    return why(round, draws=dealer_draws)


FIRST = ("1 Ts", "3 8h", "dealer 6c", "1 6d", "3 8d")
SPLIT = (*FIRST, "1 stand", "3 split", "3a Ks")


@pytest.mark.parametrize(
    ("told", "zone", "points", "soft", "marks"),
    [
        (FIRST, "1", 16, False, ("bet",)),
        (FIRST, "3", 16, False, ("bet", "pair_bet")),
        (FIRST, "dealer", 6, False, ()),
        (("1 As", "3 8h", "dealer 6c", "1 6d", "3 8d"), "1", 17, True, ("bet",)),
        (("1 As", "3 8h", "dealer 6c", "1 Kd", "3 8d"), "1", 21, True, ("bet", "blackjack")),
        ((*FIRST, "1 hit", "1 Kd"), "1", 26, False, ("bet", "bust")),
        ((*FIRST, "1 double", "1 5d"), "1", 21, False, ("bet", "doubled")),
        ((*FIRST, "1 stand"), "1", 16, False, ("bet", "stands")),
        ((*FIRST, "1 surrender"), "1", 16, False, ("bet", "surrendered")),
        (SPLIT, "3", 0, False, ("bet", "pair_bet", "split")),
        (SPLIT, "3a", 18, False, ()),
        (SPLIT, "3b", 8, False, ()),
        ((*SPLIT, "3a stand", "3b Kc", "3b double", "3b 3c"), "3b", 21, False, ("doubled",)),
    ],
)  # fmt: skip
def test_a_hand_says_its_total_and_what_was_done_with_it(
    told: Sequence[str], zone: str, points: int, soft: bool, marks: tuple[str, ...]
) -> None:
    assert hands_of(played(*told), STAKED)[zone] == HandView(points, soft, marks)


def test_who_took_what_was_offered_is_insured_or_has_even_money() -> None:
    hands = hands_of(played("1 As", "3 8h", "dealer Ac", "1 Kd", "3 8d", "took 13"), STAKED)
    assert hands["1"].marks == ("bet", "even_money", "blackjack")
    assert hands["3"].marks == ("bet", "pair_bet", "insured")


def test_an_insurance_bet_is_a_mark_before_its_window_is_over() -> None:
    round = played("1 As", "3 8h", "dealer Ac", "1 Kd", "3 8d")
    assert hands_of(round, (*STAKED, "3:insurance"))["3"].marks == ("bet", "pair_bet", "insured")


def test_an_ace_and_a_ten_after_a_split_are_no_blackjack() -> None:
    hands = hands_of(played("1 As", "3 8h", "dealer 6c", "1 Ad", "3 8d", "1 split", "1a Ks", "1b 9s"), STAKED)
    assert hands["1a"] == HandView(21, True)
    assert hands["1b"] == HandView(20, True)


def test_without_a_round_a_placed_bet_is_all_that_is_said() -> None:
    assert hands_of(None, ("5:main",)) == {"5": HandView(marks=("bet",))}
    assert hands_of(None, ()) == {}


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ((*FIRST, "1 hit"), Words("why.chose.hit", {"box": "box.1"})),
        ((*FIRST, "1 stand!"), Words("why.default.stand", {"box": "box.1"})),
        ((*FIRST, "1 stand", "3 split"), Words("why.chose.split", {"box": "box.3"})),
        ((*FIRST, "1 hit", "1 Kd"), Words("why.bust", {"box": "box.1", "points": 26})),
        ((*FIRST, "1 hit", "1 5d"), Words("why.twenty_one", {"box": "box.1", "points": 21})),
        (FIRST, None),
    ],
)
def test_the_act_says_what_led_to_it(told: Sequence[str], words: Words | None) -> None:
    assert said(played(*told)) == words


def test_the_dealer_is_told_that_he_must_draw_and_when_he_stands() -> None:
    boxes_done = (*FIRST, "1 stand", "3 stand")
    assert said(played(*boxes_done), dealer_draws=True) == Words("why.dealer_draws", {"points": 6})
    soft = played("1 Ts", "3 8h", "dealer 5c", "1 6d", "3 8d", "1 stand", "3 stand", "dealer Ac")
    assert isinstance(soft.deal.standing, Awaiting)
    assert said(soft, dealer_draws=True) == Words("why.dealer_draws.soft", {"points": 16})
    assert said(played(*boxes_done, "dealer Td", "dealer 2d")) == Words("why.dealer_stands", {"points": 18})
    assert said(played(*boxes_done, "dealer Td", "dealer Kd")) == Words("why.dealer_bust", {"points": 26})


def test_the_dealer_is_told_when_he_draws_nothing_and_when_he_has_a_blackjack() -> None:
    assert said(played(*FIRST, "1 surrender", "3 surrender")) == Words("why.dealer_draws_nothing")
    ace = ("1 Ts", "3 8h", "dealer Ac", "1 6d", "3 8d", "took -", "1 stand", "3 stand", "dealer Kd")
    assert said(played(*ace)) == Words("why.dealer_blackjack")
