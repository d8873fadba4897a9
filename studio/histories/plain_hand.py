"""A finished hand as plain values: the seats, every act in its order, the board, the pots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from studio.cards import Card
from studio.histories.played_hand import Act, Mucked, PlayedHand, Shown, Street, Told


def tell_hand(hand: PlayedHand) -> dict[str, Any]:
    """Amounts in minor units; `cards` of a seat are null where they may not be known."""
    outcome, terms = hand.outcome, hand.terms
    return {
        "button": terms.seats[-1],
        "seats": [
            {
                "seat": seat, "stack": stack, "paid": outcome.paid[seat], "takes": outcome.takes[seat],
                "cards": _cards(hand.hole[seat]),
            }
            for seat, stack in zip(terms.seats, terms.stacks, strict=True)
        ],
        "acts": [_act(told) for told in hand.told],
        "board": _cards(outcome.board),
        "pots": [
            {"amount": pot.amount_minor, "rake": pot.rake_minor, "winners": dict(pot.winners)} for pot in outcome.pots
        ],
        "rake": outcome.rake_minor,
    }  # fmt: skip


def _act(told: Told) -> dict[str, Any]:
    match told:
        case Street(cards):
            return {"board": _cards(cards)}
        case Shown(seat, cards):
            return {"seat": seat, "act": "show", "cards": _cards(cards)}
        case Mucked(seat):
            return {"seat": seat, "act": "muck"}
        case Act(seat, option, to_minor, by_default):
            return {"seat": seat, "act": option, "to": to_minor or None, "by_default": by_default}


def _cards(cards: Sequence[Card | None]) -> list[str] | None:
    return None if None in cards else [str(card) for card in cards]
