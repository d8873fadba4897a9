"""Folds what is known of a table's devices, their links and who they are, and what they saw: the felt, and how well."""

from __future__ import annotations

from collections.abc import Mapping

from studio import ports
from studio.errors import IllegalEventError
from studio.spoken import Slot
from studio.tables.event import table as e
from studio.tables.state.felt import Felt, Seen
from studio.tables.state.identity import Identity, Presence, came_up, said_hello
from studio.tables.state.table import Lateness, TableState
from studio.value import replace


def evolve_device(state: TableState, event: e.AnyEvent) -> TableState:
    match event:
        case e.DeviceLost(device=device):
            gone = replace(_presence(state, device), shown=None, proved=False)
            return _linked(_with(state, device, gone), device, up=False)
        case e.DeviceBack(device=device):
            return _linked(state, device, up=True)
        case e.DeviceProved(device=device):
            known = Identity(event.plug, event.serial, event.model, event.firmware, event.deck_profile)
            return _with(state, device, replace(_presence(state, device), known=known, proved=True))
        case e.DeviceApproved(device=device):
            presence = _presence(state, device)
            known = Identity(event.plug, event.serial, event.model, event.firmware, _profile_of(presence))
            return _with(state, device, replace(presence, approved=(*presence.approved, known)))
    raise IllegalEventError(f"{type(event).__name__} is no event of a device.")


def _profile_of(presence: Presence) -> str:
    """The name of the decks that a device says it is set for; empty where unknown. Nobody approves this name, so it is
    shown just as the device tells it.
    """
    return presence.known.deck_profile if presence.known else ""


def show(state: TableState, seen: ports.AnyObservation, at_ms: int) -> TableState:
    """What a device shows of itself; of those that are the table's."""
    if not isinstance(seen, ports.LinkUp | ports.ShufflerHello) or seen.device not in state.config.devices:
        return state
    match seen:
        case ports.LinkUp(device=device):
            camera = device == state.config.camera
            return _with(state, device, came_up(_presence(state, device), seen, camera=camera, at_ms=at_ms))
        case ports.ShufflerHello(device=device):
            return _with(state, device, said_hello(_presence(state, device), seen))
    return state


def forget_shown(presences: Mapping[str, Presence]) -> dict[str, Presence]:
    """The program came up anew: who they are is known, and none has shown it yet."""
    return {device: replace(one, shown=None, proved=False) for device, one in presences.items()}


def _presence(state: TableState, device: str) -> Presence:
    return state.devices.presences.get(device, Presence())


def _with(state: TableState, device: str, presence: Presence) -> TableState:
    devices = state.devices
    return replace(state, devices=replace(devices, presences={**devices.presences, device: presence}))


def _linked(state: TableState, device: str, *, up: bool) -> TableState:
    return replace(state, devices=replace(state.devices, links={**state.devices.links, device: up}))


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
