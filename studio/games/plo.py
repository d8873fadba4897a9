"""Pot-Limit Omaha as the poker room deals it: `docs/games/plo.md`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from studio.rulebook.betting_game import BLINDS, Variant

if TYPE_CHECKING:
    from pokerkit import PotLimitOmahaHoldem


def _engine() -> type[PotLimitOmahaHoldem]:
    from pokerkit import PotLimitOmahaHoldem

    return PotLimitOmahaHoldem


VARIANT: Final = Variant("plo", "Pot-Limit Omaha", BLINDS, hole_cards=4, deck_cards=52, engine=_engine)
"""Four hole cards, of which exactly two play; no bet above the pot. [PL-2] [PL-3]"""

PLO: Final = VARIANT.game
