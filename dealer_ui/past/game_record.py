"""The game record: the rounds a bettor bet on, what came of each, and the fee a rakeback counts.

A summary says a round in a line, the details tell its cards, his decisions and every bet. Only faces that the
public has seen are in it. A bettor who lost his line finds here what became of his bets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from studio.games import find_game
from studio.journal import Reader
from studio.journal.extract.played import (
    Played,
    place_at,
    played_in,
    rounds_played,
    rows_naming,
)
from studio.rounds import CardDealt, Revealed, corrected
from studio.rulebook.script import Decide
from studio.settlement.rakeback import fee_minor
from studio.tables.event import table as e
from studio.tables.event.record import read_body
from studio.tables.past.dossier import facts_of
from studio.tables.state.conduct import Conduct

_COURSE: Final = frozenset(
    {"RoundStarted", "RedealOrdered", "ResultDeclared", "RoundSettled", "RoundVoided", "RoundResettled"}
)
_BY_NAME: Final = ("BetsPlaced", "DecisionsTaken")
_FOR_ALL: Final = ("DecisionsClosed",)
_CLOCKS_APART_MS: Final = 60_000
_PAGE: Final = 100


@dataclass(frozen=True, slots=True)
class RoundCourse:
    """What came of a round. `status` is open, settled or voided; `outcome` as the game describes it.

    `corrected`: how often it was corrected after its settlement; then `first` is the outcome that was told first.
    """

    game: str
    number: int = 0
    at_ms: int = 0
    status: str = "open"
    void_row: str = ""
    outcome: Mapping[str, Any] | None = None
    corrected: int = 0
    first: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """One round in a line. `fee_minor` is what a rakeback is counted from, None where the game knows none."""

    played: Played
    course: RoundCourse

    @property
    def fee_minor(self) -> int | None:
        rate = find_game(self.course.game).payment.rakeback
        return fee_minor(rate, self.played.stood_minor) if rate else None


@dataclass(frozen=True, slots=True)
class Decided:
    """A choice of the bettor; `by_default` when he let its window pass."""

    option: str
    by_default: bool


@dataclass(frozen=True, slots=True)
class Details:
    summary: Summary
    cards: Mapping[str, tuple[str, ...]]
    decisions: tuple[Decided, ...]


@dataclass(frozen=True, slots=True)
class Rakeback:
    """Over a span of time: settled rounds with a fee; `open_rounds` may yet be added. In minor units."""

    rounds: int = 0
    open_rounds: int = 0
    staked_minor: int = 0
    fee_minor: int = 0


def summaries(
    reader: Reader, operator: str, bettor: str, limit: int, before: int | None, tables: int
) -> tuple[Sequence[Summary], int | None]:
    """The newest rounds he first bet on before that place; and the place the next page begins before, if any."""
    found = rounds_played(reader, operator, bettor, limit + 1, before, tables)
    page = [Summary(played, _course(reader, played.round)) for played in found[:limit]]
    return page, page[-1].played.seq if len(found) > limit else None


def details(reader: Reader, operator: str, bettor: str, round: str) -> Details | None:
    """Everything this bettor may see of one round; None when he placed no bet in it."""
    played = played_in(reader, operator, bettor, round)
    if played is None:
        return None
    summary = Summary(played, _course(reader, round))
    return Details(summary, _open_cards(reader, round), tuple(_decisions(reader, summary, operator, bettor)))


def rakeback(reader: Reader, operator: str, bettor: str, span_ms: tuple[int, int], tables: int) -> Rakeback:
    """The fee of the rounds he first bet on in that span, its end left out."""
    rounds = open_rounds = staked_minor = fees_minor = 0
    for summary in _between(reader, operator, bettor, span_ms, tables):
        fee = summary.fee_minor
        if fee is None:
            continue
        open_rounds += summary.played.pending
        if summary.played.stood_minor:
            rounds += 1
            staked_minor += summary.played.stood_minor
            fees_minor += fee
    return Rakeback(rounds, open_rounds, staked_minor, fees_minor)


def _between(reader: Reader, operator: str, bettor: str, span_ms: tuple[int, int], tables: int) -> Iterator[Summary]:
    from_ms, to_ms = span_ms
    before: int | None = place_at(reader, to_ms + _CLOCKS_APART_MS) + 1
    while before:
        page = rounds_played(reader, operator, bettor, _PAGE, before, tables)
        for played in page:
            if from_ms <= played.at_ms < to_ms:
                yield Summary(played, RoundCourse(game=_game(reader, played.round)))
        goes_on = len(page) == _PAGE and page[-1].at_ms >= from_ms - _CLOCKS_APART_MS
        before = page[-1].seq if goes_on else None


def _game(reader: Reader, round: str) -> str:
    for row in reader.events(round=round, kinds=("RoundStarted",), limit=1):
        event = read_body(row.body).event
        assert isinstance(event, e.RoundStarted)
        return event.game
    return ""


def _course(reader: Reader, round: str) -> RoundCourse:
    found = RoundCourse(game="")
    for row in reader.events(round=round, kinds=_COURSE):
        found = _after(found, read_body(row.body).event, row.at_ms)
    return found


def _after(course: RoundCourse, event: e.AnyEvent, at_ms: int) -> RoundCourse:
    changes: dict[str, Any] = {}
    match event:
        case e.RoundStarted(game=game, number=number):
            changes = {"game": game, "number": number}
        case e.RedealOrdered():
            changes = {"outcome": None}
        case e.ResultDeclared(outcome=outcome):
            changes = {"outcome": outcome}
        case e.RoundSettled():
            changes = {"status": "settled"}
        case e.RoundVoided(row=row):
            changes = {"status": "voided", "void_row": row, "outcome": None}
        case e.RoundResettled(void=void, outcome=outcome, before=before):
            changes = {"status": "voided" if void else "settled", "outcome": None if void else outcome}
            changes |= {"corrected": course.corrected + 1, "first": course.first or before}
    return replace(course, **changes, at_ms=at_ms)


def _open_cards(reader: Reader, round: str) -> Mapping[str, tuple[str, ...]]:
    """Box to the faces that lie open in it; a card still face down has none."""
    boxes: dict[str, dict[int, str]] = {}
    dealt: dict[str, list[int]] = {}
    for fact in corrected(facts_of(reader, round)):
        match fact:
            case CardDealt(box=box, place=place, face=face):
                dealt.setdefault(box, []).append(place)
                if face is not None:
                    boxes.setdefault(box, {})[place] = str(face)
            case Revealed(box=box, faces=faces):
                boxes[box] = dict(zip(sorted(dealt.get(box, ())), map(str, faces), strict=False))
    return {box: tuple(cards[place] for place in sorted(cards)) for box, cards in boxes.items()}


def _decisions(reader: Reader, summary: Summary, operator: str, bettor: str) -> Iterator[Decided]:
    """What he chose, and what was chosen for him when he let a window pass."""
    conduct, who = Conduct(), (operator, bettor)
    for body in rows_naming(reader, summary.played.round, bettor, _BY_NAME, _FOR_ALL):
        event = read_body(body).event
        match event:
            case e.BetsPlaced(bets=bets):
                conduct.bet([bet for bet in bets if (bet.operator, bet.bettor) == who])
            case e.DecisionsTaken(decisions=decisions, bets=bets):
                mine = [one for one in decisions if (one.operator, one.bettor) == who]
                conduct.bet([bet for bet in bets if (bet.operator, bet.bettor) == who])
                conduct.decide(mine)
                yield from (Decided(one.option, by_default=False) for one in mine)
            case e.DecisionsClosed(options=options, by_default=default):
                game, step = find_game(summary.course.game), Decide(0, options)
                if conduct.owes(game, step, who) and not conduct.has_decided(who):
                    yield Decided(default, by_default=True)
                conduct.close(game, step)
