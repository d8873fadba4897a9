"""Writes a finished hand of Open-Face Chinese as text, street by street.

The PHH notation has no code for this game and no word for setting a street, so the text is our own; `docs/games/ofc.md`
says what each line means. A card that was given up is named only where `own` has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from studio.cards import Card
from studio.errors import BadInputError
from studio.games.ofc_hand import OpenFaceHand, OpenFaceTerms, open_face_hand, row_zone
from studio.hands.poker import STANDARD
from studio.histories.phh_text import Heading
from studio.money import format_minor
from studio.rounds.fact import AnyFact, CardDealt, Chose, Laid, PlainFact, corrected
from studio.rounds.play import Finished, play
from studio.rulebook import open_face
from studio.rulebook.open_face import ROWS

_OUT: Final = {"foul": "not set in time: fouled", "dead": "not set in time, and never looked at: dead"}
_AT_THE_END: Final = "in fantasy, laid at the end"


@dataclass(slots=True)
class _Street:
    """What a seat was dealt at once, and what became of it."""

    seat: str
    cards: Mapping[int, CardDealt]
    chose: Chose
    laid: Laid | None = None


@dataclass(slots=True)
class _Hand:
    terms: OpenFaceTerms
    outcome: OpenFaceHand
    heading: Heading
    own: Mapping[str, Card]
    streets: list[list[_Street]] = field(default_factory=list)


def write_open_face(
    terms: OpenFaceTerms, facts: Sequence[AnyFact], heading: Heading, own: Mapping[str, Card] | None = None
) -> str:
    """The hand as text. `own`: cards that the reader may know though nobody turned them, by the id of their seal.

    `BadInputError` where the hand is not over.
    """
    standing = play(open_face_hand(terms), facts)
    if not isinstance(standing, Finished):
        raise BadInputError("The hand is not over: its history is written once its points are settled.")
    hand = _Hand(terms, standing.outcome, heading, own or {})
    hand.streets = _streets(terms, corrected(facts))
    return "".join(f"{line}\n" for line in _lines(hand))


def _streets(terms: OpenFaceTerms, plain: Sequence[PlainFact]) -> list[list[_Street]]:
    dealt: dict[str, dict[int, CardDealt]] = {seat: {} for seat in terms.seats}
    of_seat: dict[str, list[_Street]] = {seat: [] for seat in terms.seats}
    streets: list[list[_Street]] = []
    for fact in plain:
        match fact:
            case CardDealt(box=seat, place=place) if seat in dealt:
                dealt[seat][place] = fact
            case Chose(box=seat):
                street = _Street(seat, dealt[seat], fact)
                dealt[seat] = {}
                of_seat[seat].append(street)
                if len(of_seat[seat]) > len(streets):
                    streets.append([])
                streets[len(of_seat[seat]) - 1].append(street)
            case Laid(box=seat):
                of_seat[seat][-1].laid = fact
    return streets


def _lines(hand: _Hand) -> Iterator[str]:
    yield from _head(hand)
    for number, streets in enumerate(hand.streets, 1):
        yield ""
        yield f"Street {number}"
        for street in streets:
            in_fantasy = street.seat in hand.terms.fantasy
            told = _AT_THE_END if in_fantasy and street.laid else _set(street, hand.own)
            yield f"{street.seat}  {len(street.cards)} dealt  {told}"
    if late := [one for one in hand.streets[0] if one.seat in hand.terms.fantasy and one.laid]:
        yield ""
        yield "Fantasy"
        yield from (f"{street.seat}  {_set(street, hand.own)}" for street in late)
    yield from _boards(hand)
    yield from _points(hand)


def _head(hand: _Hand) -> Iterator[str]:
    terms, heading = hand.terms, hand.heading
    when = datetime.fromtimestamp(heading.at_ms / 1000, tz=UTC).strftime("%Y-%m-%d %H:%M:%S")
    yield f"{open_face.TITLE}, hand {heading.hand}, table {heading.table}, {when} UTC"
    rows = "each row higher than the one above it" if terms.rules.strict_rows else "rows may be equal"
    yield f"A point is {format_minor(terms.unit_minor, heading.currency)}; {rows}; royalties: {terms.rules.royalties}"
    for seat, stack in zip(terms.seats, terms.stacks, strict=True):
        marks = f"  in fantasy with {terms.fantasy[seat]}" if seat in terms.fantasy else ""
        marks += "  button" if seat == terms.seats[-1] else ""
        yield f"{seat}  {heading.players.get(seat, 'a player')}  {format_minor(stack, heading.currency)}{marks}"


def _set(street: _Street, own: Mapping[str, Card]) -> str:
    """What of a street went to which row, in the order of the rows; what was given up is counted."""
    laid = street.laid
    if laid is None:
        return _OUT[street.chose.option]
    set_to = {zone: [face for (_, to, _), face in zip(laid.to, laid.faces, strict=True) if to == zone]
              for zone in (row_zone(street.seat, row) for row in ROWS)}  # fmt: skip
    told = [f"{zone.partition('_')[2]} {_cards(faces)}" for zone, faces in set_to.items() if faces]
    if laid.away:
        known = [own[id] for place in laid.away if (id := street.cards[place].card.id) in own]
        told.append(f"{len(laid.away)} given up{f': {_cards(known)}' if known else ''}")
    return " · ".join(told) + ("  (time was over, one row only was open)" if street.chose.by_default else "")


def _boards(hand: _Hand) -> Iterator[str]:
    yield ""
    yield "Boards"
    for seat, board in hand.outcome.score.cards.items():
        score = hand.outcome.score.boards[seat]
        if seat in hand.outcome.out:
            yield f"{seat}  {hand.outcome.out[seat]}"
            continue
        rows = (f"{row} {_cards(board[row])} ({STANDARD.describe(score.values[row])})" for row in ROWS)
        marks = "  fouled" if score.fouled else ""
        marks += f"  royalties {score.royalties}" if score.royalties else ""
        marks += f"  next hand in fantasy with {score.fantasy}" if score.fantasy else ""
        yield f"{seat}  {' · '.join(rows)}{marks}"


def _points(hand: _Hand) -> Iterator[str]:
    """Pair by pair as they were settled: a loser who had too little paid what he had."""
    outcome, currency = hand.outcome, hand.heading.currency
    yield ""
    yield "Points"
    for (one, other), won in outcome.moved.items():
        points = outcome.score.between[one, other]
        short = "  as far as the stack went" if abs(won) < abs(points) * hand.terms.unit_minor else ""
        yield f"{one} against {other}  {_signed(points)}  {format_minor(won, currency)}{short}"
    for seat, stack in zip(outcome.seats, outcome.stacks, strict=True):
        yield f"{seat}  {_signed(outcome.score.points[seat])}  ends with {format_minor(stack, currency)}"


def _cards(cards: Sequence[Card]) -> str:
    return " ".join(str(card) for card in cards)


def _signed(points: int) -> str:
    return f"{points:+}" if points else "0"
