"""The only place for Pot-Limit Omaha as the poker room deals it: `docs/games/nlh.md`."""

from __future__ import annotations

from typing import Final

from pokerkit import Mode, PotLimitOmahaHoldem, State

from studio.games.betting_hand import AUTOMATIONS, Variant
from studio.games.hand_terms import HandTerms


def _state(terms: HandTerms, mode: Mode) -> State:
    return PotLimitOmahaHoldem.create_state(
        AUTOMATIONS,
        terms.ante_trimmed,
        terms.antes,
        terms.blinds,
        terms.least_bet,
        terms.stacks,
        len(terms.seats),
        mode=mode,
    )


PLO: Final = Variant("plo", hole_cards=4, state=_state)
"""Four hole cards, of which exactly two play; no bet above the pot."""
