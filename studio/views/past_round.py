"""One recorded round as a page or a text tells it: its felt, who read each card, its results, rulings and pictures.

`RoundFold` takes the rows of the round in their order. A card that was never revealed has no face here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import msgspec

from studio.errors import BadInputError
from studio.journal import Reader, Row
from studio.journal.extract.round_sum import (
    BetSum,
    sum_bets,
)
from studio.ports import AnyObservation, CameraSawCard
from studio.procedures.rule import words_key
from studio.rounds import CardBurned, CardDealt, CardReplaced
from studio.rulebook.hand_terms import HAND
from studio.spoken import Slot
from studio.tables.books.book import Book, kept
from studio.tables.config import TableConfig
from studio.tables.correction.finished_round import OF_ROUND
from studio.tables.event import table as e
from studio.tables.event.record import read_body
from studio.tables.fold.table import evolve
from studio.tables.state.felt import vouch_of
from studio.tables.state.room import Player, Room
from studio.tables.state.round import Round, Stage
from studio.tables.state.table import TableState
from studio.views.shape import Change, Deal, PastRound, Picture, Reading, RowWords, Ruled, Trouble
from studio.views.table import view_table

READ_BY_RULING: Final = frozenset({"shoe", "camera", "manual", "confirm", "continue", "override_card"})
"""Rulings by which a person says what a card is, or that it is as it was read."""

_FOLDED = (
    *OF_ROUND, e.CardConfirmed, e.CardDoubted, e.PlaceAccepted,
    e.CorrectionAsked, e.CorrectionLapsed, e.CorrectionApproved, e.PotTakenBack, e.PotClaimedLate, e.PotClaimUndone,
    e.BetsResettled, e.RoundResettled,
)  # fmt: skip
"""What the round's own part of the table's state is folded from; it needs nothing from before the round."""


@dataclass(slots=True)
class _Card:
    """What the rows of a round say about one card."""

    source: str
    confirmed_by: str = ""
    confidence: float = 0.0
    evidence: str = ""
    doubts: tuple[str, ...] = ()
    was: tuple[tuple[str, str], ...] = ()


class _Eyes:
    """Who read each card, by its id, and the pictures that were kept."""

    def __init__(self) -> None:
        self.pictures: dict[str, Picture] = {}
        self._cards: dict[str, _Card] = {}

    def take(self, event: e.AnyEvent, at_ms: int, round: Round | None) -> None:
        match event:
            case e.ObservationRecorded(observation=seen):
                self._seen(seen, at_ms)
            case e.IncidentOpened(evidence=evidence, incident=kind, box=box, place=place):
                for digest in evidence:
                    self.pictures.setdefault(digest, Picture(digest, at_ms, kind, box, place))
            case e.FactStood(fact=CardDealt(card=sealed, source=source)):
                self._cards[sealed.id] = _Card(source)
            case e.FactStood(fact=CardBurned(card=sealed)):
                self._cards[sealed.id] = _Card("shoe")
            case e.FactStood(fact=CardReplaced(id=id, source=source)):
                self.replaced(id, source, round)
            case e.CardConfirmed(id=id, by=by) if card := self._cards.get(id):
                card.confirmed_by, card.confidence, card.evidence = by, event.confidence, event.evidence
            case e.CardDoubted(id=id, why=why) if card := self._cards.get(id):
                card.confirmed_by, card.doubts = "", (*card.doubts, why)

    def _seen(self, seen: AnyObservation, at_ms: int) -> None:
        digest = getattr(seen, "evidence", "")
        if digest and digest not in self.pictures:
            kind = "" if isinstance(seen, CameraSawCard) else type(seen).__name__
            self.pictures[digest] = Picture(digest, at_ms, kind, getattr(seen, "zone", ""), getattr(seen, "place", 0))

    def replaced(self, id: str, source: str, round: Round | None) -> None:
        """The face on record was wrong: keep which it was."""
        card = self._cards.get(id)
        lying = next((one for one in round.deal.cards.values() if one.card.id == id), None) if round else None
        if card is not None and isinstance(lying, CardDealt) and lying.face is not None:
            card.was = (*card.was, (str(lying.face), source))

    def read(self, slot: Slot, lying: CardDealt | CardBurned, rulings: tuple[Ruled, ...]) -> Reading:
        card = self._cards.get(lying.card.id, _Card(""))
        face = lying.face if isinstance(lying, CardDealt) else None
        return Reading(
            *slot, str(face) if face else None, card.source, card.confirmed_by, card.confidence, card.evidence,
            card.doubts, card.was, rulings,
        )  # fmt: skip


class _People:
    """What went wrong, what was ruled, and what people changed."""

    def __init__(self) -> None:
        self.troubles: dict[str, Trouble] = {}
        self.changes: list[Change] = []
        self.dealers: list[str] = []
        self.void_by = ""

    def take(self, event: e.AnyEvent, at_ms: int, game: str, deal: int) -> None:
        match event:
            case e.IncidentOpened(id=id):
                self.troubles[id] = _opened(event, at_ms, game, deal)
            case e.IncidentRuled(id=id) if one := self.troubles.get(id):
                ruled = Ruled(
                    event.ruling, event.asked_by, event.approved_by, at_ms, event.row, event.reason_code, event.words
                )
                self.troubles[id] = replace(one, rulings=(*one.rulings, ruled))
            case e.IncidentClosed(id=id) if one := self.troubles.get(id):
                self.troubles[id] = replace(one, closed_at_ms=at_ms)
            case e.ExceptionRecorded():
                self.changes.append(_changed(event, at_ms))
            case e.RoundStarted(dealer=dealer) | e.DealerChanged(dealer=dealer) if dealer:
                self.dealers.append(dealer)
            case e.RoundVoided(by=by):
                self.void_by = by

    def rulings(self, slot: Slot, id: str, deal: int) -> tuple[Ruled, ...]:
        """What people ruled of this card, in this deal."""
        return tuple(
            ruled
            for one in self.troubles.values()
            if one.deal == deal and (id in one.cards if one.cards else (one.zone, one.place) == slot)
            for ruled in one.rulings
            if ruled.ruling in READ_BY_RULING
        )


class RoundFold:
    """Folds the rows of one round; `state` is the round's own part of the table's state."""

    def __init__(self, config: TableConfig) -> None:
        self.state = TableState(config)
        self.resettled: e.RoundResettled | None = None
        self._config = config
        self._book = Book()
        self._eyes = _Eyes()
        self._people = _People()
        self._deals: list[Deal] = []
        self._former: list[Mapping[str, Any]] = []
        self._corrections: list[e.CorrectionAsked] = []
        self._began_at_ms = self._ended_at_ms = self._seq = 0

    def take(self, event: e.AnyEvent, at_ms: int, seq: int = 0) -> None:
        self._seq = seq
        self._course(event, at_ms)
        self._eyes.take(event, at_ms, self.state.round)
        self._people.take(event, at_ms, self.state.config.game, self._attempt)
        if isinstance(event, _FOLDED):
            self.state = evolve(self.state, event, at_ms)
            self._book = kept(self._book, self.state.game, event)

    def made(self, bets: Iterable[BetSum] = ()) -> PastRound:
        round = self.state.round
        if round is None:
            raise BadInputError("The round has no beginning in this journal.")
        void = round.stage in (Stage.VOIDING, Stage.VOIDED)
        return PastRound(
            table=self._config.key, id=round.id, number=round.number, config=self.state.config,
            dealers=tuple(dict.fromkeys(self._people.dealers)),
            began_at_ms=self._began_at_ms, ended_at_ms=self._ended_at_ms,
            status="voided" if void else "settled" if round.stage is Stage.SETTLED else "open",
            void_row=round.void.row, void_by=self._people.void_by, outcome=None if void else round.outcome,
            former=tuple(self._former), deals=(*self._deals, self._deal()), bets=tuple(bets),
            troubles=tuple(self._people.troubles.values()), changes=tuple(self._people.changes),
            corrections=tuple(self._corrections), revision=self.resettled.revision if self.resettled else 0,
            pictures=tuple(sorted(self._eyes.pictures.values(), key=lambda one: one.at_ms)),
        )  # fmt: skip

    @property
    def _attempt(self) -> int:
        return self.state.round.deal.attempt if self.state.round else 1

    def _course(self, event: e.AnyEvent, at_ms: int) -> None:
        match event:
            case e.RoundStarted(game=game, rules=rules):
                self.state = _begun(msgspec.structs.replace(self._config, game=game), rules)
                self._began_at_ms = at_ms
            case e.IncidentRuled():
                self._vouched(event)
            case e.RedealOrdered(row=row):
                self._deals.append(self._deal(row))
            case e.RoundVoided():
                self._forget_result()
            case e.RoundSettled() | e.RoundRefunded():
                self._ended_at_ms = at_ms
            case e.CorrectionAsked():
                self._corrections.append(event)
            case e.CorrectionLapsed(id=id):
                self._corrections = [one for one in self._corrections if one.id != id]
            case e.RoundResettled():
                self.resettled = event
                self._forget_result()
                self._righted()

    def _vouched(self, event: e.IncidentRuled) -> None:
        """Keep who ruled what a card is, as the table did."""
        round, trouble = self.state.round, self._people.troubles.get(event.id)
        vouch = vouch_of(trouble.kind, event) if trouble is not None else None
        if round is not None and trouble is not None and vouch is not None:
            self.state = msgspec.structs.replace(self.state, round=round.vouching(dict.fromkeys(trouble.cards, vouch)))

    def _forget_result(self) -> None:
        if self.state.round is not None and self.state.round.outcome:
            self._former.append(self.state.round.outcome)

    def _righted(self) -> None:
        """Keep the faces that a correction of the settled round replaces."""
        for fact in self._corrections[-1].facts if self._corrections else ():
            if isinstance(fact, CardReplaced):
                self._eyes.replaced(fact.id, "correction", self.state.round)

    def _deal(self, row: str = "") -> Deal:
        """The deal as it stands: what a screen would draw of it, and who read each of its cards."""
        cards = self.state.round.deal.cards if self.state.round is not None else {}
        readings = tuple(
            self._eyes.read(slot, lying, self._people.rulings(slot, lying.card.id, self._attempt))
            for slot, lying in sorted(cards.items())
        )
        return Deal(view_table(self.state, self._book, self._seq), readings, row)


def _opened(event: e.IncidentOpened, at_ms: int, game: str, deal: int) -> Trouble:
    key = words_key(game, event.row, event.text)
    return Trouble(
        event.id, event.incident, event.row, RowWords(f"row.{key}" if key else ""), event.text, at_ms, event.box,
        event.place, event.reported_by or event.device, event.holds, event.evidence, event.cards, deal,
    )  # fmt: skip


def _changed(event: e.ExceptionRecorded, at_ms: int) -> Change:
    return Change(
        event.act, event.asked_by, event.approved_by, event.before, event.after, event.reason_code, event.words,
        event.row, at_ms, event.revision,
    )  # fmt: skip


def _begun(config: TableConfig, rules: Mapping[str, Any]) -> TableState:
    """A table as the round found it: of a poker table, who sits where with what chips."""
    hand = rules.get(HAND)
    if not isinstance(hand, Mapping):
        return TableState(config)
    stacks = dict(zip(hand["seats"], hand.get("stacks", ()), strict=False))
    players = {
        seat: Player(operator, bettor, stacks.get(seat, 0))
        for seat, (operator, bettor) in hand.get("players", {}).items()
    }
    return TableState(config, room=Room(players=players))


def read_past_round(reader: Reader, config: TableConfig, rows: Iterable[Row], round: str) -> PastRound:
    """The round as its rows tell it; `config` is the table's configuration at the time it was dealt."""
    fold = RoundFold(config)
    for row in rows:
        fold.take(read_body(row.body).event, row.at_ms, row.seq)
    return fold.made(sum_bets(reader, round))


def config_at(reader: Reader, table: str, seq: int) -> TableConfig:
    """How the table was configured when that row was written."""
    config = None
    for row in reader.events(table=table, kinds=("TableConfigured",), rare=True):
        event = read_body(row.body).event
        if config is None or row.seq < seq:
            assert isinstance(event, e.TableConfigured)
            config = event.config
    if config is None:
        raise BadInputError(f"The journal does not say how table {table} was configured.")
    return config
