"""Irregularities: what happened, and what is done. A procedure is data; `rule` walks it."""

from studio.procedures.circumstance import PHASES
from studio.procedures.incident import KIND_BY_KEY, KINDS, IncidentKind, Reporter, Severity
from studio.procedures.meaning import (
    AFTERWARDS,
    RULING_BY_KEY,
    RULINGS,
    Meaning,
    effective_approval,
)
from studio.procedures.row import PIT_DECIDES, Approval, ProcedureRow, Refund, Ruling
from studio.procedures.rule import BY_GAME, NO_ROW, PROCEDURES, Procedures, procedures_of, row_of, rule

__all__ = [
    "AFTERWARDS",
    "BY_GAME",
    "KINDS",
    "KIND_BY_KEY",
    "NO_ROW",
    "PHASES",
    "PIT_DECIDES",
    "PROCEDURES",
    "RULINGS",
    "RULING_BY_KEY",
    "Approval",
    "IncidentKind",
    "Meaning",
    "ProcedureRow",
    "Procedures",
    "Refund",
    "Reporter",
    "Ruling",
    "Severity",
    "effective_approval",
    "procedures_of",
    "row_of",
    "rule",
]
