"""An event of a round as sentences a person can read aloud. No sealed face is in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import msgspec

from studio import ports
from studio.cards import Card, SealedCard
from studio.games import find_game
from studio.money import format_minor
from studio.procedures import KIND_BY_KEY, RULING_BY_KEY
from studio.proof.telling.hand import is_hand, tell_posted, tell_result
from studio.proof.telling.place import box_name, place_name, told_of_choice, told_of_laid, told_of_stub
from studio.rounds import (
    AnyFact,
    BurnRuled,
    CardBurned,
    CardDealt,
    CardMoved,
    CardRemoved,
    CardReplaced,
    CardReturned,
    Chose,
    Laid,
    Shuffled,
    WindowClosed,
)
from studio.tables.config import TableConfig
from studio.tables.event import table as e
from studio.tables.state.felt import vouch_of


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The words of the language catalogue: a sentence for every event, and what a kind of transfer is called.

    The catalogues belong to the consoles, which the core does not know; whoever has a round told hands them in.
    """

    sentence: Callable[[e.AnyEvent], str]
    moved: Callable[[str], str]


class Narrator:
    """Tells one round. `keys` are the published ones: what they open may be said. `names` of people by their ids."""

    def __init__(
        self, config: TableConfig, words: Catalogue, keys: Mapping[str, bytes], names: Mapping[str, str] | None = None
    ) -> None:
        self._config = config
        self._words = words
        self._names = names or {}
        self._seats = find_game(config.game).peers is not None
        self._turn = ""
        self._keys = keys
        self._places: dict[str, str] = {}
        self._vouches = VouchTeller()
        self._bets: list[e.PlacedBet] = []
        self._bets_in = False

    def tell(self, event: e.AnyEvent, turn: str = "") -> Iterator[str]:
        """The sentences of one event. `turn`: the box that is to choose now.

        The catalogue says what happened; what only somebody knows who has followed the round is said here: where a card
        lies that is named by its id, what a published key opens, what was staked in all.
        """
        self._turn = turn
        event = self._with_names(event)
        match event:
            case e.ObservationRecorded(observation=seen):
                yield f"{seen.device:<9} {self._device(event)}"
            case e.DeviceLost(device=device) | e.DeviceBack(device=device) | e.DeviceProved(device=device):
                yield f"{device:<9} {self._device(event)}"
            case e.FactStood(fact=fact):
                yield f"          {self._fact(fact) or self._words.sentence(event)}"
                if isinstance(fact, WindowClosed) and not self._bets_in:
                    self._bets_in = True
                    yield from self._all_bets()
            case e.DecisionsTaken(decisions=decisions, bets=bets):
                yield from (f"          {line}" for line in _decisions(decisions, bets, self._config.currency))
            case e.ResultDeclared(outcome=outcome, by=by):
                yield f"          The result is declared by {by}."
                yield from (f"            {line}" for line in _outcome(outcome, self._config.currency))
            case e.IncidentOpened() | e.RulingAsked() | e.RulingLapsed() | e.IncidentRuled() | e.IncidentClosed():
                yield from (
                    f"          {line}" for line in (*_incident(event), *self._vouches.tell(event, self._place))
                )
            case _:
                yield f"          {self._round(event) or self._card(event) or self._words.sentence(event)}"

    def _with_names(self, event: e.AnyEvent) -> e.AnyEvent:
        """The event, with the names of people in place of their ids."""
        known = {name: self._names.get(getattr(event, name, "") or "") for name in _PEOPLE}
        found = {name: said for name, said in known.items() if said}
        return msgspec.structs.replace(event, **found) if found else event

    def _round(self, event: e.AnyEvent) -> str:
        currency = self._config.currency
        match event:
            case e.RoundStarted(number=number, dealer=dealer):
                return f"Round {number} is started; {dealer or 'nobody'} deals."
            case e.BetsOpened(closes_at_ms=closes):
                if self._turn:
                    after = ", and then in its own time" if self._seats else ""
                    return f"{box_name(self._turn)} is to choose until {_clock(closes)}{after}."
                what = "Decisions" if self._bets_in else "Bets"
                return f"{what} are open until {_clock(closes)}."
            case e.BetsPlaced(bets=bets):
                self._bets.extend(bets)
                if self._seats:
                    return tell_posted(bets, currency)
                staked = format_minor(sum(bet.stake_minor for bet in bets), currency)
                free_minor = sum(bet.stake_minor for bet in bets if bet.free)
                free = f", {format_minor(free_minor, currency)} of it free" if free_minor else ""
                return f"{counted(len(bets), 'bet')} {'is' if len(bets) == 1 else 'are'} taken: {staked}{free}."
            case e.RedealOrdered():
                self._places.clear()
                self._bets_in = False
            case e.PartOpened(returns=returns):
                return f"{self._words.sentence(event)} {_decided(returns)}"
            case e.CardUnsealed(face=face):
                return f"{self._words.sentence(event)} It is {face.sign}."
        return ""

    def _all_bets(self) -> Iterator[str]:
        """What lies on each bet when the window ends."""
        if not self._bets:
            yield "            Nobody has bet."
        stakes: Counter[str] = Counter()
        counts = Counter(bet.bet for bet in self._bets)
        for bet in self._bets:
            stakes[bet.bet] += bet.stake_minor
        for bet_key, count in counts.items():
            amount = format_minor(stakes[bet_key], self._config.currency)
            yield f"            {bet_key}: {counted(count, 'bet')}, {amount}"

    def _fact(self, fact: AnyFact) -> str:
        match fact:
            case CardBurned(card=card, place=place):
                self._places[card.id] = place_name("burn", place)
                return f"Burn card {place} stands, {self._named(card)}."
            case CardDealt(card=card, box=box, place=place, face=face, source=source):
                self._places[card.id] = place_name(box, place)
                read = "" if source == "shoe" else f", as the {source} has it"
                return f"{place_name(box, place)}: {face.sign if face else self._named(card)}{read}."
            case WindowClosed(boxes=boxes):
                who = f" Boxes: {', '.join(boxes)}." if boxes else ""
                return f"{'No more decisions.' if self._bets_in else 'No more bets.'}{who}"
            case CardReplaced(id=id, face=face, source=source):
                return f"{self._place(id)} is corrected: it is {face.sign}, by {source}."
            case CardMoved(id=id, box=box, place=place):
                return f"{self._place(id)} counts for {place_name(box, place)}."
            case CardRemoved(id=id):
                return f"{self._place(id)} does not count any more."
            case Laid():
                return told_of_laid(fact)
            case Chose():
                return told_of_choice(fact, self._config.currency)
            case Shuffled() | CardReturned() | BurnRuled():
                return told_of_stub(fact, self._place)
        return ""

    def _card(self, event: e.AnyEvent) -> str:
        match event:
            case e.CardConfirmed(id=id, by=by):
                return f"{self._place(id)} is confirmed by {self._vouches.people.get(by) or _who(by)}."
            case e.CardDoubted(id=id, why=why):
                return f"{self._place(id)} is in doubt: {_WHY.get(why, why)}."
            case e.CardSetAside(card=card, why=why):
                self._places[card.id] = f"the card set aside ({card.id})"
                return f"A card is set aside, {self._named(card)}: {_ASIDE.get(why, why)}."
            case e.CardDisposed(id=id, to=to):
                return f"{self._place(id)} goes to {_TO.get(to, to)}."
            case e.PlaceAccepted(id=id, zone=zone, place=place):
                return f"{self._place(id)} may lie at {place_name(zone, place)}."
        return ""

    def _device(self, event: e.AnyEvent) -> str:
        """What a device did or what became of it; which card a shoe read is known here alone."""
        match event:
            case e.ObservationRecorded(observation=ports.ShoeDrewCard(card=card, resent=resent)):
                return f"reads a card{' once more' if resent else ''}, {self._named(card)}."
        return self._words.sentence(event)

    def _named(self, card: SealedCard) -> str:
        key = self._keys.get(card.id)
        if key is None:
            return f"sealed ({card.id})"
        return f"{card.with_key(key).card().sign}, opened with its published key"

    def _place(self, id: str) -> str:
        place = self._places.get(id, f"card {id}")
        return place[0].upper() + place[1:]


def _decisions(decisions: Sequence[e.Decision], bets: Sequence[e.PlacedBet], currency: str) -> Iterator[str]:
    """What was decided, box by box, or all bettors together; what it stakes."""
    staked = f", and stakes {format_minor(sum(bet.stake_minor for bet in bets), currency)}" if bets else ""
    if all(decision.box for decision in decisions):
        yield from (f"{one.bettor} decides for {box_name(one.box).lower()}: {one.option}{staked}." for one in decisions)
        return
    counts = Counter(decision.option for decision in decisions)
    yield f"Decided: {', '.join(f'{count} {option}' for option, count in counts.items())}{staked}."


def _decided(returns: Mapping[str, str]) -> str:
    if not returns:
        return "No bet is decided any more."
    told = ", ".join(f"{bet} loses" if ret == "0" else f"{bet} returns {ret} for 1" for bet, ret in returns.items())
    return f"Decided: {told}."


def _incident(event: e.AnyEvent) -> Sequence[str]:
    match event:
        case e.IncidentOpened(id=id, incident=kind, row=row, text=text, reported_by=by, box=box, place=place):
            where = f" at {place_name(box, place)}" if box else ""
            held = "The table is held." if event.holds else "The deal goes on."
            return (
                f"INCIDENT {id}: {KIND_BY_KEY[kind].label}{where}, reported by {by}. {held}",
                f"  {_row(row)}{text}",
            )
        case e.RulingAsked(ruling=ruling, asked_by_name=name, words=words):
            return (f"  {name} asks for: {_ruling(ruling)} (“{words}”). A second person has to approve.",)
        case e.RulingLapsed():
            return ("  The request has lapsed.",)
        case e.IncidentRuled(ruling=ruling, row=row, words=words):
            by, second = event.asked_by_name or event.asked_by, event.approved_by_name or event.approved_by
            both = f"{by}, approved by {second}" if second else by
            arguments = f" ({', '.join(event.arguments)})" if event.arguments else ""
            why = f" “{words}”" if words else ""
            return (f"RULING {_row(row)}by {both}: {_ruling(ruling)}{arguments}.{why}",)
        case e.IncidentClosed(id=id):
            return (f"Incident {id} is closed.",)
    return ()


def _row(row: str) -> str:
    """The row that says it; nothing where none fits."""
    return f"[{row}] " if row else ""


def _outcome(outcome: Mapping[str, Any], currency: str) -> Iterator[str]:
    if is_hand(outcome):
        yield from tell_result(outcome, currency)
        return
    for box, said in outcome.items():
        if not isinstance(said, Mapping):
            words = [box_name(word) for word in ([said] if isinstance(said, str) else said)]
            yield f"{box_name(box)}: {', '.join(words)}"
            continue
        cards = _signs([Card.parse(card) for card in said.get("cards", ())])
        name, result = said.get("name", ""), said.get("result", "")
        ended = f" – {result}" if result and result != name.lower() else ""
        yield f"{box_name(box)}: {'  '.join(filter(None, (cards, name)))}{ended}"


def _signs(cards: Sequence[Card]) -> str:
    return " ".join(card.sign for card in cards)


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _ruling(key: str) -> str:
    meaning = RULING_BY_KEY.get(key)
    return meaning.label if meaning else key


def _who(by: str) -> str:
    return "the camera" if by == "camera" else by


def _clock(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, tz=UTC).strftime("%H:%M:%S")


_PEOPLE = ("by", "dealer", "asked_by", "approved_by", "reported_by")
"""The fields of events that name somebody by an id."""
_WHY = {
    "unsure": "the camera is not sure of it",
    "gone": "it is not seen any more",
    "contradiction": "the camera sees something else",
    "reread": "it has to be read again",
}
_ASIDE = {
    "early": "it came before it was due",
    "extra": "no box was owed it",
    "held": "the table was held",
    "exposed": "it was seen",
    "idle": "no round was open",
    "again": "it is the card that was pushed back into the shoe",
}
_TO = {
    "discard": "the discard",
    "next": "the next place of the deal",
    "next_burn": "the next burn",
    "stub": "the stub",
    "dealt": "the deal, in the order read",
    "shoe": "the shoe, to be read again as the next card",
    "again": "the reading before it, which counts",
}


class VouchTeller:
    """Follows the incidents of a round. `people` are the names of those who ruled, by id."""

    def __init__(self) -> None:
        self.people: dict[str, str] = {}
        self._opened: dict[str, e.IncidentOpened] = {}

    def tell(self, event: e.AnyEvent, place_of: Callable[[str], str]) -> Iterator[str]:
        """A sentence for each card that a ruling settled."""
        match event:
            case e.IncidentOpened(id=id):
                self._opened[id] = event
            case e.IncidentRuled(id=id) if (opened := self._opened.get(id)) is not None:
                self.people.update({event.asked_by: event.asked_by_name, event.approved_by: event.approved_by_name})
                if (vouch := vouch_of(opened.incident, event)) is not None:
                    second = f" with {vouch.approved_by_name}" if vouch.approved_by_name else ""
                    said = "read from the picture" if vouch.ruling == "continue" else "overridden"
                    yield from (f"  {place_of(card)}: {said} by {vouch.by_name}{second}." for card in opened.cards)
