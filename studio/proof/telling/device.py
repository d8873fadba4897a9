"""What devices say, as sentences that go on after the device's name; seals are left out of them."""

from __future__ import annotations

import re
from typing import Final

from studio import ports
from studio.ports import CardFace
from studio.proof.telling.place import place_name

FACE: Final = {CardFace.UP: "face up", CardFace.DOWN: "face down", CardFace.UNSURE: "not sure which"}


def tell_device(seen: ports.AnyObservation) -> str:
    """One sentence without its subject."""
    return _camera(seen) or _shoe(seen) or _shuffler(seen) or _plain_words(seen)


def _camera(seen: ports.AnyObservation) -> str:
    match seen:
        case ports.CameraSawEmpty(zone=zone, place=place):
            return f"sees the place of {place_name(zone, place)} empty."
        case ports.CameraLostCard(zone=zone, place=place, direction=direction, identified=identified):
            known = "it had been read" if identified else "it had not been read"
            return f"sees {place_name(zone, place)} leave the view, {direction}; {known}."
        case ports.CameraSawStray(face=face):
            return f"sees a card outside every place, {FACE[face]}."
        case ports.CameraStrayGone():
            return "sees that card no more outside the places."
        case ports.CameraSawFlash(zone=zone, place=place):
            return f"sees the face of {place_name(zone, place)} for a moment."
        case ports.CameraSawSwap(zone=zone, place=place, other_zone=other, other_place=at):
            return f"sees {place_name(zone, place)} and {place_name(other, at)} change places."
        case ports.CameraSawHand(zone=zone, place=place, stays=stays):
            return f"sees a hand {'stay ' if stays else ''}over {place_name(zone, place)}."
        case ports.CameraBlind(reason=reason):
            return f"sees nothing: {reason}"
        case ports.CameraSeesAgain():
            return "sees again."
        case ports.CameraFellBehind(behind_ms=behind):
            return f"is {behind / 1000:.1f} s behind."
        case ports.CameraCaughtUp():
            return "has caught up."
    return ""


def _shoe(seen: ports.AnyObservation) -> str:
    match seen:
        case ports.ShoeStarted():
            return "has started."
        case ports.ShoeStandby():
            return "stands by."
        case ports.ShoeCardUnread():
            return "lets a card out that it cannot read."
        case ports.CutCardOut():
            return "lets the cut card out."
        case ports.ShoeErrorRaised(code=code, error=error):
            return f"raises error {code}: {error.replace('_', ' ')}."
        case ports.ShoeErrorCleared(code=code, error=error):
            return f"clears error {code}: {error.replace('_', ' ')}."
        case ports.ShoeLocked(locked=locked):
            return "is locked." if locked else "is unlocked."
    return ""


def _shuffler(seen: ports.AnyObservation) -> str:
    match seen:
        case ports.ShufflerState(state=state):
            return f"is {state.replace('_', ' ')}."
        case ports.DeckVerified(count=count, deck_id=deck, verdict=verdict):
            return f"has counted {count} cards in deck {deck}: {verdict.replace('_', ' ')}."
        case ports.ShufflerAlarm(alarm=alarm, raised=raised):
            return f"{'raises' if raised else 'ends'} an alarm: {alarm.replace('_', ' ')}."
        case ports.ShufflerHello(model=model, serial=serial, firmware=firmware):
            return f"says what it is: {model} {serial}, firmware {firmware}."
    return ""


def _plain_words(seen: ports.AnyObservation) -> str:
    """An observation with no sentence of its own: its name in words, and what it carries."""
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(seen).__name__).lower()
    told = (
        f"{field.replace('_', ' ')} {value}"
        for field in seen.__struct_fields__
        if field not in ("device", "at_ms", "card", "sealed", "evidence", "url")
        and isinstance(value := getattr(seen, field), str | int)
        and value not in ("", False)
    )
    words = ", ".join(told)
    return f"{name} ({words})." if words else f"{name}."
