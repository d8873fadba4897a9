"""Short-deck Hold'em (NLH 6+) as the poker room deals it: `docs/games/short_deck.md`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from studio.rulebook.betting_game import BUTTON_BLIND, Variant

if TYPE_CHECKING:
    from pokerkit import NoLimitShortDeckHoldem


def _engine() -> type[NoLimitShortDeckHoldem]:
    from pokerkit import NoLimitShortDeckHoldem

    return NoLimitShortDeckHoldem


VARIANT: Final = Variant("short_deck", "Short-deck Hold'em", BUTTON_BLIND, hole_cards=2, deck_cards=36, engine=_engine)
"""Thirty-six cards; everyone antes, the button posts the one blind; a flush beats a full house. [SD-2] [SD-4]"""

SHORT_DECK: Final = VARIANT.game
