"""The only place that says which rulebooks a table can deal today; the others can be settled and proved."""

from __future__ import annotations

from typing import Final

from studio.errors import BadInputError

DEALABLE: Final = ("three_knights", "three_card_poker", "ultimate_holdem", "holdem_bonus", "kkclash", "blackjack")


def require_dealable(game: str) -> None:
    """`BadInputError` for a game whose decisions no table can take yet."""
    if game not in DEALABLE:
        games = ", ".join(DEALABLE)
        raise BadInputError(f"No table can deal {game} yet: the games dealt here are {games}.")
