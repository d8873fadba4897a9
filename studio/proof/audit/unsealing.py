"""Holds each sealed card that was opened against the record: card and key, who and when."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import Final

import msgspec

from studio.games import find_game
from studio.people import REQUEST_VALID_MS, are_two
from studio.proof.audit.card import check_key
from studio.proof.audit.wrong import wrong
from studio.tables.correction.unsealing import ACT, exception_of
from studio.tables.event import table as e
from studio.tables.past.sealed_round import SealedFold, SealedPlace

_FOLLOWED: Final = (
    e.RoundStarted, e.FactStood, e.CardSetAside, e.RedealOrdered, e.RoundSettled, e.RoundRefunded, e.ShoeLoaded,
    e.ShoeWithdrawn, e.CutCardCame,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Open:
    """A request until it lapses, or until the opened card is on record as an exception."""

    asked: e.UnsealingAsked
    found: SealedPlace
    opened: e.CardUnsealed | None = None


class _Shoe:
    """What is in the shoe, as far as it says whether a card that came from it may be opened."""

    def __init__(self) -> None:
        self._loaded = self._live = False
        self._after_cut = 0
        self._last: int | None = None
        self._number = self._first = self._dealt = 0
        self._most: int | None = None

    def follow(self, event: e.AnyEvent) -> None:
        match event:
            case e.RoundStarted(number=number, game=game, rules=rules):
                self._number, self._live, self._dealt = number, True, self._dealt + 1
                shoe = find_game(game).shoe.under(rules)
                self._most, self._after_cut = shoe.rounds_per_shuffle, shoe.rounds_after_cut
                self._last = max(0, self._last - 1) if self._last is not None else None
            case e.RoundSettled() | e.RoundRefunded():
                self._live = False
            case e.ShoeLoaded():
                self._loaded, self._last, self._dealt, self._first = True, None, 0, self._number + 1
            case e.ShoeWithdrawn():
                self._loaded = False
            case e.CutCardCame(at_once=True):
                self._last = 0
            case e.CutCardCame() if self._last is None:
                self._last = self._after_cut

    def may_deal_on(self, number: int) -> bool:
        """Whether the shoe that dealt this round may come onto the felt again."""
        dealt_out = self._last == 0 or (self._most is not None and self._dealt >= self._most)
        return self._loaded and number >= self._first and (self._live or not dealt_out)


class UnsealingAudit:
    """The sealed cards of one table. `asked`: the rounds to keep in mind; every one, where it is not known which."""

    def __init__(self, table: str, asked: Container[str] | None) -> None:
        self._table = table
        self._kept = asked
        self._told: dict[str, list[e.AnyEvent]] = {}
        self._round = ""
        self._shoe = _Shoe()
        self._open: _Open | None = None
        self._count = 0

    def take(self, event: e.AnyEvent, seq: int, at_ms: int) -> None:
        """Follow one event of the table; `WrongError` where it opens a card that it may not."""
        match event:
            case e.UnsealingAsked():
                self._ask(event, seq, at_ms)
            case e.UnsealingLapsed():
                now = self._need(event.id, event.round, seq)
                if now.opened is not None:
                    wrong(seq, f"The request {event.id} lapsed, and its card is open.")
                self._open = None
            case e.CardUnsealed():
                self._unseal(event, seq, at_ms)
            case e.ExceptionRecorded(act=act) if act == ACT:
                self._record(event, seq)
            case _ if isinstance(event, _FOLLOWED):
                self._follow(event)

    def _record(self, told: e.ExceptionRecorded, seq: int) -> None:
        """The exception that two people's act leaves: exactly that of the card they opened, once."""
        now = self._open
        opened = now.opened if now is not None else None
        if now is None or opened is None:
            wrong(seq, f"The exception record of round {told.round} is not that of a sealed card which was opened.")
        due = exception_of(now.asked, now.found, opened.face, opened.approved_by)
        if _in_english(told) != _in_english(due):
            wrong(seq, f"The exception record of round {told.round} is not that of a sealed card which was opened.")
        self._open = None

    def need_nothing_left(self, seq: int = 0) -> None:
        if self._open is not None and self._open.opened is not None:
            wrong(
                seq or 1, f"A sealed card of {self._open.asked.round} was opened and no exception is on record for it."
            )

    def _follow(self, event: e.AnyEvent) -> None:
        """What a round says of its cards, where somebody wants to see one of them some day."""
        self._shoe.follow(event)
        if isinstance(event, e.RoundStarted):
            self._round = event.round
            if self._kept is None or event.round in self._kept:
                self._told[event.round] = []
        if (told := self._told.get(self._round)) is not None:
            told.append(event)

    def _ask(self, told: e.UnsealingAsked, seq: int, at_ms: int) -> None:
        self.need_nothing_left(seq)
        if self._open is not None:
            wrong(seq, f"The request {told.id} was made before the one before it had ended.")
        self._count += 1
        found = self._found(told.round, told.card, seq)
        due = (f"{self._table}-s{self._count}", found.zone, found.place, found.deal, at_ms + REQUEST_VALID_MS)
        if (told.id, told.zone, told.place, told.deal, told.expires_at_ms) != due:
            wrong(seq, f"The sealed card asked for in {told.round} lay elsewhere than was told.")
        self._open = _Open(told, found)

    def _unseal(self, told: e.CardUnsealed, seq: int, at_ms: int) -> None:
        now = self._need(told.id, told.round, seq)
        asked = now.asked
        if now.opened is not None or at_ms > asked.expires_at_ms:
            wrong(seq, f"The sealed card {told.card.id} was opened twice, or after its minute was over.")
        if not are_two(asked.asked_by, told.approved_by) or told.asked_by != asked.asked_by:
            wrong(seq, f"The sealed card {told.card.id} was opened without two people.")
        found = self._found(told.round, asked.card, seq)
        if (told.card.id, told.zone, told.place, told.deal) != (asked.card, found.zone, found.place, found.deal):
            wrong(seq, f"The card opened in {told.round} is not the one that was asked for.")
        if told.card.written() != found.card.written():
            wrong(seq, f"The sealed card {told.card.id} is not the one that was dealt.")
        check_key(told.card, told.key, told.face, seq)
        self._told[told.round].append(told)
        self._open = _Open(asked, found, told)

    def _found(self, round: str, card: str, seq: int) -> SealedPlace:
        """The sealed card as its round has it: over, never turned, not opened before, and from no shoe that deals."""
        fold = SealedFold(self._table)
        for event in self._told.get(round, ()):
            fold.take(event)
        made = fold.made()
        found = made.find(card)
        if found is None:
            wrong(seq, f"Round {round} has no sealed card {card}.")
        if not made.over or card in made.opened:
            wrong(seq, f"The sealed card {card} was asked for before round {round} was over, or once it was open.")
        if self._shoe.may_deal_on(made.number):
            wrong(seq, f"The sealed card {card} was asked for while the shoe it came from could still deal.")
        return found

    def _need(self, id: str, round: str, seq: int) -> _Open:
        if self._open is None or (self._open.asked.id, self._open.asked.round) != (id, round):
            wrong(seq, f"Nobody had asked for the opening {id} of a sealed card of {round}.")
        return self._open


def _in_english(told: e.ExceptionRecorded) -> e.ExceptionRecorded:
    """The record as text, which is all that old ones hold."""
    return msgspec.structs.replace(told, before=str(told.before), after=str(told.after))
