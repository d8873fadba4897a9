"""Which card people said otherwise than an eye, and who they were, as the replay tells it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from studio.tables.event import table as e
from studio.tables.state.vouch import vouch_of


class VouchTeller:
    """Follows the incidents of a round. `people` are the names of those who ruled, by id."""

    def __init__(self) -> None:
        self.people: dict[str, str] = {}
        self._opened: dict[str, e.IncidentOpened] = {}

    def tell(self, event: e.AnyEvent, place_of: Callable[[str], str]) -> Iterator[str]:
        """A sentence for each card that a ruling settled."""
        match event:
            case e.IncidentOpened(id=id):
                self._opened[id] = event
            case e.IncidentRuled(id=id) if (opened := self._opened.get(id)) is not None:
                self.people.update({event.asked_by: event.asked_by_name, event.approved_by: event.approved_by_name})
                if (vouch := vouch_of(opened.incident, event)) is not None:
                    second = f" with {vouch.approved_by_name}" if vouch.approved_by_name else ""
                    said = "read from the picture" if vouch.ruling == "continue" else "overridden"
                    yield from (f"  {place_of(card)}: {said} by {vouch.by_name}{second}." for card in opened.cards)
