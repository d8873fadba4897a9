"""A hand between seats in sentences: who sits where, what was shown, who takes a pot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from studio.cards import Card
from studio.money import format_minor
from studio.proof.telling.place import box_name
from studio.rulebook.open_face import ROWS
from studio.tables.event.table import PlacedBet


def is_hand(outcome: Mapping[str, Any]) -> bool:
    """Whether a result is that of a hand between seats."""
    return "pots" in outcome or "between" in outcome


def tell_posted(bets: Sequence[PlacedBet], currency: str) -> str:
    """What seats put in before the first card; the bet of a seat bears its name."""
    told = (f"{box_name(bet.bet)} {format_minor(bet.stake_minor, currency)}" for bet in bets)
    return f"Put in before the cards: {', '.join(told)}."


def tell_seats(hand: Mapping[str, Any], currency: str) -> Iterator[str]:
    """Who is dealt in, from the left of the button on."""
    stacks = zip(hand["seats"], hand.get("stacks", ()), strict=False)
    players = hand.get("players", {})
    for seat, stack in stacks:
        who = "/".join(players[seat]) if seat in players else "a player"
        button = ", on the button" if seat == hand["seats"][-1] else ""
        yield f"{box_name(seat)}: {who} with {format_minor(stack, currency)}{button}"


def tell_result(outcome: Mapping[str, Any], currency: str) -> Iterator[str]:
    """How a hand ended, and what every seat takes of it."""
    yield from _points(outcome, currency) if "between" in outcome else _pots(outcome, currency)


def _points(outcome: Mapping[str, Any], currency: str) -> Iterator[str]:
    """Open-Face Chinese: the rows of each seat, then each two seats against each other."""
    for seat, told in outcome["seats"].items():
        for row in ROWS:
            if told.get(row, {}).get("cards"):
                yield f"{box_name(seat)}, {row}: {_signs(told[row]['cards'])}  {told[row]['name']}"
        fouled = "fouled; " if told.get("fouled") else ""
        royalties = f"{told['royalties']} of royalties; " if told.get("royalties") else ""
        fantasy = f"; {told['fantasy']} cards at once in the next hand" if told.get("fantasy") else ""
        points = outcome["points"].get(seat, 0)
        yield f"{box_name(seat)}: {fouled}{royalties}{points:+d} in points{fantasy}"
    for two in outcome["between"]:
        one, other = (box_name(seat) for seat in two["seats"])
        if two["points"] < 0:
            one, other = other, one
        points = abs(two["points"])
        won = f"{one} wins {points} of {other}: {format_minor(abs(two['won']), currency)}"
        yield won if points else f"{one} and {other} win nothing of each other"


def _pots(outcome: Mapping[str, Any], currency: str) -> Iterator[str]:
    """The board, the hands that were shown, every pot, and what nobody called."""
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
    for seat, told in outcome["seats"].items():
        won = sum(pot["winners"].get(seat, 0) for pot in outcome["pots"])
        if (uncalled := told.get("takes", won) - won) > 0:
            yield f"{format_minor(uncalled, currency)} of {box_name(seat)} was not called and goes back"
    if outcome["rake"]:
        yield f"Rake: {format_minor(outcome['rake'], currency)}"


def _signs(cards: list[str]) -> str:
    return " ".join(Card.parse(card).sign for card in cards)
