"""From an empty database to a studio that is signed in to, as docs/first-cluster.md tells it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from first_sign_in import chosen_at_desk, code_in
from nats_server import NatsServer, needs_nats
from private_postgres import PostgresServer
from wire_house import DESK, WireHouse

from dealer_ui.cli import main
from studio.errors import RefusedError
from studio.journal.chain import check

pytestmark = needs_nats
MADE = ("--id", "m1", "--badge", "7001", "--name", "Made", "--role", "pit_boss")


def said(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments])


def test_the_first_of_the_staff_are_entered_in_a_file_that_is_carried_over_with_its_secret(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    name = postgres.new_database()
    postgres.say("DROP SCHEMA studio CASCADE", name)  # as the server's owner has made it
    address, seed = postgres.address(name), tmp_path / "studio"
    added = said("staff", "add", "--db", seed, *MADE)
    assert added.exit_code == 0, added.output
    assert (tmp_path / "studio.pepper").exists()
    carried = said("migrate-to-postgres", seed, address)
    assert carried.exit_code == 0, carried.output
    with NatsServer(tmp_path) as nats, WireHouse(tmp_path, nats, postgres=address) as house:
        chosen_at_desk(house.web.floor.staff, "7001", code_in(added.output), "730164")
        for process in (*house.hosts.values(), house.web):
            process.floor.desks.catch_up()  # what another process has kept is taken five times a second
            actor = process.floor.staff.sign_in(
                "7001", "730164", process.floor.now_ms(), f"at {process.config.cluster}"
            )
            assert actor.name == "Made"
        assert house.hosts[DESK].floor.tables_here == ("t1", "t2")
        let_in_again(house, address, tmp_path)
    assert check(address) is None
    assert json.loads(said("verify", address, "--json").output)["ok"]


def let_in_again(house: WireHouse, address: str, shared: Path) -> None:
    """Nobody can sign in: at any machine of the studio, all of which goes on, somebody gets a code."""
    again = ("staff", "code", "--db", address, "--id", "m1")
    assert "name it, --shared" in said(*again).output
    (shared / "elsewhere").mkdir()
    wrong = said(*again, "--shared", shared / "elsewhere")
    assert "No secret of the PINs lies there" in wrong.output
    assert list((shared / "elsewhere").iterdir()) == []
    given = said(*again, "--shared", shared)
    assert given.exit_code == 0, given.output
    assert "Made" in said("staff", "list", "--db", address).output
    floor = house.web.floor
    floor.desks.catch_up()
    with pytest.raises(RefusedError, match="Badge and PIN do not match"):
        floor.staff.sign_in("7001", "730164", floor.now_ms(), "at the web")
    chosen_at_desk(floor.staff, "7001", code_in(given.output), "730165", "bbbbbbbbbbbb")
    barred = ("staff", "bar", "--db", address, "--shared", shared, "--id", "m1", "--reason", "gone")
    assert said(*barred).output == "m1 is barred.\n"
    for process in (*house.hosts.values(), house.web):
        process.floor.desks.catch_up()
        assert process.floor.staff.register.people["m1"].barred == "gone"
