"""Folds what the machines and the camera saw: what lies on the felt, and how well it is seen."""

from __future__ import annotations

from collections.abc import Mapping

from studio import ports
from studio.spoken import Slot
from studio.tables.state.felt import Felt, Seen
from studio.tables.state.table import Lateness, TableState
from studio.value import replace


def observe(state: TableState, seen: ports.AnyObservation, at_ms: int) -> TableState:
    """The felt and the devices' own troubles after what one of them said; most of it changes neither."""
    match seen:
        case (
            ports.CameraSawCard(zone="discard")
            | ports.CameraSawEmpty(zone="discard")
            | ports.CameraLostCard(zone="discard")
        ):
            return state  # a pile that no deal looks at
        case ports.CameraSawCard(zone=zone, place=place, face=face, card=card):
            look = Seen(face, card, at_ms, seen.evidence, seen.confidence)
            return replace(state, felt=replace(state.felt, looks={**state.felt.looks, (zone, place): look}))
        case ports.CameraSawEmpty(zone=zone, place=place) | ports.CameraLostCard(zone=zone, place=place):
            return replace(state, felt=replace(state.felt, looks=_without(state.felt.looks, (zone, place))))
        case ports.CameraSawStray(x=x, y=y):
            return replace(state, felt=replace(state.felt, strays=state.felt.strays | {(x, y)}))
        case ports.CameraStrayGone(x=x, y=y):
            strays = state.felt.strays
            return replace(state, felt=replace(state.felt, strays=strays - {_nearest(strays, x, y)}))
        case ports.CameraBlind() | ports.CameraSeesAgain() | ports.CameraFellBehind() | ports.CameraCaughtUp():
            return _camera_sees(state, seen)
        case ports.ShoeErrorRaised(error=error):
            return replace(state, devices=replace(state.devices, shoe_errors=state.devices.shoe_errors | {error}))
        case ports.ShoeErrorCleared(error=error):
            return replace(state, devices=replace(state.devices, shoe_errors=state.devices.shoe_errors - {error}))
        case ports.ShoeStarted():
            return replace(state, devices=replace(state.devices, shoe_restarted=True, shoe_errors=frozenset()))
        case ports.LinkUp(device=device) if device == state.config.camera:
            devices = replace(state.devices, camera_blind="", camera_late=None)
            return replace(state, felt=Felt(), devices=devices)
        case ports.LinkUp(device=device) if device == state.config.shoe:
            # what it cleared meanwhile nobody heard
            return replace(state, devices=replace(state.devices, shoe_errors=frozenset()))
    return state


def _camera_sees(state: TableState, seen: ports.AnyObservation) -> TableState:
    """What a camera says of how well it sees."""
    match seen:
        case ports.CameraBlind(reason=reason):
            return replace(state, devices=replace(state.devices, camera_blind=reason))
        case ports.CameraFellBehind(behind_ms=behind_ms, shed_percent=shed_percent):
            return replace(state, devices=replace(state.devices, camera_late=Lateness(behind_ms, shed_percent)))
        case ports.CameraCaughtUp():
            return replace(state, devices=replace(state.devices, camera_late=None))
    return replace(state, devices=replace(state.devices, camera_blind=""))


def _without(felt: Mapping[Slot, Seen], slot: Slot) -> dict[Slot, Seen]:
    return {place: look for place, look in felt.items() if place != slot}


def _nearest(strays: frozenset[tuple[float, float]], x: float, y: float) -> tuple[float, float]:
    return min(strays, key=lambda at: (at[0] - x) ** 2 + (at[1] - y) ** 2, default=(x, y))
