"""What is known of a count of cards, and what it comes to. No order is known to any of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from studio.cards import DECK, Card

OK: Final = "ok"
BROKEN_OFF: Final = "broken_off"
UNREAD: Final = "unread"


class DeckCount(msgspec.Struct, frozen=True):
    """A count under way: so many cards of `wanted` were drawn, `unread` of them without a reading."""

    deck_id: str
    whole: bool
    wanted: int
    by: str
    by_name: str
    drawn: int = 0
    unread: int = 0


class Counted(msgspec.Struct, frozen=True):
    """How the last count ended."""

    deck_id: str
    whole: bool
    counted: int
    wanted: int
    verdict: str
    missing: Mapping[str, int]
    doubled: Mapping[str, int]


class Composition(msgspec.Struct, frozen=True):
    """A deck of so many packs: the cards everybody has seen, those counted now, and those that stay closed.

    `closed` are faces that may be used and never named; `unknown` cards have no reading at all.
    """

    packs: int
    seen: Mapping[Card, int]
    counted: Iterable[Card]
    closed: tuple[Card, ...] = ()
    unknown: int = 0

    def verdict(self) -> tuple[str, dict[str, int], dict[str, int]]:
        """The verdict on the count, then the cards that are missing and those that came too often, as far as they may
        be named.
        """
        whole = Counter({card: self.packs for card in DECK})
        public = Counter(dict(self.seen)) + Counter(self.counted)
        every = public + Counter(self.closed)
        doubled, missing, cards = every - whole, whole - every, every.total() + self.unknown
        named = _named(missing) if not self.unknown else {}
        return _said(cards - whole.total(), bool(doubled), self.unknown), named, _named(public - whole)


def _said(more: int, doubled: bool, unknown: int) -> str:
    if more:
        return "short" if more < 0 else "over"
    return "duplicate" if doubled else UNREAD if unknown else OK


def _named(cards: Counter[Card]) -> dict[str, int]:
    return {str(card): times for card, times in sorted(cards.items(), key=lambda one: str(one[0]))}
