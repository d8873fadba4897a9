"""The desk of checkpoints: signed on time, told to witnesses that may fail, owed over a restart, never lost."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import ClassVar

import pytest
from console_visitor import Visitor, app_over
from fake_floor import IDLE, STAFF, FakeFloor
from patience import wait_until
from running_studio import PIT, House

from dealer_ui.care.caretaker import Caretaker, checkpoint_duty
from dealer_ui.care.checkpoint_desk import KINDS, CheckpointDesk
from dealer_ui.care.witness import FileWitness, UrlWitness, Witness, WitnessError, reachable, witnesses
from dealer_ui.desk.alarm import acknowledge
from dealer_ui.floor.cause import WITNESS_LATE_MS
from dealer_ui.floor.watch import PitWatch
from studio.care.checkpoint import read_line
from studio.care.signing import Signer
from studio.care.witness import ask_witness
from studio.errors import RefusedError, StorageError
from studio.journal import Store, Unit, Writer

HOUR_MS = 3_600_000


@dataclass
class Deaf:
    """A witness that hears nothing until it is told to listen."""

    name: str = "deaf"
    listening: bool = False
    tries: int = 0
    told: list[str] = field(default_factory=list)

    def tell(self, line: str) -> None:
        self.tries += 1
        if not self.listening:
            raise WitnessError("The witness cannot be reached: nobody answers.")
        self.told.append(line)


class Office:
    """A desk on a database, with a clock that stands still until it is moved."""

    def __init__(self, path: Path, *asked: Witness) -> None:
        self.store = Store.open(path)
        self.writer = Writer(self.store)
        self.now = 1_000_000
        self.full = False
        reader = self.store.reader()
        self.held = reader
        self.desk = CheckpointDesk(
            self.commit, lambda: reader, lambda: self.now, signer=Signer.of(bytes(32)), witnesses=asked, studio="North"
        )
        self.desk.restore(reader.events(kinds=KINDS))
        self.duty = checkpoint_duty(self.desk, HOUR_MS)

    def commit(self, unit: Unit) -> int:
        if self.full:
            raise StorageError("The disk is full.")
        return self.writer.commit(unit).last_seq

    def close(self) -> None:
        self.held.close()
        self.writer.close()
        self.store.close()


@pytest.fixture
def deaf() -> Deaf:
    return Deaf()


@pytest.fixture
def office(tmp_path: Path, deaf: Deaf) -> Iterator[Office]:
    found = Office(tmp_path / "studio.db", deaf)
    yield found
    found.close()


def test_a_checkpoint_is_signed_at_the_start_each_hour_and_at_the_end_of_a_shift(office: Office, deaf: Deaf) -> None:
    deaf.listening = True
    office.duty()
    office.now += HOUR_MS - 1
    office.duty()
    office.desk.sign("shift")
    office.now += HOUR_MS
    office.duty()
    assert [read_line(line).why for line in deaf.told] == ["start", "shift", "hour"]
    assert [read_line(line).number for line in deaf.told] == [1, 2, 3]


def test_a_deaf_witness_is_asked_less_and_less_often_and_gets_all_in_the_end(office: Office, deaf: Deaf) -> None:
    office.duty()
    for _ in range(20):
        office.now += 1_000
        office.duty()
    assert deaf.tries == 3  # at once, after 5 s, after 10 s more
    office.desk.sign("asked")
    [behind] = office.desk.behind
    assert (behind.waiting, behind.since_ms) == (2, 1_000_000)
    assert "nobody answers" in behind.why
    deaf.listening = True
    office.now += 600_000
    office.duty()
    assert ([read_line(line).number for line in deaf.told], office.desk.behind) == ([1, 2], ())
    [standing] = office.desk.standings
    assert (standing.taken, standing.waiting, standing.taken_at_ms) == (2, 0, office.now)


def test_a_witness_that_refuses_for_a_minute_is_an_alarm_in_the_pit_until_it_has_taken_all(
    office: Office, deaf: Deaf
) -> None:
    deaf.name = "https://witness.example/north?key=secret"
    desk = CheckpointDesk(office.commit, lambda: office.held, lambda: office.now, signer=Signer.of(bytes(32)),
                          witnesses=(deaf,))  # fmt: skip
    floor = FakeFloor(IDLE)
    floor.checkpoints = desk  # type: ignore[assignment]
    watch = PitWatch(floor)  # type: ignore[arg-type]

    def pass_ms(ms: int) -> list[str]:
        office.now += ms
        floor.clock_ms = office.now
        desk.deliver()
        watch.step()
        return [alarm.word for alarm in floor.pit.book.alarms.values()]

    desk.sign("start")
    assert pass_ms(0) == []
    assert pass_ms(WITNESS_LATE_MS - 1) == [], "it is only asked again"
    assert pass_ms(1) == ["witness"]
    page = Visitor(app_over(floor), "paul").page("/pit")
    assert "A witness takes no checkpoints: witness.example" in page
    assert "secret" not in page
    assert "secret" not in str(floor.kept[-1])
    assert acknowledge(floor.pit, STAFF["paul"], "A-1")
    assert pass_ms(1) == ["witness"], "acknowledged is not cleared"
    deaf.listening = True
    assert pass_ms(600_000) == []


def test_what_a_witness_never_took_is_owed_after_a_restart(office: Office, deaf: Deaf, tmp_path: Path) -> None:
    office.duty()
    office.close()
    deaf.listening = True
    again = Office(tmp_path / "studio.db", deaf)
    again.desk.deliver()
    again.desk.deliver()
    assert [read_line(line).number for line in deaf.told] == [1]
    again.close()
    third = Office(tmp_path / "studio.db", deaf)
    assert third.desk.standings[0].waiting == 0
    assert third.desk.sign("asked").number == 2
    third.close()
    office.store = Store.open(tmp_path / "studio.db")


def test_a_full_disk_signs_nothing_and_tells_nobody(office: Office, deaf: Deaf) -> None:
    office.full = deaf.listening = True
    with pytest.raises(RefusedError, match="cannot write its record"):
        office.desk.sign("asked")
    assert (office.desk.last, deaf.told) == (None, [])
    office.full = False
    office.desk.sign("asked")
    office.full = True
    office.desk.deliver()  # taken, but that it was cannot be written: it is told again later
    office.full = False
    office.now += 600_000
    office.desk.deliver()
    assert [read_line(line).number for line in deaf.told] == [1, 1]


def test_one_duty_that_fails_stops_no_other() -> None:
    done: list[str] = []

    def fails() -> None:
        raise OSError("no such disk")

    care = Caretaker({"fails": fails})
    care.add("works", lambda: done.append("once"))
    care.step()
    care.step()
    assert done == ["once", "once"]


# --- the witnesses themselves ------------------------------------------------------------------------------


def test_a_file_is_only_added_to_and_a_torn_line_ends_first(tmp_path: Path) -> None:
    witness = FileWitness(tmp_path / "witness")
    witness.tell('{"a": 1}')
    with witness.path.open("a") as file:
        file.write('{"torn')
    witness.tell('{"b": 2}')
    assert witness.path.read_text() == '{"a": 1}\n{"torn\n{"b": 2}\n'
    assert reachable(witness) == ""


def test_a_file_that_cannot_be_written_says_why(tmp_path: Path) -> None:
    nowhere = FileWitness(tmp_path / "no" / "witness")
    with pytest.raises(WitnessError, match="cannot be opened: No such file"):
        nowhere.tell("{}")
    assert "Nothing can be written" in reachable(nowhere)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device here")
def test_a_full_disk_of_the_witness_is_told() -> None:
    with pytest.raises(WitnessError, match="does not take it: No space left"):
        FileWitness(Path("/dev/full")).tell("{}")


class _Takes(BaseHTTPRequestHandler):
    answers: ClassVar[list[int]] = []
    heard: ClassVar[list[bytes]] = []

    def do_POST(self) -> None:
        self.heard.append(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(self.answers.pop(0))
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


def test_an_address_takes_a_line_by_post_or_says_why_not() -> None:
    _Takes.answers, _Takes.heard = [200, 500, 422], []
    with HTTPServer(("127.0.0.1", 0), _Takes) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        witness = UrlWitness(f"http://127.0.0.1:{server.server_port}/checkpoints")
        witness.tell('{"a": 1}')
        with pytest.raises(WitnessError, match="answered 500"):
            witness.tell("{}")
        assert reachable(witness) == ""
        server.shutdown()
        thread.join()
    assert _Takes.heard[0] == b'{"a": 1}'
    with pytest.raises(WitnessError, match="cannot be reached"):
        witness.tell("{}")
    assert "cannot be reached" in reachable(witness)


def test_a_configuration_names_none_one_or_both() -> None:
    assert witnesses("", "") == ()
    assert [one.name for one in witnesses("w", "https://w.example/")] == ["w", "https://w.example/"]


def test_a_running_studio_signs_by_itself_and_its_key_is_its_own(tmp_path: Path) -> None:
    with House(tmp_path) as house:
        desk = house.floor.checkpoints
        assert desk is not None
        wait_until(lambda: desk.last is not None)
        house.floor.shifts.open(PIT)
        house.floor.shifts.close(replace(PIT, pin_at_ms=house.floor.now_ms()), "All is well.", ())
        signed = desk.last
        assert signed is not None
        FileWitness(tmp_path / "witness").tell(
            json.dumps({"format": "studio-checkpoint", "version": 1, **_plain(signed)})
        )
        found = ask_witness(house.floor.reader(), tmp_path / "witness", frozenset({desk.public_key}))
        assert (found.first_wrong, signed.number, signed.why) == (None, 2, "shift")
    assert (tmp_path / "studio.db.signing").stat().st_mode & 0o777 == 0o600


def _plain(signed: object) -> dict[str, object]:
    return {name: getattr(signed, name) for name in signed.__struct_fields__}  # type: ignore[attr-defined]
