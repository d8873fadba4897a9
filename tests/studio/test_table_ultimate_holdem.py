"""Ultimate Texas Hold'em dealt at a table: three windows, one raise, silence, and every cent of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from holdem_table import Holdem, holdem
from table_bench import PIT

from studio.rulebook.script import Decide
from studio.tables import command as c
from studio.tables.config import Limit
from studio.tables.event import table as e
from studio.tables.state.round import Stage
from studio.tables.state.table import awaited
from studio.views import view_table

GAME = "ultimate_holdem"

KINGS = "Ks Qs Kd 9d Kh 4c 7d 2s 9h"
"""The player has three kings, the dealer a pair of nines."""

ANTE = {"ante": 1_000}


@pytest.fixture
def round() -> Iterator[Holdem]:
    """Ann, Bob, Cyd, Dan, Eve and Flo have an ante of 10.00; Eve has trips beside it. The holes are dealt."""
    with holdem(GAME, KINGS) as made:
        yield made.staked({**dict.fromkeys(("ann", "bob", "cyd", "dan", "flo"), ANTE), "eve": {**ANTE, "trips": 500}})


def test_everybody_raises_when_he_likes_and_is_paid_for_it(round: Holdem) -> None:
    round.decided(ann="play_4x", bob="play_3x", cyd="check", eve="check")  # [UTH-5]
    round.decided(cyd="play_2x", eve="check")  # [UTH-6]
    round.decided(dan="play_1x", eve="fold")  # [UTH-7]
    round.finish()
    assert round.table.round.stage is Stage.SETTLED
    assert {bettor: round.table.balance(bettor) for bettor in ("ann", "bob", "cyd", "dan", "eve", "flo")} == {
        "ann": 10_000 + 1_000 + 4_000,
        "bob": 10_000 + 1_000 + 3_000,
        "cyd": 10_000 + 1_000 + 2_000,
        "dan": 10_000 + 1_000 + 1_000,
        "eve": 10_000 - 2_000 + 1_500,  # her trips outlive the fold [UTH-16]
        "flo": 10_000 - 2_000,  # she said nothing, three times
    }
    assert round.table.house() == -(5_000 + 4_000 + 3_000 + 2_000 - 500 - 2_000)


PAID = {
    "a flush pays the blind 3:2, rounded down": ("9s Ac 7s Ad 2s 3s Ks 2c 8c", 333, 666 + 832 + 999 * 2),
    "the dealer does not qualify": ("As Ks Ad Qd 2s 3d 7h 9c Jd", 500, 500 + 500 + 1_500 * 2),
    "the same hand": ("As Ac Kd Kh 2s 3d 7h 9c Jd", 500, 500 + 500 + 1_500),
    "a better dealer": ("Ks As Kd Ad 2s 3d 7h 9c Jd", 500, 0),
    "a better dealer who does not qualify": ("Ks As Qd Qc 2s 3d 7h 9c Jd", 500, 500),
    "a royal flush": ("As Ac Ks Ad Qs Js Ts 2c 3c", 100, 200 + 50_100 + 600),
}


@pytest.mark.parametrize(("deal", "ante_minor", "returns_minor"), PAID.values(), ids=PAID)
def test_a_raise_by_three_comes_back_to_the_cent(deal: str, ante_minor: int, returns_minor: int) -> None:
    with holdem(GAME, deal) as round:
        round.staked({"ann": {"ante": ante_minor}}).decided(ann="play_3x").decided().decided().finish()
        assert round.table.balance() == 10_000 - 5 * ante_minor + returns_minor


def test_the_dealer_is_shown_and_the_side_bets_live_when_all_have_folded() -> None:
    with holdem(GAME, KINGS) as round:
        round.staked({"ann": {**ANTE, "trips": 100}}).decided().decided().decided(ann="fold").finish()
        view = view_table(round.table.state, round.table.table.book, 1)
        assert [box.ranks_in for box in view.boxes] == ["three_of_a_kind", "pair", ""]
        assert round.table.balance() == 10_000 - 2_100 + 400


def test_the_console_shows_each_window_and_nobody_sees_the_dealers_cards(round: Holdem) -> None:
    offered = []
    for _ in range(3):
        view = view_table(round.table.state, round.table.table.book, 1)
        assert (view.now.act.key, view.now.phase) == ("act.open_decisions", "deciding")
        round.open()
        view = view_table(round.table.state, round.table.table.book, 1)
        assert (view.now.act.key, view.bets.open) == ("act.decide", False)
        assert [place.state for box in view.boxes if box.key == "dealer" for place in box.places] == ["sealed"] * 2
        offered.append(view.bets.deciding)
        round.table.wait(15)
        round.deal()
    assert offered == [("play_4x", "play_3x", "check"), ("play_2x", "check"), ("play_1x", "fold")]
    round.finish()


def test_who_raised_once_raises_no_more(round: Holdem) -> None:
    round.decided(ann="play_3x").open()  # [UTH-9]
    assert round.decide("ann", "play_2x").key == "nothing_to_decide"
    assert round.decide("ann", "check").key == "nothing_to_decide"
    assert round.out("ann") == {"ante": 1_000, "blind": 1_000, "play": 3_000}


def test_the_first_decision_of_a_window_stands(round: Holdem) -> None:
    round.open()
    assert round.decide("ann", "check", id="x").status == "accepted"
    assert round.decide("ann", "check", id="x").status == "duplicate"
    assert round.decide("ann", "play_4x", id="x").key == "client_id_reused"
    assert round.decide("ann", "play_4x").key == "decided"
    assert round.decide("bob", "play_4x").status == "accepted"
    assert round.decide("bob", "play_3x").key in ("decided", "nothing_to_decide")
    assert round.out("bob")["play"] == 4_000


def test_two_decisions_in_one_batch_are_the_first_of_them(round: Holdem) -> None:
    round.open()
    choices = [e.Decision(operator="north", bettor="ann", option=one, client_id=one) for one in ("play_4x", "play_3x")]
    answers = round.table.table.take_decisions(choices, round.table.now)
    assert [answer.key or answer.status for answer in answers] == ["accepted", "decided"]


def test_what_decides_nothing_takes_nobodys_decision_in_the_same_batch(round: Holdem) -> None:
    round.open()
    check = e.Decision(operator="north", bettor="ann", option="check", client_id="x")
    round.table.table.take_decisions((check,), round.table.now)
    round.table.wait(15)
    round.deal().open()
    misspelt = e.Decision(operator="north", bettor="ann", option="chek", client_id="y")
    then = e.Decision(operator="north", bettor="ann", option="play_2x", client_id="z")
    answers = round.table.table.take_decisions((check, misspelt, then), round.table.now)
    assert [answer.key or answer.status for answer in answers] == ["duplicate", "no_such_option", "accepted"]


@pytest.mark.parametrize(
    ("window", "options"),
    [(0, ("play_2x", "play_1x", "fold")), (1, ("play_4x", "play_3x", "play_1x", "fold")), (2, ("play_4x", "check"))],
)
def test_an_option_out_of_its_window_is_refused(round: Holdem, window: int, options: tuple[str, ...]) -> None:
    for _ in range(window):
        round.decided()
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
    assert round.decide("ann", "play_4x").key == "closed"
    round.open().table.now += 14_999
    assert round.decide("bob", "play_4x").status == "accepted"
    round.table.now += 1  # the window is over, though no tick has told the table yet
    late = round.decide("ann", "play_4x")
    assert (late.key, late.sentence) == ("closed", "No decision is open now; wait for the next one.")
    round.table.tick()
    assert round.decide("ann", "play_4x").key == "closed"


def test_nobody_decides_for_anothers_bet(round: Holdem) -> None:
    round.open()
    for answer in (round.decide("ann", "play_4x", operator="south"), round.decide("gus", "play_4x")):
        assert (answer.key, answer.sentence) == ("nothing_to_decide", "The bettor has nothing to decide now.")
    assert "play" not in round.out("ann")


def test_a_raise_beyond_the_purse_is_refused_and_a_smaller_one_taken() -> None:
    with holdem(GAME, KINGS) as round:
        round.staked({"ann": ANTE}, deposit_minor=5_500).open()
        answer = round.decide("ann", "play_4x")
        assert (answer.key, "40.00 EUR" in answer.sentence) == ("insufficient_balance", True)
        assert round.decide("ann", "play_3x").status == "accepted"


def test_a_raise_above_its_own_limit_is_refused_and_a_smaller_one_taken() -> None:
    limits = {"*": Limit(least_minor=100, most_minor=1_000), "play": Limit(least_minor=100, most_minor=3_000)}
    with holdem(GAME, KINGS, limits=limits) as round:
        round.staked({"ann": ANTE}).open()
        answer = round.decide("ann", "play_4x")
        assert (answer.key, answer.sentence) == (
            "over_limit",
            "That stakes more than 30.00 EUR on play: choose a smaller raise, or none.",
        )
        assert round.decide("ann", "play_3x").status == "accepted"


def test_the_highest_ante_can_be_raised_by_four() -> None:
    with holdem(GAME, KINGS, limits={"*": Limit(least_minor=100, most_minor=1_000)}) as round:
        round.staked({"ann": ANTE}).open()
        assert round.decide("ann", "play_4x").status == "accepted"


def test_a_held_table_takes_no_decision_and_its_window_takes_them_again(round: Holdem) -> None:
    round.open()
    round.table.do(c.FreezeTable)
    assert round.decide("ann", "play_4x").key == "held"
    round.table.do(c.ReleaseTable, round.table.pin(PIT), reason_code="checked", words="all in order")
    assert round.decide("ann", "play_4x").status == "accepted"


@pytest.mark.parametrize("window", [0, 1, 2])
def test_a_restart_in_a_window_keeps_what_was_decided(round: Holdem, window: int) -> None:
    raises = ("play_4x", "play_2x", "play_1x")
    for _ in range(window):
        round.decided(dan="check")
    round.open()
    assert round.decide("ann", raises[window], id="kept").status == "accepted"
    round.restart()
    assert round.decide("ann", raises[window], id="kept").status == "duplicate"
    assert round.decide("bob", raises[window]).status == "accepted"
    assert round.out("ann") == round.out("bob")
    round.table.wait(15)
    round.deal()
    for _ in range(2 - window):
        round.decided()
    round.finish()
    multiple = int(raises[window][5])
    assert round.table.balance() == round.table.balance("bob") == 10_000 + 1_000 + multiple * 1_000
    assert round.table.balance("dan") == 8_000


def test_a_fold_sent_again_in_the_next_round_folds_nothing_there(round: Holdem) -> None:
    round.decided().decided().open()
    assert round.decide("ann", "fold", id="f").status == "accepted"
    round.table.wait(15)
    round.finish()
    round.table.load("deck-2")
    again = Holdem(round.table, KINGS)
    round.table.do(c.StartRound)
    round.table.do(c.OpenBetting)
    assert round.table.bet("ante").status == "accepted"
    round.table.wait(15)
    again.deal().decided().decided().open()
    assert again.decide("ann", "fold", id="f").status == "duplicate"
    assert again.decide("ann", "play_1x", id="f").key == "client_id_reused"
    assert again.decide("ann", "play_1x").status == "accepted"


@pytest.mark.parametrize("windows", [0, 1, 2, 3])
def test_a_void_gives_ante_blind_raise_and_side_bet_back(round: Holdem, windows: int) -> None:
    for options in ({"ann": "play_4x"}, {"bob": "play_2x"}, {"cyd": "play_1x", "dan": "fold"})[:windows]:
        round.decided(**options)
    round.table.report("malfunction", PIT)
    round.table.rule("void_round", PIT)
    if round.table.state.incidents.open:
        round.table.approve()
    round.table.pay()
    assert {round.table.balance(bettor) for bettor in ("ann", "bob", "cyd", "dan", "eve", "flo")} == {10_000}
