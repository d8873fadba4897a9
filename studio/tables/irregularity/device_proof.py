"""What a table makes of its devices' links, and of who they are: lost, back, exchanged, silent [EV11]."""

from __future__ import annotations

from studio import ports
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.incident import UNKNOWN_YET, open_incident
from studio.tables.irregularity.acceptance import proved
from studio.tables.irregularity.remedy import resume
from studio.tables.state.identity import TELL_MS, IdentityVerdict, Presence, judge
from studio.tables.state.table import Status, TableState


def identify(draft: Draft, device: str) -> None:
    """Judge a device by what it has shown of itself: it is proved to be the table's own, or it is doubted."""
    presence = draft.state.devices.presences.get(device)
    if presence is None or presence.shown is None:
        return
    match judge(presence):
        case IdentityVerdict.SAME:
            if not presence.proved or _has_news(presence):
                draft.emit(proved(device, presence.shown))
            _end_doubt(draft, device)
        case IdentityVerdict.OTHER | IdentityVerdict.UNPROVED:
            _doubt(draft, device)


def need_known(draft: Draft) -> None:
    """A table that opens asks for every device that has not proved who it is."""
    for device in unproved(draft.state):
        _doubt(draft, device)


def late_proofs(draft: Draft) -> None:
    """Doubt each device that once told its serial number and has let the time pass to tell it again."""
    for device in unproved(draft.state):
        if draft.at_ms - draft.state.devices.presences[device].since_ms >= TELL_MS:
            _doubt(draft, device)


def is_awaited(state: TableState, device: str) -> bool:
    """Whether the device has still to show who it is and no person has been asked about it yet."""
    asked = any(one.kind == "device_changed" and one.scene.device == device for one in state.incidents.open)
    return device in unproved(state) and not asked


def unproved(state: TableState) -> tuple[str, ...]:
    """The devices that are connected, were known before, and have not proved that they are the same."""
    here = (device for device in state.config.devices if state.devices.links.get(device, False))
    return tuple(device for device in here if _is_doubtful(state.devices.presences.get(device)))


def _is_doubtful(presence: Presence | None) -> bool:
    return presence is not None and presence.known is not None and not presence.proved


def _has_news(presence: Presence) -> bool:
    """A serial or a firmware that is not on record yet."""
    return presence.shown is not None and bool(presence.shown.serial) and presence.shown != presence.known


def _doubt(draft: Draft, device: str) -> None:
    if draft.state.status is not Status.CLOSED:
        open_incident(draft, "device_changed", by=device, device=device)


def _end_doubt(draft: Draft, device: str) -> None:
    """Close the doubt about a device: it was the right one after all, or the right one is back in its place."""
    for incident in draft.state.incidents.open:
        if incident.kind == "device_changed" and incident.scene.device == device:
            draft.emit(e.IncidentClosed(id=incident.id))
            resume(draft)


def watch_links(draft: Draft, seen: ports.AnyObservation) -> None:
    state = draft.state
    match seen:
        case ports.LinkUp(device=device):
            _came_up(draft, device)
        case ports.ShufflerHello(device=device):
            identify(draft, device)
            _spoke_at_last(draft, device)
        case ports.LinkDown(device=device, reason=reason) if state.devices.links.get(device) is not False:
            draft.emit(e.DeviceLost(device=device, reason=reason))
            _lost(draft, device)
        case ports.CameraBlind(device=device):
            _lost(draft, device)


def _came_up(draft: Draft, device: str) -> None:
    """Identify a device whose link has come up before anything else is done: nothing goes on with the wrong device."""
    known_up = draft.state.devices.links.get(device, False)
    identify(draft, device)
    if not known_up:
        draft.emit(e.DeviceBack(device=device))
        _spoke_at_last(draft, device)


def _lost(draft: Draft, device: str) -> None:
    """A lost device holds an open table at once [EV1]; a closed one is only told."""
    if draft.state.status is not Status.CLOSED and device in draft.state.config.devices:
        open_incident(draft, "device_lost", by=device, device=device)


def _spoke_at_last(draft: Draft, device: str) -> None:
    """A device that had only not spoken yet was never lost: nobody has to say so."""
    if not draft.state.devices.links.get(device, False) or is_awaited(draft.state, device):
        return
    for incident in draft.state.incidents.open:
        if incident.kind == "device_lost" and incident.scene.device == device and incident.reported_by == UNKNOWN_YET:
            draft.emit(e.IncidentClosed(id=incident.id))
            resume(draft)
