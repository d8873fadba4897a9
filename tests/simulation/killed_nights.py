"""Plays nights of an operator with his own wallet, each in a process of its own, and kills each at a moment of chance.

    killed_nights.py FOLDER NIGHTS SEED [free]

With `free` nearly every bet is a free one, of a game that takes them. Each night leaves a folder: the studio's database
and the operator's. Nothing is closed; what was written is there.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
from pathlib import Path

from dealer_ui.process.log import quiet_logs
from dealer_ui.rehearsal.night import Night, NightOptions, OwnWallet
from dealer_ui.rehearsal.operator.setting_up import DIALECTS
from dealer_ui.rehearsal.person import punter

GAMES = ("three_card_poker", "blackjack", "kkclash", "nlh")
FREE_GAMES = ("three_knights", "blackjack", "three_card_poker", "kkclash")
MOSTLY_FREE = 0.9
LONGEST_S = 0.35


def options(folder: Path, number: int, *, free: bool = False) -> NightOptions:
    wallet = OwnWallet(DIALECTS[number % len(DIALECTS)], 0.05, str(folder / "operator.db"))
    games = FREE_GAMES if free else GAMES
    return NightOptions(games[number % len(games)], number, database=str(folder / "studio.db"), wallet=wallet)


def play(told: int, folder: Path, number: int, *, free: bool) -> None:
    """Until it is killed; says so once the wallet has been asked for the first stake."""
    if free:
        punter._FREE_CHANCE = MOSTLY_FREE  # type: ignore[misc]
    night, quiet = Night(options(folder, number, free=free)), True
    while True:
        night.step()
        if quiet and night.punters.answers:
            os.write(told, b"!")
            quiet = False


def main(folder: Path, nights: int, rng: random.Random, *, free: bool) -> None:
    quiet_logs()
    for number in range(nights):
        of_night = folder / f"night-{number}"
        of_night.mkdir()
        heard, told = os.pipe()
        child = os.fork()
        if not child:
            os.close(heard)
            play(told, of_night, number, free=free)
        os.close(told)
        assert os.read(heard, 1), f"night {number} ended by itself"
        os.close(heard)
        threading.Event().wait(rng.uniform(0, LONGEST_S))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), random.Random(sys.argv[3]), free="free" in sys.argv[4:])
