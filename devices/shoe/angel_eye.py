"""The Angel Eye shoe: its frames become observations, and commands are sent to it.

Every report comes three times: a good report equal, byte for byte, to the good report just before it is a
repeat. Nothing older is compared, for the alphabet of the sequence is short and comes round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from devices.driver import DriverTurn, HostCommand, Instant
from devices.link import LineSettings
from devices.order import EndedOrder
from devices.shoe.angel_eye_codec import (
    AngelEyeDecoder,
    Frame,
    ShoeAccepted,
    ShoeRefused,
    ShoeReply,
    ShoeReport,
    card_of,
    error_of,
    mode_of,
    target_of,
)
from devices.shoe.angel_eye_order import AngelEyeOrders
from devices.standing import StandingWords
from studio.cards import Sealer
from studio.ports import (
    CommandAnswered,
    CutCardOut,
    Observation,
    ShoeCardUnread,
    ShoeDrewCard,
    ShoeErrorCleared,
    ShoeErrorRaised,
    ShoeGameResult,
    ShoeLocked,
    ShoePreset,
    ShoeStandby,
    ShoeStarted,
    UnreadableFrame,
)


class AngelEyeDriver:
    """Frames to observations. Read-only unless `commands` names what the configuration authorises."""

    def __init__(
        self,
        device: str,
        sealer: Sealer,
        *,
        settings: LineSettings | None = None,
        commands: frozenset[str] = frozenset(),
    ) -> None:
        self._device = device
        self._sealer = sealer
        self._settings = settings or LineSettings(baud=4800)
        self._decoder = AngelEyeDecoder()
        self._orders = AngelEyeOrders(device, commands)
        self._last_report = b""
        self._standing = StandingWords()
        self._says_nothing = False
        """The last report said what stood already; so do its copies."""
        self._at_ms = 0

    @property
    def settings(self) -> LineSettings:
        return self._settings

    def turn(self, data: bytes, now: Instant) -> DriverTurn:
        self._at_ms = now.at_ms
        seen: list[Observation] = []
        idle: list[bytes] = []
        heard = False
        for frame in self._decoder.feed(data) if data else self._decoder.quiet():
            told = [one for one in self._observe(frame, now) if self._is_news(one)]
            if isinstance(frame, ShoeReport):
                heard = True
                idle += [frame.raw] if self._says_nothing else []
            seen += told
        for asked in self._orders.time_out(now):
            seen += filter(self._is_news, [self._answered(asked)])
        return DriverTurn(seen, self._orders.outgoing(now), heard=heard, idle=idle, held=self._decoder.held)

    def reset(self, now: Instant) -> Sequence[Observation]:
        self._at_ms = now.at_ms
        self._last_report, self._says_nothing = b"", False
        self._standing.forget()
        seen = [seen for frame in self._decoder.reset() for seen in self._observe(frame, now)]
        return [*seen, *(self._answered(asked) for asked in self._orders.drop())]

    def check(self, command: HostCommand) -> None:
        self._orders.check(command)

    def command(self, command: HostCommand) -> None:
        self._orders.take(command)

    def _is_news(self, seen: Observation) -> bool:
        news = self._standing.is_news(seen)
        self._says_nothing = not news
        return news

    # --- reports --------------------------------------------------------------------------------------

    def _observe(self, frame: Frame, now: Instant) -> Iterator[Observation]:
        match frame:
            case ShoeReport(raw=raw) if raw == self._last_report:
                return
            case ShoeReport():
                self._last_report = frame.raw
                yield self._report(frame)
            case ShoeReply():
                # No command of ours reads anything, so a reply is nothing we asked for.
                yield self._unreadable("unknown", len(frame.body) + 4)
            case ShoeAccepted() | ShoeRefused() if self._orders.is_waiting:
                asked = self._orders.answer(frame.code if isinstance(frame, ShoeRefused) else None, now)
                if asked is not None:
                    yield self._answered(asked)
            case ShoeAccepted() | ShoeRefused():
                self._orders.came_late()
                yield self._unreadable("noise", 1)
            case broken:
                yield self._unreadable(broken.reason, broken.count)

    def _report(self, report: ShoeReport) -> Observation:
        if not report.is_known:
            return self._unreadable("unknown", len(report.raw))
        device, at_ms, payload = self._device, self._at_ms, report.payload
        match report.code:
            case "S":
                return ShoeStarted(device=device, at_ms=at_ms)
            case "P":
                return ShoeStandby(device=device, at_ms=at_ms)
            case "C":
                return CutCardOut(device=device, at_ms=at_ms)
            case "D" | "d" | "R":
                return self._card(report)
            case "G":
                return ShoeGameResult(device=device, at_ms=at_ms, value=payload[0] & 0x7F)
            case "L":
                return ShoeLocked(device=device, at_ms=at_ms, locked=bool(payload[0] & 1))
            case "M":
                address, value = payload[:2].decode("ascii"), payload[2:].decode("ascii")
                return ShoePreset(device=device, at_ms=at_ms, address=address, value=value)
            case _:
                return self._error(report)

    def _card(self, report: ShoeReport) -> Observation:
        device, at_ms = self._device, self._at_ms
        outside = report.code == "d"
        label = mode_of(report.payload[0]) if outside else target_of(report.payload[0])
        card = card_of(report.payload[1])
        if card is None:
            return ShoeCardUnread(device=device, at_ms=at_ms, label=label, outside_game=outside)
        return ShoeDrewCard(
            device=device,
            at_ms=at_ms,
            card=self._sealer.card(card),
            label=label,
            outside_game=outside,
            resent=report.code == "R",
        )

    def _error(self, report: ShoeReport) -> Observation:
        byte = report.payload[0]
        code = byte & 0x3F
        if report.code == "e":
            return ShoeErrorCleared(device=self._device, at_ms=self._at_ms, code=code, error=error_of(code))
        return ShoeErrorRaised(
            device=self._device, at_ms=self._at_ms, code=code, error=error_of(code), error_mode=bool(byte & 0x40)
        )

    def _unreadable(self, reason: str, count: int) -> Observation:
        return UnreadableFrame(device=self._device, at_ms=self._at_ms, reason=reason, count=count)

    def _answered(self, asked: EndedOrder) -> Observation:
        return CommandAnswered(
            device=self._device,
            at_ms=self._at_ms,
            command=str(asked.command),
            accepted=asked.accepted,
            code=asked.code,
            reason=asked.reason,
        )
