"""What can have happened to a table's decks and devices, and what people do to a device.

What is told of a count tells no order of cards.
"""

from __future__ import annotations

import msgspec

from studio.ports import AnyObservation


class MachineEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    pass


class ObservationRecorded(MachineEvent, frozen=True, kw_only=True, tag=True):
    """What a device said, kept whatever it is; faces are ciphertext."""

    observation: AnyObservation


class DeckApproved(MachineEvent, frozen=True, kw_only=True, tag=True):
    """`by`: the shuffler that verified the deck, or the pit boss who counted it."""

    deck_id: str
    count: int
    by: str = ""
    words: str = ""


class DeckRefused(MachineEvent, frozen=True, kw_only=True, tag=True):
    """`verdict`: the shuffler's, the alarm under which the deck lay in it, or one of `rotation`."""

    deck_id: str
    count: int
    verdict: str
    by: str = ""


class ShoeLoaded(MachineEvent, frozen=True, kw_only=True, tag=True):
    """`out`: the deck that was in the shoe until then, empty where there was none."""

    deck_id: str
    by: str
    out: str = ""


class ShoeWithdrawn(MachineEvent, frozen=True, kw_only=True, tag=True):
    """The deck in the shoe deals no further; it comes back verified, or with `replace` another does.

    A person who takes it out gives `reason_code` and `words`; else `why` is what led to it. Old rows hold a person's
    reason and words in `why`, with a colon between them.
    """

    why: str = ""
    replace: bool = False
    reason_code: str = ""
    words: str = ""


class CutCardCame(MachineEvent, frozen=True, kw_only=True, tag=True):
    """The shoe comes to its end. `at_once`: no round more is dealt from it, whatever the game allows after the cut."""

    at_once: bool = False


class DeviceLost(MachineEvent, frozen=True, kw_only=True, tag=True):
    device: str
    reason: str


class DeviceBack(MachineEvent, frozen=True, kw_only=True, tag=True):
    device: str


class DeviceProved(MachineEvent, frozen=True, kw_only=True, tag=True):
    """This is the table's own device, by its own proof or on a person's word (`by`). `name`: what it is, in words."""

    device: str
    name: str
    plug: str
    serial: str = ""
    model: str = ""
    firmware: str = ""
    deck_profile: str = ""
    by: str = ""


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
    """One more card was counted. Which card it was is recorded nowhere; `read` says whether the shoe could read it."""

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


class DeviceApproved(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    """With this serial, model and firmware it may stand here; another firmware is approved anew."""

    device: str
    name: str
    plug: str
    by: str
    by_name: str
    words: str
    serial: str = ""
    model: str = ""
    firmware: str = ""


class DeviceOrdered(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    """A command goes out to a device, for this person and reason; the device's answer is an observation of its own.

    `order`: lock unlock cancel_error confirm …; `value`: its code, 0 where it has none.
    """

    device: str
    order: str
    value: int
    by: str
    by_name: str
    words: str


class DeviceServiced(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    """`service`: self_test calibration recording enrolment. `passed`: nothing failed. `findings` are full sentences."""

    device: str
    service: str
    passed: bool
    by: str
    by_name: str
    findings: tuple[str, ...] = ()
