"""What is known of a table's devices: whether they answer, and whether one that came back is the one that was there.

A serial number told on the wire proves it, through whatever socket. Without one the adaptor or the socket does, and
at a network its address. A network camera proves it by its picture: while that cannot be trusted it counts as blind.
The first to come is taken as it is; a machine without proof waits for a person.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Final

import msgspec

from studio.ports import NO_PLUG, LinkUp, ShufflerHello
from studio.value import replace

TELL_MS: Final = 8_000
"""So long a device that once told its serial has to tell it again."""


class Identity(msgspec.Struct, frozen=True):
    """What is known of a device. `plug`: the adaptor, socket or address it came by."""

    plug: str = ""
    serial: str = ""
    model: str = ""
    firmware: str = ""
    deck_profile: str = ""

    @property
    def name(self) -> str:
        """Words for people: model and serial, or what it came by."""
        firmware = f"firmware {self.firmware}" if self.firmware else ""
        told = ", ".join(part for part in (f"{self.model} {self.serial}".strip(), firmware) if part)
        return told or self.plug

    @property
    def mark(self) -> str:
        """What an approval is of, in one word: no two devices have the same."""
        return "/".join(_what(self))


class Presence(msgspec.Struct, frozen=True):
    """A device of the table: who it is `known` to be, and who it has `shown` itself to be since its link came up at
    `since_ms`.

    `proved`: it is the known one, by its own proof or a person's word. `approved`: the devices that somebody has looked
    at and let stand here. One of them that returns after another proves itself by its serial.
    """

    known: Identity | None = None
    shown: Identity | None = None
    since_ms: int = 0
    proved: bool = False
    approved: tuple[Identity, ...] = ()


class IdentityVerdict(enum.StrEnum):
    SAME = "same"
    OTHER = "other"
    WAIT = "wait"
    """It told a serial before, and has not yet."""
    UNPROVED = "unproved"


def judge(presence: Presence) -> IdentityVerdict:
    """Whether the device that shows itself is the known one; where none is known, any device is."""
    known, shown = presence.known, presence.shown
    if shown is None:
        return IdentityVerdict.WAIT
    if known is None or (shown.serial and is_approved(presence, shown)):
        return IdentityVerdict.SAME
    if known.serial:
        if not shown.serial:
            return IdentityVerdict.WAIT
        return (
            IdentityVerdict.SAME
            if (known.model, known.serial) == (shown.model, shown.serial)
            else IdentityVerdict.OTHER
        )
    if NO_PLUG in (shown.plug, known.plug):
        return IdentityVerdict.UNPROVED
    return IdentityVerdict.SAME if known.plug == shown.plug else IdentityVerdict.OTHER


def is_approved(presence: Presence, found: Identity) -> bool:
    """Somebody has approved exactly this: by serial, model and firmware; without a serial, by where it is plugged."""
    return any(_what(one) == _what(found) for one in presence.approved)


def _what(one: Identity) -> tuple[str, ...]:
    return (one.model, one.serial, one.firmware) if one.serial else (one.plug,)


def came_up(presence: Presence, seen: LinkUp, *, camera: bool, at_ms: int) -> Presence:
    """The presence of a device whose link has come up: it has shown nothing yet but the socket it is plugged into, or
    its address. A camera's address proves nothing and is left out.
    """
    plug = seen.plug or ("" if camera else seen.url)
    return replace(presence, shown=Identity(plug), since_ms=at_ms, proved=False)


def said_hello(presence: Presence, seen: ShufflerHello) -> Presence:
    shown = replace(
        presence.shown or Identity(), serial=seen.serial, model=seen.model, firmware=seen.firmware,
        deck_profile=seen.deck_profile,
    )  # fmt: skip
    return replace(presence, shown=shown)


def accepted(presence: Presence) -> Identity | None:
    """The identity a person accepts: the one the device shows, or the known one with the new plug when the device shows
    no serial number.
    """
    known, shown = presence.known, presence.shown
    if shown is None or known is None or shown.serial or not known.serial:
        return shown
    return replace(known, plug=shown.plug)


class Lateness(msgspec.Struct, frozen=True):
    """How old the pictures are that it judges, and how many of 100 it leaves out."""

    behind_ms: int
    shed_percent: int


class Devices(msgspec.Struct, frozen=True):
    """`links` and `presences` by the device's id."""

    links: Mapping[str, bool] = msgspec.field(default_factory=dict)
    presences: Mapping[str, Presence] = msgspec.field(default_factory=dict)
    shoe_errors: frozenset[str] = frozenset()
    shoe_restarted: bool = False
    camera_blind: str = ""
    camera_late: Lateness | None = None
