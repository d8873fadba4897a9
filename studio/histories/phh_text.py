"""Writes a finished hand in the PHH notation, which `studio.histories.phh` reads.

Amounts are whole minor units, as the pots were split; `_amounts` says of what.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from typing import Final

from studio.cards import Card
from studio.errors import BadInputError
from studio.histories.phh import VARIANTS
from studio.histories.played_hand import Mucked, PlayedAct, RecordedHand, ShownHand, Street, Told
from studio.rulebook.betting_game import Variant
from studio.rulebook.betting_hand import UNKNOWN

CODES: Final[Mapping[str, str]] = {variant.key: code for code, variant in VARIANTS.items()}
"""The code of the notation by the key of the game."""


def variant_of(game: str) -> Variant:
    """What the betting engine is told of a game; `BadInputError` for one that the notation does not know."""
    if game not in CODES:
        raise BadInputError(f"The game {game} is not written as PHH: {', '.join(CODES)} are.")
    return VARIANTS[CODES[game]]


@dataclass(frozen=True, slots=True)
class Heading:
    """What a history says beside the hand itself. `at_ms`: when it was dealt; `players`: seat to name, where known."""

    hand: str
    table: str
    at_ms: int
    currency: str
    players: Mapping[str, str] = field(default_factory=dict)


def write_phh(hand: RecordedHand, heading: Heading) -> str:
    """The hand as TOML; cards that nobody showed are `??`."""
    return "".join(f"{name} = {value}\n" for name, value in _fields(hand, heading))


def _fields(hand: RecordedHand, heading: Heading) -> Iterator[tuple[str, str]]:
    terms, dealt = hand.terms, datetime.fromtimestamp(heading.at_ms / 1000, tz=UTC)
    yield "variant", _text(CODES[hand.variant.key])
    yield "ante_trimming_status", "true" if terms.ante_trimmed else "false"
    yield "antes", _list(terms.antes)
    yield "blinds_or_straddles", _list(terms.blinds)
    yield "min_bet", str(terms.least_bet)
    if terms.full_blind and terms.is_blind_short:
        yield "_full_blind", "true"
    yield "starting_stacks", _list(terms.stacks)
    lines = "".join(f"  {_text(line)},\n" for line in _lines(hand))
    yield "actions", f"[\n{lines}]"
    yield "time", dealt.strftime("%H:%M:%S")
    yield "time_zone", _text("UTC")
    yield "day", str(dealt.day)
    yield "month", str(dealt.month)
    yield "year", str(dealt.year)
    yield "hand", _text(heading.hand)
    yield "table", _text(heading.table)
    yield "seats", _list([int(seat.removeprefix("seat")) for seat in terms.seats])
    if heading.players:
        yield "players", f"[{', '.join(_text(heading.players.get(seat, seat)) for seat in terms.seats)}]"
    yield "finishing_stacks", _list(hand.outcome.stacks)
    if hand.outcome.rake_minor:
        yield "_rake", str(hand.outcome.rake_minor)
        yield "_rake_percent", str(Decimal(terms.rake.percent.numerator) / terms.rake.percent.denominator)
        yield "_rake_cap", str(terms.rake.cap_minor)
    yield "_amounts", _text(f"minor units of {heading.currency}")


def _lines(hand: RecordedHand) -> Iterator[str]:
    number = {seat: f"p{at}" for at, seat in enumerate(hand.terms.seats, 1)}
    for seat in hand.terms.seats:
        yield f"d dh {number[seat]} {_cards(hand.hole[seat])}"
    for told in hand.told:
        yield _line(told, number)


def _line(told: Told, number: Mapping[str, str]) -> str:
    match told:
        case Street(cards):
            return f"d db {_cards(cards)}"
        case PlayedAct(seat, "fold"):
            return f"{number[seat]} f"
        case PlayedAct(seat, _, to_minor) if to_minor:
            return f"{number[seat]} cbr {to_minor}"
        case PlayedAct(seat):
            return f"{number[seat]} cc"
        case ShownHand(seat, cards):
            return f"{number[seat]} sm {_cards(cards)}"
        case Mucked(seat):
            return f"{number[seat]} sm"


def _cards(cards: Sequence[Card | None]) -> str:
    return "".join(UNKNOWN if card is None else str(card) for card in cards)


def _list(values: Sequence[int]) -> str:
    return f"[{', '.join(map(str, values))}]"


def _text(value: str) -> str:
    """A string of TOML: JSON's escapes are its own too, but for the one letter that JSON leaves as it is."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
