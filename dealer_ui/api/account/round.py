"""The feed of rounds: what came of every round of an operator's bettors, in the order in which they came to an end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, cast

from pydantic import ConfigDict, Field

from dealer_ui.api.account.cursor import row_of
from dealer_ui.api.request.answer import AnswerError
from dealer_ui.api.request.body import Asked
from dealer_ui.api.shape.field import DIGITS, READ, Whole
from dealer_ui.api.shape.round import EndedRound, RoundBet, RoundBets, RoundsFeed
from dealer_ui.floor.operators_floor import OperatorsFloor
from dealer_ui.past.told_round import BETS_TOLD, tell_bet, tell_round
from studio.journal import Reader, origin
from studio.journal.extract.round_end import (
    RoundEnd,
    bets_at,
    end_of,
    ends_after,
)

ROUNDS_MAX: Final = 100
BETS_MAX: Final = 5_000
"""A page ends early where its rounds have so many bets."""


@dataclass(frozen=True, slots=True)
class FeedAsked:
    """Which rounds are asked for."""

    __pydantic_config__: ClassVar[ConfigDict] = READ

    after: Whole | None = None
    """The `next` of the page before; left out, the first round that is kept here comes first."""
    limit: Annotated[int, Field(ge=1, le=ROUNDS_MAX), DIGITS] = 20
    """So many at most."""


@dataclass(frozen=True, slots=True)
class RoundAsked:
    """As which of its generations a round is asked for."""

    __pydantic_config__: ClassVar[ConfigDict] = READ

    generation: Whole | None = None
    """Left out, as it stands now."""


@dataclass(frozen=True, slots=True)
class BetsAsked:
    """Which bets of a round are asked for."""

    __pydantic_config__: ClassVar[ConfigDict] = READ

    generation: Whole | None = None
    """Left out, as they stand now."""
    after: Whole = 0
    """The `next` of the page before."""
    limit: Annotated[int, Field(ge=1, le=BETS_TOLD), DIGITS] = BETS_TOLD
    """So many at most."""


FEED: Final = Asked(FeedAsked)
ROUND: Final = Asked(RoundAsked)
ROUND_BETS: Final = Asked(BetsAsked)


@dataclass(frozen=True, slots=True)
class RoundDesk:
    floor: OperatorsFloor

    def feed(self, operator: str) -> RoundsFeed:
        """The rounds that came to an end after the cursor, the oldest first; the next cursor is theirs or the newest
        row's."""
        asked, reader = FEED.read(), self.floor.reader()
        limit, after = asked.limit, _after(reader, asked.after)
        ends, upto = ends_after(reader, operator, after, limit + 1)
        told, bets = list[EndedRound](), 0
        for end in ends[:limit]:
            told.append(cast(EndedRound, tell_round(reader, operator, end)))
            bets += len(told[-1]["bets"])
            if bets >= BETS_MAX:
                break
        more = len(told) < len(ends)
        return {
            "rounds": told,
            "next": told[-1]["cursor"] if more else upto,
            "more": more,
            "now_ms": self.floor.now_ms(),
        }

    def ended_round(self, operator: str, round: str) -> EndedRound:
        """One round, as it stands or as one of its generations was told."""
        reader = self.floor.reader()
        end = _end(reader, operator, round, ROUND.read().generation)
        return cast(EndedRound, tell_round(reader, operator, end))

    def round_bets(self, operator: str, round: str) -> RoundBets:
        """The bets of a round that has very many of them, page by page."""
        asked, reader = ROUND_BETS.read(), self.floor.reader()
        end = _end(reader, operator, round, asked.generation)
        page, more = bets_at(reader, operator, end, asked.limit, asked.after)
        return {"round": round, "bets": [cast(RoundBet, tell_bet(one)) for one in page], "next": more}


def _after(reader: Reader, cursor: int | None) -> int:
    return row_of(cursor, origin(reader, "journal").seq, reader.head().seq, "rounds")


def _end(reader: Reader, operator: str, round: str, generation: int | None) -> RoundEnd:
    found = end_of(reader, operator, round, generation)
    if found is None:
        sentence = "None of your bettors has such a round behind him: take its id, and its generation, from the feed."
        raise AnswerError(404, "round_not_found", sentence)
    return found
