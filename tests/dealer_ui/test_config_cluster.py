"""The part of a configuration that makes a studio one of several processes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from studio_process import ended

from dealer_ui.config.file import load_config, of_process, web_node_beside
from dealer_ui.config.reach import on_cables, on_network
from studio.errors import BadInputError

TABLES = """
[[tables]]
key = "t1"
title = "Table 1"
game = "three_knights"
host = "a"

[[tables]]
key = "t2"
title = "Table 2"
game = "three_knights"
host = "b"
"""
CLUSTER = """
[cluster]
nats = ["nats://127.0.0.1:4222"]
host = "a"
desk = "a"
record = "a.db"
secret_file = "table.secret"
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "studio.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_table_host_has_its_own_tables_and_a_web_node_has_all(tmp_path: Path) -> None:
    config = load_config(written(tmp_path, CLUSTER + TABLES))
    assert [table.key for table in of_process(config).tables] == ["t1"]
    assert config.cluster is not None
    web = config.model_copy(update={"cluster": config.cluster.model_copy(update={"role": "web", "host": "web-1"})})
    assert [table.key for table in of_process(web).tables] == ["t1", "t2"]


def test_its_files_lie_beside_the_configuration(tmp_path: Path) -> None:
    path = written(tmp_path, CLUSTER + TABLES)
    cluster = load_config(path).cluster
    assert cluster is not None
    assert cluster.secret_file == str(tmp_path / "table.secret")
    assert cluster.keeps_desk


@pytest.mark.parametrize(
    ("was", "wanted", "sentence"),
    [
        ("nats://127.0.0.1:4222", "nats://10.0.0.5:4222", "as tls://, never in the clear"),
        ("nats://127.0.0.1:4222", "http://127.0.0.1:4222", "cluster.nats"),
        ('nats = ["nats://127.0.0.1:4222"]', "nats = []", "cluster.nats"),
        ("nats://127.0.0.1:4222", "nats://user:secret@127.0.0.1:4222", "cluster.nats"),
        ('host = "a"\ndesk', 'host = "A b"\ndesk', "cluster.host"),
        ('desk = "a"\nrecord = "a.db"', 'desk = "b"', "name as `record` the database of b"),
        ('desk = "a"', 'desk = "a"\nrole = "broker"', "cluster.role"),
        ('desk = "a"', 'desk = "a"\npassword = "x"', "cluster.password"),
    ],
    ids=lambda one: one[:24],
)
def test_what_cannot_be_is_told_where_it_stands(tmp_path: Path, was: str, wanted: str, sentence: str) -> None:
    text = (CLUSTER + TABLES).replace(was, wanted, 1)
    assert text != CLUSTER + TABLES
    with pytest.raises(BadInputError) as told:
        load_config(written(tmp_path, text))
    assert sentence in str(told.value)


def test_a_file_without_the_part_is_no_cluster(tmp_path: Path) -> None:
    assert load_config(written(tmp_path, TABLES)).cluster is None


def test_a_role_is_refused_where_the_studio_is_one_process(tmp_path: Path) -> None:
    told = ended("serve", "--config", str(written(tmp_path, TABLES)), "--role", "web")
    assert told.returncode == 1
    assert "This studio is one process" in told.stderr


@pytest.mark.long
def test_a_studio_that_is_one_process_never_imports_the_wire(tmp_path: Path) -> None:
    """Nor does the command line, nor a cluster's process before it connects."""
    code = """
import sys
from dealer_ui.assembly.bootstrap import build_studio, StudioParts
from dealer_ui.assembly import web_node
assert "nats" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)


SHARED = CLUSTER.replace('record = "a.db"', 'postgres = "postgresql://studio@db/floor"\nshared = "shared"')
WALLET = """
[operators.north.wallet]
dialect = "rsa"
address = "http://127.0.0.1:9/"
key_file = "key.pem"
"""


def test_one_record_of_all_hosts_lies_at_its_address_and_its_secrets_beside_the_configuration(tmp_path: Path) -> None:
    config = load_config(written(tmp_path, SHARED + TABLES))
    assert config.record == "postgresql://studio@db/floor"
    assert config.cluster is not None
    assert config.cluster.shared == str(tmp_path / "shared")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (SHARED.replace("postgresql:", "mysql:"), "postgres"),
        (SHARED + 'record = "a.db"\n', "the record lies in `postgres`: leave this out"),
        (SHARED + 'keys = "postgresql://studio@db/floor"\n', "keys lie apart from the record"),
        (CLUSTER + 'web_postgres = "postgresql://web@db/floor"\n', "in `postgres`: name that, too"),
        (SHARED.replace('shared = "shared"', ""), "name as `shared` the folder that every process reads"),
        (CLUSTER.replace("[cluster]", '[cluster]\nrole = "web"') + WALLET, "over one record: name it as `postgres`"),
    ],
    ids=[
        "another engine",
        "two records",
        "keys in the record",
        "web nodes alone",
        "no folder of secrets",
        "an operator's wallet",
    ],
)
def test_a_shared_record_that_cannot_be_so_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(BadInputError, match=sentence):
        load_config(written(tmp_path, text + TABLES))


WEB_ROLE = (
    SHARED
    + 'web_secret_file = "web.secret"\nweb_postgres = "postgresql://web@db/floor"\nkeys = "postgresql://keys@db/keys"\n'
)


@pytest.mark.parametrize("role", ["table", "web", "both"])
def test_a_web_node_has_the_record_under_a_role_of_its_own(tmp_path: Path, role: str) -> None:
    asked = load_config(written(tmp_path, WEB_ROLE.replace("[cluster]", f'[cluster]\nrole = "{role}"') + TABLES))
    found = [of_process(asked), web_node_beside(asked)] if role == "both" else [of_process(asked)]
    sections = [one.cluster for one in found if one is not None and one.cluster is not None]
    own, web = ("postgresql://studio@db/floor", "postgresql://keys@db/keys"), ("postgresql://web@db/floor", "")
    wanted = {"table": [own], "web": [web], "both": [own, web]}
    assert [(one.postgres, one.keys) for one in sections] == wanted[role]


def test_over_one_record_a_table_host_knows_the_tables_it_may_take_over(tmp_path: Path) -> None:
    config = of_process(load_config(written(tmp_path, SHARED + TABLES)))
    assert [(table.key, config.is_home(table)) for table in config.tables] == [("t1", True), ("t2", False)]


def test_a_table_with_a_device_on_a_local_cable_is_known(tmp_path: Path) -> None:
    devices = """
[[devices]]
id = "shoe-1"
driver = "angel_eye"
url = "/dev/ttyUSB0"

[[devices]]
id = "camera-1"
driver = "camera"
url = "rtsp://camera.example/1"
"""
    tables = TABLES.replace('key = "t1"', 'key = "t1"\nshoe = "shoe-1"\ncamera = "camera-1"')
    config = load_config(written(tmp_path, SHARED + devices + tables))
    assert [on_cables(config, table) for table in config.tables] == [("shoe-1",), ()]
    assert [on_network(config, table) for table in config.tables] == [("rtsp://camera.example/1",), ()]
