"""The only place where a hand between seats is told in sentences: who sits where, what was shown, who takes a pot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from studio.cards import Card
from studio.money import format_minor
from studio.proof.place import box_name


def is_hand(outcome: Mapping[str, Any]) -> bool:
    """Whether a result is that of a hand with pots."""
    return "pots" in outcome


def tell_seats(hand: Mapping[str, Any], currency: str) -> Iterator[str]:
    """Who is dealt in, from the left of the button on."""
    stacks = zip(hand["seats"], hand.get("stacks", ()), strict=False)
    players = hand.get("players", {})
    for seat, stack in stacks:
        who = "/".join(players[seat]) if seat in players else "a player"
        button = ", on the button" if seat == hand["seats"][-1] else ""
        yield f"{box_name(seat)}: {who} with {format_minor(stack, currency)}{button}"


def tell_result(outcome: Mapping[str, Any], currency: str) -> Iterator[str]:
    """The board, the hands that were shown, and every pot."""
    if outcome["board"]:
        yield f"Board: {_signs(outcome['board'])}"
    for seat, told in outcome["seats"].items():
        if "cards" in told:
            yield f"{box_name(seat)} shows {_signs(told['cards'])}"
    for pot in outcome["pots"]:
        winners = ", ".join(
            f"{format_minor(won, currency)} to {box_name(seat)}" for seat, won in pot["winners"].items()
        )
        yield f"Pot of {format_minor(pot['amount'], currency)}: {winners}"
    if outcome["rake"]:
        yield f"Rake: {format_minor(outcome['rake'], currency)}"


def _signs(cards: list[str]) -> str:
    return " ".join(Card.parse(card).sign for card in cards)
