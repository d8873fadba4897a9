"""No-Limit Hold'em as the poker room deals it: `docs/games/nlh.md`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from studio.rulebook.betting_game import BLINDS, Variant

if TYPE_CHECKING:
    from pokerkit import NoLimitTexasHoldem


def _engine() -> type[NoLimitTexasHoldem]:
    from pokerkit import NoLimitTexasHoldem

    return NoLimitTexasHoldem


VARIANT: Final = Variant("nlh", "No-Limit Hold'em", BLINDS, hole_cards=2, deck_cards=52, engine=_engine)
"""Two hole cards; one burned before flop, turn and river; any bet up to the stack."""

NLH: Final = VARIANT.game
