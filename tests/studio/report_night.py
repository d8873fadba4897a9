"""The only place for the simulated night that reports are tested on: many faults, one table, one database."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from dealer_ui.rehearsal.checker import Checker
from dealer_ui.rehearsal.fault_plan import PLANS
from dealer_ui.rehearsal.mischief import Mischief
from dealer_ui.rehearsal.night import Night, NightOptions


def play(folder: Path, game: str = "three_knights", rounds: int = 18, seed: int = 12) -> Path:
    """A night of so many rounds; the database it leaves."""
    path = folder / f"{game}.db"
    night = Night(NightOptions(game, seed, whim=0.3, database=str(path)))
    checker, plan = Checker(night), PLANS["many"]
    mischief = Mischief(night, plan.tricks_with("angel_eye"), plan.rate)
    try:
        while checker.rounds < rounds:
            night.step()
            mischief.step(night.now_ms)
            checker.watch()
    finally:
        night.close()
    assert not checker.violations
    return path


def count(path: Path, sql: str, *given: object) -> int:
    """What plain SQL says, without a line of the reports' own."""
    connection = sqlite3.connect(path)
    try:
        return int(connection.execute(sql, given).fetchone()[0] or 0)
    finally:
        connection.close()
