"""Measures what grows with the rounds that are kept: a small record beside one ten times as long, in one run.

By hand, with other lengths: `python -m bench.kept 10000 100000`.
"""

from __future__ import annotations

import secrets
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Final

from flask.testing import FlaskClient

from bench.figure import Figure
from bench.kept_record import GAME, make
from bench.serving_studio import API_KEY, PIT_BADGE, PIT_PIN, TABLE, spoken_studio
from bench.table import DEALER, PIT
from dealer_ui.assembly.bootstrap import Studio
from dealer_ui.care.snapshot_shelf import SnapshotShelf
from studio.care.signing import signer_beside
from studio.errors import RefusedError
from studio.journal import Reader
from studio.people import Pin
from studio.people.staffing import NewStaff
from studio.proof.audit.database import verify
from studio.tables import command as c

FEW: Final = 300
TIMES: Final = 10
TURNS: Final = 25
DAY: Final = "2026-01-02"
"""A day of 4,320 rounds, where so many are kept."""
_REPORTS: Final = {
    "the close of a day": f"closing?day={DAY}",
    "the table report of a day": f"table?day={DAY}",
    "the returns of a day": f"returns?day={DAY}",
}
_VERIFIED: Final = "the whole record verified"
GROWS: Final = (*_REPORTS, _VERIFIED)
"""What may: it reads every row, or all since that day."""


def measure(few: int = FEW, many: int = FEW * TIMES, turns: int = TURNS) -> Sequence[Figure]:
    short, long = _measured(few, turns), _measured(many, turns)
    return [
        Figure(
            name=f"{what}, {many:,} rounds kept", value=long[what], unit="ms", raw=short[what],
            raw_name=f"{few:,} kept", target="may grow" if what in GROWS else "",
        )
        for what in long
    ]  # fmt: skip


def _measured(rounds: int, turns: int) -> Mapping[str, float]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make(folder / "studio.db", rounds)
        found = measured_in(folder, rounds, turns)
        began = time.perf_counter()
        assert verify(folder / "studio.db").ok
        return {**found, _VERIFIED: (time.perf_counter() - began) * 1e3}


def measured_in(folder: Path, rounds: int, turns: int) -> Mapping[str, float]:
    """What a studio costs, in ms, that works on the record in `folder`; it writes a few rows to it."""
    _snapshots_taken(folder)
    began = time.perf_counter()
    studio = spoken_studio(folder, GAME)
    try:
        studio.start()
        return {"a studio comes up": (time.perf_counter() - began) * 1e3, **_at_work(studio, rounds, turns)}
    finally:
        studio.stop()


def _snapshots_taken(folder: Path) -> None:
    """What a studio keeps beside its work, so that its next start folds the newest rows alone."""
    studio = spoken_studio(folder, GAME)
    studio.start()
    studio.stop()
    database = folder / "studio.db"
    shelf = SnapshotShelf(database, signer_beside(database, secrets.token_bytes))
    with Reader.open(database) as reader:
        while shelf.advance(reader, studio.config.table_config(studio.config.tables[0])):
            pass


def _at_work(studio: Studio, rounds: int, turns: int) -> Mapping[str, float]:
    with suppress(ValueError, RefusedError):  # who opened the table may be known to the house already
        studio.floor.staff.add(NewStaff("p1", PIT_BADGE, "Petra", ("pit_boss",), Pin(PIT_PIN)))
    worker, pit, operator = studio.workers[0], studio.app.test_client(), studio.app.test_client()
    assert pit.post("/sign-in", data={"badge": PIT_BADGE, "pin": PIT_PIN}).status_code == 303
    key = {"Authorization": f"Bearer {API_KEY}"}
    acts = iter(range(turns))

    def act() -> None:
        number = next(acts)
        command = (c.CallPit, c.AnswerCall)[number % 2](actor=(DEALER, PIT)[number % 2])
        worker.ask(lambda: worker.runtime.handle(command, studio.clock.now_ms()))

    def page(client: FlaskClient, address: str, headers: Mapping[str, str] | None = None) -> Callable[[], None]:
        def look() -> None:
            answer = client.get(address, headers=headers)
            assert answer.status_code == 200, (address, answer.get_data(as_text=True)[:300])

        return look

    half = f"{TABLE}-{rounds // 2:07d}"
    looks = {
        "an act of the pit": act,
        "the pit's screen of a table": page(pit, f"/pit/{TABLE}"),
        "a round of long ago": page(pit, f"/pit/{TABLE}/round/{half}"),
        "what was done in a round, looked for": page(pit, f"/audit?round={half}"),
        "a bettor's newest bets": page(operator, "/api/v1/bettors/b7/bets", key),
        "a page of the rounds an operator reads": page(operator, "/api/v1/rounds", key),
        "a page of the movements an operator reads": page(operator, "/api/v1/movements", key),
        "a bettor's movements": page(operator, "/api/v1/movements?bettor=b7", key),
        "a bettor's record": page(operator, "/api/v1/bettors/b7/record", key),
        "a table's newest results": page(operator, f"/api/v1/tables/{TABLE}/results", key),
        "an operator's statement of a day": page(operator, f"/api/v1/statements/{DAY}", key),
    }
    reports = {what: page(pit, f"/reports/{address}") for what, address in _REPORTS.items()}  # kept once they are made
    return {what: _median_ms(look, turns) for what, look in looks.items()} | {
        what: _median_ms(look, 1) for what, look in reports.items()
    }


def _median_ms(look: Callable[[], None], turns: int) -> float:
    taken = []
    for _ in range(turns):
        began = time.perf_counter()
        look()
        taken.append((time.perf_counter() - began) * 1e3)
    return median(taken)


if __name__ == "__main__":
    for figure in measure(int(sys.argv[1]), int(sys.argv[2])):
        print(f"{figure.name}: {figure.value:,.2f} {figure.unit}, {figure.raw:,.2f} with {figure.raw_name}")
