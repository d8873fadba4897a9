"""No act of a person goes without a name: what another than the dealer did is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from studio.people import Actor
from studio.tables.draft import Draft
from studio.tables.event.act import PersonActed
from studio.tables.event.table import AnyEvent

NAMES_A_PERSON: Final = ("by", "asked_by", "approved_by", "reported_by")
"""The fields of events that say who."""


def name_actor(draft: Draft, actor: Actor, act: str, since: int) -> None:
    """Where somebody who does not deal here did something, and none of the events since then says who: say it."""
    made = draft.events[since:]
    if made and actor.id != draft.state.seat.dealer and not _is_named(actor.id, made):
        draft.emit(PersonActed(act=act, by=actor.id, by_name=actor.name))


def _is_named(id: str, events: Sequence[AnyEvent]) -> bool:
    return any(getattr(event, field, "") == id for event in events for field in NAMES_A_PERSON)
