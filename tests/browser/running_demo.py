"""A demo nobody plays at, served on a port of its own, and the operator whose bettors bet there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from closed_again import close_each, closed_again
from open_port import OpenPort
from patience import PATIENCE_MS, PATIENCE_S
from playwright.sync_api import Page

from dealer_ui.rehearsal.demo import demo
from dealer_ui.rehearsal.demo.demo import DemoOptions, build_demo
from dealer_ui.rehearsal.person.interface import Bet, Interface
from devices.camera.source import live
from devices.shuffler import generic

WINDOW_S = 600
"""Bets stay open until the dealer closes them, however slow the machine is."""
TABLE = "three-knights-1"
BETTORS = ("anna", "budi", "chie")
DEPOSIT_MINOR = 50_000
STAKES = {"player1_win": 1_000, "player2_win": 700, "player1_pair_plus": 500}


class Balance(msgspec.Struct):
    balance: int


class BetSeen(msgspec.Struct):
    status: str
    returns: int | None


class BetsSeen(msgspec.Struct):
    bets: list[BetSeen]


class BettorDesk(Interface):
    """The operators' interface, with what an operator asks after a round."""

    def __init__(self, port: int, api_key: str) -> None:
        super().__init__("127.0.0.1", port, api_key, timeout_s=PATIENCE_S)

    def balance(self, bettor: str) -> int:
        return self._ask("GET", f"/bettors/{bettor}/balance", Balance).balance

    def returned(self, bettor: str) -> int | None:
        """What all bets have returned; None while one is pending."""
        bets = self._ask("GET", f"/bettors/{bettor}/bets", BetsSeen).bets
        return None if any(bet.returns is None for bet in bets) else sum(bet.returns or 0 for bet in bets)


def bear_stalls(patch: pytest.MonkeyPatch) -> None:
    """A machine that stands still for some seconds is taken for no device that has fallen silent."""
    timing = demo._timing
    patch.setattr(demo, "_timing", lambda speed: replace(timing(speed), silent_ms=PATIENCE_MS))
    patch.setattr(generic, "SILENT_MS", PATIENCE_MS)
    patch.setattr(live, "_PAUSE_MS", PATIENCE_MS)


class RunningDemo:
    """A demo without any simulated person but whoever opens the table."""

    def __init__(self, folder: Path, game: str, speed: float) -> None:
        self.demo = build_demo(
            DemoOptions((game,), folder / "demo.db", seed=11, speed=speed, window_s=WINDOW_S * speed)
        )
        with closed_again(self.demo.stop):
            self._open = OpenPort(self.demo.studio.app)
        self.port = self._open.number
        with closed_again(self.close):
            self.demo.start()

    def close(self) -> None:
        close_each((self.demo.studio.close_streams, self._open.close, self.demo.stop))


def bet(desk: BettorDesk, run: str) -> None:
    answers = desk.place(TABLE, [Bet(f"{run}.{one}.{on}", one, on, stake) for one in BETTORS for on, stake in
                                 STAKES.items()])  # fmt: skip
    assert {answer.status for answer in answers} == {"accepted"}, answers


def balances(desk: BettorDesk) -> dict[str, int]:
    return {bettor: desk.balance(bettor) for bettor in BETTORS}


def until(page: Page, said: Any, wanted: object) -> None:
    """What the ledger says comes a moment after what the screen says."""
    for _ in range(int(PATIENCE_MS / 50)):
        if said() == wanted:
            return
        page.wait_for_timeout(50)
    assert said() == wanted
