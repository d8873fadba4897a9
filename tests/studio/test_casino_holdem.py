"""The rules of Casino Hold'em under their own numbers: docs/games/casino_holdem.md; and its returns."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from rulebook_page import page, rows
from scripted_deal import played

from studio.cards import DECK, parse_cards
from studio.errors import BadInputError
from studio.games import find_game
from studio.games.casino_holdem import A_PAIR_OF_FOURS, BETS, CALL, CASINO_HOLDEM, DEFAULT_RULES
from studio.ports import CardFace
from studio.proof.returns import casino_holdem as proof
from studio.proof.returns.figure import unreported
from studio.proof.returns.holdem_pay import HoldemPay
from studio.proof.returns.rtp import prove, prove_each
from studio.proof.returns.showdown import HOLE_KIND, Showdowns, count_over, count_showdowns
from studio.proof.returns.suit_class import HOLE_NUMBER, boards_of
from studio.rulebook.pay_ladder import read_ladder
from studio.rulebook.script import Deal, Decide, OpenBets, Reveal
from studio.settlement import PlacedBet, settle_bets

GAME = CASINO_HOLDEM
WINDOW = Decide(15, ("call", "fold"))
FIGURES = {"main_initial": 97.84235, "main_total": 99.18265, "aa_bonus": 93.74165}
AVERAGE_BET, CALLED_PERCENT = 2.6398, 81.99


def read(player: str, dealer: str, board: str, conduct: str = "", **rules: str) -> Mapping[str, Fraction]:
    checked = GAME.options.check(rules)
    hands = {"player": parse_cards(player), "dealer": parse_cards(dealer), "board": parse_cards(board)}
    return GAME.payment.returns(checked, GAME.deal.outcome(checked, hands), conduct)


def test_the_script_asks_once_when_the_flop_lies_and_reveals_the_dealer_last() -> None:
    steps, outcome = played(GAME.deal.script(DEFAULT_RULES), "As Qd Ks 9h Qs Js Ts 2c 3c")
    assert steps == [
        OpenBets(("ante", "aa_bonus"), 15),  # [CH-2]
        *[Deal("player"), Deal("dealer", CardFace.DOWN)] * 2,  # [CH-3]
        *[Deal("board")] * 3,
        WINDOW,  # [CH-4]
        *[Deal("board")] * 2,  # [CH-5]
        Reveal("dealer"),  # [CH-6]
    ]
    assert outcome.hands["dealer"] == parse_cards("Qd 9h")


def test_a_round_takes_nine_cards_of_one_deck_and_no_burn() -> None:
    shoe = GAME.shoe  # [CH-1]
    assert (shoe.decks, shoe.cards_per_round, shoe.rounds_per_shuffle, GAME.felt.burns) == (1, 9, 1, 0)


def test_a_call_costs_two_antes_and_silence_folds() -> None:
    assert GAME.decisions.raise_of("call", {"ante": 50}) == ("call", 100)  # [CH-4]
    assert GAME.decisions.raise_of("fold", {"ante": 50}) is None
    assert WINDOW.default == "fold"
    assert GAME.decisions.asks(WINDOW, {"ante": 50})
    assert not GAME.decisions.asks(WINDOW, {"ante": 50, "call": 100})
    assert GAME.betting.needs == {"aa_bonus": "ante"}  # [CH-2]


FOURS, THREES, DRY = "4s 4d 7h 9c Jd", "3s 3d 7h 9c Jd", "2s 3d 7h 9c Jd"


@pytest.mark.parametrize(
    ("player", "dealer", "board", "ante", "call"),
    [
        pytest.param("As Ad", "Ks Kd", DRY, 2, 2, id="CH-10-better-than-kings"),
        pytest.param("As Ad", "4s 4d", DRY, 2, 2, id="CH-7-a-pair-of-fours-qualifies"),
        pytest.param("As Qd", "3s Kd", DRY, 2, 1, id="CH-7-a-pair-of-threes-does-not"),
        pytest.param("As Ad", "Ks Qd", FOURS, 2, 2, id="CH-7-fours-on-the-board-qualify"),
        pytest.param("As Ad", "Ks Qd", THREES, 2, 1, id="CH-7-threes-on-the-board-do-not"),
        pytest.param("Ks 8d", "As Qd", DRY, 2, 1, id="CH-8-a-better-hand-that-does-not-qualify"),
        pytest.param("Ks 8d", "3s Ac", DRY, 2, 1, id="CH-8-a-pair-that-does-not-qualify"),
        pytest.param("As Kd", "Ac Kh", DRY, 2, 1, id="CH-8-equal-and-not-qualified"),
        pytest.param("As Kd", "Ac Kh", FOURS, 1, 1, id="CH-11-equal-and-qualified"),
        pytest.param("Ks Kd", "As Ad", DRY, 0, 0, id="CH-11-worse"),
        pytest.param("9s 8d", "Ac Ad", "9h 6s 5h 2c Ah", 0, 0, id="CH-11-worse-with-a-pair"),
        pytest.param("As Ks", "Ac Ad", "Qs Js Ts 2c 3c", 101, 2, id="CH-9-royal-flush"),
        pytest.param("9s Ks", "Ac Ad", "Qs Js Ts 2c 3c", 21, 2, id="CH-9-straight-flush"),
        pytest.param("9s 9d", "Ac Ad", "9h 9c Ts 2c 3c", 11, 2, id="CH-9-four-of-a-kind"),
        pytest.param("9s 9d", "Ac Ad", "9h Tc Ts 2c 3c", 4, 2, id="CH-9-full-house"),
        pytest.param("9s 7s", "Ac Ad", "2s 3s Ks 2c 8c", 3, 2, id="CH-9-flush"),
        pytest.param("9s 7s", "Ac Qd", "2s 3s Ks Tc 8c", 3, 1, id="CH-9-a-flush-against-none"),
        pytest.param("9s 8d", "Ac Ad", "7s 6s 5h 2c Kc", 2, 2, id="CH-9-a-straight-is-lower"),
        pytest.param("As 2d", "Kc Kd", "3s 4s 5h 8c Kh", 2, 2, id="CH-14-the-wheel"),
    ],
)
def test_ante_and_call_return(player: str, dealer: str, board: str, ante: int, call: int) -> None:
    returns = read(player, dealer, board)
    assert (returns["ante"], returns["call"]) == (ante, call)


@pytest.mark.parametrize(
    ("player", "board", "expected"),
    [
        pytest.param("As Ks", "Qs Js Ts 2c 3c", 101, id="CH-13-royal-flush"),
        pytest.param("9s Ks", "Qs Js Ts 2c 3c", 51, id="CH-13-straight-flush"),
        pytest.param("9s 9d", "9h 9c Ts 2c 3c", 41, id="CH-13-four-of-a-kind"),
        pytest.param("9s 9d", "9h Tc Ts 2c 3c", 31, id="CH-13-full-house"),
        pytest.param("9s 7s", "2s 3s Ks 2c 8c", 21, id="CH-13-flush"),
        pytest.param("9s 8d", "7s 6s 5h 2c Kc", 8, id="CH-13-straight"),
        pytest.param("9s 9d", "9h 6s 5h 2c Kc", 8, id="CH-13-three-of-a-kind"),
        pytest.param("9s 6d", "9h 6s 5h 2c Kc", 8, id="CH-13-two-pair"),
        pytest.param("As 6d", "Ah 2s 5h 2c Kc", 8, id="CH-13-a-pair-of-aces"),
        pytest.param("Ks 6d", "Kh 2s 5h 2c Kc", 0, id="CH-13-a-pair-of-kings-is-too-low"),
        pytest.param("As Kd", "Qh 2s 5h Ac Ad", 0, id="CH-12-turn-and-river-do-not-count"),
    ],
)
def test_the_aa_bonus_returns_whatever_the_dealer_has_and_after_a_fold(player: str, board: str, expected: int) -> None:
    assert read(player, "4c 4d", board)["aa_bonus"] == expected  # [CH-12]
    assert read(player, "4c 4d", board, "fold")["aa_bonus"] == expected


def test_who_folded_loses_the_ante_even_to_a_worse_hand() -> None:
    returns = read("As Ad", "Ks Qd", DRY, "fold")  # [CH-4]
    assert (returns["ante"], returns["call"]) == (0, 0)
    with pytest.raises(BadInputError, match="calls or folds: 'check'"):
        read("As Ad", "Ks Qd", DRY, "check")


def test_the_tables_on_the_page_are_the_ones_that_pay() -> None:
    for option, heading in (("ante", "player's hand"), ("aa_bonus", "two cards and the flop")):
        printed = {name.replace(" ", "_"): Fraction(paid) for name, paid in rows("casino_holdem", heading)}
        assert printed == dict(read_ladder(DEFAULT_RULES[option]))


def test_a_house_option_changes_the_rungs_it_names_and_no_other() -> None:
    rules = {"ante": "flush 2", "aa_bonus": "aces_to_straight 7"}  # [CH-15]
    flush, house = "2s 3s Ks 2c 8c", "9h Tc Ts 2c 3c"
    assert [read("9s 7s", "Ac Ad", flush, **rules)[bet] for bet in ("ante", "aa_bonus")] == [2, 21]
    assert [read("9s 9d", "Ac Ad", house, **rules)[bet] for bet in ("ante", "aa_bonus")] == [4, 31]
    assert read("As 6d", "4c 4d", "Ah 2s 5h 2c Kc", **rules)["aa_bonus"] == 7


def test_an_odd_ante_is_rounded_down_once() -> None:
    rules = GAME.options.check({"ante": "flush 2.5"})
    hands = {"player": parse_cards("9s 7s"), "dealer": parse_cards("Ac Ad"), "board": parse_cards("2s 3s Ks 2c 8c")}
    (payout,) = settle_bets(GAME, rules, GAME.deal.outcome(rules, hands), [PlacedBet("b1", "ante", "ann", 33)])
    assert payout.returns_minor == 82  # [CH-16]


def test_an_outcome_is_told_in_plain_values() -> None:
    hands = {"player": parse_cards("As Ad"), "dealer": parse_cards("3s Qd"), "board": parse_cards(DRY)}
    said = GAME.deal.describe(GAME.deal.outcome(DEFAULT_RULES, hands))
    assert (said["player"]["aa_bonus"], said["player"]["result"]) == ("aces_to_straight", "win")
    assert said["dealer"] == {
        "cards": ["3s", "Qd"],
        "class": "pair",
        "name": "Pair of threes, kickers queen, jack and nine",
        "qualifies": False,
    }


def test_the_game_is_found_by_its_key_and_every_bet_has_a_return() -> None:
    assert find_game("casino_holdem") is GAME
    assert tuple(read("As Ad", "Ks Qd", DRY)) == BETS


def showdowns_on(flop: str) -> tuple[Showdowns, list[tuple[int, ...]]]:
    """Over every turn and river that may follow this flop."""
    cards = tuple(card.index for card in parse_cards(flop))
    runs = list(combinations([card for card in range(len(DECK)) if card not in cards], 2))
    boards = np.array([sorted((*cards, *run)) for run in runs], np.uint8)
    return count_over(boards, unreported, A_PAIR_OF_FOURS), runs


def gain_of_a_call(player: str, counted: Showdowns, runs: list[tuple[int, ...]]) -> int:
    """Summed over turn, river and the dealer's holes, board by board."""
    pay = HoldemPay(GAME, DEFAULT_RULES, A_PAIR_OF_FOURS)
    won = pay.played(counted, {"ante": 1, "call": CALL}) - pay.folded({"ante": 1})
    hole = tuple(sorted(card.index for card in parse_cards(player)))
    kinds = HOLE_KIND[counted.flush_suit, HOLE_NUMBER[hole]]
    free = [at for at, run in enumerate(runs) if not set(run) & set(hole)]
    return int(won[free, kinds[free]].sum())


KNOWN = [
    pytest.param("Ah Qs Tc", "Ks 2d", True, id="king-high-with-a-straight-to-come"),
    pytest.param("Kh Qs 7c", "3d 2d", False, id="nothing-under-two-pictures"),
    pytest.param("9h 6s 3c", "As 2d", True, id="an-ace-on-a-low-flop"),
    pytest.param("Qh Qs Jc", "4d 2s", False, id="a-pair-that-everybody-has"),
]


@pytest.mark.parametrize(("flop", "player", "calls"), KNOWN)
def test_a_hand_calls_where_the_call_wins_more_over_all_that_may_come(flop: str, player: str, calls: bool) -> None:
    assert (gain_of_a_call(player, *showdowns_on(flop)) > 0) is calls


def test_the_aa_bonus_is_proved_first() -> None:
    proved = prove_each(GAME, {})
    first = next(proved)
    proved.close()  # type: ignore[attr-defined]  # a generator: the long main game is left out
    assert (first.bet, first.rtp) == ("aa_bonus", Fraction(87_011, 92_820))


def test_the_figures_on_the_page_are_those_that_are_proved() -> None:
    printed = [(bet, float(exact)) for bet, _, exact, _ in rows("casino_holdem", "bet")]
    assert [exact for _, exact in printed] == pytest.approx(list(FIGURES.values()), abs=6e-5)
    assert f"{AVERAGE_BET} antes" in page("casino_holdem")
    assert f"{CALLED_PERCENT} % are worth a call" in page("casino_holdem")


@pytest.mark.night
def test_every_bet_returns_what_its_page_says_and_the_published_figures_round() -> None:
    proofs = prove(GAME, {})
    assert {of: proof.rtp_percent for of, proof in proofs.items()} == pytest.approx(FIGURES, abs=5e-6)
    assert round(100 - proofs["main_initial"].rtp_percent, 2) == 2.16
    put_out = proofs["main_initial"].put_out
    assert (round(float(put_out), 4), round(float((put_out - 1) / CALL * 100), 2)) == (AVERAGE_BET, CALLED_PERCENT)


@pytest.mark.night
def test_each_decision_of_the_proof_is_that_of_its_flop_counted_alone() -> None:
    counted = count_showdowns(unreported, A_PAIR_OF_FOURS)
    pay = HoldemPay(GAME, DEFAULT_RULES, A_PAIR_OF_FOURS)
    by_flop = proof.by_flop(pay, counted, unreported)
    kept = boards_of(3)
    for at in (0, len(kept) // 3, len(kept) - 1):
        flop = " ".join(str(DECK[card]) for card in kept.cards[at])
        over, runs = showdowns_on(flop)
        for hole in ("9h 2d", "Kc 7h", "As Qs", "8d 4c"):
            numbers = tuple(sorted(card.index for card in parse_cards(hole)))
            if not set(numbers) & set(kept.cards[at].tolist()):
                assert by_flop[at, HOLE_NUMBER[numbers]] == gain_of_a_call(hole, over, runs)
