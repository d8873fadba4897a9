"""What a table makes of who its devices are: known, back, exchanged, silent [EV11]."""

from __future__ import annotations

from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.incident import open_incident
from studio.tables.irregularity.acceptance import proved
from studio.tables.irregularity.remedy import resume
from studio.tables.state.identity import TELL_MS, Presence, Verdict, judge
from studio.tables.state.table import Status, TableState


def identify(draft: Draft, device: str) -> None:
    """It has shown something of itself: it is known, or it is doubted."""
    presence = draft.state.devices.presences.get(device)
    if presence is None or presence.shown is None:
        return
    match judge(presence):
        case Verdict.SAME:
            if not presence.proved or _has_news(presence):
                draft.emit(proved(device, presence.shown))
            _end_doubt(draft, device)
        case Verdict.OTHER | Verdict.UNPROVED:
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
    asked = any(one.kind == "device_changed" and one.device == device for one in state.incidents.open)
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
        if incident.kind == "device_changed" and incident.device == device:
            draft.emit(e.IncidentClosed(id=incident.id))
            resume(draft)
