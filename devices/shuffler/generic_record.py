"""What each record of the generic profile says; the table is in docs/devices/generic.md.

A shuffler has no record for a card, and its words are too short to hold the order of a deck: it cannot be told.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from devices.shuffler.generic_codec import ALARMS, STATES, VERDICTS, GenericRecord, card_of
from studio.cards import Sealer
from studio.ports import (
    CutCardOut,
    DeckVerified,
    Observation,
    ShoeCardUnread,
    ShoeDrewCard,
    ShoeErrorCleared,
    ShoeErrorRaised,
    ShoeLocked,
    ShufflerAlarm,
    ShufflerHello,
    ShufflerState,
)

Role = Literal["shuffler", "shoe"]

KINDS: Final = "HBKXWQAL"

DECK_ID: Final = re.compile(r"[A-Za-z0-9_.-]{1,16}")
"""16 characters out of 65 are some 96 bits; the order of 52 cards needs 226."""
NAME_CHARACTERS_MAX: Final = 24
"""Of each of the four words of a hello."""

_SHOE_ERRORS: Final = {
    "misread": "unread",
    "overdraw": "overdraw",
    "reverse": "reverse_midway",
    "timeout": "draw_timeout",
}


@dataclass(frozen=True, slots=True)
class RecordReader:
    """Records of one device to observations."""

    device: str
    sealer: Sealer
    role: Role

    def read(self, record: GenericRecord, at_ms: int) -> Sequence[Observation] | None:
        """The observations in a record, possibly none; None when the profile has no such record."""
        device = self.device
        match (record.kind, *record.fields):
            case ("B", ""):
                return ()
            case ("H", model, serial, firmware, profile) if all(map(_is_name, record.fields)):
                return [
                    ShufflerHello(
                        device=device, at_ms=at_ms, model=model, serial=serial, firmware=firmware, deck_profile=profile
                    )
                ]
            case ("K", draw, card) if self.role == "shoe" and number(draw) is not None:
                return [self._card(int(draw), card, at_ms)]
            case ("X", "") if self.role == "shoe":
                return [CutCardOut(device=device, at_ms=at_ms)]
            case ("W", state) if state in STATES:
                return [ShufflerState(device=device, at_ms=at_ms, state=state)]
            case ("Q", count, deck_id, verdict) if _is_verified(count, deck_id, verdict):
                return [DeckVerified(device=device, at_ms=at_ms, count=int(count), deck_id=deck_id, verdict=verdict)]
            case ("A", alarm, "0" | "1" as raised) if alarm in ALARMS:
                return [self._alarm(alarm, at_ms, raised=raised == "1")]
            case ("L", "0" | "1" as locked):
                return [ShoeLocked(device=device, at_ms=at_ms, locked=locked == "1")]
        return None

    def _card(self, draw: int, text: str, at_ms: int) -> Observation:
        label, card = f"Draw {draw}", card_of(text)
        if card is None:
            return ShoeCardUnread(device=self.device, at_ms=at_ms, label=label)
        return ShoeDrewCard(device=self.device, at_ms=at_ms, card=self.sealer.card(card), label=label)

    def _alarm(self, alarm: str, at_ms: int, *, raised: bool) -> Observation:
        if self.role == "shuffler":
            return ShufflerAlarm(device=self.device, at_ms=at_ms, alarm=alarm, raised=raised)
        code, error = ALARMS.index(alarm) + 1, _SHOE_ERRORS.get(alarm, "other")
        if raised:
            return ShoeErrorRaised(device=self.device, at_ms=at_ms, code=code, error=error)
        return ShoeErrorCleared(device=self.device, at_ms=at_ms, code=code, error=error)


def _is_verified(count: str, deck_id: str, verdict: str) -> bool:
    return number(count) is not None and DECK_ID.fullmatch(deck_id) is not None and verdict in VERDICTS


def _is_name(word: str) -> bool:
    return len(word) <= NAME_CHARACTERS_MAX


def number(text: str) -> int | None:
    """A count or draw number of one to four digits."""
    return int(text) if 1 <= len(text) <= 4 and text.isascii() and text.isdigit() else None
