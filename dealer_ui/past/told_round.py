"""One round as its operator is told of it: the cards and who read them, how it ended, and his own bettors' bets.

The round is told as it stood when it ended, so it reads the same at any later time. A card that was never turned has no
face here, and no other operator's bets appear.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, get_args

from dealer_ui.words.language import LANGUAGES, Languages
from studio.journal import BetStatus, Reader
from studio.journal.extract.round_end import (
    RoundEnd,
    bets_at,
    staked_at,
)
from studio.rounds import AnyFact, CardBurned, CardDealt, CardReplaced
from studio.rulebook.hand_terms import HAND
from studio.spoken import Slot
from studio.tables.event import table as e
from studio.tables.event.record import read_body
from studio.tables.state.round import by_place
from studio.views.act import class_of_row

BETS_TOLD: Final = 1_000
"""So many bets of a round are told with it; the rest is asked for page by page."""

_WORDS: Final = Languages()
_FACTS: Final = frozenset(fact.__name__ for fact in get_args(AnyFact))
_COURSE: Final = frozenset({
    "RoundStarted", "RedealOrdered", "ResultDeclared", "RoundVoided", "CorrectionApproved", "RoundResettled",
    "CardConfirmed", "CardDoubted",
})  # fmt: skip


def tell_round(reader: Reader, operator: str, end: RoundEnd) -> dict[str, Any]:
    """All an operator is told of one round, in plain values."""
    course = _Course()
    for row in reader.events(round=end.round, kinds=_FACTS | _COURSE):
        if row.seq > end.seq:
            break
        course.take(read_body(row.body).event, row.at_ms)
    bets, more = bets_at(reader, operator, end, BETS_TOLD)
    address = f"/api/v1/rounds/{end.round}"
    named = f"generation={end.generation}"
    return {
        "id": f"{end.round}:{end.generation}",
        "cursor": end.seq,
        "round": end.round,
        "generation": end.generation,
        "table": end.table,
        **course.told(operator),
        "ended_at_ms": end.at_ms,
        "sums": [
            {
                "currency": one.currency,
                "bets": one.bets,
                "stake": one.stake_minor,
                "free_stake": one.free_minor,
                "returns": one.returned_minor,
            }
            for one in staked_at(reader, operator, end)
        ],
        "bets": [tell_bet(bet) for bet in bets],
        "more_bets": None if more is None else f"{address}/bets?{named}&after={more}",
        "record": f"{address}?{named}",
    }


def tell_bet(status: BetStatus) -> dict[str, Any]:
    """A bet of a round that is told."""
    bet = status.bet
    return {
        "client_id": bet.client_id,
        "bet_id": bet.bet_id,
        "bettor": bet.bettor,
        "bet": bet.bet,
        "stake": bet.stake_minor,
        "currency": bet.currency,
        "status": status.status,
        "returns": status.returned_minor,
        "free_bet": bet.free or None,
    }


class _Course:
    """What the rows of a round say, in their order."""

    def __init__(self) -> None:
        self._started: e.RoundStarted | None = None
        self._began_at_ms = 0
        self._attempt = 1
        self._facts: list[AnyFact] = []
        self._approved: Sequence[AnyFact] = ()
        self._read_by: dict[str, str] = {}
        self._confirmed_by: dict[str, str] = {}
        self._outcome: Mapping[str, Any] | None = None
        self._void_row: str | None = None

    def take(self, event: e.AnyEvent, at_ms: int) -> None:
        match event:
            case e.RoundStarted():
                self._started, self._began_at_ms = event, at_ms
            case e.FactStood(fact=fact):
                self._stand(fact)
            case e.RedealOrdered():
                self._attempt += 1
                self._facts.clear()
                self._outcome = None
            case e.CardConfirmed(id=id, by=by):
                self._confirmed_by[id] = by if by == "camera" else "person"
            case e.CardDoubted(id=id):
                self._confirmed_by.pop(id, None)
            case e.ResultDeclared(outcome=outcome):
                self._outcome = outcome
            case e.RoundVoided(row=row):
                self._outcome, self._void_row = None, row
            case e.CorrectionApproved(facts=righted):
                self._approved = righted
            case e.RoundResettled(void=void, outcome=outcome):
                self._outcome, self._void_row = (None, "") if void else (outcome, None)
                for fact in self._approved:
                    self._stand(fact)

    def _stand(self, fact: AnyFact) -> None:
        self._facts.append(fact)
        match fact:
            case CardDealt(card=card, source=source):
                self._read_by[card.id] = source
            case CardBurned(card=card):
                self._read_by[card.id] = "shoe"
            case CardReplaced(id=id, source=source):
                self._read_by[id] = source
                self._confirmed_by.pop(id, None)

    def told(self, operator: str) -> dict[str, Any]:
        started = self._started
        assert started is not None, "a round begins before it ends"
        return {
            "game": started.game,
            "rules_version": started.version,
            "number": started.number,
            "attempt": self._attempt,
            "began_at_ms": self._began_at_ms,
            "status": "settled" if self._void_row is None else "voided",
            "void": None if self._void_row is None else _void(started.game, self._void_row),
            "cards": list(self._cards()),
            "outcome": self._outcome,
            "seats": _seats(started, operator),
        }

    def _cards(self) -> Iterator[dict[str, Any]]:
        for (box, place), lying in sorted(by_place(self._facts).items()):
            yield _card((box, place), lying) | {
                "read_by": self._read_by.get(lying.card.id),
                "confirmed_by": self._confirmed_by.get(lying.card.id),
            }


def _card(slot: Slot, lying: CardDealt | CardBurned) -> dict[str, Any]:
    face = lying.face if isinstance(lying, CardDealt) else None
    return {
        "box": slot[0],
        "place": slot[1],
        "state": "sealed" if face is None else "open",
        "card": None if face is None else str(face),
    }


def _void(game: str, row: str) -> dict[str, Any]:
    """Why the round is void: the row of the procedures by which it was ruled, if any, and the class of reason that
    bettors are told.
    """
    because = class_of_row(game, row)
    reason = {tag: _WORDS.speak(tag).say(f"because.{because}") for tag in LANGUAGES} if because else None
    return {"row": row or None, "because": because or None, "reason": reason}


def _seats(started: e.RoundStarted, operator: str) -> dict[str, str] | None:
    """Of a hand of the poker room, where this operator's bettors sat; None of any other round."""
    hand = started.rules.get(HAND)
    if not isinstance(hand, Mapping):
        return None
    players = hand.get("players", {})
    return {seat: bettor for seat, (owner, bettor) in players.items() if owner == operator}
