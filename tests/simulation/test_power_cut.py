"""The power goes at any call: nothing acknowledged is lost, nothing stands twice, no row has lost its key."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

import pytest
from power_cut import NOT_THERE, Disk, read_calls, watched

sys.path.insert(0, str(Path(__file__).parents[1] / "dealer_ui"))
import studio_process
from studio_process import StudioProcess
from test_kill_running_table import TABLE, Bettor, check_money

from studio.journal import Reader, Store
from studio.journal.keys.keyring import read_keys
from studio.proof.audit.database import verify

pytestmark = pytest.mark.skipif(shutil.which("strace") is None, reason=NOT_THERE)

RECORD: Final = "studio.db"
FILES: Final = tuple(
    RECORD + end for end in ("", "-wal", "-journal", ".keys", ".keys.part", ".pepper", ".pepper.part", ".signing",
                             ".signing.part")
)  # fmt: skip
SEALED: Final = re.compile(r'"card":\["([0-9a-f]{16})"')
"""How a card that nobody may see stands in a row: its id first."""

# --- the disk itself --------------------------------------------------------------------------------------

PROGRAM: Final = """
import os, sys
file = os.open(sys.argv[1] + "/told", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
os.write(file, b"one ")
os.fsync(file)
os.write(file, b"two ")
part = os.open(sys.argv[1] + "/told.part", os.O_WRONLY | os.O_CREAT)
os.write(part, b"anew")
os.fsync(part)
os.rename(sys.argv[1] + "/told.part", sys.argv[1] + "/told")
"""
SYNC_FOLDER: Final = "os.fsync(os.open(sys.argv[1], os.O_RDONLY))"


@pytest.fixture
def played(tmp_path: Path) -> Callable[[str], list[Disk]]:
    def play(program: str) -> list[Disk]:
        """The disk after the last call of a program that writes into a folder."""
        folder, trace = tmp_path / "held", tmp_path / "trace"
        folder.mkdir()
        names = ["told", "told.part"]
        command = [*watched(trace, folder, names), sys.executable, "-c", program, str(folder)]
        subprocess.run(command, check=True)
        disk = Disk(folder)
        for call in read_calls(trace):
            disk.take(call)
        assert disk.killed() == {path.name: path.read_bytes() for path in folder.iterdir()}
        return [disk]

    return play


def test_a_disk_keeps_what_was_synced_and_may_lose_the_rest(played: Callable[[str], list[Disk]]) -> None:
    [disk] = played(PROGRAM)
    assert disk.cut() == {"told": b"one ", "told.part": b"anew"}, "the exchange of names was not synced"
    found = {torn.get("told", b"") for torn in (disk.torn(Random(seed)) for seed in range(50))}
    assert {b"one ", b"anew"} <= found <= {b"one ", b"one two ", b"anew"}


def test_a_folder_that_was_synced_keeps_its_names(played: Callable[[str], list[Disk]]) -> None:
    [disk] = played(PROGRAM + SYNC_FOLDER)
    assert disk.cut() == {"told": b"anew"}


# --- the studio -------------------------------------------------------------------------------------------


@dataclass
class Heard(Bettor):
    """A bettor who knows when he was told what he was told."""

    def __post_init__(self) -> None:
        self.at_s: dict[str, float] = {}

    def _act(self, studio: StudioProcess, over: threading.Event) -> None:
        super()._act(studio, over)
        now = time.time()  # noqa: TID251 - held against the times of the calls
        for client_id in self.acknowledged.keys() - self.at_s.keys():
            self.at_s[client_id] = now

    def until(self, at_s: float) -> Bettor:
        """The same bettor, as he was before that moment: what was not acknowledged then may stand or not."""
        before = Bettor()
        before.acknowledged = {id: bet for id, bet in self.acknowledged.items() if self.at_s[id] < at_s}
        before.unheard = self.unheard | (self.acknowledged.keys() - before.acknowledged.keys())
        return before


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Heard]:
    """A studio that took bets and settled rounds while every call on its record was written down."""
    base = tmp_path_factory.mktemp("evening")
    folder, bettor, over = base / "studio", Heard(), threading.Event()
    folder.mkdir()
    command = [*watched(base / "trace", folder, FILES), *studio_process.COMMAND]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(studio_process, "COMMAND", command)
        with StudioProcess.demo(folder / RECORD, "--auto", "--speed", "20") as studio:
            betting = threading.Thread(target=bettor.run, args=(studio, over))
            betting.start()
            studio.once(TABLE, lambda state: bool(state["round"]) and state["round"]["number"] >= 3)
            over.set()
            betting.join()
            subprocess.run(["pkill", "-TERM", "-P", str(studio.process.pid)], check=True)
            studio.process.wait()
    return base, bettor


def moments(base: Path, so_many: int, chance: Random, since_s: float = 0.0) -> Iterator[tuple[float, Disk]]:
    """The disk as it stood at so many calls since a moment, drawn by chance: most of them beside a sync, where it is
    decided.
    """
    calls = list(read_calls(base / "trace"))
    since = next(number for number, call in enumerate(calls) if call.at_s > since_s)
    syncs = [number for number, call in enumerate(calls) if call.name.endswith("sync") and number >= since]
    near = [number + chance.choice((0, 1)) for number in chance.sample(syncs, min(len(syncs), so_many * 3 // 4))]
    chosen = {*near, *chance.sample(range(since, len(calls)), so_many - len(near))}
    disk = Disk(base / "studio")
    for number, call in enumerate(calls):
        if number in chosen:
            yield call.at_s, disk
        disk.take(call)


def laid_out(folder: Path, held: dict[str, bytes]) -> Path:
    folder.mkdir()
    for name, data in held.items():
        (folder / name).write_bytes(data)
    return folder / RECORD


def check(database: Path, bettor: Bettor) -> int:
    """Everything that holds of a record after a kill, and the key of every sealed card that stands in it."""
    check_money(database, bettor)
    with Reader.open(database) as reader:
        sealed = {id for row in reader.events() for id in SEALED.findall(row.body.decode())}
    keys = read_keys(database.with_name(f"{database.name}.keys"), sealed)
    assert sealed <= keys.keys(), "the key of a card is gone whose row stands"
    return len(sealed)


FIRST_CALLS: Final = 60
"""In so many the record has been made."""
WAYS: Final = ("killed", "cut", "torn")


def left(disk: Disk, way: str, chance: Random) -> dict[str, bytes]:
    match way:
        case "killed":
            return disk.killed()
        case "cut":
            return disk.cut()
        case _:
            return disk.torn(chance)


@pytest.mark.night
def test_the_power_goes_at_any_call(evening: tuple[Path, Heard], tmp_path: Path) -> None:
    base, bettor = evening
    chance, sealed, told = Random(200), 0, 0
    for number, (at_s, disk) in enumerate(moments(base, 200, chance, min(bettor.at_s.values()))):
        before = bettor.until(at_s)
        for way in WAYS:
            database = laid_out(tmp_path / f"{number}-{way}", left(disk, way, chance))
            sealed = max(sealed, check(database, before))
            shutil.rmtree(database.parent)
        told = max(told, len(before.acknowledged))
    assert sealed > 4
    assert told > 10


@pytest.mark.night
def test_a_first_start_that_was_cut_off_is_made_good_by_the_next(evening: tuple[Path, Heard], tmp_path: Path) -> None:
    base, _ = evening
    disk, chance = Disk(base / "studio"), Random(3)
    for number, call in enumerate(islice(read_calls(base / "trace"), FIRST_CALLS)):
        disk.take(call)
        for way in WAYS:
            database = laid_out(tmp_path / f"{number}-{way}", left(disk, way, chance))
            with Store.open(database):
                assert verify(database).ok, (number, way)
            shutil.rmtree(database.parent)


@pytest.mark.night
def test_a_studio_comes_up_on_what_the_disk_kept(evening: tuple[Path, Heard], tmp_path: Path) -> None:
    base, bettor = evening
    chance = Random(7)
    [(at_s, disk)] = moments(base, 1, chance, min(bettor.at_s.values()))
    database = laid_out(tmp_path / "left", disk.torn(chance))
    with StudioProcess.demo(database) as studio:
        studio.table(TABLE)
    check(database, bettor.until(at_s))
