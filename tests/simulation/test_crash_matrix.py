"""`kill -9` at named places: no acknowledged row is lost, none stands twice, none lost its key, the round goes on."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import pytest
from aimed_fault import TAKING_FAULTS
from aimed_place import PLACES, Place
from aimed_work import (
    BEFORE,
    LEASED,
    RECORD,
    TOLD,
    WALLET_NIGHT,
    WITNESS,
    WRAPPINGS,
    YEAR,
    LeasedNight,
    NightOn,
    a_row,
    held,
    ran,
    record_of,
    wrapping,
)
from power_cut import NOT_THERE
from private_postgres import PostgresServer
from test_wallet_killed import wrong_after

from dealer_ui.rehearsal.night import NightOptions
from dealer_ui.rehearsal.person.punter import OPERATOR
from soak.books import what_is_wrong
from studio.care.event import entry_of
from studio.care.restore import restore
from studio.care.witness import ask_itself, ask_witness
from studio.cli.archive import command as archive_command
from studio.cli.verify import command as verify_command
from studio.errors import BadInputError
from studio.journal import LeaseLostError, Reader, Store, Unit, Writer
from studio.journal.keys.keyring import read_keys
from studio.journal.postgres.leases import PostgresLeases
from studio.journal.store import HOST
from studio.money import CARRIED_ACCOUNT
from studio.proof.audit.database import verify
from studio.tables.state.round import Stage

HERE: Final = Path(__file__).parent
KILLS: Final = 200
"""At least so many, over all places."""
A_PLACE_MAX: Final = 4
"""So many times at one place, at moments as far apart as they come."""
STEPS_MAX: Final = 20_000
_ANSWERED: Final = "the wallet has answered, nobody has read it"
_CLOSED: Final = "the year's end: the new record bears the name"
SEALED: Final = re.compile(r'"card":\["([0-9a-f]{16})"')
GAMES: Final = {"night": "three_knights", "boxes": "blackjack", "faults": "kkclash", "server": "three_knights"}
OF_THE_END: Final = {"YearClosed", "CheckpointSigned"}
"""What a year's end adds to the archive."""


class Killer:
    """The process whose children are killed."""

    def __init__(self, *before: str) -> None:
        """`before`: what is said before its command."""
        paths = [str(HERE.parents[1]), str(HERE.parent), str(HERE.parent / "studio")]
        self._process = subprocess.Popen(
            [*before, sys.executable, str(HERE / "aimed_kill.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        )  # fmt: skip

    def do(
        self, folder: Path, work: str, kill: str = "", number: int = 0, *, fault: str = "", address: str = ""
    ) -> dict[str, Any]:
        """How the work ended, or that it was killed there. `address`: of the server's database it works on."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        asked = {"folder": str(folder), "work": work, "kill": kill, "number": number}
        asked |= {"fault": fault, "address": address}
        self._process.stdin.write(f"{json.dumps(asked)}\n")
        self._process.stdin.flush()
        ended: dict[str, Any] = json.loads(self._process.stdout.readline())
        assert ended["signal"] in (0, signal.SIGKILL), ended
        assert ended["signal"] or ended["passed"], f"{work} failed by itself"
        return ended

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        assert self._process.wait() == 0


@pytest.fixture(scope="module")
def killer() -> Iterator[Killer]:
    made = Killer()
    yield made
    made.close()


AddressOf = Callable[[str], str]


@pytest.fixture(scope="module")
def address_of(request: pytest.FixtureRequest) -> AddressOf:
    """Where a work keeps its record, when it is a server's: a database in which nothing has happened."""

    def address(work: str) -> str:
        if work != "server":
            return ""
        postgres: PostgresServer = request.getfixturevalue("postgres")
        return postgres.address(postgres.new_database())

    return address


@pytest.fixture(scope="module")
def passed(killer: Killer, address_of: AddressOf, tmp_path_factory: pytest.TempPathFactory) -> dict[str, int]:
    """How often a work that is not killed comes by each place."""
    base = tmp_path_factory.mktemp("whole")
    found: dict[str, int] = {}
    for work in dict.fromkeys(place.work for place in PLACES):
        found |= killer.do(base / work, work, address=address_of(work))["passed"]
    return found


def spread(times: int, so_many: int) -> list[int]:
    """So many of the times, from the first to the last."""
    return sorted({1 + (times - 1) * at // max(so_many - 1, 1) for at in range(min(times, so_many))})


# --- what must hold ---------------------------------------------------------------------------------------


def check(folder: Path, work: str) -> None:
    """Everything that must hold of what a kill left, and of the studio that goes on from it."""
    if work in GAMES:
        check_night(folder, work)
        if work == "server":
            check_hold(folder)
    elif work == "year":
        check_year(folder)
    elif work == "backup":
        check_backup(folder)
    elif work == "rewrap":
        check_record(folder)
    elif work == "wallet":
        check_wallet(folder)
    else:
        check_migration(folder)


def check_record(folder: Path) -> int:
    """The record is sound, every bet that was acknowledged is in it once, and each sealed card has its key.

    Gives how many sealed cards there are.
    """
    assert list(what_is_wrong(record_of(folder), ())) == []
    with Reader.open(record_of(folder)) as reader:
        for one in acknowledged(folder):
            found = reader.bet_status(OPERATOR, one["client_id"])
            assert found is not None, f"{one} was acknowledged and is lost"
            assert (found.bet.bettor, found.bet.bet, found.bet.stake_minor) == (one["bettor"], one["bet"], one["stake"])
        sealed = sealed_in(reader)
    assert not sealed or any(sealed <= keys.keys() for keys in openings(folder, sealed)), (
        "the key of a card is gone whose row stands"
    )
    return len(sealed)


def acknowledged(folder: Path) -> list[dict[str, Any]]:
    told = folder / TOLD
    return [json.loads(line) for line in told.read_text().splitlines()] if told.exists() else []


def sealed_in(reader: Reader) -> set[str]:
    return {id for row in reader.events() for id in SEALED.findall(row.body.decode())}


def openings(folder: Path, sealed: set[str]) -> Iterator[dict[str, bytes]]:
    """What the key file gives, as it is opened without a wrapping key and with each of both."""
    for by in (None, *(wrapping(folder, name) for name in WRAPPINGS)):
        with suppress(BadInputError):
            yield read_keys(folder / f"{RECORD}.keys", sealed, by)


def check_night(folder: Path, work: str) -> None:
    """The table comes up again, its round ends, another is dealt, and the witness has been told no lie."""
    sealed = check_record(folder)
    with Reader.open(record_of(folder)) as reader:
        before = reader.head()
        assert ask_itself(reader) is None
    night = (LeasedNight if work == "server" else NightOn)(NightOptions(GAMES[work], seed=12), folder)
    number = night.state.round.number if night.state.round is not None else 0
    for _ in range(STEPS_MAX):
        night.step()
        night.desk.deliver()
        round = night.state.round
        if round is not None and round.number > number and round.stage is Stage.SETTLED:
            break
    else:
        pytest.fail(f"no round is settled any more: {night.view().now.act} {night.state.incidents.open}")
    night.desk.sign("hour")
    night.desk.deliver()
    assert night.desk.behind == ()
    night.close()
    assert check_record(folder) > sealed
    with Reader.open(record_of(folder)) as reader:
        assert ask_witness(reader, folder / WITNESS).first_wrong is None
        assert reader.head().seq > before.seq
        [(pots,)] = reader.read("SELECT count(*) FROM balance WHERE account LIKE 'escrow:%' AND amount <> 0", ())
    assert pots == 0, "money lies in a round that is over"


def check_hold(folder: Path) -> None:
    """Whoever takes the table has a newer hold of it, and what is written under the one before is kept no more."""
    leases = PostgresLeases(str(record_of(folder)), HOST)
    [before] = [look.lease for look in leases.look() if look.lease.table == LEASED]
    taken = leases.take(LEASED)
    leases.close()
    assert taken is not None
    assert taken.epoch > before.epoch, "whoever takes the table has no newer hold"
    with Store.open(record_of(folder), beside=folder / RECORD) as store, store.reader() as reader:
        writer, head = Writer(store), reader.head()
        try:
            writer.commit(Unit(entries=(entry_of(a_row(reader)),), lease=before))
        except LeaseLostError:
            told = True
        else:
            told = False
        assert reader.head() == head, "what is written under the hold before is kept"
        assert told, "whoever has lost the table is not told"
        writer.commit(Unit(entries=(entry_of(a_row(reader)),), lease=taken))
        assert reader.head().seq > head.seq
        writer.close()


def check_year(folder: Path) -> None:
    """One sound record bears the name, and the year can be closed, or has been: the archive has every row that there
    was before, and the new record every purse.
    """
    before = json.loads((folder / BEFORE).read_text())
    with Reader.open(folder / RECORD) as reader:
        closed = any(row.kind == "BooksOpened" for row in reader.events())
    if not closed:
        assert verify(folder / RECORD).ok
        same("the record that was not closed", before, held(folder / RECORD))
        shutil.rmtree(folder / "archive", ignore_errors=True)  # put away, as its sentence says
        (folder / f"{RECORD}.until-{YEAR}").unlink(missing_ok=True)
        ran(archive_command, folder / RECORD, YEAR, "--to", folder / "archive", "--by", "Mika")
    ran(verify_command, folder / RECORD, "--archive", folder / "archive" / f"studio-{YEAR}" / RECORD)
    ended = held(folder / "archive" / f"studio-{YEAR}" / RECORD)
    ended["journal"] = [one for one in ended["journal"] if one[0] not in OF_THE_END]
    same("the archive", before, ended)
    same("the new year", {"purses": before["purses"]}, {"purses": purses_of(folder)})


def purses_of(folder: Path) -> list[list[Any]]:
    """What lies in each account of the new year, but for the one it was carried through."""
    return [one for one in held(folder / RECORD)["purses"] if one[0] != CARRIED_ACCOUNT]


def same(what: str, before: dict[str, Any], after: dict[str, Any]) -> None:
    """Kind by kind and purse by purse what was there before the kill."""
    for name, rows in before.items():
        lost = [one for one in rows if one not in after[name]]
        more = [one for one in after[name] if one not in rows]
        assert lost == more == [], f"{what} has other {name}: {lost} before, {more} after"


def check_wallet(folder: Path) -> None:
    """No money is taken and not in play, none is in play and not taken, and what is owed is told once."""
    assert list(wrong_after(folder, WALLET_NIGHT, [])) == []


def check_backup(folder: Path) -> None:
    """Whatever bears the name of a backup is a whole one."""
    check_record(folder)
    for backup in (path for path in (folder / "backups").glob("studio-*") if path.suffix != ".part"):
        put_back = folder / "again" / RECORD
        assert restore(backup, put_back, folder / "apart" / backup.name) is not None
        assert verify(put_back).ok
        with Reader.open(put_back) as reader:
            sealed = sealed_in(reader)
        assert sealed <= read_keys(put_back.with_name(f"{RECORD}.keys"), sealed).keys()
        shutil.rmtree(put_back.parent)


def check_migration(folder: Path) -> None:
    """The next start brings it up to date, with every row, every bet and every purse it had."""
    Store.open(folder / RECORD).close()
    before = json.loads((folder / BEFORE).read_text())
    assert before["bets"]
    same("the record brought up to date", before, held(folder / RECORD))
    assert check_record(folder) > 0


# --- the matrix -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", [place for place in PLACES if place.quick], ids=lambda place: place.name)
def test_a_kill_loses_nothing_and_doubles_nothing(
    place: Place, killer: Killer, address_of: AddressOf, tmp_path: Path
) -> None:
    address = address_of(place.work)
    ended = killer.do(tmp_path / "killed", place.work, place.name, place.quick, address=address)
    assert ended["signal"] == signal.SIGKILL
    check(tmp_path / "killed", place.work)


@pytest.mark.night
@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.name)
def test_no_kill_there_loses_or_doubles_anything(
    place: Place, killer: Killer, address_of: AddressOf, passed: dict[str, int], tmp_path: Path
) -> None:
    assert passed[place.name], "nobody comes by there: name the place anew"
    for number in spread(passed[place.name], A_PLACE_MAX):
        folder = tmp_path / str(number)
        ended = killer.do(folder, place.work, place.name, number, address=address_of(place.work))
        assert ended["signal"] == signal.SIGKILL
        check(folder, place.work)
        shutil.rmtree(folder)


@pytest.mark.night
def test_two_hundred_kills_are_aimed(passed: dict[str, int]) -> None:
    assert sum(len(spread(passed[place.name], A_PLACE_MAX)) for place in PLACES) >= KILLS


@pytest.mark.night
@pytest.mark.skipif(shutil.which("strace") is None, reason=NOT_THERE)
@pytest.mark.parametrize(
    ("call", "number"),
    [
        *(("pwrite64", number) for number in (120, 200, 301, 402, 503, 604)),
        *(("fdatasync", number) for number in (10, 40, 70, 100, 130, 160)),
    ],
)
def test_no_kill_inside_a_commit_loses_or_doubles_anything(call: str, number: int, tmp_path: Path) -> None:
    """Where no line of Python is: before a page of the log is written, and before it is synced."""
    folder = tmp_path / "killed"
    of_log = ["-f", "-qq", "-o", os.devnull, "-P", str(folder / f"{RECORD}-wal")]
    killer = Killer("strace", *of_log, "-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={number}")
    assert killer.do(folder, "night")["signal"] == signal.SIGKILL
    killer.close()
    check(folder, "night")


@pytest.mark.parametrize(
    ("fault", "place", "numbers", "found"),
    [
        ("keys after the commit", "it is committed, nobody was told", range(40, 60), "the key of a card is gone"),
        ("told before the commit", "some of a group were told", (100,), "was acknowledged and is lost"),
        ("a server is not waited for", "a server's transaction is begun", (40,), "acknowledged and is lost"),
        ("a wallet is asked before it is written", _ANSWERED, (1, 5, 20), "the wallet itself gave"),
        (
            "a purse is carried elsewhere",
            _CLOSED,
            (1,),
            "in bettor:north:ann, which is not carried",
        ),
        ("a year forgets a row", _CLOSED, (1,), "archive has other journal"),
        ("a migration forgets a purse", "a step is noted", (6,), "brought up to date has other purses"),
    ],
)
def test_a_mistake_that_is_planted_there_is_found(
    fault: str, place: str, numbers: Sequence[int], found: str, killer: Killer, address_of: AddressOf, tmp_path: Path
) -> None:
    work = next(one.work for one in PLACES if one.name == place)
    for number in numbers:
        folder = tmp_path / str(number)
        ended = killer.do(folder, work, place, number, fault=fault, address=address_of(work))
        assert ended["signal"] == signal.SIGKILL
        told = said_by_check(folder, work)
        if told:
            break
    assert found in told


@pytest.mark.parametrize(
    ("fault", "found"),
    [
        ("an epoch comes again", "no newer hold"),
        ("an older hold writes", "under the hold before is kept"),
        ("a lost hold is not told", "is not told"),
    ],
)
def test_a_mistake_of_whoever_takes_a_killed_hosts_table_is_found(
    fault: str, found: str, killer: Killer, address_of: AddressOf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, folder = "the hold of a table is asked inside a commit", tmp_path / "killed"
    assert killer.do(folder, "server", place, 60, address=address_of("server"))["signal"] == signal.SIGKILL
    with monkeypatch.context() as planted:
        TAKING_FAULTS[fault](planted)
        with pytest.raises(AssertionError, match=found):
            check_hold(folder)
    check_hold(folder)


def said_by_check(folder: Path, work: str) -> str:
    try:
        if work in GAMES:
            check_record(folder)
        else:
            check(folder, work)
    except AssertionError as error:
        return str(error)
    return ""


def test_a_place_that_is_no_more_is_told() -> None:
    with pytest.raises(AssertionError, match="name the place anew"):
        assert Place("gone", "night", "studio.journal.writer:Writer.drain", "no such line").number
