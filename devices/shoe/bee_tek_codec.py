"""The bytes of the Bee-Tek shoe: ASCII text, 9600 8N1, one message a card.

    card      20  '[' mode ']'  '<Card:' rank suit '>'  20        [Game]<Card:4S>
    unread    20  '[' mode ']'  '<Game>'  20                      [Manual Burn Cards]<Game>
    alarm     20  '[' mode ']'  '<Alarm:' text '>'  20            [Game]<Alarm:E3 Card Not Read>
    warning       '<W0x' digit digit '>'                          <W0x01>

No sequence, no checksum, no repeat: what the line does to a message cannot always be told. Only a message that is
whole and known counts; a bracket out of place cuts it short and begins the next. Nothing here does I/O or raises,
the same pieces come however the bytes were split, and at most `TAIL_BYTES_MAX` are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from devices.frame import Broken, Noise, take_all
from studio.cards import RANKS, SUITS, Card

TAIL_BYTES_MAX: Final = 2000
"""What begins a message and does not end within so many bytes is dropped."""

MODES: Final = ("Game", "GameAlarm", "Manual Burn Cards")
UNREAD: Final = "Game"
"""The body of a message for a card that was not read."""

ERRORS: Final = {3: "unread"}
"""The alarms whose meaning is public; every other is `other`."""

_TEXT = rb"[^\[\]<>\x00-\x1F\x7F-\xFF]*"
_STARTS: Final = b"[<"
_NEXT: Final = re.compile(rb"[\[<]")
_MESSAGE: Final = re.compile(rb"(?:\[(%s)\])?<(%s)>" % (_TEXT, _TEXT))
_BEGUN: Final = re.compile(rb"\[%s(?:\](?:<(?:%s)?)?)?|<%s" % (_TEXT, _TEXT, _TEXT))
_SPACE: Final = b" \t\r\n"
_BODY: Final = re.compile(r"Card:.*|Game|Alarm:.+|W0x[0-9A-Fa-f]{2}")


@dataclass(frozen=True, slots=True)
class BeeTekMessage:
    """A whole message of a known form. The body may be a card's face and stays out of the repr."""

    mode: str
    body: str = field(repr=False)

    @property
    def card(self) -> str | None:
        """What stands where a card's rank and suit belong; None in any other message."""
        return self.body[5:] if self.body.startswith("Card:") else None


Frame = BeeTekMessage | Broken


class BeeTekDecoder:
    """Bytes to messages."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._noise = Noise()

    @property
    def held(self) -> int:
        """Bytes kept for a message that is not whole yet."""
        return len(self._buffer)

    def feed(self, data: bytes) -> Iterator[Frame]:
        """Take bytes as they came and give the pieces they complete."""
        return take_all(self._buffer, data, self._take)

    def quiet(self) -> Iterator[Frame]:
        """The line is silent: tell the noise counted so far. A message under way is kept."""
        yield from self._noise.end()

    def reset(self) -> Iterator[Frame]:
        """The line was lost, or the rest of a message never came: tell what was under way and forget it."""
        yield from self._noise.end()
        if self._buffer:
            yield Broken("cut_short", len(self._buffer))
        self._buffer.clear()

    def _take(self) -> list[Frame] | None:
        """The pieces that the first bytes make; None when more bytes are needed to say."""
        if self._buffer[0] not in _STARTS:
            return self._skip()
        tail = self._buffer[:TAIL_BYTES_MAX]
        if whole := _MESSAGE.match(tail):
            return [*self._noise.end(), self._close(whole)]
        begun = _BEGUN.match(tail)
        assert begun is not None  # it fits the start alone
        count = begun.end()
        if count == len(self._buffer) < TAIL_BYTES_MAX:
            return None
        del self._buffer[:count]
        return [*self._noise.end(), Broken("no_etx" if count == TAIL_BYTES_MAX else "cut_short", count)]

    def _close(self, whole: re.Match[bytes]) -> Frame:
        mode, body, count = whole[1], whole[2].decode("ascii"), whole.end()
        del self._buffer[:count]
        known = mode.decode("ascii") in MODES if mode is not None else body.startswith("W0x")
        if not known or not _BODY.fullmatch(body):
            return Broken("unknown", count)
        return BeeTekMessage(mode.decode("ascii") if mode is not None else "", body)

    def _skip(self) -> list[Frame]:
        """Bytes that begin nothing: spaces stand between messages, all else is noise, told in runs."""
        found = _NEXT.search(self._buffer)
        count = found.start() if found else len(self._buffer)
        stray = self._buffer[:count].translate(None, _SPACE)
        del self._buffer[:count]
        return [*self._noise.add(len(stray))]


# --- what a body says ---------------------------------------------------------------------------------


def card_of(text: str) -> Card | None:
    """The card a message names, in any case, ten as `T` or `10`; None for anything that is no card.

    >>> card_of("4S"), card_of("10h"), card_of("1S")
    (Card('4s'), Card('Th'), None)
    """
    rank, suit = text[:-1].upper().replace("10", "T"), text[-1:].lower()
    if len(rank) != 1 or rank not in RANKS or not suit or suit not in SUITS:
        return None
    return Card(rank, suit)


def alarm_of(text: str) -> tuple[int, str]:
    """Code and key of an alarm.

    >>> alarm_of("E3 Card Not Read")
    (3, 'unread')
    """
    found = re.match(r"E([0-9]{1,2})\b", text)
    code = int(found[1]) if found else 0
    return code, ERRORS.get(code, "other")


# --- messages to bytes --------------------------------------------------------------------------------


def encode(mode: str, body: str) -> bytes:
    """One message as the shoe sends it.

    >>> encode("Game", "Card:4S")
    b' [Game]<Card:4S> '
    """
    return f" [{mode}]<{body}> ".encode("ascii")


def encode_card(mode: str, card: Card | None) -> bytes:
    return encode(mode, f"Card:{card.rank}{card.suit.upper()}" if card else UNREAD)
