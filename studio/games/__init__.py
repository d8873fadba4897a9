"""The rulebooks: one file a game, and the one explicit list of them."""

from __future__ import annotations

from typing import Final

from studio.errors import BadInputError
from studio.games.andar_bahar import ANDAR_BAHAR
from studio.games.baccarat import BACCARAT
from studio.games.blackjack import BLACKJACK
from studio.games.casino_holdem import CASINO_HOLDEM
from studio.games.dragon_tiger import DRAGON_TIGER
from studio.games.holdem_bonus import HOLDEM_BONUS
from studio.games.kkclash import KKCLASH
from studio.games.nlh import NLH
from studio.games.ofc import OFC
from studio.games.plo import PLO
from studio.games.short_deck import SHORT_DECK
from studio.games.three_card_poker import THREE_CARD_POKER
from studio.games.three_knights import THREE_KNIGHTS
from studio.games.ultimate_holdem import ULTIMATE_HOLDEM
from studio.rulebook.game import Game

HOUSE_GAMES: Final[tuple[Game, ...]] = (
    THREE_KNIGHTS, HOLDEM_BONUS, ULTIMATE_HOLDEM, THREE_CARD_POKER, KKCLASH, BLACKJACK, DRAGON_TIGER, BACCARAT,
    CASINO_HOLDEM, ANDAR_BAHAR,
)  # fmt: skip
"""Bettors play against the house, on a pay table that can be proved."""

PEER_GAMES: Final[tuple[Game, ...]] = (NLH, SHORT_DECK, PLO, OFC)
"""Seats play among themselves."""

GAMES: Final[tuple[Game, ...]] = (*HOUSE_GAMES, *PEER_GAMES)


def find_game(key: str) -> Game:
    """The rulebook of that key as it stands today; `BadInputError` lists the keys there are.

    >>> find_game("three_knights").title
    'Three Knights'
    """
    for game in GAMES:
        if game.key == key:
            return game
    raise BadInputError(f"There is no game '{key}' here: the games are {', '.join(game.key for game in GAMES)}.")


__all__ = ["GAMES", "HOUSE_GAMES", "PEER_GAMES", "find_game"]
