"""Holds the rules a round was started under against those its table was set to at that time."""

from __future__ import annotations

from studio.errors import BadInputError
from studio.games.rulebook import Game
from studio.games.shoe_terms import house_rules, is_new_shoe, shoe_terms
from studio.proof.audit.wrong import wrong
from studio.tables.config import TableConfig
from studio.tables.event import table as e


def check_started(game: Game, started: e.RoundStarted, config: TableConfig, seq: int, *, from_shoe: int) -> None:
    """The table's own game, each house option as it was set, or as the game has it where it was not, and a new shoe
    where it is one: `from_shoe` rounds were begun from it.

    An option that the program did not have yet when the round was dealt may be missing; the terms of a hand of the
    poker room are the room's to check.
    """
    if started.game != config.game:
        wrong(seq, f"Round {started.round} was started as {started.game} at a table that deals {config.game}.")
    try:
        due = game.options.check(config.rules)
    except BadInputError as error:
        wrong(seq, str(error))
    if is_new_shoe(started.rules) != bool(shoe_terms(game.shoe.opened, from_shoe)):
        wrong(
            seq, f"Round {started.round} is {'not ' * bool(from_shoe)}the first from its shoe and was begun otherwise."
        )
    told = house_rules(started.rules)
    other = sorted(key for key, value in told.items() if key not in due or due[key] != value)
    if amiss := [*other, *sorted(set(config.rules) - set(told))]:
        wrong(seq, f"Round {started.round} was started with another '{amiss[0]}' than its table was set to.")
