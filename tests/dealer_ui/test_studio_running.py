"""A studio in one process: from what devices say to the answers of the interface; full disks, errors, the end."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest
from patience import PATIENCE_S
from running_studio import API_KEY, PIT, TABLE, House, config, sign_up, threads
from threadpoolctl import threadpool_info, threadpool_limits

from dealer_ui.assembly import bootstrap
from dealer_ui.assembly.bootstrap import StudioParts, build_studio
from dealer_ui.assembly.device_parts import configured_parts
from dealer_ui.config.file import DeviceSection
from dealer_ui.floor.curtain import TAKEN_MS
from dealer_ui.process.clock import SteadyClock
from dealer_ui.worker.thread import TableWorker
from studio.errors import BadInputError, InvariantError, RefusedError
from studio.proof.audit.database import verify
from studio.tables import command as c


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path) as made:
        yield made


@contextlib.contextmanager
def broken_disk(house: House) -> Iterator[None]:
    """Every write fails, as on a disk that is gone."""
    connection = house.studio.store.connection
    connection.execute("PRAGMA query_only = ON")
    try:
        yield
    finally:
        connection.execute("PRAGMA query_only = OFF")


@contextlib.contextmanager
def full_disk(house: House) -> Iterator[None]:
    """SQLite may take no more pages: it says what it says on a full disk."""
    connection = house.studio.store.connection
    connection.execute("PRAGMA max_page_count = 1")  # as many as it has
    try:
        yield
    finally:
        connection.execute("PRAGMA max_page_count = 1000000")


def test_a_studio_leaves_the_cores_to_its_tables(tmp_path: Path) -> None:
    """Pictures and arrays are reckoned by the thread that asks: helpers of theirs spin where tables wait for a core."""
    with threadpool_limits(2, "blas"):
        cv2.setNumThreads(2)
        assert 2 in blas_threads()
        with House(tmp_path):
            assert (cv2.getNumThreads(), blas_threads()) == (1, {1})


def blas_threads() -> set[int]:
    return {one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"}


def test_a_round_is_played_paid_and_proved(house: House) -> None:
    house.betting()
    answer = house.bet("one", "two")
    assert [one["status"] for one in answer.json["answers"]] == ["accepted", "accepted"]
    house.do(c.CloseBetting)
    house.deal_all()
    house.finish()
    assert house.get("/bets/one").json["status"] == "posted"
    results = house.get(f"/tables/{TABLE}/results").json["results"]
    assert [one["voided"] for one in results] == [False]
    house.studio.stop()
    assert verify(house.database).ok


def test_while_the_disk_takes_nothing_the_table_is_held_and_nothing_acknowledged(house: House) -> None:
    house.betting()
    assert house.bet("before").json["answers"][0]["status"] == "accepted"
    with broken_disk(house):
        assert house.bet("during").status_code == 503
        assert house.view.now.held
        assert house.view.now.act.key == "act.disk"
        assert house.view.now.primary is None
        assert "player3" in house.floor.hidden_since(TABLE, house.floor.now_ms()), "cards may be laid meanwhile"
        state = house.get(f"/tables/{TABLE}").json
        assert (state["held"], state["window"]["open"]) == (True, False)
        assert [one["reason"] for one in house.bet("again").json["answers"]] == ["held"]
        with pytest.raises(RefusedError, match="Nothing was done, the table is held: The disk or the database failed"):
            house.do(c.CloseBetting)
        with pytest.raises(RefusedError, match="cannot write its record"):
            house.floor.staff.sign_in("9", "915374", house.floor.now_ms())
        assert house.post("/bettors/ann/deposits", {"client_id": "d2", "amount": 500}).status_code == 503
        house.draw("Ts")
    house.until(lambda view: view.now.frozen_by_name == "the system (the disk took nothing)")
    house.until(lambda view: view.shoe.cards_left == 52 - 5)
    house.do(c.ReleaseTable, PIT, reason_code="checked", words="the disk is back")
    assert "player3" not in house.floor.hidden_since(TABLE, house.floor.now_ms() + TAKEN_MS)
    assert house.get("/bets/before").json["status"] == "pending"
    assert house.get("/bets/during").status_code == 404
    house.studio.stop()
    assert verify(house.database).ok


def test_a_full_disk_holds_the_table_and_keeps_what_was_acknowledged(house: House) -> None:
    house.betting()
    accepted = []
    with full_disk(house):
        for number in range(10_000):
            answer = house.bet(*(f"{number}.{one}" for one in range(20)), stake=100)
            if answer.status_code != 200 or answer.json["answers"][0]["status"] != "accepted":
                break
            accepted.append(f"{number}.0")
        assert house.until(lambda view: view.now.held)
    house.until(lambda view: view.now.frozen_by_name == "the system (the disk took nothing)")
    assert all(house.get(f"/bets/{id}").json["status"] == "pending" for id in accepted)
    assert house.get(f"/bets/{len(accepted)}.0").status_code == 404
    house.studio.stop()
    assert verify(house.database).ok


def test_an_error_in_a_driver_freezes_the_table_and_the_device_goes_on(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dealer_ui.assembly.bootstrap.RETRY_S", 0.01)
    house.open()
    house.said["camera"].error = InvariantError("This always held.")
    view = house.until(lambda view: view.now.held)
    assert view.now.frozen_by_name == "the system (an error at camera)"
    assert view.now.pit_called_by
    house.lay("burn", 1)
    house.until(lambda view: any(place.camera == "down" for box in view.boxes for place in box.places))


def test_a_command_sent_twice_is_one_act(house: House) -> None:
    house.open()
    house.do(c.CallPit, id="tap-1")
    first = house.view.seq
    house.do(c.AnswerCall, PIT)
    house.do(c.CallPit, id="tap-1")
    assert not house.view.now.pit_called_by
    assert house.view.seq == first + 1


def test_a_table_can_be_looked_at_before_it_runs(tmp_path: Path) -> None:
    studio = build_studio(config(tmp_path), tmp_path / "studio.db", StudioParts(lambda *_: ()))
    try:
        assert studio.floor.view(TABLE).now.status == "closed"
        assert studio.floor.wait(TABLE, 0, 0) == 0
    finally:
        studio.stop()
    assert not {name for name in threads() if name.startswith(("writer", "table", "device"))}


def test_a_stopped_studio_answers_whoever_still_asks(tmp_path: Path) -> None:
    with House(tmp_path) as house:
        house.open()
    with pytest.raises(RefusedError, match="closing"):
        house.do(c.CallPit)
    assert house.floor.wait(TABLE, 10**9, 30) == house.view.seq


def test_a_live_screen_ends_at_once_when_the_studio_closes(house: House) -> None:
    answer = house.api.get(
        f"/api/v1/tables/{TABLE}/stream", headers={"Authorization": f"Bearer {API_KEY}"}, buffered=False
    )
    told = iter(answer.response)
    assert b"retry" in next(told)
    assert b"event: state" in next(told)
    rest: list[bytes] = []
    reading = threading.Thread(target=lambda: rest.extend(told))
    reading.start()
    house.studio.close_streams()
    reading.join(PATIENCE_S)
    assert not reading.is_alive()


def test_the_machines_clock_set_back_between_two_runs_does_not_set_the_record_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with House(tmp_path) as house:
        house.open()
        before = house.view.seq
    monkeypatch.setattr(
        "dealer_ui.assembly.bootstrap.SteadyClock", lambda floor_ms: SteadyClock(floor_ms, lambda: 10**18)
    )
    with House(tmp_path) as house:
        house.links()
        assert house.view.seq > before
        rows = [row.at_ms for row in house.floor.reader().events(table=TABLE)]
        assert rows == sorted(rows)


def test_a_database_in_use_is_not_opened_twice_and_its_devices_are_let_go(tmp_path: Path) -> None:
    let_go: list[int] = []
    with House(tmp_path), pytest.raises(BadInputError, match="Another studio is using it: stop that one"):
        build_studio(
            config(tmp_path), tmp_path / "studio.db", StudioParts(lambda *_: (), let_go=lambda: let_go.append(1))
        )
    assert let_go == [1]


def test_a_database_of_a_newer_version_is_not_touched(tmp_path: Path) -> None:
    with House(tmp_path):
        pass
    with contextlib.closing(sqlite3.connect(tmp_path / "studio.db")) as connection, connection:
        connection.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('studio', 'm999_later', '2040')"
        )
    before = (tmp_path / "studio.db").read_bytes()
    with pytest.raises(BadInputError, match="newer version of the studio: install that version"):
        House(tmp_path)
    assert (tmp_path / "studio.db").read_bytes() == before


def test_a_damaged_secret_of_the_pins_is_said_and_not_used(tmp_path: Path) -> None:
    (tmp_path / "studio.db.pepper").write_bytes(b"")
    with pytest.raises(BadInputError, match="The secret of the PINs is damaged"):
        House(tmp_path)


def test_a_live_screen_tells_of_a_broken_disk_which_the_journal_cannot(house: House) -> None:
    house.staff()
    house.open()
    client = house.api
    assert client.post("/sign-in", data={"badge": "1001", "pin": "4826"}).status_code == 303
    stream = iter(client.get(f"/stream/dealer/{TABLE}", buffered=False).response)
    said = next(one for one in stream if b"event: view" in one)
    assert b"The record takes" not in said
    with broken_disk(house):
        house.draw("Ts")
        house.until(lambda view: view.now.act.key == "act.disk")
        said = next(one for one in stream if b"event: view" in one and b"html" in one)
        assert "The record takes nothing" in said.decode()
    house.until(lambda view: bool(view.now.frozen_by))
    stream.close()


def test_a_table_whose_cables_are_missing_opens_held_until_they_are_there(tmp_path: Path) -> None:
    here = config(tmp_path)
    devices = (
        DeviceSection(id="shoe", driver="angel_eye", url="/dev/ttyNOSUCH7"),
        DeviceSection(id="shuffler", driver="generic", url="/dev/ttyNOSUCH8"),
    )
    table = here.tables[0].model_copy(update={"camera": ""})
    here = here.model_copy(update={"devices": devices, "tables": (table,)})
    studio = build_studio(here, tmp_path / "studio.db", configured_parts(here))
    studio.start()
    try:
        sign_up(studio.floor.staff)
        petra = PIT.with_pin(studio.floor.now_ms())
        studio.floor.command(TABLE, c.OpenTable(actor=petra, dealer="d1", dealer_name="Dana"))
        view = studio.floor.view(TABLE)
        assert view.now.held
        assert sorted(incident.where.device for incident in view.incidents.open) == ["shoe", "shuffler"]
    finally:
        studio.stop()


def test_what_runs_beside_the_studio_is_begun_again_when_it_fails_and_not_when_it_is_done(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dealer_ui.assembly.bootstrap.RETRY_S", 0.01)
    begun: list[int] = []
    done = threading.Event()

    def work(stopping: threading.Event) -> None:
        begun.append(len(begun))
        if len(begun) < 3:
            raise ValueError("not yet")
        done.set()

    house.studio.keep("something", work)
    assert done.wait(PATIENCE_S)
    house.studio.stop()
    assert begun == [0, 1, 2]


def test_a_studio_that_stops_waits_for_no_next_look_of_its_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap, "WRITES_S", 600.0)
    with House(tmp_path) as house:
        house.open()
        assert house.studio._writing is not None
    assert not house.studio._writing.is_alive()


def test_a_studio_of_many_tables_that_hang_stops_as_soon_as_one_of_few(tmp_path: Path) -> None:
    with House(tmp_path, beside=[f"t{number}" for number in range(2, 14)]) as house:
        answered, hanging = threading.Event(), list[threading.Thread]()
        begun = threading.Barrier(len(house.studio.workers) + 1)

        def waits_for_the_record() -> None:
            begun.wait(PATIENCE_S)
            answered.wait(PATIENCE_S)

        def asks(worker: TableWorker) -> None:
            with contextlib.suppress(TimeoutError):
                worker.ask(waits_for_the_record)

        for worker in house.studio.workers:
            hanging.append(threading.Thread(target=asks, args=(worker,), daemon=True))
            hanging[-1].start()
        begun.wait(PATIENCE_S)
        stopping = threading.Thread(target=house.studio.stop)
        stopping.start()
        stopping.join(15.0)  # one after another they had been given 26 seconds
        late = stopping.is_alive()
        answered.set()
        assert not late
        stopping.join()
        for one in hanging:
            one.join(PATIENCE_S)
