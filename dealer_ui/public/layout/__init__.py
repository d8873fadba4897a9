"""How the fields of each game are drawn for whoever bets: a file a game, and what is done where nobody drew them."""

from __future__ import annotations

from typing import Final

from dealer_ui.public.layout import blackjack, holdem_bonus, kkclash, three_card_poker, three_knights, ultimate_holdem
from dealer_ui.public.layout.general import general
from dealer_ui.public.layout.shape import Field as Field
from dealer_ui.public.layout.shape import Layout as Layout
from dealer_ui.public.layout.shape import Zone as Zone
from studio.games.script import Game

LAYOUTS: Final[tuple[Layout, ...]] = (
    three_knights.LAYOUT, holdem_bonus.LAYOUT, ultimate_holdem.LAYOUT, three_card_poker.LAYOUT, kkclash.LAYOUT,
    blackjack.LAYOUT,
)  # fmt: skip
"""Those somebody drew."""


def layout_of(game: Game) -> Layout:
    """The drawn fields of a game, or fields from its bets where nobody drew them."""
    return next((one for one in LAYOUTS if one.game == game.key), None) or general(game)
