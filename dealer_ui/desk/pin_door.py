"""Where typed PINs are compared: outside every lock, a few at a time, and only for those who may try again.

Comparing is slow by design (some 50 ms of a core each). Anybody who finds his lane full is refused at once and told to
try again, so strangers at the door neither hold the threads that serve the floor, nor delay the PIN of somebody at
work.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

from dealer_ui.process.throttle import Law, Throttle, TooOftenError
from studio.people import ComparedPin, Pin, PinHasher, compare_pin
from studio.people.signing_in import LOCKED_OUT_MS, LOCKED_OUT_MS_MAX, WRONG_PINS_MAX
from studio.people.staff import Staff, as_worn

AGAIN_S: Final = 2

OF_A_BADGE: Final = Law(WRONG_PINS_MAX, LOCKED_OUT_MS, LOCKED_OUT_MS_MAX)
"""The law of the lock-out, so that a badge nobody wears answers like one that somebody does."""

OF_A_PLACE: Final = Law(10, 2_000, 60_000)
"""Of a station, or of an address nobody has signed in from. Many stations may share an address: a minute at most."""


class PinLane:
    """`abreast` PINs are compared at once, `waiting_max` more wait their turn on their own threads."""

    def __init__(self, hasher: PinHasher, *, abreast: int = 1, waiting_max: int = 3) -> None:
        self._hasher = hasher
        self._places = threading.BoundedSemaphore(abreast + waiting_max)
        self._abreast = threading.BoundedSemaphore(abreast)

    def compare(self, person: Staff | None, pin: Pin) -> ComparedPin:
        """Blocks for the few before it; `TooOftenError` where the lane is full."""
        if not self._places.acquire(blocking=False):
            raise TooOftenError(
                "pin_lane_full", "Too many people are signing in at this moment. Try again in two seconds.", AGAIN_S
            )
        try:
            with self._abreast:
                return compare_pin(person, pin, self._hasher)
        finally:
            self._places.release()


class PinDoor:
    """The lane of those who come in, and who of them has to wait. `place`: a known station, or an address."""

    def __init__(self, hasher: PinHasher, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._lane = PinLane(hasher)
        self._by_place = Throttle(OF_A_PLACE, now_ms)
        self._by_badge = Throttle(OF_A_BADGE, now_ms)

    def compare(self, person: Staff | None, badge: str, pin: Pin, place: str) -> ComparedPin:
        """`TooOftenError` where this place or this badge was wrong too often, or where too many come in at once."""
        locked_ms = person.pin.lock.until_ms - self._now_ms() if person else 0
        waits_ms = max(locked_ms, self._by_place.wait_ms(place), self._by_badge.wait_ms(_as_typed(badge)))
        if waits_ms > 0:
            raise _too_often(waits_ms)
        return self._lane.compare(person, pin)

    def count(self, badge: str, place: str, *, right: bool) -> None:
        """What came of it."""
        for throttle, key in ((self._by_place, place), (self._by_badge, _as_typed(badge))):
            if right:
                throttle.right(key)
            else:
                throttle.wrong(key)

    def lift(self, badge: str) -> None:
        """Somebody let this badge try again."""
        self._by_badge.right(_as_typed(badge))


def _as_typed(badge: str) -> str:
    return as_worn(badge[:80]).casefold()


def need_to_stand_by(person: Staff, station: str, now_ms: int) -> None:
    """`TooOftenError` where his PIN was guessed at others' sign-ins and this is not his own: nothing is compared then,
    and nothing recorded.
    """
    if person.stands_beside_nobody(station, now_ms):
        raise _too_often(person.pin.lock.until_ms - now_ms)


def need_no_lock(person: Staff, now_ms: int) -> None:
    """`TooOftenError` while his badge is locked: what he shows then is not looked at, and nothing is recorded."""
    if person.is_locked(now_ms):
        raise _too_often(person.pin.lock.until_ms - now_ms)


def _too_often(waits_ms: int) -> TooOftenError:
    seconds = -(-waits_ms // 1_000)
    wait = f"{seconds} seconds" if seconds < 120 else f"{-(-seconds // 60)} minutes"
    sentence = f"Too many wrong PINs. Wait {wait}, then try again, or ask a pit boss to lift the lock."
    return TooOftenError("sign_in_too_often", sentence, seconds)
