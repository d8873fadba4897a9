"""Where things lie on a felt: its zones, their numbered places, its markers.

Felt coordinates are millimetres from the top left corner of the felt as the camera sees it, x to the right,
y downwards. The simulated felt and the camera's calibration read the same layout.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from studio.errors import BadInputError

CARD_WIDTH_MM: Final = 63.0
CARD_HEIGHT_MM: Final = 88.0
FELT_WIDTH_MM: Final = 928.0
FELT_HEIGHT_MM: Final = 522.0
MARKER_MM: Final = 36.0
DISCARD: Final = "discard"

FAN_FROM: Final = 8
"""A zone of this many places or more is a fan, but for burn cards: those are counted, and lie apart."""

FAN_PITCH_MM: Final = 15.0
FAN_FELT_MM: Final = (1392.0, 783.0)
"""A felt with fans is larger, and its camera's picture with it: a card stays as high as on the other felts."""

_FAN_ROW_Y_MM: Final = (112.0, 290.0, 440.0, 590.0)
_OPEN_FACE_Y_MM: Final = (80.0, 212.0, 350.0, 480.0, 610.0)
"""The discard, the seats' fans, then the rows they set. In from the corners, where the markers are."""
_FAN_MARGIN_MM: Final = 45.0
_FAN_GAP_MM: Final = 18.0
_PX_PER_MM: Final = 1280 / FELT_WIDTH_MM

SEAT: Final = "seat"
"""How the zones of a poker table's seats begin; their felt is as large as one with fans."""

_SEAT_ROWS: Final = (
    (104.0, ("burn", DISCARD)),
    (256.0, ("seat1", "board", "seat9")),
    (408.0, ("seat2", "seat3", "seat7", "seat8")),
    (560.0, ("seat4", "seat5", "seat6")),
)

_MARGIN_MM: Final = 60.0
_MARKER_INSET_MM: Final = 28.0
_PLACE_GAP_MM: Final = 12.0
_ZONE_GAP_MM: Final = 34.0
_ROW_Y_MM: Final = (92.0, 256.0, 420.0)
_HOUSE_ZONES: Final = frozenset({"banker", "dealer", "board", "king", "shark", "house"})

_BURNS_BESIDE_MAX: Final = 8
"""So many burn cards lie beside the discard; more of them have the far row to themselves."""

SlotName = tuple[str, int]
"""A zone and a place in it, counted from 1."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One place for a card, upright; a pile holds many, and only its top card is seen."""

    zone: str
    place: int
    x_mm: float
    y_mm: float
    width_mm: float = CARD_WIDTH_MM
    height_mm: float = CARD_HEIGHT_MM
    pile: bool = False

    @property
    def name(self) -> SlotName:
        return (self.zone, self.place)

    def holds(self, x_mm: float, y_mm: float) -> bool:
        """Whether a card whose centre lies there lies in this place."""
        return abs(x_mm - self.x_mm) <= self.width_mm * 0.4 and abs(y_mm - self.y_mm) <= self.height_mm * 0.4


@dataclass(frozen=True, slots=True)
class Fan:
    """A zone whose cards overlap: each is laid a pitch to the right of the one before, on top of it.

    Beyond the last of its `spots` cards lie on each other. Only the newest card of a fan is seen whole.
    """

    slots: tuple[Slot, ...]
    spots: int
    pitch_mm: float = FAN_PITCH_MM

    @property
    def zone(self) -> str:
        return self.slots[0].zone

    @property
    def reach_mm(self) -> float:
        """From the centre of the first card to that of the last."""
        return (self.spots - 1) * self.pitch_mm

    @property
    def x_mm(self) -> float:
        return self.slots[0].x_mm + self.reach_mm / 2

    @property
    def y_mm(self) -> float:
        return self.slots[0].y_mm

    @property
    def width_mm(self) -> float:
        return CARD_WIDTH_MM + self.reach_mm

    @property
    def height_mm(self) -> float:
        return CARD_HEIGHT_MM

    def holds(self, x_mm: float, y_mm: float) -> bool:
        """Whether a card whose centre lies there lies in this fan."""
        near, far = CARD_WIDTH_MM * 0.4, self.reach_mm / 2
        return abs(x_mm - self.x_mm) <= far + near and abs(y_mm - self.y_mm) <= CARD_HEIGHT_MM * 0.4


Region = Slot | Fan
"""What is looked at as one: a place, or a whole fan."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A felt: its size, its places in reading order, and the centres of its four corner markers.

    Markers run clockwise from the top left; their ArUco ids are 0 to 3 in that order.
    """

    slots: tuple[Slot, ...]
    width_mm: float = FELT_WIDTH_MM
    height_mm: float = FELT_HEIGHT_MM
    marker_mm: float = MARKER_MM
    marker_inset_mm: float = _MARKER_INSET_MM
    fans: tuple[Fan, ...] = ()
    _by_name: dict[SlotName, Slot] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_name", {slot.name: slot for slot in self.slots})

    @property
    def singles(self) -> tuple[Slot, ...]:
        """The places that are looked at each for itself."""
        fanned = {fan.zone for fan in self.fans}
        return tuple(slot for slot in self.slots if slot.zone not in fanned)

    @property
    def regions(self) -> tuple[Region, ...]:
        return (*self.singles, *self.fans)

    @property
    def key(self) -> str:
        """Tells one felt from another: a digest of its size, its markers and where each place lies."""
        places = [(slot.zone, slot.place, round(slot.x_mm, 1), round(slot.y_mm, 1)) for slot in self.slots]
        felt = (self.width_mm, self.height_mm, self.marker_mm, self.marker_inset_mm, places)
        return hashlib.sha256(repr(felt).encode()).hexdigest()[:16]

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """The felt's own corners, clockwise from the top left."""
        return ((0.0, 0.0), (self.width_mm, 0.0), (self.width_mm, self.height_mm), (0.0, self.height_mm))

    @property
    def frame_px(self) -> tuple[int, int]:
        """The picture in which a card of this felt is high enough to be read."""
        return round(self.width_mm * _PX_PER_MM), round(self.height_mm * _PX_PER_MM)

    @property
    def markers(self) -> tuple[tuple[float, float], ...]:
        near, right, bottom = self.marker_inset_mm, self.width_mm, self.height_mm
        return ((near, near), (right - near, near), (right - near, bottom - near), (near, bottom - near))

    def slot(self, zone: str, place: int) -> Slot:
        """`BadInputError` when the felt has no such place."""
        if (slot := self._by_name.get((zone, place))) is not None:
            return slot
        raise BadInputError(f"The felt has no place {place} in the zone '{zone}'; its zones are {self._zones()}.")

    def slot_at(self, x_mm: float, y_mm: float) -> Slot | None:
        """The place in which a card with its centre there lies, or None: a stray."""
        near = [slot for slot in self.slots if slot.holds(x_mm, y_mm)]
        return min(near, key=lambda slot: abs(slot.x_mm - x_mm), default=None)

    def _zones(self) -> str:
        return ", ".join(dict.fromkeys(slot.zone for slot in self.slots))


def layout_for(boxes: Mapping[str, int]) -> Layout:
    """Lay out a felt for a game's boxes (name → places), with a discard pile added when none is named.

    Burn and discard lie in the far row, the house's own boxes in the middle one, everybody else in the
    near one, each in the order given. `BadInputError` when a row is too short for its boxes. Where a zone has
    many places the felt is a larger one, of fans; so is that of nine seats, and that of seats with rows of their own.

    >>> felt = layout_for({"player1": 3, "player2": 3, "player3": 3, "banker": 3, "burn": 4})
    >>> len(felt.slots), felt.slot("burn", 4).pile, felt.slot("discard", 1).pile
    (17, False, True)
    """
    named = {**boxes} if DISCARD in boxes else {**boxes, DISCARD: 1}
    if all(f"{SEAT}{number}" in named for number in range(1, 10)):
        return _felt_of_seats(named)
    if any(_seat_of(zone, named) for zone in named):
        return _felt_of_rows(named)
    if any(is_fan(zone, places) for zone, places in named.items()):
        return _felt_of_fans(named)
    crowded = named.get("burn", 0) > _BURNS_BESIDE_MAX
    far = [zone for zone in named if zone == "burn" or (zone == DISCARD and not crowded)]
    house = [zone for zone in named if zone in _HOUSE_ZONES or (zone == DISCARD and crowded)]
    near = [zone for zone in named if zone not in far and zone not in house]
    rows = zip((far, house, near), _ROW_Y_MM, strict=True)
    laid = {slot.name: slot for zones, y_mm in rows for slot in _row(zones, named, y_mm)}
    return Layout(tuple(laid[zone, place] for zone in named for place in range(1, named[zone] + 1)))


def is_fan(zone: str, places: int) -> bool:
    """Whether the cards of this zone lie on each other.

    >>> is_fan("dealer", 12), is_fan("burn", 10), is_fan("banker", 3)
    (True, False, False)
    """
    return places >= FAN_FROM and zone != "burn"


def _felt_of_seats(boxes: Mapping[str, int]) -> Layout:
    """A poker table: the board between the first seat and the last, the others before it, round the table.

    >>> felt = layout_for({**{f"seat{number}": 4 for number in range(1, 10)}, "board": 5, "burn": 3})
    >>> len(felt.slots), felt.slot("board", 3).x_mm
    (45, 696.0)
    """
    width_mm, height_mm = FAN_FELT_MM
    rows = (_row(zones, boxes, y_mm, width_mm) for y_mm, zones in _SEAT_ROWS)
    laid = {slot.name: slot for row in rows for slot in row}
    slots = tuple(laid[zone, place] for zone in boxes for place in range(1, boxes[zone] + 1))
    return Layout(slots, width_mm, height_mm)


def _row(zones: Iterable[str], boxes: Mapping[str, int], y_mm: float, felt_mm: float = FELT_WIDTH_MM) -> list[Slot]:
    widths = {zone: boxes[zone] * (CARD_WIDTH_MM + _PLACE_GAP_MM) - _PLACE_GAP_MM for zone in zones}
    whole_mm = sum(widths.values()) + _ZONE_GAP_MM * max(0, len(widths) - 1)
    if whole_mm > felt_mm - 2 * _MARGIN_MM:
        raise BadInputError(
            f"The boxes {', '.join(widths)} need {whole_mm:.0f} mm side by side and the felt has "
            f"{felt_mm - 2 * _MARGIN_MM:.0f} mm; take fewer places or seats."
        )
    slots: list[Slot] = []
    x_mm = (felt_mm - whole_mm) / 2
    for zone in zones:
        for place in range(boxes[zone]):
            centre_mm = x_mm + CARD_WIDTH_MM / 2 + place * (CARD_WIDTH_MM + _PLACE_GAP_MM)
            slots.append(Slot(zone, place + 1, centre_mm, y_mm, pile=zone == DISCARD))
        x_mm += widths[zone] + _ZONE_GAP_MM
    return slots


def _felt_of_fans(boxes: Mapping[str, int]) -> Layout:
    """The house's fan far off, the boxes in columns before it, the rows `1a` and `1b` of a split box below its own.

    Boxes of few cards are no fans: they lie side by side in the middle of the far row.

    >>> felt = layout_for({"1": 20, "1a": 19, "2": 20, "dealer": 12})
    >>> [(fan.zone, fan.spots) for fan in felt.fans]
    [('1', 20), ('1a', 19), ('2', 20), ('dealer', 12)]
    >>> felt = layout_for({"joker": 1, "andar": 25, "bahar": 24})
    >>> [(fan.zone, fan.spots) for fan in felt.fans], felt.slot("joker", 1).x_mm
    ([('andar', 25), ('bahar', 24)], 696.0)
    """
    width_mm, height_mm = FAN_FELT_MM
    few = [zone for zone, places in boxes.items() if zone not in ("burn", DISCARD) and not is_fan(zone, places)]
    not_columns = _HOUSE_ZONES | {"burn", DISCARD, *few}
    columns = [zone for zone in boxes if zone not in not_columns and _row_of(zone, boxes) == 1]
    column_mm = (width_mm - 2 * _FAN_MARGIN_MM) / max(1, len(columns))
    fans: list[Fan] = []
    apart = _row(few, boxes, _FAN_ROW_Y_MM[0], width_mm)
    for zone, places in boxes.items():
        if zone in ("burn", DISCARD):
            x_mm = width_mm - 150.0 if zone == DISCARD else 150.0
            apart += [Slot(zone, place, x_mm, _FAN_ROW_Y_MM[0], pile=True) for place in range(1, places + 1)]
        elif zone in few:
            continue
        elif zone in _HOUSE_ZONES:
            fans.append(_fan(zone, places, width_mm / 2, width_mm / 3, _FAN_ROW_Y_MM[0]))
        else:
            row = _row_of(zone, boxes)
            x_mm = _FAN_MARGIN_MM + (columns.index(zone if row == 1 else zone[:-1]) + 0.5) * column_mm
            fans.append(_fan(zone, places, x_mm, column_mm, _FAN_ROW_Y_MM[row]))
    laid = {slot.name: slot for slot in (*apart, *(slot for fan in fans for slot in fan.slots))}
    slots = tuple(laid[zone, place] for zone in boxes for place in range(1, boxes[zone] + 1))
    return Layout(slots, width_mm, height_mm, fans=tuple(fans))


def _felt_of_rows(boxes: Mapping[str, int]) -> Layout:
    """A column for each seat: what it is dealt in a fan far off, before it the rows it sets (`seat1_top`), in order.

    >>> felt = layout_for({"seat1": 17, "seat2": 17, "seat1_top": 3, "seat1_middle": 5, "seat2_top": 3})
    >>> [(fan.zone, fan.spots) for fan in felt.fans], felt.slot("seat1_middle", 5).y_mm > felt.slot("seat1_top", 1).y_mm
    ([('seat1', 17), ('seat2', 17)], True)
    """
    width_mm, height_mm = FAN_FELT_MM
    seats = [zone for zone in boxes if zone not in ("burn", DISCARD) and not _seat_of(zone, boxes)]
    column_mm = (width_mm - 2 * _FAN_MARGIN_MM) / len(seats)
    fans: list[Fan] = []
    laid: dict[SlotName, Slot] = {}
    for zone, places in boxes.items():
        seat = _seat_of(zone, boxes) or zone
        if zone in ("burn", DISCARD):
            slots = [Slot(zone, place, width_mm / 2, _OPEN_FACE_Y_MM[0], pile=True) for place in range(1, places + 1)]
        else:
            x_mm = _FAN_MARGIN_MM + (seats.index(seat) + 0.5) * column_mm
            if seat == zone:
                fans.append(_fan(zone, places, x_mm, column_mm, _OPEN_FACE_Y_MM[1]))
                slots = list(fans[-1].slots)
            else:
                rows = [one for one in boxes if _seat_of(one, boxes) == seat]
                pitch_mm = CARD_WIDTH_MM + _PLACE_GAP_MM
                first_mm, y_mm = x_mm - (places - 1) * pitch_mm / 2, _OPEN_FACE_Y_MM[2 + rows.index(zone)]
                slots = [Slot(zone, place + 1, first_mm + place * pitch_mm, y_mm) for place in range(places)]
        laid |= {slot.name: slot for slot in slots}
    return Layout(tuple(laid.values()), width_mm, height_mm, fans=tuple(fans))


def _seat_of(zone: str, boxes: Mapping[str, int]) -> str:
    """The seat whose row this zone is; empty where it is none."""
    seat, _, row = zone.partition("_")
    return seat if row and seat in boxes else ""


def _row_of(zone: str, boxes: Mapping[str, int]) -> int:
    """1 for a box, 2 for its row `a`, 3 for its row `b`."""
    return 2 + "ab".index(zone[-1]) if zone[:-1] in boxes and zone[-1] in "ab" else 1


def _fan(zone: str, places: int, x_mm: float, width_mm: float, y_mm: float) -> Fan:
    """A fan about `x_mm`, with as many spots as it has room for."""
    spots = 1 + int((width_mm - CARD_WIDTH_MM - _FAN_GAP_MM) // FAN_PITCH_MM)
    spots = max(1, min(spots, places))
    first_mm = x_mm - (spots - 1) * FAN_PITCH_MM / 2
    slots = (
        Slot(zone, place, first_mm + (min(place, spots) - 1) * FAN_PITCH_MM, y_mm) for place in range(1, places + 1)
    )
    return Fan(tuple(slots), spots)


def open_spots(layout: Layout) -> tuple[tuple[float, float], ...]:
    """Spots, as fractions of the felt, where an upright card touches no place and no marker: strays lie there.

    >>> felt = layout_for({"player1": 3, "banker": 3, "burn": 4})
    >>> len(open_spots(felt)) > 3
    True
    """
    across, down = CARD_WIDTH_MM + 20, CARD_HEIGHT_MM + 16
    spots: list[tuple[float, float]] = []
    for y_mm in range(60, int(layout.height_mm) - 56, 4):
        taken = {s.x_mm for s in layout.slots if abs(y_mm - s.y_mm) < down}
        taken |= {x * layout.width_mm for x, y in spots if abs(y_mm - y * layout.height_mm) < down}
        for x_mm in range(100, int(layout.width_mm) - 96, 4):
            if all(abs(x_mm - taken_mm) >= across for taken_mm in taken):
                spots.append((x_mm / layout.width_mm, y_mm / layout.height_mm))
                taken.add(x_mm)
    return tuple(spots)
