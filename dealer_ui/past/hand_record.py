"""A player's record of the poker room: the hands he was dealt into, and what he may know of one.

He may know his own cards, the board, what everybody did, and the hands that were shown. No other seat's cards are
opened here: only the seals of his own are looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from studio.cards import Card
from studio.errors import RefusedError
from studio.games.ofc import KEY as OFC_KEY
from studio.journal import Reader
from studio.journal.extract.played import (
    EVERY_HAND,
    HandDealt,
    HandSpan,
    hand_dealt,
    hands_dealt,
)
from studio.rounds import AnyFact, CardDealt, Chose, corrected
from studio.rulebook.hand_terms import HAND, read_terms
from studio.tables.event import table as e
from studio.tables.event.record import read_body
from studio.tables.past.dossier import facts_of

KeyOf = Callable[[str], bytes | None]
"""The key of a sealed card by its id."""

OwnKey = Callable[[str, str, str, str], bytes | None]
"""Takes operator, bettor, round and the card's id: the key of a card that his seat was dealt in a hand that is over."""

CurrencyOf = Callable[[str], str]
"""The currency of a table's chips."""

_COURSE: Final = frozenset({"ResultDeclared", "RoundSettled", "RoundVoided", "RoundResettled"})


@dataclass(frozen=True, slots=True)
class HandLine:
    """A hand in short, as one player has it. Amounts are minor units; `paid` and `takes` are None while it is open."""

    dealt: HandDealt
    started: e.RoundStarted
    table: str
    seat: str
    status: str
    paid_minor: int | None
    takes_minor: int | None
    outcome: dict[str, Any]


@dataclass(frozen=True, slots=True)
class HandDetails:
    """A hand that is over, in plain values; `told` is empty and `phh` too where it is void."""

    line: HandLine
    told: dict[str, Any]
    phh: str


def hand_lines(
    reader: Reader, operator: str, bettor: str, limit: int, before: int | None, span: HandSpan = EVERY_HAND
) -> tuple[Sequence[HandLine], int | None]:
    """The newest hands he was dealt into before that place; and the place the next page begins before, if any."""
    found = hands_dealt(reader, operator, bettor, limit + 1, before, span)
    page = [_line(reader, operator, bettor, dealt) for dealt in found[:limit]]
    return page, page[-1].dealt.seq if len(found) > limit else None


def hand_details(
    reader: Reader, operator: str, bettor: str, round: str, own_key: OwnKey, currency_of: CurrencyOf
) -> HandDetails | None:
    """What this player may know of a hand; None when he was not dealt in. `RefusedError` while the hand is open."""
    dealt = hand_dealt(reader, operator, bettor, round)
    if dealt is None:
        return None
    line = _line(reader, operator, bettor, dealt)
    if line.status == "open":
        raise RefusedError("hand_open", "The hand is still being played: ask again when it is over.")
    if line.status == "voided":
        return HandDetails(line, {}, "")
    return _told(reader, line, operator, partial(own_key, operator, bettor, round), currency_of(line.table))


def _line(reader: Reader, operator: str, bettor: str, dealt: HandDealt) -> HandLine:
    recorded = read_body(dealt.body)
    started = recorded.event
    assert isinstance(started, e.RoundStarted)
    players = started.rules[HAND]["players"]
    seat = next(seat for seat, named in players.items() if named == [operator, bettor])
    status, outcome = "open", dict[str, Any]()
    for row in reader.events(round=dealt.round, kinds=_COURSE):
        match read_body(row.body).event:
            case e.ResultDeclared() as declared:
                outcome = dict(declared.outcome)
            case e.RoundSettled():
                status = "settled"
            case e.RoundVoided() | e.RoundResettled(void=True):
                status = "voided"
    mine: dict[str, int] = outcome["seats"][seat] if status == "settled" else {}
    return HandLine(dealt, started, recorded.table, seat, status, mine.get("paid"), mine.get("takes"), outcome)


def _streets(facts: Sequence[AnyFact], seat: str, key_of: KeyOf) -> Iterator[dict[str, Any]]:
    """What the seat was dealt on each street and where it laid the cards. Only the seat itself knows the cards it gave
    up.
    """
    street: dict[int, str] = {}
    for fact in corrected(facts):
        match fact:
            case CardDealt(box=box, card=card, place=place) if box == seat:
                key = key_of(card.id)
                street[place] = str(card.with_key(key).card()) if key else ""
            case Chose(box=box, option=option, rows=rows, by_default=by_default) if box == seat:
                cards = [street[place] for place in sorted(street)]
                yield {"cards": cards, "option": option, "rows": list(rows), "by_default": by_default}
                street = {}


def _told(reader: Reader, line: HandLine, operator: str, key_of: KeyOf, currency: str) -> HandDetails:
    from studio.histories.phh_text import Heading, variant_of, write_phh
    from studio.histories.played_hand import (
        read_hand,
        tell_hand,  # PokerKit, which only a hand of poker should load
    )

    facts, rules = facts_of(reader, line.dealt.round), line.started.rules
    if line.started.game == OFC_KEY:
        return HandDetails(line, {"streets": list(_streets(facts, line.seat, key_of)), "outcome": line.outcome}, "")
    sealed = [fact.card for fact in corrected(facts) if isinstance(fact, CardDealt) and fact.box == line.seat]
    keys = [key_of(card.id) for card in sealed]
    own: tuple[Card, ...] = tuple(card.with_key(key).card() for card, key in zip(sealed, keys, strict=True) if key)
    known = {line.seat: own} if len(own) == len(sealed) else {}
    hand = read_hand(variant_of(line.started.game), read_terms(rules), facts, known)
    names = {seat: bettor for seat, (owner, bettor) in rules[HAND]["players"].items() if owner == operator}
    heading = Heading(line.dealt.round, line.table, line.dealt.at_ms, currency, names)
    return HandDetails(line, tell_hand(hand), write_phh(hand, heading))
