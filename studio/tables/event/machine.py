"""What can have happened to a table's decks and devices."""

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
    pass


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
