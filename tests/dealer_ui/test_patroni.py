"""Patroni really runs: the leader's machine goes, the other is promoted, tables hold and go on over one address."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from nats_server import NatsServer, needs_nats
from patience import wait_until
from patroni_pair import PatroniPair, why_not
from running_studio import API_KEY, PIT
from wire_house import WireHouse

from studio.errors import RefusedError, StorageError
from studio.journal.chain import check
from studio.tables import command as c

pytestmark = [needs_nats, pytest.mark.long]
NORTH = {"Authorization": f"Bearer {API_KEY}"}


@pytest.fixture
def pair() -> Iterator[PatroniPair]:
    if sentence := why_not():
        pytest.skip(sentence)
    folder = Path(tempfile.mkdtemp(prefix="studio-pg-", dir="/dev/shm" if Path("/dev/shm").is_dir() else "/tmp"))
    try:
        folder.chmod(0o711)
        with closing(PatroniPair(folder)) as made:
            yield made
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def deposit(house: WireHouse, id: str) -> int:
    body = {"client_id": id, "amount": 100}
    return house.api.post("/api/v1/bettors/ann/deposits", json=body, headers=NORTH).status_code


def balance(house: WireHouse) -> int | None:
    """What Ann has, or None while no line to the promoted server is there to read over."""
    try:
        return house.hosts["b"].floor.reader().balance("bettor:north:ann")
    except StorageError:
        return None


def is_done(house: WireHouse, command: type[c.Command]) -> bool:
    try:
        house.do("t3", command, PIT)
    except (RefusedError, TimeoutError):
        return False
    return True


def test_patroni_promotes_the_standby_and_tables_go_on_by_themselves(pair: PatroniPair, tmp_path: Path) -> None:
    with NatsServer(tmp_path) as nats, WireHouse(tmp_path, nats, postgres=pair.address) as house:
        house.open("t3")
        assert [deposit(house, id) for id in ("d1", "d2", "d3")] == [200] * 3
        gone = pair.leader
        pair.kill(gone)
        with pytest.raises((RefusedError, TimeoutError)):
            house.do("t3", c.PauseTable, PIT)
        assert deposit(house, "d4") != 200
        wait_until(lambda: house.at_host("t3").now.act.key == "act.disk")
        wait_until(lambda: pair.leader not in ("", gone), 0.2)
        wait_until(lambda: deposit(house, "d4") == 200)
        wait_until(lambda: not house.at_host("t3").now.held)
        assert house.at_host("t3").now.frozen_by == ""
        wait_until(lambda: is_done(house, c.FreezeTable))
        wait_until(lambda: balance(house) == 400)
        pair.start(gone)  # its machine is there again, and follows
        wait_until(lambda: pair.role(gone) in ("replica", "sync_standby"), 0.2)
        assert check(pair.address) is None
