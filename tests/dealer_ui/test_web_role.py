"""A web node has the record under a role of its own: all that it serves goes on, and the record is not its to write."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner, Result
from nats_server import NatsServer, needs_nats
from patience import wait_until
from private_postgres import PostgresServer
from running_studio import API_KEY
from wire_house import WireHouse

from dealer_ui.assembly.web_node import WebNode
from dealer_ui.cli import main
from studio.journal.chain import check
from studio.journal.postgres.connection import connect

pytestmark = needs_nats
HEADERS = {"Authorization": f"Bearer {API_KEY}"}
ROLE = "web_nodes"
KEPT_FROM_IT = (
    "INSERT INTO journal (seq, at, kind, body, ledger_seq, hash, book) VALUES (9999, 1, 'K', '{}', 0, '', 1)",
    "INSERT INTO ledger (seq, at, round, bet, kind, debit, credit, amount, currency, revision, hash, book)"
    " VALUES (9999, 1, '', 'd', 'deposit', 'operator:north', 'bettor:north:ann', 1, 'EUR', 0, '', 1)",
    "INSERT INTO bet VALUES (1, 'b', 'north', 'c', 'ann', 't1', 'r', 'ante', 1, 'EUR', '')",
    "INSERT INTO part VALUES ('bettor:north:ann', 'EUR', 0, 100, 0)",
    "UPDATE part SET amount = amount + 1",
    "UPDATE book SET epoch = epoch + 1",
    "UPDATE lease SET host = 'web-1'",
    "INSERT INTO lease (\"table\", host, epoch, until) VALUES ('t9', 'web-1', 1, now())",
    "DELETE FROM group_commit",
    "UPDATE last_backup SET at = 1",
    "SELECT nextval('block')",
    "SELECT * FROM begin_group(1, 0, 1)",
    "SELECT closed FROM wallet_session",
    "CREATE TABLE mine (id integer)",
)


def said(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


@pytest.fixture
def role(postgres: PostgresServer, postgres_address: str) -> Iterator[str]:
    """The address of the same database as that role has it."""
    postgres.say(f"DROP ROLE IF EXISTS {ROLE}")
    postgres.say(f"CREATE ROLE {ROLE} LOGIN")
    prepared = said("prepare", postgres_address, "--web", ROLE)
    assert prepared.exit_code == 0, prepared.output
    database = postgres_address.partition("?")[0].rpartition("/")[2]
    yield postgres.address(database, user=ROLE)
    postgres.say(f"DROP OWNED BY {ROLE}", database)
    postgres.say(f"DROP ROLE {ROLE}")


HOSTS = "table_hosts"


@pytest.fixture
def hosts_role(postgres: PostgresServer, postgres_address: str) -> Iterator[str]:
    """The address as table hosts have it that do not own the tables."""
    postgres.say(f"DROP ROLE IF EXISTS {HOSTS}")
    postgres.say(f"CREATE ROLE {HOSTS} LOGIN")
    prepared = said("prepare", postgres_address, "--hosts", HOSTS)
    assert prepared.exit_code == 0, prepared.output
    database = postgres_address.partition("?")[0].rpartition("/")[2]
    yield postgres.address(database, user=HOSTS)
    postgres.say(f"DROP OWNED BY {HOSTS}", database)
    postgres.say(f"DROP ROLE {HOSTS}")


def test_hosts_and_web_nodes_that_own_nothing_run_a_studio(
    tmp_path: Path, postgres_address: str, hosts_role: str, role: str
) -> None:
    with NatsServer(tmp_path) as nats, WireHouse(tmp_path, nats, postgres=hosts_role) as house:
        node = house.start_web("web-2", role)
        for client in (node.app.test_client(), house.hosts["b"].app.test_client()):
            assert client.post("/sign-in", data={"badge": "2001", "pin": "730162"}).status_code == 303
        house.open("t3")
        money = {"client_id": "d1", "amount": 500}
        told = node.app.test_client().post("/api/v1/bettors/ann/deposits", json=money, headers=HEADERS)
        assert told.status_code == 200, told.text
        house.stop_host("b")
        house.start_host("b")
        wait_until(lambda: house.at_host("t3").now.status == "open")
        assert said("verify", role).exit_code == 0
        kept = said(
            "backup", hosts_role, str(tmp_path / "kept"), "--keys-to", str(tmp_path / "keys"), "--shared", str(tmp_path)
        )
        assert kept.exit_code == 0, kept.output
        assert said("doctor", "--db", role).output.count("It holds the books of") == 1
    assert check(postgres_address) is None


@pytest.fixture
def node(tmp_path: Path, postgres_address: str, role: str) -> Iterator[WebNode]:
    with NatsServer(tmp_path) as nats, WireHouse(tmp_path, nats, postgres=postgres_address) as house:
        yield house.start_web("web-2", role)


def test_a_web_node_serves_under_a_role_that_writes_nothing_of_the_record(
    node: WebNode, role: str, postgres_address: str
) -> None:
    person, operator, bettor = (node.app.test_client() for _ in range(3))
    assert person.post("/sign-in", data={"badge": "2001", "pin": "730162"}).status_code == 303
    assert person.get("/pit").status_code == 200
    money = {"client_id": "d1", "amount": 500}
    assert operator.post("/api/v1/bettors/ann/deposits", json=money, headers=HEADERS).status_code == 200
    asked = {"table": "t3", "plays": True}
    page = operator.post("/api/v1/bettors/ann/pages", json=asked, headers=HEADERS).json["page"]
    assert bettor.get(page).status_code in (200, 303)
    assert node.floor.reader().balance("bettor:north:ann") == 500
    with closing(connect(role, reads_only=False)) as raw:
        assert raw.execute("SELECT count(*) FROM console_session").fetchone() == (1,)
        assert raw.execute("SELECT count(*) FROM play_ticket").fetchone() == (1,)
    assert check(postgres_address) is None


@pytest.mark.parametrize("statement", KEPT_FROM_IT, ids=lambda one: " ".join(one.split()[:3]))
def test_the_web_nodes_role_is_refused_what_is_not_its_own(role: str, statement: str) -> None:
    with closing(connect(role, reads_only=False)) as raw, pytest.raises(psycopg.errors.InsufficientPrivilege):
        raw.execute(statement.encode())


def test_a_role_that_had_more_has_it_no_more(postgres: PostgresServer, postgres_address: str, role: str) -> None:
    with closing(connect(postgres_address, reads_only=False)) as owner:
        owner.execute(f"GRANT ALL ON ALL TABLES IN SCHEMA studio TO {ROLE}".encode())
    assert said("prepare", postgres_address, "--web", ROLE).exit_code == 0
    with closing(connect(role, reads_only=False)) as raw, pytest.raises(psycopg.errors.InsufficientPrivilege):
        raw.execute("UPDATE part SET amount = 0")


def test_roles_that_cannot_be_are_refused_with_a_sentence(postgres_address: str, role: str) -> None:
    assert "owns the tables, or is a superuser" in said("prepare", postgres_address, "--web", "postgres").output
    assert "The server has no role nobody_here" in said("prepare", postgres_address, "--hosts", "nobody_here").output
    assert "may give no rights" in said("prepare", role, "--hosts", ROLE).output
    assert "ADDRESS is that of a database" in said("prepare", "studio.db").output


@pytest.mark.parametrize("inherits", ["INHERIT", "NOINHERIT"])
def test_a_role_that_would_write_by_another_is_refused_and_given_nothing(
    postgres: PostgresServer, postgres_address: str, role: str, hosts_role: str, inherits: str
) -> None:
    postgres.say("DROP ROLE IF EXISTS member")
    postgres.say(f"CREATE ROLE member LOGIN {inherits}")
    try:
        postgres.say(f"GRANT {HOSTS} TO member")
        told = said("prepare", postgres_address, "--web", "member")
        assert told.exit_code != 0
        assert "The role member may write the table bet all the same" in told.output
        postgres.say(f"REVOKE {HOSTS} FROM member")
        with closing(connect(postgres_address, reads_only=False)) as owner:
            asked = "SELECT has_table_privilege('member', 'studio.journal', 'SELECT')"
            assert owner.execute(asked.encode()).fetchone() == (False,)
    finally:
        postgres.say("DROP ROLE member")


def test_one_role_for_hosts_and_web_nodes_is_refused_before_hosts_lose_their_rights(
    postgres_address: str, hosts_role: str
) -> None:
    told = said("prepare", postgres_address, "--hosts", HOSTS, "--web", HOSTS)
    assert told.exit_code != 0
    assert "a role of its own for the web nodes" in told.output
    with closing(connect(hosts_role, reads_only=False)) as raw:
        raw.execute("UPDATE book SET epoch = epoch")
