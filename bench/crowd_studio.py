"""A table for a bench's crowd, in a process of its own: `python -m bench.crowd_studio …`.

The process gives every bettor a purse, opens the bets and prints its port. Then it deals on by lines of its input:
`next` closes the window and opens the one after, `finish` declares the result once the last is closed and pays. Each
is answered by a line of JSON when it is done. The windows stand open longer than the rules have it: how long the crowd
takes is measured, and on a slow machine it would else be refused.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any, Final

import msgspec

from bench.crowd import PURSE_MINOR, Crowd
from bench.serving_studio import BADGE, PIN, TABLE, hands_at, spoken_studio
from bench.table import DEALER, Hands, deposit_all
from dealer_ui.assembly.bootstrap import Studio
from dealer_ui.rehearsal.demo.staff import give_papers
from dealer_ui.serving.server import Server
from studio.games import ultimate_holdem
from studio.people import Pin
from studio.people.staffing import NewStaff
from studio.tables import command as c

OPEN_S: Final = 600


class CrowdedTable:
    """The process from outside."""

    def __init__(self, process: Popen[str]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process, self._say, self._hear = process, process.stdin, process.stdout
        self.port = int(self._hear.readline())

    def do(self, word: str) -> dict[str, Any]:
        self._say.write(f"{word}\n")
        self._say.flush()
        said: dict[str, Any] = msgspec.json.decode(self._hear.readline())
        return said

    def processor_s(self) -> float:
        """Processor time it has used so far, all its threads together."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory_mib(self) -> float:
        """The most it ever held."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) / 1024


@contextmanager
def crowded_table(folder: Path, bettors: int) -> Iterator[CrowdedTable]:
    command = [sys.executable, "-m", "bench.crowd_studio", str(folder), str(bettors)]
    with Popen(command, stdin=PIPE, stdout=PIPE, text=True) as process:
        try:
            yield CrowdedTable(process)
        finally:
            process.terminate()


def main(folder: str, bettors: str) -> None:
    ultimate_holdem.WINDOW_S = OPEN_S  # type: ignore[misc]
    studio = spoken_studio(Path(folder), "ultimate_holdem", OPEN_S)
    place = studio.config.server
    server = Server(studio.app, place.host, place.port, place.threads, studio.close_streams)
    try:
        studio.start()
        studio.floor.staff.add(NewStaff(DEALER.id, BADGE, DEALER.name, ("dealer",), Pin(PIN)))
        give_papers(studio.floor.staff, DEALER.id)
        crowd = Crowd(int(bettors))
        deposit_all(studio.floor.commit, [crowd.name(at) for at in range(crowd.bettors)], PURSE_MINOR)
        hands = hands_at(studio)
        hands.open()
        hands.start_round()
        print(place.port, flush=True)
        threading.Thread(target=_obey, args=(studio, hands), daemon=True).start()
        server.run()
    finally:
        server.stop()
        studio.stop()


def _obey(studio: Studio, hands: Hands) -> None:
    worker = studio.workers[0]
    with sys.stdout:  # whoever waits for an answer that does not come hears that none will
        for word in sys.stdin:
            began = time.perf_counter()
            if word.strip() == "next":
                said: dict[str, Any] = {"open": hands.next_window()}
            else:
                worker.ask(lambda: worker.runtime.handle(c.DeclareResult(actor=DEALER), studio.clock.now_ms()))
                said = {"seconds": _paid_s(studio, began)}
            print(msgspec.json.encode(said | {"seconds": time.perf_counter() - began}).decode(), flush=True)


def _paid_s(studio: Studio, began: float) -> float:
    while (view := studio.floor.view(TABLE)).round.stage != "settled":
        studio.floor.wait(TABLE, view.seq, 0.1)
    return time.perf_counter() - began


if __name__ == "__main__":
    main(*sys.argv[1:])
