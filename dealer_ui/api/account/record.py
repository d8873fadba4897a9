"""The game record in JSON: a bettor's rounds in short, one of them in full, and his rakeback."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final

from pydantic import ConfigDict, Field

from dealer_ui.api.bettor.bet import bet_line
from dealer_ui.api.request.answer import AnswerError, plain
from dealer_ui.api.request.body import Asked
from dealer_ui.api.request.order import check_id
from dealer_ui.api.shape.account import RakebackTold, Record, RoundDetails, RoundLine
from dealer_ui.api.shape.field import DIGITS, READ, Whole
from dealer_ui.floor.operators_floor import OperatorsFloor
from dealer_ui.past.game_record import Summary, details, rakeback, summaries

ROUNDS_MAX: Final = 100
SPAN_MS_MAX: Final = 31 * 24 * 60 * 60 * 1000
_SHORT: Final = ("result", "name", "class", "king_mark")


@dataclass(frozen=True, slots=True)
class RoundsAsked:
    """Which of his rounds are asked for."""

    __pydantic_config__: ClassVar[ConfigDict] = READ

    limit: Annotated[int, Field(ge=1, le=ROUNDS_MAX), DIGITS] = 20
    """So many at most."""
    before: Whole | None = None
    """What `older` was on the page before; left out, the newest."""


@dataclass(frozen=True, slots=True)
class SpanAsked:
    """A span of time, at most 31 days."""

    __pydantic_config__: ClassVar[ConfigDict] = READ

    from_ms: Whole
    """In UTC milliseconds."""
    to_ms: Whole | None = None
    """Left out of the span itself; now where it is not named."""


ROUNDS: Final = Asked(RoundsAsked)
SPAN: Final = Asked(SpanAsked)


@dataclass(frozen=True, slots=True)
class RecordDesk:
    floor: OperatorsFloor

    def record(self, operator: str, bettor: str) -> Record:
        """The rounds he bet on, newest first, a page at a time."""
        name, asked = check_id("bettor", bettor), ROUNDS.read()
        tables = len(self.floor.tables)
        page, older = summaries(self.floor.reader(), operator, name, asked.limit, asked.before, tables)
        return {"bettor": bettor, "rounds": [_line(summary) for summary in page], "older": older}

    def record_round(self, operator: str, bettor: str, round: str) -> RoundDetails:
        """One round with its cards, his decisions and his bets."""
        found = details(self.floor.reader(), operator, check_id("bettor", bettor), round)
        if found is None:
            sentence = f"The bettor '{bettor}' placed no bet in this round: take the round's id from the record."
            raise AnswerError(404, "round_not_found", sentence)
        return {
            **_line(found.summary),
            "bettor": bettor,
            "outcome": plain(found.summary.course.outcome),
            "cards": {box: list(cards) for box, cards in found.cards.items()},
            "decisions": [{"option": one.option, "by_default": one.by_default} for one in found.decisions],
            "bets": [bet_line(status) for status in found.summary.played.bets],
        }

    def rakeback(self, operator: str, bettor: str) -> RakebackTold:
        """The fee of the rounds he first bet on from `from_ms` on and before `to_ms`; to now where none is named."""
        name, now_ms = check_id("bettor", bettor), self.floor.now_ms()
        asked = SPAN.read()
        from_ms, to_ms = asked.from_ms, now_ms + 1 if asked.to_ms is None else asked.to_ms
        if not 0 < to_ms - from_ms <= SPAN_MS_MAX:
            sentence = "Name the span in UTC milliseconds: from_ms, and to_ms after it, at most 31 days later."
            raise AnswerError(400, "bad_span", sentence)
        found = rakeback(self.floor.reader(), operator, name, (from_ms, to_ms), len(self.floor.tables))
        return {
            "bettor": bettor,
            "from_ms": from_ms,
            "to_ms": to_ms,
            "rounds": found.rounds,
            "open_rounds": found.open_rounds,
            "stake": found.staked_minor,
            "fee": found.fee_minor,
        }


def _line(summary: Summary) -> RoundLine:
    """A round in short. `stake` and `returns` are all his own in it."""
    played, course = summary.played, summary.course
    return {
        "round": played.round,
        "table": played.table,
        "game": course.game,
        "number": course.number,
        "at_ms": course.at_ms,
        "status": course.status,
        "voided": course.status == "voided",
        "void_row": course.void_row or None,
        "corrected": course.corrected,
        "first_result": short_result(course.first),
        "currency": played.currency,
        "stake": played.stake_minor,
        "free_stake": played.free_minor,
        "returns": played.returned_minor,
        "fee": summary.fee_minor,
        "result": short_result(course.outcome),
    }


def short_result(outcome: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """An outcome without its cards: how each hand stands, or who won and with what, where the game tells of that."""
    if not outcome:
        return None
    if "winning_hand" in outcome:
        return {"winner": outcome["winner"], "winning_hand": plain(outcome["winning_hand"])}
    hands = {box: one for box, one in outcome.items() if isinstance(one, Mapping)}
    return {box: {key: hand[key] for key in _SHORT if key in hand} for box, hand in hands.items()}
