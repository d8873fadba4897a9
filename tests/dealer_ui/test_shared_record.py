"""Table hosts and web nodes of one studio over one record in PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from nats_server import NatsServer, needs_nats
from patience import wait_until
from private_postgres import PostgresServer
from running_studio import API_KEY, PIT
from wire_house import DESK, WireHouse, config, no_devices

from dealer_ui.assembly.bootstrap import Studio, StudioParts, build_studio
from dealer_ui.assembly.web_node import build_web_node
from studio.errors import BadInputError
from studio.journal.chain import check

pytestmark = needs_nats


@pytest.fixture
def nats(tmp_path: Path) -> Iterator[NatsServer]:
    with NatsServer(tmp_path) as server:
        yield server


@pytest.fixture
def house(tmp_path: Path, nats: NatsServer, postgres_address: str) -> Iterator[WireHouse]:
    with WireHouse(tmp_path, nats, postgres=postgres_address) as made:
        yield made


def built(folder: Path, nats: NatsServer, name: str, address: str) -> Studio:
    own = config(folder, nats, name, postgres=address)
    return build_studio(own, Path(own.studio.database), StudioParts(no_devices, quick_pins=True))


def test_purses_and_staff_are_of_all_hosts(house: WireHouse, postgres_address: str) -> None:
    far = house.hosts["b"].app.test_client()
    authorised = {"Authorization": f"Bearer {API_KEY}"}
    deposit = {"client_id": "d1", "amount": 10_000}
    for client in (far, house.api):  # sent again at a web node it is the same deposit
        answer = client.post("/api/v1/bettors/ann/deposits", json=deposit, headers=authorised)
        assert answer.status_code == 200, answer.text
    for studio in house.hosts.values():
        assert studio.floor.reader().balance("bettor:north:ann") == 10_000
        wait_until(lambda studio=studio: PIT.id in studio.floor.staff.register.people)  # type: ignore[misc]
    assert check(postgres_address) is None


def test_what_is_done_once_over_one_record_is_done_by_the_host_of_the_desk(house: WireHouse) -> None:
    reader = house.hosts["b"].floor.reader()
    wait_until(lambda: any(True for _ in reader.events(kinds=["CheckpointSigned"])))
    assert house.hosts["b"].floor.checkpoints is None
    assert house.hosts[DESK].floor.checkpoints is not None


def test_a_host_that_was_stopped_goes_on_over_the_same_record(house: WireHouse, postgres_address: str) -> None:
    house.open("t3")
    house.stop_host("b")
    house.start_host("b")
    assert house.at_host("t3").now.status == "open"
    assert check(postgres_address) is None


def test_a_second_host_of_one_name_is_refused(
    house: WireHouse, postgres_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studio.journal.postgres.engine._TAKES_MAX", 1)
    with pytest.raises(BadInputError, match="Another studio writes there as host b"):
        built(house.folder, house.nats, "b", postgres_address)


def test_an_address_that_leads_nowhere_is_told_by_hosts_and_web_nodes(tmp_path: Path, nats: NatsServer) -> None:
    nowhere = "postgresql://studio@localhost:1/floor"
    with pytest.raises(BadInputError, match="The database cannot be reached"):
        built(tmp_path, nats, "a", nowhere)
    with pytest.raises(BadInputError, match="The database cannot be reached"):
        build_web_node(config(tmp_path, nats, "web-1", "web", nowhere))


def test_a_web_node_does_not_begin_a_record(tmp_path: Path, nats: NatsServer, postgres: PostgresServer) -> None:
    with pytest.raises(BadInputError, match="holds no studio yet"):
        build_web_node(config(tmp_path, nats, "web-1", "web", postgres.address("postgres")))
