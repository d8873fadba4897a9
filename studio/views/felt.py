"""The boxes of the felt: each place with its card, and what the hand of a box comes to."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Final

from studio.games.blackjack import BLACKJACK
from studio.ports import CardFace
from studio.rounds import CardBurned, CardDealt
from studio.rulebook.shoe_terms import is_new_shoe
from studio.spoken import Slot
from studio.tables.books.book import Book
from studio.tables.felt.camera_look import card_at, due_slot, is_due_down, open_face
from studio.tables.felt.shoe_reading import adopted
from studio.tables.state.felt import Seen
from studio.tables.state.round import Round, Stage
from studio.tables.state.table import Status, TableState
from studio.views.hand import blackjack
from studio.views.hand.hand_words import points_shown
from studio.views.hand.open_face import rows_shown
from studio.views.shape import BoxView, CardView, VouchView

OUT_OF_PLAY: Final = ("burn", "discard")
NO_HAND: Final = blackjack.HandView()


def view_boxes(state: TableState, book: Book) -> tuple[BoxView, ...]:
    hands, rows, after = _hands(state, book), {**rows_shown(state), **points_shown(state)}, adopted(state)
    next_slot = due_slot(after)
    touched = _touched(state, after, next_slot)
    lie = {zone for zone, _ in touched}
    found = (
        _box(
            state,
            box,
            _cards(state, after, (box, places), next_slot, touched) if box in lie else _all_bare(places),
            hands.get(box, NO_HAND),
        )
        for box, places in _zones(state, lie)
    )
    return tuple(replace(box, hand=rows[box.key]) if box.key in rows else box for box in found)


def hidden_zones(state: TableState) -> frozenset[str]:
    """The zones that no picture may show: a card lies there whose face nobody may see, or the next one will; of an open
    table also where the cards lie that are out of play. None at a closed table.
    """
    if state.status is Status.CLOSED:
        return frozenset()
    after = adopted(state)
    due = due_slot(after) if is_due_down(after) else None
    found = (slot for slot in _touched(state, after, due) if slot == due or _is_secret(_card(state, after, slot, None)))
    return frozenset((*OUT_OF_PLAY, *(zone for zone, _ in found)))


def every_zone(state: TableState) -> frozenset[str]:
    return frozenset((*OUT_OF_PLAY, *state.game.felt.zones))


def _is_secret(card: CardView) -> bool:
    """Also of a card that should not lie there, as long as nobody sees its face."""
    return card.face is None and (card.state != "empty" or card.camera in ("down", "unsure"))


def _zones(state: TableState, lie: Collection[str]) -> Iterator[tuple[str, int]]:
    """The zones a screen shows: those of a new shoe while it is opened, or where something lies."""
    felt, round = state.game.felt, state.round
    opens = round is not None and not round.over and is_new_shoe(round.rules)
    for zone, places in felt.zones.items():
        if opens or zone in lie or zone not in felt.opening:
            yield zone, places


def _hands(state: TableState, book: Book) -> Mapping[str, blackjack.HandView]:
    """How the hands of a game that is played by boxes stand now."""
    round = state.round
    if state.game.key != BLACKJACK.key or round is None:
        return {}
    return blackjack.hands_of(round, book.by_bet if book.round == round.id else (), round.window.took)


def _box(state: TableState, box: str, cards: tuple[CardView, ...], hand: blackjack.HandView) -> BoxView:
    ranks_as, won, ranks_in = _hand(state.round, box)
    return BoxView(box, f"box.{box}", cards, ranks_as, won, ranks_in, hand.points, hand.soft, hand.marks)


def _hand(round: Round | None, box: str) -> tuple[str, str, str]:
    """The words of a complete hand, how it stands and its class, from the game's own description."""
    described = _described(round).get(box)
    if not isinstance(described, Mapping):
        return "", "", ""
    name, won, ranks_in = (str(described.get(key, "")) for key in ("name", "result", "class"))
    return name, won, ranks_in


def _described(round: Round | None) -> Mapping[str, object]:
    if round is None or round.stage in (Stage.VOIDING, Stage.VOIDED):
        return {}
    return round.outcome or {}


def _touched(state: TableState, after: TableState, due: Slot | None) -> frozenset[Slot]:
    """The places of which there is anything to tell; all others are bare."""
    round = after.round
    dealt = (*round.deal.cards, *round.eyes.accepted, *round.eyes.unread) if round is not None else ()
    return frozenset((*dealt, *state.felt.looks, *((due,) if due is not None else ())))


def _cards(
    state: TableState, after: TableState, zone: tuple[str, int], due: Slot | None, touched: frozenset[Slot]
) -> tuple[CardView, ...]:
    box, places = zone
    return tuple(
        _card(state, after, (box, place), due) if (box, place) in touched else _bare(place)
        for place in range(1, places + 1)
    )


@cache
def _all_bare(places: int) -> tuple[CardView, ...]:
    """The places of a zone where nothing lies and nothing is due, as most of a felt is at any time."""
    return tuple(map(_bare, range(1, places + 1)))


@cache
def _bare(place: int) -> CardView:
    return CardView(place, "empty", None, "none")


def _card(state: TableState, after: TableState, slot: Slot, next_slot: Slot | None) -> CardView:
    """A place as it will be `after` the table goes on: a card drawn while it was held is owed, and has no face yet."""
    round = after.round
    fact = card_at(round, slot) if round is not None else None
    camera = _camera_word(state, slot)
    if round is None or fact is None:
        due = slot == next_slot
        unread = round is not None and (
            slot in round.eyes.unread or (slot in round.eyes.missed and slot in state.felt.looks)
        )
        return CardView(slot[1], "unread" if unread else "awaited" if due else "empty", None, camera)
    if isinstance(fact, CardBurned) or fact.face is None:
        seen = fact.card.id in round.eyes.confirmed
        return CardView(slot[1], "sealed" if seen else _doubt(round, fact.card.id, "sealed_owed"), None, camera)
    state_word = "confirmed" if fact.card.id in round.eyes.confirmed else _doubt(round, fact.card.id, "shoe")
    stands = state.round is not None and card_at(state.round, slot) is not None
    vouch = view_vouch(round, fact, state.felt.looks.get(slot)) if stands else None
    return CardView(slot[1], state_word, str(fact.face) if stands else None, camera, vouch)


def _doubt(round: Round, id: str, otherwise: str) -> str:
    why = round.eyes.doubts.get(id)
    return {None: otherwise, "contradiction": "contradiction"}.get(why, "unsure")


def _camera_word(state: TableState, slot: Slot) -> str:
    look = state.felt.looks.get(slot)
    if look is None:
        return "none"
    return {CardFace.UP: "up", CardFace.DOWN: "down", CardFace.UNSURE: "unsure"}[look.face]


def view_vouch(round: Round, fact: CardDealt, look: Seen | None) -> VouchView | None:
    """What people ruled about an open card of this round; None where shoe and camera agreed by themselves."""
    vouch = round.eyes.vouched.get(fact.card.id)
    if vouch is not None:
        camera = _camera_has(fact, look)
        return VouchView(vouch.ruling, _shoe_has(round, fact), camera, vouch.by_name, vouch.approved_by_name)
    return VouchView("", shoe=False, camera=True) if fact.source == "camera" else None


def _shoe_has(round: Round, fact: CardDealt) -> bool:
    """Whether the shoe read it so; a card that people named otherwise first may be its reading all the same."""
    if fact.source == "shoe":
        return True
    read = next((one for one in round.deal.facts if isinstance(one, CardDealt) and one.card.id == fact.card.id), None)
    return read is not None and read.source == "shoe" and read.face is fact.face


def _camera_has(fact: CardDealt, look: Seen | None) -> bool:
    """Whether the camera reads this card now as the record does; if it no longer sees a face, whether the record has
    the face from the camera.
    """
    if look is None or look.face is not CardFace.UP:
        return fact.source == "camera"
    return open_face(look) is fact.face
