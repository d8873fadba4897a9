"""What can happen while a deck is counted through the shoe. None of it tells an order of cards."""

from __future__ import annotations

import msgspec


class CountEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    pass


class CountStarted(CountEvent, frozen=True, kw_only=True, tag=True):
    """Somebody began to count cards: a `whole` deck before it deals, or what is left in the shoe after a round."""

    deck_id: str
    whole: bool
    wanted: int
    by: str
    by_name: str


class CardCounted(CountEvent, frozen=True, kw_only=True, tag=True):
    """One more card was counted; which card it was is kept nowhere."""

    read: bool = True


class CountEnded(CountEvent, frozen=True, kw_only=True, tag=True):
    """`verdict`: ok short over duplicate unread broken_off. `missing` and `doubled` are cards by how many; a card that
    lies face down somewhere is in neither. `typed_by`: the second of two people who counted by hand.
    """

    deck_id: str
    whole: bool
    counted: int
    wanted: int
    verdict: str
    by: str
    missing: dict[str, int] = {}
    doubled: dict[str, int] = {}
    typed_by: str = ""
