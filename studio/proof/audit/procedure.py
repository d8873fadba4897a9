"""Holds every ruling of an incident against the rows that were in force when it was opened."""

from __future__ import annotations

from studio.errors import BadInputError
from studio.procedures.in_force import procedures_kept
from studio.procedures.record import Records, version_of
from studio.procedures.rule import rule_by
from studio.proof.audit.wrong import wrong
from studio.tables.event import table as e


class ProcedureAudit:
    """The rows of one table as they change; incidents older than versions name none, and are not asked again."""

    def __init__(self) -> None:
        self._game = ""
        self._version = ""
        self._rows: Records = ()

    def take(self, event: e.AnyEvent, seq: int) -> None:
        match event:
            case e.TableConfigured(config=config):
                self._game = config.game
            case e.ProceduresInForce(version=version, rows=rows):
                if version_of(rows) != version:
                    wrong(seq, f"The rows put in force are not those of version {version}.")
                self._version, self._rows = version, rows
            case e.IncidentOpened() if event.procedures or self._version:
                self._check(event, seq)

    def _check(self, told: e.IncidentOpened, seq: int) -> None:
        if told.procedures != self._version:
            wrong(seq, f"Incident {told.id} was ruled by version {told.procedures}, which was not in force.")
        try:
            procedures = procedures_kept(self._game, self._rows)
            due = rule_by(procedures, told.incident, told.phase, told.circumstances)
        except BadInputError as error:
            wrong(seq, f"The rows of version {self._version} rule on nothing: {error}")
        said = (told.row, told.ruling, told.options, told.approval, told.refund, told.text, told.afterwards)
        if said != (due.row, due.ruling, due.options, due.approval, due.refund, due.text, due.afterwards):
            wrong(seq, f"Incident {told.id} was ruled by row {told.row}; version {self._version} says {due.row}.")
