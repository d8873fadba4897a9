"""The rules of KKClash under their own numbers: docs/games/kkclash.md."""

import doctest
import random
from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations

import pytest

import studio.games.kkclash
from studio.cards import DECK, Sealer, parse_cards
from studio.errors import BadInputError
from studio.games.kkclash import BETS, KKCLASH, Outcome, has_king, won_bets
from studio.hands.evaluator import evaluator_of
from studio.hands.poker import STANDARD
from studio.ports import CardFace
from studio.rulebook.script import Deal, OpenBets, Reveal, Rules, Step


def deal(shark: str, king: str, board: str) -> Outcome:
    hands = {"shark": parse_cards(shark), "king": parse_cards(king), "board": parse_cards(board)}
    assert len({card for hand in hands.values() for card in hand}) == 9
    outcome = KKCLASH.deal.outcome(KKCLASH.options.defaults, hands)
    assert isinstance(outcome, Outcome)
    return outcome


def read(shark: str, king: str, board: str, rules: Rules = KKCLASH.options.defaults) -> Mapping[str, Fraction]:
    """What every bet returns after that deal."""
    return KKCLASH.payment.returns(KKCLASH.options.check(rules), deal(shark, king, board), "")


def test_the_script_deals_four_holes_down_opens_bets_deals_the_board_and_reveals() -> None:
    sealer = Sealer(random.Random(1).randbytes)
    script = KKCLASH.deal.script(KKCLASH.options.defaults)
    board = iter(parse_cards("2c 7d 9h Js Kd"))
    turned = {"shark": parse_cards("As Ad"), "king": parse_cards("Qs Qd")}
    steps: list[Step] = [next(script)]
    try:
        while True:
            match steps[-1]:
                case Deal(face=CardFace.DOWN):
                    answer: object = sealer.card(DECK[0])
                case Deal():
                    answer = next(board)
                case Reveal(box=box):
                    answer = turned[box]
                case _:
                    answer = None
            steps.append(script.send(answer))
    except StopIteration as stop:
        outcome = stop.value
    assert steps == [
        *(Deal(hand, CardFace.DOWN) for hand in ("shark", "king", "shark", "king")),  # [KK-2]
        OpenBets(BETS, 15),  # [KK-3]
        *(Deal("board", CardFace.UP) for _ in range(5)),  # [KK-4]
        Reveal("shark"),
        Reveal("king"),
    ]
    assert outcome.hands == {**turned, "board": parse_cards("2c 7d 9h Js Kd")}


def test_one_deck_is_shuffled_before_each_round_and_nothing_is_burned() -> None:
    game = KKCLASH
    assert (
        game.shoe.decks,
        game.felt.burns,
        game.shoe.cards_per_round,
        game.shoe.rounds_per_shuffle,
    ) == (
        1,
        0,
        9,
        1,
    )  # [KK-1]
    assert game.felt.zones == {"shark": 2, "king": 2, "board": 5}


@pytest.mark.parametrize(
    ("shark", "king", "board", "winner", "returns"),
    [
        pytest.param("Ah 9c", "Kh 3d", "Ac Jd 8h 5s 2d", "shark", (2.02, 0, 0), id="KK-8-shark"),
        pytest.param("Kh 3d", "Ah 9c", "Ac Jd 8h 5s 2d", "king", (0, 2.02, 0), id="KK-8-king"),
        pytest.param("9c 3d", "9d 3c", "Ac Kd Qh Js Td", "draw", (0, 0, 24), id="KK-9-the-board-plays"),
        pytest.param("Kh 3d", "Ks 3c", "Kc Jd 8h 5s 2d", "draw", (0, 0, 24), id="KK-9-by-the-same-hole"),
        pytest.param("Kh 4d", "Ks 3c", "Kc Jd 8h 7s 5d", "draw", (0, 0, 24), id="KK-6-the-sixth-card-is-not-read"),
        pytest.param("Kh Td", "Ks 9c", "Kc Jd 8h 5s 2d", "shark", (2.02, 0, 0), id="KK-6-a-kicker-is"),
        pytest.param("Ah 9c", "6h 3c", "2c 3d 4h 5s Kd", "king", (0, 2.02, 0), id="KK-5-an-ace-below-the-two"),
        pytest.param("9h Tc", "8h 7h", "Jh Qh 2h Ks 3d", "king", (0, 2.02, 0), id="KK-5-a-flush-beats-a-straight"),
    ],
)
def test_shark_king_and_draw_return(
    shark: str, king: str, board: str, winner: str, returns: tuple[float, float, float]
) -> None:
    assert deal(shark, king, board).winner == winner
    got = read(shark, king, board)
    assert tuple(got[bet] for bet in ("shark", "king", "draw")) == tuple(Fraction(str(each)) for each in returns)


@pytest.mark.parametrize(
    ("shark", "king", "returns"),
    [
        pytest.param("9c 3d", "Jc 4d", (0, 0, 0), id="KK-10-neither"),
        pytest.param("9c 3c", "Jc 4d", (1.66, 0, 0), id="KK-11-suited"),
        pytest.param("Jc 4d", "9c 3c", (1.66, 0, 0), id="KK-10-the-king's-count-too"),
        pytest.param("9c 3c", "Jd 4d", (1.66, 0, 0), id="KK-10-once-when-both"),
        pytest.param("9c 8d", "Jc 4d", (1.66, 0, 0), id="KK-11-consecutive"),
        pytest.param("9c 8c", "Jc 4d", (1.66, 0, 0), id="KK-11-both-at-once-is-paid-once"),
        pytest.param("Kc Ad", "Jc 4d", (1.66, 0, 0), id="KK-11-king-ace"),
        pytest.param("Ac 2d", "Jc 4d", (1.66, 0, 0), id="KK-11-ace-two"),
        pytest.param("Kc 2d", "Jc 4d", (0, 0, 0), id="KK-11-king-two-is-none"),
        pytest.param("9c 7d", "Jc 4d", (0, 0, 0), id="KK-11-a-gap-is-none"),
        pytest.param("9c 9d", "Jc 4d", (0, 8.5, 0), id="KK-12-pair"),
        pytest.param("Jc 4d", "Kc Kd", (0, 8.5, 100), id="KK-13-kings-are-a-pair-too"),
        pytest.param("Ac Ad", "Kc Kd", (0, 8.5, 100), id="KK-10-pairs-in-both"),
        pytest.param("9c 9d", "8c 7d", (1.66, 8.5, 0), id="KK-10-one-of-each"),
    ],
)
def test_hole_bets_return(shark: str, king: str, returns: tuple[float, float, float]) -> None:
    got = read(shark, king, "As Qh Th 6s 2s")
    bets = ("suited_connectors", "pocket_pair", "pocket_kings")
    assert tuple(got[bet] for bet in bets) == tuple(Fraction(str(each)) for each in returns)


@pytest.mark.parametrize(
    ("shark", "king", "board", "won"),
    [
        pytest.param("Ah 9c", "Qh 3d", "Kc Jd 8h 5s 2d", {"high_card_pair": "2.2"}, id="KK-15-high-card"),
        pytest.param("Ah 9c", "Qh 3d", "Ac Jd 8h 5s 2d", {"high_card_pair": "2.2"}, id="KK-15-pair"),
        pytest.param("Ah Jc", "Qh 3d", "Ac Jd 8h 5s 2d", {"two_pair": "3.1"}, id="KK-15-two-pair"),
        pytest.param("Kh Jc", "Qh 3d", "Kc Jd 8h 5s 2d", {"two_pair": "3.1"}, id="KK-16-kings-up-are-no-pair-of-kings"),
        pytest.param("Kh Ks", "Qh 3d", "Kc Jd 8h 5s 2d", {"trips_straight_flush": "4.7"}, id="KK-15-three-kings"),
        pytest.param("Th 9c", "Qh 3d", "Kc Jd Qs 5s 2d", {"trips_straight_flush": "4.7"}, id="KK-15-straight"),
        pytest.param("Kh 9h", "Qs 3d", "2h Jh 8h 5s 2d", {"trips_straight_flush": "4.7"}, id="KK-15-flush"),
        pytest.param("Ah Ad", "Qs 3d", "Ac Jh Js 5s 2d", {"full_house_plus": "19"}, id="KK-15-full-house"),
        pytest.param("Ah Ad", "Qs 3d", "Ac As Js 5s 2d", {"full_house_plus": "19"}, id="KK-15-quads"),
        pytest.param("9h 8h", "Qs 3d", "7h 6h 5h Ks 2d", {"full_house_plus": "19"}, id="KK-15-straight-flush"),
        pytest.param("Kh Qh", "Qs 3d", "Ah Jh Th Ks 2d", {"full_house_plus": "19"}, id="KK-15-royal-flush"),
        pytest.param(
            "Kh 9c", "Qh 3d", "Tc Jd 8h 5s 2d", {"high_card_pair": "2.2", "k_high_pair": "19"}, id="KK-16-king-high"
        ),
        pytest.param(
            "Kh 9c", "Qh 3d", "Kc Jd 8h 5s 2d", {"high_card_pair": "2.2", "k_high_pair": "19"}, id="KK-16-pair-of-kings"
        ),
        pytest.param("Ah Kc", "Qh 9d", "Tc Jd 4h 3s 2d", {"high_card_pair": "2.2"}, id="KK-16-ace-king-is-ace-high"),
        pytest.param(
            "Qh 9c", "Ks Kd", "Qc Qs Ac 5s 2d", {"trips_straight_flush": "4.7"}, id="KK-14-the-loser-is-not-read"
        ),
        pytest.param(
            "Kh Kd", "Qs 3d", "Kc Jh Js 5s 2d", {"full_house_plus": "19", "k_full_quads": "242"}, id="KK-17-three-kings"
        ),
        pytest.param(
            "Kh Kd", "Qs 3d", "Kc Ks Js 5s 2d", {"full_house_plus": "19", "k_full_quads": "242"}, id="KK-17-four-kings"
        ),
        pytest.param("Kh Kd", "Qs 3d", "Jc Jh Js 5s 2d", {"full_house_plus": "19"}, id="KK-17-jacks-over-kings"),
        pytest.param(
            "9c 3d", "9d 3c", "Kc Kd Kh Ks Td", {"full_house_plus": "19", "k_full_quads": "242"}, id="KK-14-on-a-draw"
        ),
    ],
)
def test_winning_hand_bets_return(shark: str, king: str, board: str, won: Mapping[str, str]) -> None:
    got = read(shark, king, board)
    of_hand = ("high_card_pair", "two_pair", "trips_straight_flush", "full_house_plus", "k_high_pair", "k_full_quads")
    assert {bet: got[bet] for bet in of_hand if got[bet]} == {bet: Fraction(odds) for bet, odds in won.items()}


def test_every_deal_wins_one_of_the_winners_and_one_class_of_the_winning_hand() -> None:
    rng = random.Random(7)
    for _ in range(300):
        cards = rng.sample(DECK, 9)
        won = won_bets(Outcome.of({"shark": tuple(cards[:2]), "king": tuple(cards[2:4]), "board": tuple(cards[4:])}))
        assert len(won & {"shark", "king", "draw"}) == 1
        assert len(won & {"high_card_pair", "two_pair", "trips_straight_flush", "full_house_plus"}) == 1
        assert won <= set(BETS)


@pytest.mark.parametrize(
    ("bets", "clash"),
    [
        pytest.param(["shark", "draw", "pocket_pair"], set(), id="KK-7-one-side"),
        pytest.param(["draw"], set(), id="KK-7-neither"),
        pytest.param(["king", "draw", "shark"], {"shark", "king"}, id="KK-7-both"),
    ],
)
def test_one_bettor_may_not_bet_on_shark_and_king(bets: list[str], clash: set[str]) -> None:
    assert KKCLASH.betting.clashing(bets) == clash


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        pytest.param("Kc Jd 8h 5s 2d", True, id="KK-20-king-high"),
        pytest.param("Ac Kd 8h 5s 2d", True, id="KK-20-ace-high-with-a-king-beside"),
        pytest.param("Ac Ad Kh 5s 2d", True, id="KK-20-a-kicker"),
        pytest.param("Ac Kd Qh Js Td", True, id="KK-20-the-highest-straight"),
        pytest.param("9c Kd Qh Js Td", True, id="KK-20-king-high-straight"),
        pytest.param("As Ks Qs Js Ts", True, id="KK-20-royal-flush"),
        pytest.param("9s Ks Qs Js Ts", True, id="KK-20-straight-flush"),
        pytest.param("Jc Jd Jh Ks Kd", True, id="KK-20-jacks-over-kings"),
        pytest.param("Ac 2d 3h 4s 5d", False, id="KK-20-an-ace-below-the-two"),
        pytest.param("Ac Qd 8h 5s 2d", False, id="KK-20-no-king"),
        pytest.param("Ac Ad Qh Qs As 3d Kd", False, id="KK-20-a-king-that-is-not-in-the-five"),
    ],
)
def test_a_winning_hand_with_a_king_bears_the_mark(hand: str, expected: bool) -> None:
    assert has_king(evaluator_of(STANDARD).of_cards(parse_cards(hand))) is expected


def test_the_mark_is_that_of_the_five_cards_for_any_hand_of_five() -> None:
    rng = random.Random(3)
    hands = [tuple(rng.sample(DECK, 5)) for _ in range(3000)]
    hands += [hand for hand in combinations(parse_cards("Ks Qs Js Ts 9s As Kd Kh"), 5)]
    for hand in hands:
        expected = any(card.rank == "K" for card in hand)
        assert has_king(evaluator_of(STANDARD).of_cards(hand)) is expected, hand


def test_every_bet_has_a_return_and_there_are_twelve() -> None:
    assert len(BETS) == 12
    assert tuple(read("Ah 9c", "Qh 3d", "Kc Jd 8h 5s 2d")) == BETS
    assert tuple(KKCLASH.payment.published_percent) == BETS


def test_an_outcome_is_told_in_plain_values() -> None:
    told = KKCLASH.deal.describe(deal("Kh Ks", "Qh Qd", "Kc Jd 8h 8s 2d"))
    assert told == {
        "shark": {
            "cards": ["Kh", "Ks"],
            "class": "full_house",
            "name": "Full house, kings over eights",
            "result": "win",
        },
        "king": {
            "cards": ["Qh", "Qd"],
            "class": "two_pair",
            "name": "Two pair, queens and eights, kicker king",
            "result": "lose",
        },
        "board": {"cards": ["Kc", "Jd", "8h", "8s", "2d"]},
        "winner": "shark",
        "winning_hand": {"class": "full_house", "name": "Full house, kings over eights", "king_mark": True},
        "won": ["shark", "pocket_pair", "pocket_kings", "full_house_plus", "k_full_quads"],
    }


def test_a_draw_is_told_of_both_hands() -> None:
    told = KKCLASH.deal.describe(deal("9c 3d", "9d 3c", "Ac Kd Qh Js Td"))
    assert (told["shark"]["result"], told["king"]["result"], told["winner"]) == ("tie", "tie", "draw")


def test_a_changed_return_is_paid_and_the_others_stay() -> None:
    got = read("Ah 9c", "Kh 3d", "Ac Jd 8h 5s 2d", {"shark": "1.95", "high_card_pair": 3})  # [KK-18]
    assert (got["shark"], got["high_card_pair"], got["king"]) == (Fraction(39, 20), 3, 0)
    assert KKCLASH.options.check({"shark": 1.95})["draw"] == "24"


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        pytest.param({"sharks": "2"}, "no house option 'sharks': it has shark, king, draw", id="unknown-bet"),
        pytest.param({"draw": "many"}, "draw cannot return 'many'", id="no-number"),
        pytest.param({"draw": "-3"}, "draw cannot return '-3'", id="negative"),
        pytest.param({"draw": "1/3"}, "draw cannot return '1/3'", id="a-fraction"),
        pytest.param({"draw": True}, "draw cannot return True", id="true"),
        pytest.param({"draw": None}, "draw cannot return None", id="none"),
    ],
)
def test_a_bad_house_option_is_refused_by_name(rules: Mapping[str, object], said: str) -> None:
    with pytest.raises(BadInputError, match=said):
        KKCLASH.options.check(rules)


def test_a_deal_with_a_missing_unknown_or_short_box_is_refused_by_name() -> None:
    hands = {"shark": parse_cards("As Ad"), "king": parse_cards("Qs Qd"), "board": parse_cards("2c 7d 9h Js Kd")}
    with pytest.raises(BadInputError, match="no box 'dealer'"):
        KKCLASH.deal.outcome({}, {**hands, "dealer": hands["king"]})
    with pytest.raises(BadInputError, match="board has 4 cards: give it 5"):
        KKCLASH.deal.outcome({}, {**hands, "board": hands["board"][:4]})
    with pytest.raises(BadInputError, match="king has 0 cards"):
        KKCLASH.deal.outcome({}, {box: cards for box, cards in hands.items() if box != "king"})


def test_a_decision_told_of_a_bettor_is_refused() -> None:
    with pytest.raises(BadInputError, match="'fold'"):
        KKCLASH.payment.returns(KKCLASH.options.defaults, deal("Ah 9c", "Kh 3d", "Ac Jd 8h 5s 2d"), "fold")


def test_the_examples_of_the_rulebook_are_true() -> None:
    failed, tried = doctest.testmod(studio.games.kkclash)
    assert tried
    assert not failed
