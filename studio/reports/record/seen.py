"""Lists, pass by pass of a deck through a shoe, which cards were seen and when.

A pass lasts from the loading of a deck to the next. Cards that lie face down or were burned take a place in it and have
no face: nobody knows them, and no figure depends on them. A face counts as it reads after every correction. Where seats
play among themselves only the board counts: who shows a hand, or gives a card up, has chosen to, and what is chosen is
no sample. What went back to the stub has not come.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import msgspec

from studio.cards import DECK
from studio.games import PEER_GAMES, find_game
from studio.hands.poker import SHORT_DECK
from studio.journal import Row
from studio.reports.record.choice import ReportAsked
from studio.reports.record.source import before, rows, tables
from studio.reports.record.standing import TableStanding
from studio.rulebook.script import Rules
from studio.tables.event import table as e

_KINDS: Final = (
    "CardBurned", "CardDealt", "CardSetAside", "Revealed", "CardReplaced", "CardMoved", "CardRemoved", "CardReturned",
    "HandsSwapped",
    "ShoeLoaded", "ShoeWithdrawn", "Shuffled", "RoundStarted", "DeckLoaded",
)  # fmt: skip


_OF_SEATS: Final = frozenset(game.key for game in PEER_GAMES)
FULL: Final = tuple(str(card) for card in DECK)
_SHORT: Final = tuple(str(card) for card in DECK if card.rank in SHORT_DECK.ranks)


class _Fact(msgspec.Struct, frozen=True):
    """The fields of a fact that say which card it is about and where that lies; the sealed face is not kept."""

    fact: str = ""
    card: list[str] = []
    id: str = ""
    box: str = ""
    place: int = 0
    a: str = ""
    b: str = ""
    face: str | None = None
    faces: list[str] = []
    ids: list[str] = []


class _Event(msgspec.Struct, frozen=True):
    fact: _Fact = _Fact()
    card: list[str] = []
    deck_id: str = ""
    game: str = ""
    rules: dict[str, object] = {}


class _Body(msgspec.Struct):
    table: str = ""
    round: str = ""
    event: _Event = _Event()


_DECODER: Final = msgspec.json.Decoder(_Body)


class _Loaded(msgspec.Struct):
    deck: str
    table: str
    name: str


class _LoadedBody(msgspec.Struct):
    decks: _Loaded


_LOADED: Final = msgspec.json.Decoder(_LoadedBody)


@dataclass(slots=True)
class DrawnCard:
    """One card as it left the shoe. `face` is empty for a card that nobody has seen."""

    id: str
    at_ms: int
    dealer: str
    face: str = ""


@dataclass(slots=True)
class Pass:
    """One pass of a deck through a shoe, its cards in the order they came out; `decks` packs of `faces` each."""

    table: str
    deck: str
    game: str
    shoe: str = ""
    decks: int = 1
    rules: Rules = field(default_factory=dict)
    cards: list[DrawnCard] = field(default_factory=list)
    faces: tuple[str, ...] = FULL

    @property
    def size(self) -> int:
        """The cards that were in the shoe."""
        return self.decks * len(self.faces)

    @property
    def seen(self) -> list[tuple[int, DrawnCard]]:
        """The cards with a face, by their place from 1."""
        return [(place, card) for place, card in enumerate(self.cards, 1) if card.face]


def passes(asked: ReportAsked, standing: Mapping[str, TableStanding]) -> Iterator[Pass]:
    """Every pass of the period that showed a card, as it ends; of the wanted tables and games."""
    follow: defaultdict[str, _Follow] = defaultdict(_Follow)
    names: dict[tuple[str, str], str] = {}
    shoes = _shoes(asked)
    for table in tables(asked.reader):
        if asked.wants(table):
            for one in before(asked.reader, asked.period, table, ("ShoeLoaded", "RoundStarted"), since="ShoeLoaded"):
                follow[table].begin_from(one.event)
    for row in rows(asked.reader, asked.period, _KINDS):
        if row.kind == "DeckLoaded":
            loaded = _LOADED.decode(row.body).decks
            names[loaded.table, loaded.name] = loaded.deck
            continue
        body = _DECODER.decode(row.body)
        if not asked.wants(body.table):
            continue
        stood = standing.get(body.table)
        ended = follow[body.table].take(row, body, stood.dealer_at(row.at_ms) if stood else "")
        if ended is not None:
            yield from _named(ended, body.table, names, shoes, asked)
    for table, last in sorted(follow.items()):
        yield from _named(last.close(), table, names, shoes, asked)


def _named(
    one: Pass | None, table: str, names: Mapping[tuple[str, str], str], shoes: Mapping[str, str], asked: ReportAsked
) -> Iterator[Pass]:
    if one is None or not one.seen or asked.choice.game not in ("", one.game):
        return
    one.table, one.shoe = table, shoes.get(table, "")
    one.deck = names.get((table, one.deck)) or one.deck.rstrip("0123456789") or one.deck
    if one.game:
        shoe = find_game(one.game).shoe.under(one.rules)
        one.decks, one.faces = shoe.decks, FULL if shoe.deck_cards == len(FULL) else _SHORT
    yield one


def _shoes(asked: ReportAsked) -> dict[str, str]:
    """The shoe of each table, as it was configured last."""
    sql = """SELECT "table", json_extract(body, '$.event.config.shoe') FROM journal
             WHERE kind = 'TableConfigured' AND seq <= ?"""
    return dict(asked.reader.read(sql, (asked.period.upto_seq,)))


class _Follow:
    """The pass at one table, and which cards lie in each box of its round."""

    def __init__(self) -> None:
        self._pass: Pass | None = None
        self._deck = ""
        self._game = ""
        self._rules: Rules = {}
        self._round = ""
        self._by_id: dict[str, DrawnCard] = {}
        self._boxes: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)

    def begin_from(self, event: e.AnyEvent) -> None:
        if isinstance(event, e.ShoeLoaded):
            self._deck = event.deck_id
        elif isinstance(event, e.RoundStarted):
            self._game, self._rules = event.game, event.rules

    def take(self, row: Row, body: _Body, dealer: str) -> Pass | None:
        """The pass that is over with this row, if one is."""
        if row.kind == "Shuffled" and self._game in _OF_SEATS:
            for id in body.event.fact.ids:
                self._show(id, "")
            return None
        if row.kind in ("ShoeLoaded", "ShoeWithdrawn", "Shuffled"):
            ended = self.close()
            self._deck = body.event.deck_id or self._deck
            return ended
        if row.kind == "RoundStarted":
            self._game, self._rules = body.event.game, body.event.rules
        elif row.kind == "CardSetAside":
            self._draw(body.event.card[0], row.at_ms, dealer)
        else:
            self._follow(row, body, dealer)
        return None

    def close(self) -> Pass | None:
        ended, self._pass = self._pass, None
        self._by_id.clear()
        return ended

    def _follow(self, row: Row, body: _Body, dealer: str) -> None:
        if body.round != self._round:
            self._round = body.round
            self._boxes.clear()
        fact = body.event.fact
        match row.kind:
            case "CardBurned" | "CardDealt":
                place = self._draw(fact.card[0], row.at_ms, dealer)
                place.face = fact.face or place.face
                self._boxes[fact.box].append((fact.place, fact.card[0]))
            case "Revealed" if self._game not in _OF_SEATS:
                lie = [id for _, id in sorted(self._boxes[fact.box])]
                if len(lie) == len(fact.faces):
                    for id, face in zip(lie, fact.faces, strict=True):
                        self._show(id, face)
            case "CardReplaced" if self._counts(fact.id):
                self._show(fact.id, fact.face or "")
            case "CardMoved":
                self._lift(fact.id)
                self._boxes[fact.box].append((fact.place, fact.id))
            case "CardRemoved":
                self._lift(fact.id)
            case "CardReturned":
                self._lift(fact.id)
                self._show(fact.id, "")
            case "HandsSwapped":
                self._boxes[fact.a], self._boxes[fact.b] = self._boxes[fact.b], self._boxes[fact.a]

    def _draw(self, id: str, at_ms: int, dealer: str) -> DrawnCard:
        if id not in self._by_id:
            if self._pass is None:
                self._pass = Pass("", self._deck, self._game)
            self._by_id[id] = DrawnCard(id, at_ms, dealer)
            self._pass.cards.append(self._by_id[id])
        if self._pass is not None:
            self._pass.game, self._pass.rules = self._game, self._rules
        return self._by_id[id]

    def _show(self, id: str, face: str) -> None:
        if id in self._by_id:
            self._by_id[id].face = face

    def _counts(self, id: str) -> bool:
        """A hand that seats play among themselves is not counted, whatever becomes known of it."""
        return self._game not in _OF_SEATS or (id in self._by_id and bool(self._by_id[id].face))

    def _lift(self, id: str) -> None:
        for box, lie in self._boxes.items():
            self._boxes[box] = [one for one in lie if one[1] != id]
