"""A shuffler of the generic profile: its frames become observations, and commands are sent to it.

It acknowledges every good frame, and refuses a damaged one so that the device sends it again. It asks a device that has
not said hello since its link came up who it is and how things stand. Both are part of reading and need no
authorisation. A device that is silent for 6 seconds counts as lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from devices.driver import DriverTurn, HostCommand, Instant
from devices.frame import Broken
from devices.link import LineSettings
from devices.order import EndedOrder
from devices.shuffler.generic_codec import (
    ACK_BYTES,
    NAK_BYTES,
    SEQ_COUNT,
    Accepted,
    Frame,
    GenericDecoder,
    GenericRecord,
    Refused,
)
from devices.shuffler.generic_order import HOW, WHO, GenericOrders, is_ours
from devices.shuffler.generic_record import RecordReader, Role, number
from devices.standing import StandingWords
from studio.cards import Sealer
from studio.ports import CommandAnswered, Observation, ShoeStarted, UnreadableFrame

SILENT_MS: Final = 6000
HEARTBEAT: Final = "B"
WHO_MS: Final = 500
"""A device that was switched on says hello by itself; one whose cable was out is asked after this."""
WHO_AGAIN_MS: Final = 3000


class GenericDriver:
    """Frames to observations, for a shuffler or a shoe. Commands need the configuration's leave."""

    def __init__(
        self,
        device: str,
        sealer: Sealer,
        *,
        role: Role = "shuffler",
        settings: LineSettings | None = None,
        commands: frozenset[str] = frozenset(),
    ) -> None:
        self._device = device
        self._reader = RecordReader(device, sealer, role)
        self._settings = settings or LineSettings(baud=9600)
        self._decoder = GenericDecoder()
        self._orders = GenericOrders(device, commands)
        self._last: GenericRecord | None = None
        self._standing = StandingWords()
        self._says_nothing = False
        """The last record said what stood already; so does the same sent again."""
        self._last_draw = 0
        self._ident_asked = False
        """An IDENT was taken: the next hello answers it and is no start."""
        self._heard_ms: int | None = None
        self._who_ms: int | None = None
        """When it is asked who it is; None once it has said so."""
        self._asks_how = False
        self._addressed = False
        """It was heard, once at least: the address it answers to is known."""
        self._at_ms = 0

    @property
    def settings(self) -> LineSettings:
        return self._settings

    def turn(self, data: bytes, now: Instant) -> DriverTurn:
        self._at_ms = now.at_ms
        if self._heard_ms is None:
            self._heard_ms, self._who_ms = now.run_ms, now.run_ms + WHO_MS
        seen: list[Observation] = []
        idle: list[bytes] = []
        write = b""
        heard = False
        for frame in self._decoder.feed(data) if data else self._decoder.quiet():
            match frame:
                case GenericRecord():
                    heard, self._heard_ms = True, now.run_ms
                    write += ACK_BYTES
                case Broken(reason=reason) if reason not in ("noise", "unknown"):
                    write += NAK_BYTES
            ours = self._orders.wonders
            told = [one for one in self._observe(frame) if self._is_news(one)]
            if isinstance(frame, GenericRecord):
                idle += [frame.raw] if not told and (self._says_nothing or frame.kind == HEARTBEAT) else []
            elif isinstance(frame, Accepted) and ours:
                idle.append(ACK_BYTES)
            seen += told
        for asked in self._orders.time_out(now):
            seen += filter(self._is_news, self._answered(asked))
        write += self._speak(now)
        late = now.run_ms - self._heard_ms >= SILENT_MS
        silent = (
            f"{self._device} has sent no sign of life for 6 seconds; check its power and its cable." if late else ""
        )
        return DriverTurn(seen, write, heard=heard, silent=silent, idle=idle, held=self._decoder.held)

    def _is_news(self, seen: Observation) -> bool:
        news = self._standing.is_news(seen)
        self._says_nothing = not news
        return news

    def _speak(self, now: Instant) -> bytes:
        if self._addressed and self._who_ms is not None and now.run_ms >= self._who_ms:
            self._who_ms = now.run_ms + WHO_AGAIN_MS
            self._orders.wonder(WHO)
        elif self._asks_how and self._orders.wonder(HOW):
            self._asks_how = False
        return self._orders.outgoing(now)

    def reset(self, now: Instant) -> Sequence[Observation]:
        self._at_ms = now.at_ms
        self._last, self._heard_ms, self._ident_asked, self._asks_how = None, None, False, False
        self._standing.forget()
        seen = [seen for frame in self._decoder.reset() for seen in self._observe(frame)]
        return [*seen, *(told for asked in self._orders.drop() for told in self._answered(asked))]

    def check(self, command: HostCommand) -> None:
        self._orders.check(command)

    def command(self, command: HostCommand) -> None:
        self._orders.take(command)

    # --- frames ---------------------------------------------------------------------------------------

    def _observe(self, frame: Frame) -> Iterator[Observation]:
        match frame:
            case GenericRecord() if self._last is not None and frame.raw == self._last.raw:
                return  # our ACK was lost; the device sent it again
            case GenericRecord():
                yield from self._in_sequence(frame)
                self._orders.dev, self._addressed = frame.dev, True
                self._last = frame
                yield from self._record(frame)
            case Accepted() | Refused():
                asked = self._orders.answer(accepted=isinstance(frame, Accepted))
                if asked is not None:
                    yield from self._answered(asked)
            case broken:
                yield self._unreadable(broken.reason, broken.count)

    def _in_sequence(self, record: GenericRecord) -> Iterator[Observation]:
        """Frames that never came, and draws that no frame told, are one observation; H begins anew."""
        missing = 0
        if self._last is not None and record.kind != "H":
            missing = (record.seq - self._last.seq - 1) % SEQ_COUNT
        draw = number(record.fields[0]) if record.kind == "K" else None
        if draw is not None:
            if self._last_draw and draw > self._last_draw + 1:
                missing = max(missing, draw - self._last_draw - 1)
            self._last_draw = draw
        if missing:
            yield self._unreadable("sequence", missing)

    def _record(self, record: GenericRecord) -> Sequence[Observation]:
        told = self._reader.read(record, self._at_ms)
        if told is None:
            return [self._unreadable("unknown", len(record.raw))]
        if record.kind != "H":
            return told
        self._who_ms = None
        return [*told, *self._started()]

    def _started(self) -> Sequence[Observation]:
        """A hello that no IDENT asked for: the device was switched on, and its draws count from 1."""
        asked_for, self._ident_asked = self._ident_asked, False
        if asked_for:
            return ()
        self._last_draw = 0
        return [ShoeStarted(device=self._device, at_ms=self._at_ms)] if self._reader.role == "shoe" else ()

    def _unreadable(self, reason: str, count: int) -> Observation:
        return UnreadableFrame(device=self._device, at_ms=self._at_ms, reason=reason, count=count)

    def _answered(self, asked: EndedOrder) -> Iterator[Observation]:
        self._ident_asked = self._ident_asked or (asked.accepted and asked.command.name == "ident")
        if asked.command is WHO:
            self._asks_how = asked.accepted and self._reader.role == "shuffler"
        if not is_ours(asked.command):
            yield CommandAnswered(
                device=self._device,
                at_ms=self._at_ms,
                command=str(asked.command),
                accepted=asked.accepted,
                reason=asked.reason,
            )
