"""One process that is a table host and a web node: two addresses, one of them for tables on any host."""

from __future__ import annotations

import json
import signal
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from nats_server import NatsServer, needs_nats
from patience import PATIENCE_S, wait_until
from running_studio import API_KEY
from studio_process import StudioProcess, ended, free_port
from wire_house import WireHouse

from dealer_ui.config.file import load_config, of_process, web_node_beside
from dealer_ui.desk.operator_key import digest_of_key
from studio.errors import BadInputError


def written(folder: Path, nats: str, web_port: int, secret: str = 'web_secret_file = "web.secret"') -> Path:
    path = folder / "b.toml"
    path.write_text(
        f"""
[studio]
title = "Both"
database = "{folder / "b.db"}"
evidence = "{folder / "evidence"}"

[cluster]
nats = ["{nats}"]
host = "b"
desk = "a"
role = "both"
record = "{folder / "a.db"}"
secret_file = "table.secret"
web_port = {web_port}
{secret}

[operators.north]
key_sha256 = "{digest_of_key(API_KEY)}"

[[tables]]
key = "t1"
title = "Table 1"
game = "three_knights"
host = "a"

[[tables]]
key = "t3"
title = "Table 3"
game = "kkclash"
host = "b"
""",
        encoding="utf-8",
    )
    return path


def tables(port: int) -> list[str]:
    """What the operators' interface there deals at."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/v1/tables", headers={"Authorization": f"Bearer {API_KEY}"}
    )
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
        told: Any = json.loads(answer.read())
    return sorted(one["table"] for one in told["tables"])


@pytest.mark.long
@needs_nats
def test_a_process_that_is_both_serves_its_own_tables_and_at_another_port_those_of_all(tmp_path: Path) -> None:
    port, web_port = free_port(), free_port()
    with NatsServer(tmp_path) as nats, WireHouse(tmp_path, nats, hosts=("a",)) as house:
        path = written(tmp_path, nats.address, web_port)
        with StudioProcess("serve", "--config", str(path), "--port", str(port), port=port) as both:
            assert f":{port}/" in both.line()
            assert f":{web_port}/" in both.line()
            wait_until(lambda: tables(web_port) == ["t1", "t2", "t3"])
            assert tables(port) == ["t3"]
            wait_until(lambda: "t3" in house.web.floor.tables)
            names = {one.name: one.role for one in house.web.floor.processes()}
            assert (names["b"], names["b-web"]) == ("table", "web")
            both.process.send_signal(signal.SIGTERM)
            assert both.process.wait(PATIENCE_S) in (0, 130)


def test_it_is_a_table_host_that_has_a_web_node_beside_it(tmp_path: Path) -> None:
    asked = load_config(written(tmp_path, "nats://127.0.0.1:4222", 8081))
    own, beside = of_process(asked), web_node_beside(asked)
    assert own.cluster is not None
    assert beside is not None
    assert beside.cluster is not None
    assert (own.cluster.role, own.cluster.host, [one.key for one in own.tables]) == ("table", "b", ["t3"])
    assert (beside.cluster.role, beside.cluster.host, beside.server.port) == ("web", "b-web", 8081)
    assert beside.cluster.secret_file == str(tmp_path / "web.secret")
    assert web_node_beside(own) is None


def test_without_the_web_nodes_secret_it_does_not_start(tmp_path: Path) -> None:
    path = written(tmp_path, "nats://127.0.0.1:4222", 8081, secret="")
    with pytest.raises(BadInputError, match="name the web nodes' secret as `web_secret_file`"):
        web_node_beside(load_config(path))
    told = ended("serve", "--config", str(path))
    assert told.returncode == 1
    assert "web_secret_file" in told.stderr
