"""The only place for short-deck Hold'em (NLH 6+) as the poker room deals it: `docs/games/nlh.md`."""

from __future__ import annotations

from typing import Final

from pokerkit import Mode, NoLimitShortDeckHoldem, State

from studio.games.betting_hand import AUTOMATIONS, Variant
from studio.games.hand_terms import HandTerms


def _state(terms: HandTerms, mode: Mode) -> State:
    return NoLimitShortDeckHoldem.create_state(
        AUTOMATIONS,
        terms.ante_trimmed,
        terms.antes,
        terms.blinds,
        terms.least_bet,
        terms.stacks,
        len(terms.seats),
        mode=mode,
    )


SHORT_DECK: Final = Variant("short_deck", hole_cards=2, state=_state)
"""Thirty-six cards; everyone antes, the button posts the one blind; a flush beats a full house."""
