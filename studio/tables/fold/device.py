"""Folds what is known of a table's devices: their links, and who they are."""

from __future__ import annotations

from collections.abc import Mapping

from studio import ports
from studio.errors import IllegalEventError
from studio.tables.event import table as e
from studio.tables.state.identity import Identity, Presence, came_up, said_hello
from studio.tables.state.table import TableState
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
    """The name of the decks a device is set for. It is no part of what is approved, so it is shown just as the device
    tells it.
    """
    return presence.known.deck_profile if presence.known else ""


def show(state: TableState, seen: ports.AnyObservation, at_ms: int) -> TableState:
    """What a device shows of itself; of those that are the table's."""
    if seen.device not in state.config.devices:
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
