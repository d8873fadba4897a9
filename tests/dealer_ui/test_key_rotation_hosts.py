"""Keys that the processes of a studio share: none is exchanged under one of them that the others would not know."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from nats_server import NatsServer, needs_nats
from running_studio import House
from wire_house import WireHouse

from dealer_ui.cli import main
from studio.errors import RefusedError
from studio.people import Pin

CONFIG = """
[studio]
database = "{database}"

[[tables]]
key = "t1"
title = "One"
game = "three_knights"
host = "a"

[cluster]
nats = ["nats://127.0.0.1:4222"]
host = "a"
desk = "a"
secret_file = "secret"
"""


@needs_nats
@pytest.mark.parametrize("host", ["a", "b"])
@pytest.mark.parametrize("verb", ["rotate", "retire"])
def test_no_pepper_is_exchanged_that_other_processes_would_not_know(tmp_path: Path, host: str, verb: str) -> None:
    with NatsServer(tmp_path) as nats, WireHouse(tmp_path, nats) as house:
        before = sorted(path.name for path in tmp_path.glob("*.pepper"))
        with pytest.raises(RefusedError, match="in a studio of several processes it stays"):
            getattr(house.hosts[host].keys, verb)("pepper", "Mika", "yearly")
        assert sorted(path.name for path in tmp_path.glob("*.pepper")) == before
        for process in (*house.hosts.values(), house.web):
            assert process.floor.staff.hasher.matches(house.web.floor.staff.register.people["d1"].pin.hash, Pin("4826"))


def test_nor_by_one_of_them_that_is_stopped(tmp_path: Path) -> None:
    with House(tmp_path) as house:
        house.staff()
    path = tmp_path / "studio.toml"
    path.write_text(CONFIG.format(database=house.database))
    kept = house.database.with_name("studio.db.pepper").read_bytes()
    done = CliRunner().invoke(main, ["keys", "rotate", "pepper", "--config", str(path), "--reason", "yearly"])
    assert (done.exit_code, "in a studio of several processes it stays" in done.output) == (1, True), done.output
    assert house.database.with_name("studio.db.pepper").read_bytes() == kept
