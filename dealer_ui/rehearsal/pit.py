"""The only place for the simulated pit: two pit bosses who open the table, answer calls and rule."""

from __future__ import annotations

import random
from collections.abc import Callable

from dealer_ui.rehearsal.desk import Desk
from studio.errors import RefusedError
from studio.people import Actor
from studio.tables import command as c
from studio.views import IncidentView, TableView

TRIES_BEFORE_VOID = 12
LIKED = ("swap_hands", "continue", "shoe", "move_card", "reread_all", "relay_from_discard")
"""What a pit boss tries before he voids."""


class SimPit:
    """Rules on what needs the pit: the row's own ruling, or one of the options; a void when nothing else works."""

    def __init__(self, desk: Desk, people: tuple[Actor, Actor], dealer: tuple[str, str], rng: random.Random) -> None:
        self._desk = desk
        self._people = people
        self._dealer = dealer
        self._rng = rng
        self._tried: dict[str, int] = {}
        self._free_at_ms = 0
        self.wait_ms = 1_500
        self.choose: Callable[[IncidentView], str | None] | None = None

    def step(self, now_ms: int) -> None:
        if now_ms < self._free_at_ms:
            return
        self._free_at_ms = now_ms + self.wait_ms
        view = self._desk.view()
        asking = self._people[0].with_pin(now_ms)
        if view.status == "closed":
            dealer, name = self._dealer
            self._give(c.OpenTable(actor=asking, dealer=dealer, dealer_name=name))
        elif view.frozen_by:
            self._give(c.ReleaseTable(actor=asking, reason_code="checked", words="looked at the table, all in order"))
        elif view.pit_called_by:
            self._give(c.AnswerCall(actor=asking))
        for incident in view.incidents:
            if incident.asked_by:
                self._give(c.ApproveRuling(actor=self._people[1].with_pin(now_ms), incident=incident.id))
            elif incident.holds or incident.kind == "camera_unsure":
                self._rule(view, incident, asking)

    def _rule(self, view: TableView, incident: IncidentView, actor: Actor) -> None:
        tried = self._tried.get(incident.id, 0)
        self._tried[incident.id] = tried + 1
        if incident.ruled:
            if tried % TRIES_BEFORE_VOID == TRIES_BEFORE_VOID - 1:
                self._void(view, incident, actor)
            return
        if incident.kind == "camera_unsure" and tried < 3:
            return
        if tried >= TRIES_BEFORE_VOID:
            self._void(view, incident, actor)
            return
        ruling = self._choice(incident, tried)
        self._give(
            c.RuleIncident(
                actor=actor, incident=incident.id, ruling=ruling, reason_code="procedure", words=f"row {incident.row}"
            )
        )

    def _choice(self, incident: IncidentView, tried: int) -> str:
        if self.choose is not None and (chosen := self.choose(incident)) is not None and not tried:
            return chosen
        options = [option for option in incident.options if option != "pit_decides"]
        liked = [option for option in LIKED if option in options]
        order = [*liked, *(option for option in options if option not in liked and option != "manual")]
        return order[tried % len(order)] if order else incident.ruling

    def _void(self, view: TableView, incident: IncidentView, actor: Actor) -> None:
        """Nothing else worked: a malfunction voids all pays and play [EV10]."""
        if not any(one.kind == "malfunction" for one in view.incidents):
            self._give(c.ReportIncident(actor=actor, kind="malfunction"))
        for one in self._desk.view().incidents:
            if one.kind == "malfunction" and not one.ruled and not one.asked_by:
                self._give(
                    c.RuleIncident(
                        actor=actor,
                        incident=one.id,
                        ruling="void_round",
                        reason_code="malfunction",
                        words="cannot go on",
                    )
                )

    def _give(self, command: c.PersonCommand) -> None:
        try:
            self._desk.command(command)
        except RefusedError:
            return
