"""A bettor's hands of the poker room on his page: each in a line, one as he may know it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dealer_ui.desk.ticket import Ticket
from dealer_ui.floor.house import House
from dealer_ui.past.hand_record import HandDetails, HandLine, OwnKey, hand_details, hand_lines
from studio.cards import Card
from studio.errors import RefusedError
from studio.games.ofc import KEY as OFC
from studio.rulebook.hand_rank import BETTING, rank_of, row_rank
from studio.rulebook.open_face import ROWS
from studio.views.hand.hand_words import hand_words
from studio.views.shape import Words, signed

HANDS_A_PAGE: Final = 20


@dataclass(frozen=True, slots=True)
class HandRow:
    """One hand in a line. `words`: what his own hand was, where it was shown; `points` of Open-Face Chinese."""

    line: HandLine
    currency: str
    words: Words | None
    points: str

    @property
    def net_minor(self) -> int:
        return (self.line.takes_minor or 0) - (self.line.paid_minor or 0)


@dataclass(frozen=True, slots=True)
class HandPage:
    """`words`: by seat, what was shown. `acts`: every act in its order, a street's cards where it was dealt."""

    row: HandRow
    details: HandDetails
    words: Mapping[str, Words]
    acts: Sequence[tuple[Words, tuple[str, ...]]]


def currency_of(house: House, table: str) -> str:
    return house.view(table).bets.currency if table in house.tables else house.config.currency


def hand_rows(house: House, ticket: Ticket, before: int | None) -> tuple[Sequence[HandRow], int | None]:
    """The newest hands he was dealt into, and the place the next page begins before."""
    lines, older = hand_lines(house.reader(), ticket.operator, ticket.bettor, HANDS_A_PAGE, before)
    return [_row(house, line) for line in lines], older


def hand_page(house: House, ticket: Ticket, round: str, own_key: OwnKey) -> HandPage | None:
    """One hand that is over; None where he was not dealt in, or it is still being played."""
    try:
        found = hand_details(
            house.reader(), ticket.operator, ticket.bettor, round, own_key, lambda table: currency_of(house, table)
        )
    except RefusedError:
        return None
    if found is None:
        return None
    row = _row(house, found.line)
    return HandPage(row, found, _shown(found.line), _acts(found.told, row.currency))


def _row(house: House, line: HandLine) -> HandRow:
    points = line.outcome.get("points", {}).get(line.seat)
    settled = line.status == "settled"
    told = signed(points) if settled and points is not None else ""
    return HandRow(line, currency_of(house, line.table), _shown(line).get(line.seat) if settled else None, told)


def _shown(line: HandLine) -> Mapping[str, Words]:
    """By seat, or by seat and row, the hands that lay open at the end."""
    seats: Mapping[str, Any] = line.outcome.get("seats", {})
    if line.started.game == OFC:
        rows = ((f"{seat}_{row}", one[row]["cards"]) for seat, one in seats.items() for row in ROWS)
        return {zone: hand_words(row_rank(_cards(cards))) for zone, cards in rows if _whole(zone, cards)}
    if line.started.game not in BETTING:
        return {}
    board = _cards(line.outcome.get("board", ()))
    ranks = {
        seat: rank_of(line.started.game, _cards(one["cards"]), board) for seat, one in seats.items() if "cards" in one
    }
    known = {seat: rank for seat, rank in ranks.items() if rank is not None}
    return {seat: hand_words(rank, known.values()) for seat, rank in known.items()}


def _whole(zone: str, cards: Sequence[str]) -> bool:
    return len(cards) == ROWS[zone.partition("_")[2]]


def _cards(texts: Sequence[str]) -> tuple[Card, ...]:
    return tuple(Card.parse(text) for text in texts)


_STREETS: Final = ("flop", "turn", "river")


def _acts(told: Mapping[str, Any], currency: str) -> Sequence[tuple[Words, tuple[str, ...]]]:
    found: list[tuple[Words, tuple[str, ...]]] = []
    streets = iter(_STREETS)
    for act in told.get("acts", ()):
        if "board" in act:
            found.append((Words(f"street.{next(streets)}"), tuple(act["board"] or ())))
            continue
        key = f"said.{act['act']}"
        said = {"box": f"box.{act['seat']}", "money": f"{act.get('to') or 0} {currency}"}
        found.append((Words(f"{key}.default" if act.get("by_default") else key, said), tuple(act.get("cards") or ())))
    return found
