"""Short-deck Hold'em (NLH 6+) as the poker room deals it: `docs/games/short_deck.md`."""

from __future__ import annotations

from typing import Final

from pokerkit import NoLimitShortDeckHoldem

from studio.games.betting_hand import Variant

SHORT_DECK: Final = Variant("short_deck", hole_cards=2, game=NoLimitShortDeckHoldem)
"""Thirty-six cards; everyone antes, the button posts the one blind; a flush beats a full house. [SD-2] [SD-4]"""
