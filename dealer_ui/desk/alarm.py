"""The desk of alarms: causes become alarms in the journal, and somebody acknowledges them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from dealer_ui.desk.pit import PitDesk
from studio.errors import RefusedError
from studio.people import Actor, need_right
from studio.pit import AnyPitEvent, Cause, due
from studio.pit import pit_event as e


class AlarmKeeper:
    """Follows the causes; one thread steps it. A cause that lingers is over only when it has been away for a while."""

    def __init__(self, desk: PitDesk) -> None:
        self._desk = desk
        self._gone_ms: dict[str, int] = {}
        self._lingers: dict[str, bool] = {}

    def keep_up(self, causes: Sequence[Cause], told: Sequence[str]) -> None:
        """Take in why somebody should look, as of now; `told`: whoever hears of an alarm that is escalated now.

        Nobody is told of what he has done himself.
        """
        desk = self._desk
        with desk.lock:
            now_ms = desk.now_ms()
            self._note(causes, now_ms)
            found = due(desk.book.alarms, causes, self._gone_ms, now_ms, next_number=desk.book.raised + 1)
            by = {cause.key: cause.by for cause in causes}
            others = {
                id: tuple(one for one in told if one != by.get(alarm.cause)) for id, alarm in desk.book.alarms.items()
            }
            desk.record(
                tuple(
                    msgspec.structs.replace(event, told=others[event.id])
                    if isinstance(event, e.AlarmEscalated)
                    else event
                    for event in found
                )
            )

    def _note(self, causes: Sequence[Cause], now_ms: int) -> None:
        there = {cause.key for cause in causes}
        self._lingers.update((cause.key, cause.lingers) for cause in causes)
        open_causes = {alarm.cause for alarm in self._desk.book.alarms.values()}
        self._lingers = {key: lingers for key, lingers in self._lingers.items() if key in open_causes | there}
        self._gone_ms = {
            key: self._gone_ms.get(key, now_ms) for key in open_causes - there if self._lingers.get(key, False)
        }


def acknowledge(desk: PitDesk, actor: Actor, alarm: str, id: str = "", shown: str = "") -> int:
    """Record that somebody sees to the alarm; it stays on the screens until its cause is gone.

    `shown`: since when the alarm was waiting that he was shown. One that has grown since waits anew.
    """
    need_right(actor, "acknowledge_alarm")

    def act() -> tuple[AnyPitEvent, ...]:
        found = desk.book.alarms.get(alarm)
        if found is None:
            raise RefusedError("alarm_over", "That alarm is over: its cause is gone.")
        if not found.waits:
            raise RefusedError("alarm_seen", f"{found.seen_by_name} has acknowledged this already.")
        if shown and shown != str(found.loud_ms):
            raise RefusedError("alarm_grew", "This alarm concerns more tables by now: look at it, then acknowledge it.")
        return (e.AlarmAcknowledged(id=alarm, by=actor.id, by_name=actor.name, at_ms=desk.now_ms()),)

    return desk.once(actor, id, act)
