"""The † rows and those of every table at a poker table: which of them hold there, and what becomes of the chips."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from poker_bench import CHIPS, PokerBench
from table_bench import DEALER, PIT, UNSURE

from studio.cards import Card
from studio.procedures.rule import BY_GAME
from studio.rulebook.script import Deal, Turn
from studio.tables import command as c
from studio.tables.state.round import Stage
from studio.tables.state.table import awaited


@pytest.fixture
def bench() -> Iterator[PokerBench]:
    bench = PokerBench().open()
    bench.hand("Ah Kh Tc Ad Kd 7d")
    yield bench
    bench.check()
    bench.check_chips()
    bench.close()


def play_out(bench: PokerBench) -> None:
    bench.go_on()
    while (now := awaited(bench.state)) is not None and isinstance(now.step, Turn):
        bench.acts(next(one for one in ("show", "check", "call") if one in now.step.options))
    bench.end_hand()
    assert bench.round.stage is Stage.SETTLED


def refunded(bench: PokerBench, row: str) -> None:
    bench.pay()
    assert (bench.round.stage, bench.round.void.row) == (Stage.VOIDED, row)
    assert bench.stacks() == dict.fromkeys(bench.seats, CHIPS)


def to_the_board(bench: PokerBench) -> None:
    """The burn before the flop is made; nothing lies on the board."""
    while isinstance((now := awaited(bench.state)) and now.step, Turn):
        bench.act_alone("check" if "check" in bench.turn.options else "call")
    bench.draw(bench.deck.pop(0))
    bench.lay("burn", 1)
    now = awaited(bench.state)
    assert now is not None
    assert isinstance(now.step, Deal)


def test_no_row_of_bets_against_the_house_serves_these_tables() -> None:
    for game in ("nlh", "short_deck", "plo"):
        assert not {row.id for row in BY_GAME[game].rows} & {"HG2", "HG3", "HG4", "HG5", "HG20"}


def test_hg11_is_pk6_at_these_tables(bench: PokerBench) -> None:
    bench.acts("raise 700")
    bench.draw("Ah")  # the shoe has dealt it already
    bench.report("fouled_deck")
    bench.rule("void_round", PIT, kind="fouled_deck")
    refunded(bench, "PK6")


def test_hg13_a_card_of_the_board_the_shoe_missed_is_the_cameras(bench: PokerBench) -> None:
    to_the_board(bench)
    card = bench.deck.pop(0)
    bench.draw_unread()
    bench.lay("board", 1, card)
    bench.wait(1.6)
    assert bench.incident.ruling.row == "HG13"
    bench.rule("continue", DEALER)
    play_out(bench)


def test_hg15_a_card_of_the_board_that_both_eyes_read_otherwise_is_the_pits(bench: PokerBench) -> None:
    to_the_board(bench)
    bench.draw(bench.deck.pop(0))
    other = Card.parse("9c")
    bench.lay("board", 1, other)
    assert (bench.incident.kind, bench.incident.ruling.row) == ("card_mismatch", "HG15")
    bench.rule("camera", PIT)
    bench.deck.remove(other)
    play_out(bench)


def test_hg16_a_hole_card_that_fell_unidentified_voids_the_hand() -> None:
    bench = PokerBench().open()
    bench.shuffle("")
    bench.do(c.StartRound)
    bench.draw(bench.deck.pop(0))
    bench.lose("seat2", 1, identified=False)
    assert bench.incident.ruling.row == "HG16"
    bench.rule("void_round", PIT)
    refunded(bench, "HG16")
    bench.check()
    bench.close()


def test_hg17_a_hand_in_play_that_was_cleared_is_laid_out_again(bench: PokerBench) -> None:
    bench.acts("fold")
    for place in (1, 2):
        bench.lift("seat1", place)  # folded: nobody minds
        bench.lift("seat2", place)
    bench.wait(4)
    assert (bench.incident.ruling.row, bench.incident.ruling.ruling) == ("HG17", "relay_from_discard")
    bench.rule("relay_from_discard", PIT)
    for place in (1, 2):
        bench.lay("seat2", place)
    bench.tick()
    assert not bench.state.held
    play_out(bench)


def test_hg17_the_board_that_was_swept_before_the_showdown_is_laid_out_again(bench: PokerBench) -> None:
    to_the_board(bench)
    bench.go_on()
    board = {slot: fact.face for slot, fact in bench.round.deal.cards.items() if slot[0] == "board"}  # type: ignore[union-attr]
    for slot in board:
        bench.lift(*slot)
    bench.wait(4)
    assert bench.incident.ruling.row == "HG17"
    bench.rule("relay_from_discard", PIT)
    for slot, face in board.items():
        bench.lay(*slot, face)
    bench.tick()
    assert not bench.state.held
    play_out(bench)


def test_hg21_a_card_of_the_board_the_camera_doubts_keeps_the_pots_back(bench: PokerBench) -> None:
    to_the_board(bench)
    bench.go_on()
    bench.lay("board", 2, face=UNSURE)
    bench.wait(4)
    assert (bench.incident.ruling.row, bench.state.held) == ("HG21", False)
    bench.rule("continue", PIT)
    play_out(bench)


@pytest.mark.parametrize(("acts", "ruling"), [
    (("raise 500",), "void_round"), (("raise 10000", "call", "call"), "continue"),
])  # fmt: skip
def test_ev8_bets_are_in_once_nobody_can_bet_any_more(bench: PokerBench, acts: tuple[str, ...], ruling: str) -> None:
    if ruling == "continue":
        for act in acts:
            name, _, amount = act.partition(" ")
            bench.act_alone(name, int(amount or 0))
    else:
        bench.acts(*acts)
    bench.report("video_lost", PIT)
    assert (bench.incident.ruling.row, bench.incident.ruling.ruling) == ("EV8", ruling)
    bench.rule(ruling, PIT)
    if ruling == "continue":
        play_out(bench)
    else:
        refunded(bench, "EV8")


def test_ev7_after_a_restart_a_hand_goes_on_with_a_card_that_waits_to_be_the_burn(bench: PokerBench) -> None:
    bench.draw(bench.deck.pop(0))
    bench.rule("card_is_next_burn", DEALER)
    bench.lay("burn", 1)
    bench.restart()
    bench.links()
    bench.lay_again()
    bench.lay("burn", 1)
    bench.rule("continue", PIT)
    assert not bench.state.held
    play_out(bench)


def test_ev10_a_malfunction_gives_every_chip_back(bench: PokerBench) -> None:
    bench.acts("raise 500", "call")
    bench.report("malfunction", PIT)
    bench.rule("void_round", PIT)
    refunded(bench, "EV10")
