"""What boxes and places of the felt are called where a round is told as text."""

from __future__ import annotations

import re
from collections.abc import Callable

from studio.money import format_minor
from studio.rounds import BurnRuled, CardReturned, Chose, Laid, Shuffled


def box_name(key: str) -> str:
    """
    >>> box_name("player1"), box_name("burn"), box_name("3a"), box_name("seat1_top")
    ('Player 1', 'Burn', 'Box 3a', 'Seat 1 top')
    """
    if key[:1].isdigit():
        return f"Box {key}"
    return re.sub(r"(?<=[a-z])(?=[0-9])", " ", key).replace("_", " ").capitalize()


def place_name(zone: str, place: int) -> str:
    """
    >>> place_name("player1", 2), place_name("burn", 4)
    ('Player 1, card 2', 'Burn card 4')
    """
    return f"Burn card {place}" if zone == "burn" else f"{box_name(zone)}, card {place}"


def told_of_laid(laid: Laid) -> str:
    """Cards that were set: which lie where now, and how many of the street were given up."""
    told = (f"{place_name(zone, at)} {face.sign}" for (_, zone, at), face in zip(laid.to, laid.faces, strict=True))
    away = f"; given up, face down: {len(laid.away)}" if laid.away else ""
    return f"{box_name(laid.box)} is laid: {', '.join(told)}{away}."


def told_of_choice(chose: Chose, currency: str) -> str:
    """What a box chose, or does because nobody chose; cards are named by their places in the street."""
    to = f" to {format_minor(chose.to_minor, currency)}" if chose.to_minor else ""
    rows = f": {', '.join(chose.rows)}, in the order dealt" if chose.rows else ""
    if chose.by_default:
        return (
            f"Nobody chose for {box_name(chose.box).lower()} in time: it is to {chose.option}{rows}, as the rules say."
        )
    return f"{box_name(chose.box)} chooses to {chose.option}{to}{rows}."


def told_of_stub(fact: Shuffled | CardReturned | BurnRuled, place_of: Callable[[str], str]) -> str:
    """What was ruled of the cards that are left in the shoe. `place_of` gives the place of a card, by its id."""
    match fact:
        case CardReturned(id=id):
            return f"{place_of(id)} goes back to the stub."
        case BurnRuled(number=number, cards=cards, shuffled=shuffled):
            burn = "is left out" if not cards else f"is of {cards} card{'' if cards == 1 else 's'}"
            return f"Burn {number} {burn}{'; then the stub is shuffled' if shuffled else ''}."
        case Shuffled(ids=ids):
            return f"The stub is shuffled, with {len(ids)} card{'' if len(ids) == 1 else 's'} that went back to it."
