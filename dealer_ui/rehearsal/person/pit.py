"""The simulated pit: two pit bosses who open the table, answer calls and rule."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

from dealer_ui.rehearsal.person.at_table import PersonDesk, obeyed
from studio.people import Actor
from studio.procedures.meaning import VOIDS
from studio.spoken import Slot
from studio.tables import command as c
from studio.tables.declaration import Command
from studio.views import IncidentView, TableView

TRIES_BEFORE_VOID: Final = 12
_FOR_A_CABLE: Final = 8
"""So many times as long he waits for a device that is unplugged."""
_FOR_A_START: Final = 4
"""So many times as long he gives the camera after a start: its line comes up first, and then it looks at everything."""
_LOOKS_AGAIN: Final = 3
"""So often he leaves a card that the camera is unsure of to the dealer."""
LIKED: Final = ("swap_hands", "continue", "shoe", "camera", "move_card", "reread_all", "relay_from_discard")
"""What a pit boss tries before he voids."""
_CLEARS: Final = frozenset({"act.clear_felt", "act.collect_cards"})
OF_A_CARD: Final = frozenset({"shoe", "camera", "manual"})
"""Rulings that say which card it is: the pit boss looks at the pictures."""


class SimPit:
    """A simulated pit boss: he gives the ruling of the row, or one of its options, and a void when nothing else works.

    `sees` gives the card that really lies in a place, as the pictures show it. `whim` is the share of his rulings that
    pick any allowed option. `told` is called with each ruling carried out and the kind of its incident.
    """

    def __init__(
        self, desk: PersonDesk, people: tuple[Actor, Actor], dealer: tuple[str, str], rng: random.Random
    ) -> None:
        self._desk = desk
        self._people = people
        self._dealer = dealer
        self._rng = rng
        self._tried: dict[str, int] = {}
        self._free_at_ms = 0
        self.wait_ms = 1_500
        self.unsure_ms = 0
        """So long at least he leaves it to the camera, and voids nothing that could go on: pictures take time."""
        self.whim = 0.0
        self.away_until_ms = 0
        """Until then the second pit boss approves nothing."""
        self.sees: Callable[[Slot], str | None] = lambda slot: ""
        """The card that lies open in a place; empty if it lies face down, None where none lies."""
        self.told: Callable[[str, str], None] = lambda ruling, kind: None
        self.choose: Callable[[IncidentView], str | None] | None = None
        self.closing: Callable[[], bool] = lambda: False
        """Whether the house closes: he sends the seats away, closes the table between two rounds, and opens none."""

    def step(self, now_ms: int) -> None:
        if now_ms < self._free_at_ms:
            return
        self._free_at_ms = now_ms + self.wait_ms
        view = self._desk.view()
        asking = self._people[0].with_pin(now_ms)
        self._see_to_the_table(view, asking)
        for incident in view.incidents.open:
            if incident.asked.by:
                self._approve(incident, now_ms)
            elif incident.holds or incident.kind == "camera_unsure":
                self._rule(view, incident, asking)

    def rest(self, until_ms: int) -> None:
        """Do nothing until then."""
        self._free_at_ms = max(self._free_at_ms, until_ms)

    def give(self, command: Command) -> bool:
        return obeyed(self._desk, command)

    def _see_to_the_table(self, view: TableView, asking: Actor) -> None:
        if self.closing() and view.now.status != "open":
            return
        if view.now.status == "closed":
            dealer, name = self._dealer
            self.give(c.OpenTable(actor=asking, dealer=dealer, dealer_name=name))
        elif view.now.status == "paused":
            self.give(c.ResumeTable(actor=asking))
        elif view.now.frozen_by:
            self.give(c.ReleaseTable(actor=asking, reason_code="checked", words="looked at the table, all in order"))
        elif view.now.pit_called_by:
            self.give(c.AnswerCall(actor=asking))
        elif self.closing():
            self._close(view, asking)

    def _close(self, view: TableView, asking: Actor) -> None:
        """While a round is dealt that is refused, and asked again."""
        for seat in view.room.seats if view.room is not None else ():
            if seat.taken and "leaving" not in seat.marks:
                self.give(c.DismissSeat(actor=asking, seat=seat.seat, reason_code="closing", words="the table closes"))
        if view.now.act.key not in _CLEARS:
            self.give(c.CloseTable(actor=asking))

    def _approve(self, incident: IncidentView, now_ms: int) -> None:
        """The second person; what cannot be carried out is declined, so that something else can be asked."""
        if now_ms < self.away_until_ms:
            return
        second = self._people[1].with_pin(now_ms)
        if self.give(c.ApproveRuling(actor=second, incident=incident.id, asked=incident.asked.mark)):
            self.told(incident.asked.ruling, incident.kind)
        else:
            self.give(c.DeclineRuling(actor=second, incident=incident.id))

    def _rule(self, view: TableView, incident: IncidentView, actor: Actor) -> None:
        tried = self._tried.get(incident.id, 0) - self._waits(incident)
        self._tried[incident.id] = self._tried.get(incident.id, 0) + 1
        if tried < 0:
            return
        most = TRIES_BEFORE_VOID * (1 if view.devices.links.get(incident.where.device, True) else _FOR_A_CABLE)
        most += self._leaves(incident)
        if tried % most == most - 1 and view.round.stage == "dealing":
            self._void(actor)
            return
        if incident.ruled:
            return
        ruling = self._choice(view, incident, tried)
        asked = c.RuleIncident(
            actor=actor, incident=incident.id, ruling=ruling, arguments=self._arguments(incident, ruling),
            reason_code="procedure", words=f"row {incident.row.id}",
        )  # fmt: skip
        if self.give(asked):
            self.told(ruling, incident.kind)

    def _waits(self, incident: IncidentView) -> int:
        """How often he only looks at it."""
        if incident.kind != "camera_unsure":
            return 0
        return max(_LOOKS_AGAIN, self._patience)

    def _leaves(self, incident: IncidentView) -> int:
        """How often he voids nothing that could go on."""
        return self._patience * (_FOR_A_START if incident.kind == "restart" else 1)

    @property
    def _patience(self) -> int:
        """How often he looks before the camera has had its time."""
        return -(-self.unsure_ms // self.wait_ms)

    def _choice(self, view: TableView, incident: IncidentView, tried: int) -> str:
        if self.choose is not None and not tried and (chosen := self.choose(incident)) is not None:
            return chosen
        options = [option for option in incident.row.options if option != "pit_decides"]
        if incident.kind == "shoe_empty" and view.round.stage == "dealing":
            options = [option for option in options if option != "continue"] or options
        if OF_A_CARD & set(options) or incident.kind == "camera_unsure":
            options = [option for option in options if self._is_true(view, incident, option)]
        if self.whim and self._rng.random() < self.whim:
            self._rng.shuffle(options)
            order = options
        else:
            liked = [option for option in LIKED if option in options]
            order = [*liked, *(option for option in options if option not in liked)]
        if tried < self._leaves(incident):
            order = [option for option in order if option not in VOIDS] or order
        return order[tried % len(order)] if order else incident.row.ruling

    def _is_true(self, view: TableView, incident: IncidentView, option: str) -> bool:
        """Whether a ruling on a card names the card that lies there."""
        lies = self.sees((incident.where.box, incident.where.place))
        recorded = _recorded(view, (incident.where.box, incident.where.place))
        match option:
            case "shoe":
                return not lies or lies == recorded
            case "camera":
                return (lies or "") != recorded
            case "manual":
                return bool(lies)
            case "continue" if incident.kind == "camera_unsure":
                return lies == recorded
        return True

    def _arguments(self, incident: IncidentView, ruling: str) -> tuple[str, ...]:
        if ruling != "manual":
            return ()
        return (self.sees((incident.where.box, incident.where.place)) or "",)

    def _void(self, actor: Actor) -> None:
        """Nothing else worked: a malfunction voids all pays and play [EV10]."""
        if not any(one.kind == "malfunction" for one in self._desk.view().incidents.open):
            self.give(c.ReportIncident(actor=actor, kind="malfunction"))
        for one in self._desk.view().incidents.open:
            if one.kind == "malfunction" and not one.ruled and not one.asked.by:
                ruled = c.RuleIncident(
                    actor=actor, incident=one.id, ruling="void_round", reason_code="malfunction", words="cannot go on"
                )
                self.give(ruled)


def _recorded(view: TableView, slot: Slot) -> str:
    """The face on record in a place, empty where there is none."""
    return next(
        (card.face or "" for box in view.boxes if box.key == slot[0] for card in box.places if card.place == slot[1]),
        "",
    )
