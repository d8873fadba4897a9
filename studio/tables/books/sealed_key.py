"""Brings the keys of its sealed cards back to a restarted table, from the key file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

import msgspec

from studio.cards import SealedCard
from studio.rounds import AnyFact, CardBurned, CardDealt
from studio.spoken import Slot
from studio.tables.state.felt import Seen
from studio.tables.state.table import TableState
from studio.value import replace

F = TypeVar("F", AnyFact, CardDealt | CardBurned)
KeyLookup = Callable[[str], bytes | None]


def with_keys(state: TableState, lookup: KeyLookup) -> TableState:
    """The same state; every sealed card of the shoe, set aside, dealt face down or on the felt has its key where the
    file has it.
    """

    def unlocked(card: SealedCard) -> SealedCard:
        key = None if card.has_key else lookup(card.id)
        return card if key is None else card.with_key(key)

    deck = state.deck and replace(state.deck, sealed=tuple(unlocked(card) for card in state.deck.sealed))
    loose = tuple(replace(one, sealed=unlocked(one.sealed)) for one in state.loose)

    def seen_again(looks: Mapping[Slot, Seen]) -> dict[Slot, Seen]:
        return {
            slot: replace(look, sealed=unlocked(look.sealed)) if look.sealed is not None else look
            for slot, look in looks.items()
        }

    def dealt(fact: F) -> F:
        if isinstance(fact, CardDealt) and fact.face is None:
            return msgspec.structs.replace(fact, card=unlocked(fact.card))
        return fact

    round = state.round and replace(
        state.round,
        facts=tuple(dealt(fact) for fact in state.round.facts),
        cards={slot: dealt(fact) for slot, fact in state.round.cards.items()},
        ruled=seen_again(state.round.ruled),
    )
    return replace(
        state, deck=deck, loose=loose, felt=replace(state.felt, looks=seen_again(state.felt.looks)), round=round
    )
