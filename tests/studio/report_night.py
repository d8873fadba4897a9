"""The simulated nights that reports are tested on: many faults, one database."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from dealer_ui.rehearsal.check.night import Checker
from dealer_ui.rehearsal.night import Night, NightOptions, OwnWallet
from dealer_ui.rehearsal.trick.mischief import Mischief
from dealer_ui.rehearsal.trick.plan import PLANS

RAKED = {"rake_percent": "5", "rake_cap": 300}
RAKED_GAMES = ("nlh", "short_deck", "plo")


def play(
    folder: Path, game: str = "three_knights", rounds: int = 18, seed: int = 12, wallet: OwnWallet | None = None
) -> Path:
    """A night of so many rounds; the database it leaves. With a wallet of their operator's, bettors have free bets."""
    path = folder / f"{game}.db"
    night = Night(NightOptions(game, seed, whim=0.3, database=str(path), wallet=wallet))
    checker, plan = Checker(night), PLANS["many"]
    mischief = Mischief(night, plan.tricks_of(game, "angel_eye"), plan.rate)
    try:
        while checker.rounds < rounds:
            night.step()
            mischief.step(night.now_ms)
            checker.watch()
    finally:
        night.close()
    assert not checker.violations
    return path


def play_floor(folder: Path, games: Sequence[str], rounds: int, seed: int = 3) -> Path:
    """Tables side by side, each until that many rounds were begun; the same bettors play at all of them."""
    path, plan = folder / "floor.db", PLANS["many"]
    with ExitStack() as stack:
        nights: list[Night] = []
        for number, game in enumerate(games):
            rules = RAKED if game in RAKED_GAMES else {}
            key = f"{game}-{number}".replace("_", "-")
            options = NightOptions(game, seed + number, whim=0.3, database=str(path), key=key, rules=rules)
            nights.append(Night(options, nights[0] if nights else None))
            nights[-1].punters._serial = 1_000_000 * number  # an operator gives no id to two bets
            stack.callback(nights[-1].close)
        mischief = [Mischief(night, plan.tricks_of(night.config.game, "angel_eye"), plan.rate) for night in nights]
        while any(night.state.rounds < rounds for night in nights):
            now_ms = max(night.now_ms for night in nights)
            for night, trouble in zip(nights, mischief, strict=True):
                night.now_ms = now_ms
                night.step()
                trouble.step(night.now_ms)
    return path


def count(path: Path, sql: str, *given: object) -> int:
    """What plain SQL says, without a line of the reports' own."""
    connection = sqlite3.connect(path)
    try:
        return int(connection.execute(sql, given).fetchone()[0] or 0)
    finally:
        connection.close()
