"""Pot-Limit Omaha as the poker room deals it: `docs/games/plo.md`."""

from __future__ import annotations

from typing import Final

from pokerkit import PotLimitOmahaHoldem

from studio.games.betting_hand import Variant

PLO: Final = Variant("plo", hole_cards=4, game=PotLimitOmahaHoldem)
"""Four hole cards, of which exactly two play; no bet above the pot. [PL-2] [PL-3]"""
