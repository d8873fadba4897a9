"""What a lost or returned link means for the table, and a camera that went blind."""

from __future__ import annotations

from studio import ports
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.incident import UNKNOWN_YET, open_incident
from studio.tables.irregularity.device_proof import identify, is_awaited
from studio.tables.irregularity.remedy import resume
from studio.tables.state.table import Status


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
    """Who it is comes first: nothing goes on with a device that is another."""
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
        if incident.kind == "device_lost" and incident.device == device and incident.reported_by == UNKNOWN_YET:
            draft.emit(e.IncidentClosed(id=incident.id))
            resume(draft)
