"""Puts the machines of a demo that is begun again where its record left them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from dealer_ui.rehearsal.machine.rig import Rig
from studio.cards import DECK, Card
from studio.ports import CardFace
from studio.rounds import CardDealt
from studio.tables.felt.camera_look import place_of
from studio.tables.state.rotation import DeckStage
from studio.tables.state.table import TableState


def put_back(rig: Rig, state: TableState) -> None:
    """The shuffler counts on; the rest of the deck lies in the shoe, shuffled, the cards of the round on the felt."""
    rig.shuffler.names.go_on_from(deck.id for deck in state.decks.records if deck.stage is not DeckStage.VERIFIED)
    if state.deck is None:
        return
    sealed = {card.id: card.card() for card in state.deck.sealed if card.has_key}
    out = Counter(state.deck.faces)
    out.update(sealed.values())
    left: list[Card] = []
    for card in rig.fresh_deck():
        if out[card]:
            out[card] -= 1
        else:
            left.append(card)
    rig.shoe.load(left[: len(DECK) * state.game.shoe.decks - state.deck.drawn])
    _lay_out(rig, state, sealed)


def _lay_out(rig: Rig, state: TableState, sealed: Mapping[str, Card]) -> None:
    """Every card that counts in its place, the first first; one whose key is gone cannot be laid."""
    round = state.round
    if round is None or not round.live:
        return
    for slot in sorted(round.cards, key=lambda slot: slot[1]):
        fact = round.cards[slot]
        open_face = fact.face if isinstance(fact, CardDealt) else None
        card, at = open_face or sealed.get(fact.card.id), place_of(round, fact.card.id)
        if card is not None and at is not None:
            rig.felt.lay(*at, card, CardFace.UP if open_face else CardFace.DOWN)
