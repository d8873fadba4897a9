"""The only place where links, cameras as such and shufflers are judged: lost, back, blind, verified, jammed."""

from __future__ import annotations

from studio import ports
from studio.tables import event as e
from studio.tables.draft import Draft
from studio.tables.incident import open_incident, tell
from studio.tables.state import Status


def watch_links(draft: Draft, seen: ports.AnyObservation) -> None:
    state = draft.state
    match seen:
        case ports.LinkUp(device=device) if not state.links.get(device, False):
            draft.emit(e.DeviceBack(device=device))
        case ports.LinkDown(device=device, reason=reason) if state.links.get(device) is not False:
            draft.emit(e.DeviceLost(device=device, reason=reason))
            _lost(draft, device)
        case ports.CameraBlind(device=device):
            _lost(draft, device)
        case ports.DeckVerified(verdict="ok", deck_id=deck, count=count):
            draft.emit(e.DeckApproved(deck_id=deck, count=count))
        case ports.DeckVerified(verdict=verdict, deck_id=deck, count=count):
            draft.emit(e.DeckRefused(deck_id=deck, count=count, verdict=verdict))
            if state.status is not Status.CLOSED:
                tell(draft, "deck_unverified", by=seen.device, device=seen.device)
        case ports.ShufflerAlarm(alarm="jam", raised=True, device=device) if state.status is not Status.CLOSED:
            open_incident(draft, "shuffler_jam", by=device, device=device)


def _lost(draft: Draft, device: str) -> None:
    """A lost device holds an open table at once [EV1]; a closed one is only told."""
    if draft.state.status is not Status.CLOSED and device in draft.state.config.devices:
        open_incident(draft, "device_lost", by=device, device=device)
