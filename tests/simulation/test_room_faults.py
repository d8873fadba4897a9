"""What goes wrong at the tables of the poker room: every row is in the plan, comes about, and loses no chip."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from dealer_ui.rehearsal.check.night import Checker
from dealer_ui.rehearsal.night import Night, NightOptions
from dealer_ui.rehearsal.trick.mischief import Mischief, Trick, may_come
from dealer_ui.rehearsal.trick.plan import PLANS, TRICKS, room_tricks
from studio.games import HOUSE_GAMES, PEER_GAMES
from studio.procedures.rows.poker_room import (
    BETTING,
    OPEN_FACE,
)

BETTING_GAMES = ("nlh", "short_deck", "plo")
SIMULATED = "angel_eye"


def rows_of(rows: Sequence[object]) -> set[str]:
    return {row.id for row in rows}  # type: ignore[attr-defined]


def named(game: str) -> set[str]:
    return {row for trick in room_tricks(game) for row in trick.rows}


@pytest.mark.parametrize("game", BETTING_GAMES)
def test_the_plan_names_every_row_of_a_betting_hand(game: str) -> None:
    assert rows_of(BETTING) <= named(game)
    assert {"EV1", "EV2", "EV3", "EV7", "EV11", "HG12"} <= named(game)


def test_the_plan_names_every_row_of_open_face_chinese() -> None:
    assert rows_of(OPEN_FACE) <= named("ofc")


@pytest.mark.parametrize("game", [game.key for game in PEER_GAMES])
def test_each_trick_of_the_room_may_come_there_once_under_its_name(game: str) -> None:
    tricks = room_tricks(game)
    assert all(may_come(trick, game) for trick in tricks)
    names = [trick.name for trick in (*tricks, *TRICKS)]
    assert len(names) == len(set(names))
    assert list(PLANS["many"].tricks_of(game, SIMULATED)) == [TRICKS, tricks]
    assert len(PLANS["unplug"].tricks_of(game, SIMULATED)) == 1


def test_the_house_games_have_none_of_them() -> None:
    for game in HOUSE_GAMES:
        assert list(PLANS["many"].tricks_of(game.key, SIMULATED)) == [TRICKS]


def hands(game: str, tricks: Sequence[Trick], *, seed: int, most: int, until: set[str]) -> Checker:
    """Hands in each of which something of this goes wrong, until all these rows were on record."""
    night = Night(NightOptions(game, seed, whim=0.3))
    checker = Checker(night)
    mischief = Mischief(night, [tricks], rate=1.0)
    try:
        while checker.rounds < most and not until <= {row for _, row in checker.incidents}:
            night.step()
            mischief.step(night.now_ms)
            checker.watch()
        checker.look()
        checker.compare(night.state)
        checker.verify()
    finally:
        night.close()
    return checker


@pytest.mark.parametrize(("game", "row"), [("nlh", "PK1"), ("ofc", "OF4")])
def test_a_row_comes_about_and_no_chip_is_lost(game: str, row: str) -> None:
    tricks = [trick for trick in room_tricks(game) if row in trick.rows]
    checker = hands(game, tricks, seed=2, most=8, until={row})
    assert not checker.violations
    assert row in {row for _, row in checker.incidents}


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("game", "rows"), [("short_deck", rows_of(BETTING)), ("ofc", rows_of(OPEN_FACE))])
def test_every_row_of_the_room_comes_about_and_no_chip_is_lost(game: str, rows: set[str]) -> None:
    tricks = [trick for trick in room_tricks(game) if rows & set(trick.rows)]
    checker = hands(game, tricks, seed=1, most=150, until=rows)
    assert not checker.violations
    assert rows <= {row for _, row in checker.incidents}
