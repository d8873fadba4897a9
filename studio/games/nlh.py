"""The only place for No-Limit Hold'em as the poker room deals it: `docs/games/nlh.md`."""

from __future__ import annotations

from typing import Final

from pokerkit import Mode, NoLimitTexasHoldem, State

from studio.games.betting_hand import AUTOMATIONS, Variant
from studio.games.hand_terms import HandTerms


def _state(terms: HandTerms, mode: Mode) -> State:
    return NoLimitTexasHoldem.create_state(
        AUTOMATIONS,
        terms.ante_trimmed,
        terms.antes,
        terms.blinds,
        terms.least_bet,
        terms.stacks,
        len(terms.seats),
        mode=mode,
    )


NLH: Final = Variant("nlh", hole_cards=2, state=_state)
"""Two hole cards; one burned before flop, turn and river; any bet up to the stack."""
