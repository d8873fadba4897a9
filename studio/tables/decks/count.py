"""Counting a deck through the shoe: whole before it deals, or what is left of it after.

A count that comes out as it must verifies the deck; any other blocks it, and asks the pit where the table is open.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeGuard

import msgspec

from studio import ports
from studio.cards import Card, Sealed
from studio.errors import RefusedError
from studio.people import need_fresh_pin, need_right, need_witness
from studio.tables import command as c
from studio.tables.declaration import Command
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.incident import open_incident
from studio.tables.state.count import BROKEN_OFF, OK, Composition, DeckCount
from studio.tables.state.table import Status, TableState


def need_no_count(state: TableState, command: Command) -> None:
    """Refuse whatever does not go with a count that is under way."""
    if state.decks.count is not None and not command.terms.counting:
        raise RefusedError("count_open", "Cards are being counted: end the count, or break it off, first.")


def start_count(draft: Draft, command: c.StartCount) -> None:
    """Every card that comes out of the shoe from now on is counted, and none is dealt."""
    need_right(command.actor, "verify_deck")
    need_fresh_pin(command.actor, draft.at_ms)
    state, actor = draft.state, command.actor
    _need_idle(state)
    if not state.config.shoe or not state.devices.links.get(state.config.shoe, False):
        raise RefusedError("count_no_shoe", "The shoe is not connected: check its cable, or count the deck by hand.")
    whole = state.shoe.cards
    if command.whole:
        deck, wanted = command.deck_id.strip(), whole
        if not deck:
            raise RefusedError("count_unnamed", "Write the id of the deck that is counted.")
        if state.deck is not None:
            raise RefusedError("count_shoe_full", f"Deck {state.deck.id} is in the shoe: take it out, then count.")
    else:
        deck, wanted = _dealt(state), whole - (state.deck.drawn if state.deck else 0)
    draft.emit(e.CountStarted(deck_id=deck, whole=command.whole, wanted=wanted, by=actor.id, by_name=actor.name))


def count_card(draft: Draft, seen: ports.AnyObservation) -> bool:
    """Whether this is the count's affair."""
    match seen:
        case ports.ShoeDrewCard(resent=resent):
            if not resent:
                draft.emit(e.CardCounted())
            return True
        case ports.ShoeCardUnread():
            draft.emit(e.CardCounted(read=False))
            return True
        case ports.CutCardOut():
            return True
    return False


def end_count(draft: Draft, command: c.EndCount) -> None:
    """What was counted is compared with what must be there; `found` comes from the table's own memory."""
    need_right(command.actor, "load_shoe")
    state, count = draft.state, draft.state.decks.count
    if count is None:
        raise RefusedError("count_none", "No cards are being counted.")
    if command.break_off or len(command.found) != count.drawn - count.unread:
        _end(draft, count, (BROKEN_OFF, {}, {}), by=command.actor.id)
        return
    deck = state.deck if not count.whole else None
    sealed = deck.sealed if deck else ()
    open_ones = tuple(one.card() for one in sealed if one.has_key)
    unknown = count.unread + len(sealed) - len(open_ones)
    composition = Composition(state.shoe.decks, deck.faces if deck else {}, command.found, open_ones, unknown)
    _end(draft, count, composition.verdict(), by=command.actor.id)


def break_off(draft: Draft) -> None:
    """The program came up anew: what was counted was in its memory alone."""
    if (count := draft.state.decks.count) is not None:
        _end(draft, count, (BROKEN_OFF, {}, {}), by="system")


def type_count(draft: Draft, command: c.TypeCount) -> None:
    """Two people have counted by hand what is left of the deck in the shoe."""
    both = need_witness(command.actor, command.beside, draft.at_ms, rights=("verify_deck",), witness="witness_decks")
    state = draft.state
    _need_idle(state)
    deck = _dealt(state)
    wanted = state.shoe.cards - (state.deck.drawn if state.deck else 0)
    if not 0 <= command.left <= state.shoe.cards:
        raise RefusedError("count_wrong", "Write how many cards are left, as you both counted them.")
    more = command.left - wanted
    verdict = OK if not more else "short" if more < 0 else "over"
    count = DeckCount(deck, False, wanted, command.actor.id, command.actor.name, command.left)
    _end(draft, count, (verdict, {}, {}), by=both.asked_by, typed_by=both.approved_by)


def _end(
    draft: Draft, count: DeckCount, found: tuple[str, dict[str, int], dict[str, int]], *, by: str, typed_by: str = ""
) -> None:
    verdict, missing, doubled = found
    draft.emit(
        e.CountEnded(
            deck_id=count.deck_id, whole=count.whole, counted=count.drawn, wanted=count.wanted, verdict=verdict, by=by,
            missing=missing, doubled=doubled, typed_by=typed_by,
        )
    )  # fmt: skip
    if not count.whole and (count.drawn or typed_by):
        draft.emit(e.ShoeWithdrawn(why="counted at its end"))
    if verdict == OK and count.whole:
        words = "counted in through the shoe, each card once"
        draft.emit(e.DeckApproved(deck_id=count.deck_id, count=count.drawn, by=by, words=words))
    elif verdict not in (OK, BROKEN_OFF):
        draft.emit(e.DeckRefused(deck_id=count.deck_id, count=count.drawn, verdict=verdict, by=by))
        if draft.state.status is not Status.CLOSED:
            open_incident(draft, "deck_unverified", by=by)


def _dealt(state: TableState) -> str:
    if state.deck is None:
        raise RefusedError("no_shoe", "There is no deck in the shoe.")
    return state.deck.id


def _need_idle(state: TableState) -> None:
    if state.decks.count is not None:
        raise RefusedError("count_open", "Cards are being counted: end the count, or break it off, first.")
    if state.round is not None and not state.round.over:
        raise RefusedError("round_open", "A round is open: finish it, then count.", which="count")
    if state.held:
        raise RefusedError("held", "The table is held: what stopped it must be ruled on first.")


class Tally:
    """The faces counted at one table since the count began, in memory, without an order; one read twice is one card.

    Readings lose their keys before anything is written: what the journal keeps of them can be opened by nobody, ever.
    """

    def __init__(self) -> None:
        self._cards: dict[str, Card] = {}

    def take(self, state: TableState, message: Any) -> Any:
        """The message as the table may have it: a reading without its key, the end of the count with what was found."""
        count = state.decks.count
        if count is None:
            self._cards.clear()
            return message
        if isinstance(message, c.EndCount):
            return replace(message, found=tuple(sorted(self._cards.values(), key=str)))
        if not isinstance(message, ports.Observation):
            return message
        if _is_counted(message, state):
            self._cards[message.card.id] = message.card.card()
        return _closed(message)


def _is_counted(seen: ports.Observation, state: TableState) -> TypeGuard[ports.ShoeDrewCard]:
    if not isinstance(seen, ports.ShoeDrewCard) or seen.device != state.config.shoe:
        return False
    return not seen.resent and seen.card.has_key


def _closed(message: ports.Observation) -> ports.Observation:
    """The same observation; whatever it carries sealed has no key any more."""
    changes = {
        name: type(seal)(*seal.written())
        for name in ("card", "sealed")
        if isinstance(seal := getattr(message, name, None), Sealed)
    }
    return msgspec.structs.replace(message, **changes) if changes else message
