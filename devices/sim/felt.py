"""What lies on the simulated felt; it draws nothing and knows no time.

The simulated dealer lays, turns, moves and drops cards here. Two eyes look at the same felt through `view()`:
the renderer, whose frames the real camera code reads, and the seeded model of the reader.
"""

from __future__ import annotations

import random
import threading
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from devices.camera.felt.layout import Layout, Slot, SlotName
from studio.cards import Card
from studio.errors import BadInputError
from studio.ports import CardFace

DIRECTIONS: Final = ("left", "right", "top", "bottom")
_REMEMBERED_DEPARTURES: Final = 16
_JITTER_MM: Final = 3.0
_JITTER_DEG: Final = 3.0


@dataclass(frozen=True, slots=True)
class LyingCard:
    """A card as it lies: where its centre is, how far it is turned, which side is up.

    `serial` is new whenever the card was laid, moved, turned over or squared. `slot` is None for a stray.
    """

    serial: int
    card: Card = field(repr=False)
    face: CardFace
    x_mm: float
    y_mm: float
    turn_deg: float
    slot: SlotName | None


@dataclass(frozen=True, slots=True)
class Departure:
    """A card that slid over the edge of the view, as it lay before."""

    serial: int
    lying: LyingCard
    direction: str


@dataclass(frozen=True, slots=True)
class FeltView:
    """One moment of the felt. `cards` run from the bottom of every stack, and of every fan, to its top."""

    version: int
    cards: tuple[LyingCard, ...]
    hands: frozenset[SlotName]
    departures: tuple[Departure, ...]

    def top(self) -> dict[SlotName, LyingCard]:
        """The card that is seen in each place that holds one."""
        return {lying.slot: lying for lying in self.cards if lying.slot is not None}

    def strays(self) -> tuple[LyingCard, ...]:
        return tuple(lying for lying in self.cards if lying.slot is None)


class SimFelt:
    """The felt of one simulated table; every method may be called from any thread.

    A dealer's hand is not exact: cards lie up to 3 mm and 3° off, drawn from `rng`. Misuse by a simulation
    (no such place, nothing lies there) is a `BadInputError`.
    """

    def __init__(self, layout: Layout, rng: random.Random) -> None:
        self.layout = layout
        self._rng = rng
        self._lock = threading.Lock()
        self._fans = frozenset(fan.zone for fan in layout.fans)
        self._serial = 0
        self._cards: list[LyingCard] = []
        self._hands: set[SlotName] = set()
        self._departures: deque[Departure] = deque(maxlen=_REMEMBERED_DEPARTURES)
        self._view = FeltView(0, (), frozenset(), ())

    def view(self) -> FeltView:
        """The felt as it stands; the same object until something changes."""
        return self._view

    def lay(self, zone: str, place: int, card: Card, face: CardFace) -> None:
        """Lay a card in a place, on top of what lies there, under the later cards of its fan."""
        with self._lock:
            self._add(self._placed((zone, place), card, face))
            self._changed()

    def lay_stray(self, x: float, y: float, card: Card, face: CardFace) -> int:
        """Lay a card where no place is (fractions of the felt's width and height); gives its serial."""
        with self._lock:
            x_mm, y_mm = x * self.layout.width_mm, y * self.layout.height_mm
            if (slot := self.layout.slot_at(x_mm, y_mm)) is not None:
                raise BadInputError(f"A stray at {x:.2f}, {y:.2f} would lie in {slot.zone} {slot.place}; lay it there.")
            turn_deg = self._rng.uniform(-3 * _JITTER_DEG, 3 * _JITTER_DEG)
            stray = LyingCard(self._next(), card, face, x_mm, y_mm, turn_deg, None)
            self._cards.append(stray)
            self._changed()
            return stray.serial

    def turn(self, zone: str, place: int) -> None:
        """Turn the top card of a place over."""
        with self._lock:
            lying = self._top((zone, place))
            other = CardFace.DOWN if lying.face is CardFace.UP else CardFace.UP
            self._exchange(lying, replace(lying, serial=self._next(), face=other))

    def square(self, zone: str, place: int) -> None:
        """Put the top card of a place straight, as the dealer is asked to when the camera is unsure.

        At the end of a fan, where cards lie on each other, those below it too.
        """
        with self._lock:
            slot = self.layout.slot(zone, place)
            for lying in [self._top((zone, place)), *_on_spot(self._cards, self.layout, slot)]:
                self._exchange(lying, _straight(lying, self._next(), slot))

    def move(self, origin: SlotName, target: SlotName, *, face: CardFace | None = None) -> None:
        """Move the top card of one place to another, turned over on the way when `face` says so."""
        with self._lock:
            self._relay(self._top(origin), target, face)

    def move_stray(self, serial: int, target: SlotName, *, face: CardFace | None = None) -> None:
        """Move the stray that `lay_stray` gave this serial into a place."""
        with self._lock:
            self._relay(self._stray(serial), target, face)

    def take(self, zone: str, place: int) -> Card:
        """Take the top card of a place away."""
        with self._lock:
            return self._away(self._top((zone, place)))

    def take_stray(self, serial: int) -> Card:
        with self._lock:
            return self._away(self._stray(serial))

    def drop(self, zone: str, place: int, direction: str) -> Card:
        """Let the top card of a place slide over an edge of the view: left, right, top or bottom."""
        if direction not in DIRECTIONS:
            raise BadInputError(f"A card cannot leave the view to the '{direction}'; name one of {DIRECTIONS}.")
        with self._lock:
            lying = self._top((zone, place))
            self._cards.remove(lying)
            self._departures.append(Departure(self._next(), lying, direction))
            self._changed()
            return lying.card

    def hand_over(self, zone: str, place: int, *, on: bool) -> None:
        """Hold a hand over a place, or take it away."""
        with self._lock:
            slot = self.layout.slot(zone, place).name
            self._hands = self._hands | {slot} if on else self._hands - {slot}
            self._changed()

    def clear(self, layout: Layout | None = None) -> None:
        """Take every card and hand away: the felt is scooped bare. `layout`: another game's cloth is laid."""
        with self._lock:
            self.layout = layout or self.layout
            self._fans = frozenset(fan.zone for fan in self.layout.fans)
            self._cards.clear()
            self._hands.clear()
            self._changed()

    def count(self, zone: str, place: int) -> int:
        """How many cards lie in a place."""
        return sum(lying.slot == (zone, place) for lying in self._view.cards)

    def _placed(self, name: SlotName, card: Card, face: CardFace) -> LyingCard:
        slot, off = self.layout.slot(*name), self._rng.uniform
        x_mm, y_mm = slot.x_mm + off(-_JITTER_MM, _JITTER_MM), slot.y_mm + off(-_JITTER_MM, _JITTER_MM)
        return LyingCard(self._next(), card, face, x_mm, y_mm, off(-_JITTER_DEG, _JITTER_DEG), name)

    def _away(self, lying: LyingCard) -> Card:
        self._cards.remove(lying)
        self._changed()
        return lying.card

    def _top(self, name: SlotName) -> LyingCard:
        for lying in reversed(self._cards):
            if lying.slot == name:
                return lying
        raise BadInputError(f"No card lies in {name[0]} {name[1]}.")

    def _stray(self, serial: int) -> LyingCard:
        for lying in self._cards:
            if lying.serial == serial and lying.slot is None:
                return lying
        raise BadInputError(f"No stray card has the serial {serial}.")

    def _relay(self, lying: LyingCard, target: SlotName, face: CardFace | None) -> None:
        moved = self._placed(target, lying.card, face or lying.face)
        self._cards.remove(lying)
        self._add(moved)
        self._changed()

    def _add(self, lying: LyingCard) -> None:
        self._cards.insert(_depth(self._cards, lying, self._fans), lying)

    def _exchange(self, old: LyingCard, new: LyingCard) -> None:
        self._cards[self._cards.index(old)] = new
        self._changed()

    def _next(self) -> int:
        self._serial += 1
        return self._serial

    def _changed(self) -> None:
        self._view = FeltView(
            self._view.version + 1, tuple(self._cards), frozenset(self._hands), tuple(self._departures)
        )


def _straight(lying: LyingCard, serial: int, slot: Slot) -> LyingCard:
    """The card laid straight in its place. If it lies straight already, it is laid a fraction of a millimetre beside,
    so that the camera sees a change.
    """
    again = (lying.x_mm, lying.y_mm, lying.turn_deg) == (slot.x_mm, slot.y_mm, 0.0)
    off = (1 + serial % 3) * 0.2 if again else 0.0
    return replace(lying, serial=serial, x_mm=slot.x_mm + off, y_mm=slot.y_mm - off, turn_deg=off)


def _depth(cards: list[LyingCard], lying: LyingCard, fans: frozenset[str]) -> int:
    """The position of a card among those that lie: on top of all, but in a fan under the cards of later places."""
    zone, place = lying.slot or ("", 0)
    over = (
        i
        for i, other in enumerate(cards)
        if zone in fans and other.slot and other.slot[0] == zone and other.slot[1] > place
    )
    return next(over, len(cards))


def _on_spot(cards: list[LyingCard], layout: Layout, slot: Slot) -> list[LyingCard]:
    """The cards of a fan's other places that lie on the same spot as this one."""
    shared = {
        other.name for fan in layout.fans for other in fan.slots if fan.zone == slot.zone and other.x_mm == slot.x_mm
    }
    return [one for one in cards if one.slot in shared - {slot.name}]


@dataclass(frozen=True, slots=True)
class SimCardNow:
    """One card of the felt at one moment, in plain values."""

    card: str = field(repr=False)
    up: bool
    x_mm: float
    y_mm: float
    turn_deg: float
    slot: SlotName | None


def look_at(felt: SimFelt) -> tuple[SimCardNow, ...]:
    """The cards as they lie now, from the bottom to the top, face down ones with their faces."""
    return tuple(
        SimCardNow(str(one.card), one.face is CardFace.UP, one.x_mm, one.y_mm, one.turn_deg, one.slot)
        for one in felt.view().cards
    )


def lay_out(felt: SimFelt, cards: Iterable[SimCardNow]) -> None:
    """Have the felt as it was then."""
    with felt._lock:
        felt._cards[:] = [
            LyingCard(
                felt._next(), Card.parse(one.card), CardFace.UP if one.up else CardFace.DOWN, one.x_mm, one.y_mm,
                one.turn_deg, one.slot,
            )
            for one in cards
        ]  # fmt: skip
        felt._changed()
