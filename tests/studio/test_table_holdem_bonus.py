"""Texas Hold'em Bonus dealt at a table: pay for the flop or fold, then check or bet, and every cent of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from holdem_table import Holdem, holdem
from table_bench import PIT

from studio.rulebook.script import Decide
from studio.tables import command as c
from studio.tables.config import Limit
from studio.tables.state.round import Stage
from studio.tables.state.table import awaited
from studio.views import view_table

GAME = "holdem_bonus"

STRAIGHT = "9s As 8d Ad 7h 6c 5s Ks 2d"
"""The player has a straight by the flop, the dealer two aces."""

ANTE = {"ante": 1_000}


@pytest.fixture
def round() -> Iterator[Holdem]:
    """Ann, Bob, Cyd and Flo have an ante of 10.00; Eve has both side bets beside it. The holes are dealt."""
    with holdem(GAME, STRAIGHT) as made:
        yield made.staked(
            {**dict.fromkeys(("ann", "bob", "cyd", "flo"), ANTE), "eve": {**ANTE, "bonus": 300, "first5": 500}}
        )


def test_everybody_bets_as_far_as_he_likes_and_is_paid_for_it(round: Holdem) -> None:
    round.decided(ann="flop", bob="flop", cyd="flop", eve="fold")  # [THB-4]
    round.decided(ann="turn", bob="check")  # [THB-5]
    round.decided(ann="river", bob="river")  # [THB-6]
    round.finish()
    assert round.table.round.stage is Stage.SETTLED
    assert {bettor: round.table.balance(bettor) for bettor in ("ann", "bob", "cyd", "eve", "flo")} == {
        "ann": 10_000 + 1_000 + 2_000 + 1_000 + 1_000,
        "bob": 10_000 + 1_000 + 2_000 + 1_000,
        "cyd": 10_000 + 1_000 + 2_000,  # she checked twice without a word
        "eve": 10_000 - 1_000 - 300 - 500 + 500 * 30,  # her First 5 outlives the fold [THB-14]
        "flo": 10_000 - 1_000,  # she did not pay for the flop
    }


PAID = {
    "less than a straight": ("Ks Qs Kd 9d Kh 4c 7d 2s 9h", 333, 333 + 2 * 4 * 333),
    "the same hand": ("As Ac Kd Kh 2s 3d 7h 9c Jd", 333, 333 + 4 * 333),
    "a better dealer": ("Ks As Kd Ad 2s 3d 7h 9c Jd", 333, 0),
    "a straight": (STRAIGHT, 333, 2 * 333 + 2 * 4 * 333),
}


@pytest.mark.parametrize(("deal", "ante_minor", "returns_minor"), PAID.values(), ids=PAID)
def test_a_bet_at_every_window_comes_back_to_the_cent(deal: str, ante_minor: int, returns_minor: int) -> None:
    with holdem(GAME, deal) as round:
        round.staked({"ann": {"ante": ante_minor}}).decided(ann="flop").decided(ann="turn").decided(ann="river")
        assert round.out("ann") == {
            "ante": ante_minor, "flop": 2 * ante_minor, "turn": ante_minor, "river": ante_minor,
        }  # fmt: skip
        round.finish()
        assert round.table.balance() == 10_000 - 5 * ante_minor + returns_minor


BONUS = {
    "aces on both sides": ("As Ac Ad Ah Ks Qd 9h 5c 2d", 1_001),
    "ace and king of one suit": ("As 3c Ks 4h Qd 9h 5c 2d 2h", 26),
    "ace and jack of two suits": ("As 3c Jd 4h Qd 9h 5c 2d 2h", 6),
    "tens": ("Ts 3c Td 4h Qd 9h 5c 2d 2h", 4),
    "nothing": ("Ks 3c Jd 4h Qd 9h 5c 2d 2h", 0),
}


@pytest.mark.parametrize(("deal", "times"), BONUS.values(), ids=BONUS)
def test_the_bonus_is_paid_after_a_fold_too(deal: str, times: int) -> None:
    with holdem(GAME, deal) as round:
        round.staked({"ann": {"ante": 100, "bonus": 100}}).decided(ann="fold").decided().decided().finish()
        assert round.table.balance() == 10_000 - 200 + 100 * times  # [THB-12] [THB-13]


def test_the_console_shows_each_window_and_nobody_sees_the_dealers_cards(round: Holdem) -> None:
    offered = []
    for _ in range(3):
        assert view_table(round.table.state, round.table.table.book, 1).now.act.key == "act.open_decisions"
        round.open()
        view = view_table(round.table.state, round.table.table.book, 1)
        assert (view.now.act.key, view.now.phase, view.bets.open) == ("act.decide", "deciding", False)
        assert [place.state for box in view.boxes if box.key == "dealer" for place in box.places] == ["sealed"] * 2
        offered.append(view.bets.deciding)
        round.table.wait(15)
        round.deal()
    assert offered == [("flop", "fold"), ("turn", "check"), ("river", "check")]
    round.finish()  # all have folded, and the dealer is shown [THB-7]


def test_who_folded_decides_no_more_and_who_checked_may_bet_at_the_river(round: Holdem) -> None:
    round.decided(ann="flop", bob="fold").decided(ann="check").open()
    for bettor in ("bob", "flo"):
        answer = round.decide(bettor, "river")
        assert (answer.key, answer.sentence) == (
            "folded",
            "The bettor has folded; the side bets live on without a decision.",
        )
    assert round.decide("ann", "river").status == "accepted"


def test_the_first_decision_of_a_window_stands(round: Holdem) -> None:
    round.open()
    assert round.decide("ann", "flop", id="x").status == "accepted"
    assert round.decide("ann", "flop", id="x").status == "duplicate"
    assert round.decide("ann", "fold", id="x").key == "client_id_reused"
    assert round.decide("ann", "fold").key in ("decided", "nothing_to_decide")
    assert round.decide("bob", "fold").status == "accepted"
    assert round.decide("bob", "flop").key == "folded"


@pytest.mark.parametrize(
    ("window", "options"),
    [(0, ("turn", "river", "check")), (1, ("flop", "river", "fold")), (2, ("flop", "turn", "fold"))],
)
def test_an_option_out_of_its_window_is_refused(round: Holdem, window: int, options: tuple[str, ...]) -> None:
    for options_before in ({"ann": "flop"}, {})[:window]:
        round.decided(**options_before)
    round.open()
    now = awaited(round.table.state)
    assert now is not None
    assert isinstance(now.step, Decide)
    for option in options:
        answer = round.decide("ann", option)
        assert (answer.key, answer.sentence) == (
            "no_such_option",
            f"The options now are {', '.join(now.step.options)}: choose one of them.",
        )


def test_before_and_after_its_window_a_decision_is_too_early_or_too_late(round: Holdem) -> None:
    assert round.decide("ann", "flop").key == "closed"
    round.open().table.wait(15)
    assert round.decide("ann", "flop").key == "closed"
    assert round.table.table.book.conduct.of("north", "ann") == "fold"


def test_nobody_decides_for_anothers_bet(round: Holdem) -> None:
    round.open()
    for answer in (round.decide("ann", "flop", operator="south"), round.decide("gus", "fold")):
        assert answer.key == "nothing_to_decide"
    assert round.out("ann") == ANTE


def test_a_flop_beyond_the_purse_or_its_own_limit_is_refused() -> None:
    limits = {"*": Limit(least_minor=100, most_minor=1_000), "turn": Limit(least_minor=100, most_minor=500)}
    with holdem(GAME, STRAIGHT, limits=limits) as round:
        round.staked({"ann": ANTE}, deposit_minor=4_500)
        round.table.deposit(1_500, "bob")
        round.open()
        assert round.decide("ann", "flop").status == "accepted"
        round.table.wait(15)
        round.deal().open()
        answer = round.decide("ann", "turn")
        assert (answer.key, answer.sentence) == (
            "over_limit",
            "That stakes more than 5.00 EUR on turn: choose a smaller raise, or none.",
        )
        assert round.decide("ann", "check").status == "accepted"
    with holdem(GAME, STRAIGHT) as round:
        round.staked({"ann": ANTE}, deposit_minor=2_999).open()
        assert round.decide("ann", "flop").key == "insufficient_balance"
        assert round.decide("ann", "fold").status == "accepted"


@pytest.mark.parametrize(
    ("bet", "key"), [("bonus", "needs_ante"), ("first5", "needs_ante"), ("flop", "staked_by_decision")]
)
def test_what_cannot_be_bet_alone_is_refused(bet: str, key: str) -> None:
    with holdem(GAME, STRAIGHT) as round:
        round.table.deposit()
        round.table.open()
        round.table.do(c.StartRound)
        round.table.do(c.OpenBetting)
        assert round.table.bet(bet).key == key


@pytest.mark.parametrize("window", [0, 1, 2])
def test_a_restart_in_a_window_keeps_what_was_decided(round: Holdem, window: int) -> None:
    bets = ("flop", "turn", "river")
    for bet in bets[:window]:
        round.decided(ann=bet, bob=bet, cyd="flop" if bet == "flop" else "check")
    round.open()
    assert round.decide("ann", bets[window], id="kept").status == "accepted"
    round.restart()
    assert round.decide("ann", bets[window], id="kept").status == "duplicate"
    assert round.decide("bob", bets[window]).status == "accepted"
    assert round.out("ann") == round.out("bob")
    round.table.wait(15)
    round.deal()
    for bet in bets[window + 1 :]:
        round.decided(ann=bet, bob=bet)
    round.finish()
    assert round.table.balance() == round.table.balance("bob") == 10_000 + 1_000 + 4_000
    assert round.table.balance("cyd") == (10_000 - 1_000 if window == 0 else 10_000 + 3_000)


@pytest.mark.parametrize("windows", [0, 1, 2, 3])
def test_a_void_gives_every_bet_back(round: Holdem, windows: int) -> None:
    for options in ({"ann": "flop", "bob": "fold"}, {"ann": "turn"}, {"ann": "river"})[:windows]:
        round.decided(**options)
    round.table.report("malfunction", PIT)
    round.table.rule("void_round", PIT)
    round.table.pay()
    assert {round.table.balance(bettor) for bettor in ("ann", "bob", "cyd", "eve", "flo")} == {10_000}
