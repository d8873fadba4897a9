"""What the page of a game says of its windows at the table is what the script asks and the raises stake."""

from __future__ import annotations

import pytest
from rulebook_page import rows
from scripted_deal import played

from studio.games import find_game
from studio.rulebook.game import Game
from studio.rulebook.script import Decide

DEALS = {
    "ultimate_holdem": "As Qd Ks 9h Qs Js Ts 2c 3c",
    "holdem_bonus": "As Qd Ks 9h Qs Js Ts 2c 3c",
    "three_card_poker": "As Qd Ks 9h Qs Jd",
    "casino_holdem": "As Qd Ks 9h Qs Js Ts 2c 3c",
}


def staked(game: Game, step: Decide) -> str:
    raised = [game.decisions.raise_of(option, {"ante": 100}) for option in step.options]
    return ", ".join(f"{bet} {stake_minor}" for bet, stake_minor in filter(None, raised))


@pytest.mark.parametrize("key", DEALS)
def test_the_windows_on_the_page_are_those_of_the_script(key: str) -> None:
    game = find_game(key)
    steps, _ = played(game.deal.script(game.options.defaults), DEALS[key])
    windows = [step for step in steps if isinstance(step, Decide)]
    assert [(row[0], row[2], row[3], row[4]) for row in rows(key, "window", "opens after")] == [
        (str(number), ", ".join(step.options), staked(game, step), step.default)
        for number, step in enumerate(windows, 1)
    ]


@pytest.mark.parametrize("key", DEALS)
def test_every_option_that_stakes_names_its_bet(key: str) -> None:
    game = find_game(key)
    steps, _ = played(game.deal.script(game.options.defaults), DEALS[key])
    offered = {option for step in steps if isinstance(step, Decide) for option in step.options}
    raising = {option: raised[0] for option in offered if (raised := game.decisions.raise_of(option, {"ante": 100}))}
    assert raising == {option: bet for bet, options in game.decisions.raised.items() for option in options}
