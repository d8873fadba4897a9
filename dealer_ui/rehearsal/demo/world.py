"""The simulated world of a table on disk, beside the database: what lies in shoe, shuffler and on the felt.

A studio that is killed finds its cards where they were, as a real one does. Faults that were switched on are mended.
The file holds the order of the shoe: only its owner may read it, and only demos have one.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec
import structlog

from dealer_ui.rehearsal.hand.felt import FeltHand
from dealer_ui.rehearsal.hand.stub import StubHand
from dealer_ui.rehearsal.machine.rig import Rig, whole_deck
from devices.sim import felt as sim_felt
from devices.sim.wire import shoe as sim_shoe
from devices.sim.wire import shuffler as sim_shuffler
from studio.cards import DECK, Card
from studio.ports import CardFace
from studio.rounds import CardDealt
from studio.spoken import Slot
from studio.tables.felt.camera_look import place_of
from studio.tables.state.rotation import DeckStage
from studio.tables.state.table import TableState

_LOG = structlog.get_logger("dealer_ui.rehearsal.demo.world")


@dataclass(frozen=True, slots=True)
class OffNow:
    """A card that is off the felt at one moment, and where it lay before."""

    slot: Slot
    card: str = field(repr=False)
    up: bool


@dataclass(frozen=True, slots=True)
class WorldNow:
    """Everything that is at one table. `fallen` lie beside the table or in the hand, `aside` go back to the stub."""

    game: str
    shoe: sim_shoe.ShoeNow
    shuffler: sim_shuffler.ShufflerNow
    felt: tuple[sim_felt.SimCardNow, ...] = ()
    fallen: tuple[OffNow, ...] = ()
    aside: tuple[str, ...] = field(default=(), repr=False)


_DECODER: Final = msgspec.json.Decoder(WorldNow)


class World:
    """The world of one table, written down whenever it has changed. Called under the rig's lock."""

    def __init__(self, database: Path, rig: Rig, hand: FeltHand, stub: StubHand) -> None:
        self._path = database.with_name(f"{database.name}.world") / f"{rig.config.key}.json"
        self._rig = rig
        self._hand = hand
        self._stub = stub
        self._kept: object = None
        self._told = False

    def keep(self) -> None:
        """Write it down if anything has changed. Where that cannot be it is logged once, and tried again each time."""
        mark = self._mark()
        if mark == self._kept:
            return
        try:
            self._write()
            self._kept, self._told = mark, False
        except OSError as error:
            if not self._told:
                _LOG.error("the simulated cards cannot be written down", table=self._rig.config.key, error=str(error))
            self._told = True

    def _write(self) -> None:
        part = self._path.with_suffix(".part")
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600), "wb") as file:
            file.write(msgspec.json.encode(self._now()))
        part.replace(self._path)

    def bring_back(self, state: TableState) -> bool:
        """Put every card where the file says it was. False, with nothing moved, when the file is missing or tells of
        another record's world.
        """
        try:
            now = _DECODER.decode(self._path.read_bytes())
        except (OSError, msgspec.DecodeError):
            return False
        if now.game != state.game.key or not _belongs(now, state):
            return False
        sim_shoe.put_into(self._rig.shoe, now.shoe)
        sim_shuffler.put_into(self._rig.shuffler, now.shuffler)
        sim_felt.lay_out(self._rig.felt, now.felt)
        self._hand.fallen += [(one.slot, Card.parse(one.card), _face(one)) for one in now.fallen]
        self._stub.aside += map(Card.parse, now.aside)
        return True

    def _mark(self) -> object:
        """A value that changes whenever anything of the world changes that is worth keeping."""
        rig, names = self._rig, self._rig.shuffler.names
        shoe = (id(rig.shoe), rig.shoe.loads, rig.shoe.cards_left, rig.shoe.locked)
        shuffler = (id(rig.shuffler), rig.shuffler.state, names.shuffles, names.in_turn)
        off = (*self._hand.fallen, *self._hand.fan.held)
        return rig.config.game, shoe, shuffler, rig.felt.view().version, off, len(self._stub.aside)

    def _now(self) -> WorldNow:
        rig = self._rig
        off = (*self._hand.fallen, *self._hand.fan.held)
        return WorldNow(
            rig.config.game,
            sim_shoe.look_into(rig.shoe),
            sim_shuffler.look_into(rig.shuffler),
            sim_felt.look_at(rig.felt),
            tuple(OffNow(slot, str(card), face is CardFace.UP) for slot, card, face in off),
            tuple(map(str, self._stub.aside)),
        )


def _face(one: OffNow) -> CardFace:
    return CardFace.UP if one.up else CardFace.DOWN


def _belongs(now: WorldNow, state: TableState) -> bool:
    """Whether this shoe can have dealt what the record says: no card is out and in it at once."""
    if state.deck is None:
        return state.round is not None
    out = Counter(map(str, state.deck.faces))
    out.update(str(card.card()) for card in state.deck.sealed if card.has_key)
    return Counter(now.shoe.cards) + out <= Counter(map(str, whole_deck(state.game.key, state.config.rules)))


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
    rig.shoe.load(left[: len(DECK) * state.shoe.decks - state.deck.drawn])
    _lay_out(rig, state, sealed)


def _lay_out(rig: Rig, state: TableState, sealed: Mapping[str, Card]) -> None:
    """Every card that counts in its place, the first first; one whose key is gone cannot be laid."""
    round = state.round
    if round is None or not round.live:
        return
    for slot in sorted(round.deal.cards, key=lambda slot: slot[1]):
        fact = round.deal.cards[slot]
        open_face = fact.face if isinstance(fact, CardDealt) else None
        card, at = open_face or sealed.get(fact.card.id), place_of(round, fact.card.id)
        if card is not None and at is not None:
            rig.felt.lay(*at, card, CardFace.UP if open_face else CardFace.DOWN)
