"""No-Limit Hold'em as the poker room deals it: `docs/games/nlh.md`."""

from __future__ import annotations

from typing import Final

from pokerkit import NoLimitTexasHoldem

from studio.games.betting_hand import Variant

NLH: Final = Variant("nlh", hole_cards=2, game=NoLimitTexasHoldem)
"""Two hole cards; one burned before flop, turn and river; any bet up to the stack."""
