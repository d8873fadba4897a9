"""The lines to the database and to the wire, encrypted: certificates are checked, and nothing goes in the clear."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from made_certificate import certify
from nats_server import NatsServer, needs_nats
from patience import PATIENCE_S, wait_until
from private_postgres import NOT_THERE, as_server, programs
from studio_process import free_port

from dealer_ui.config.cluster import ClusterSection
from dealer_ui.wire.link import NatsWire, NobodyThereError
from dealer_ui.wire.message import asked_of
from dealer_ui.wire.terms import WireTerms
from studio.errors import BadInputError
from studio.journal import Entry, Store, Unit, Writer
from studio.journal.chain import check
from studio.proof.machine.server import examine_server

SERVED = "localhost"


def certified(folder: Path) -> Path:
    """A certificate of the name that is spoken to, which vouches for itself."""
    folder.mkdir()
    certify(folder, name=SERVED)
    return folder / "fullchain.pem"


@dataclass(frozen=True)
class EncryptedPostgres:
    """A server that lets nobody in over the network but encrypted and with a password."""

    folder: Path
    port: int
    authority: Path

    def address(self, ssl: str) -> str:
        return f"postgresql://studio@{SERVED}:{self.port}/floor?passfile={self.folder / 'pgpass'}&{ssl}"

    def say(self, statement: str) -> list[tuple[Any, ...]]:
        place = f"postgresql://postgres@/postgres?host={self.folder}&port={self.port}"
        with psycopg.connect(place, autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []


@pytest.fixture(scope="module")
def server() -> Iterator[EncryptedPostgres]:
    found = programs()
    if found is None:
        pytest.skip(NOT_THERE)
    folder = Path(tempfile.mkdtemp(prefix="studio-tls-", dir="/tmp"))
    made = EncryptedPostgres(folder, free_port(), certified(folder / "certificate"))
    data, control = str(folder / "data"), str(found / "pg_ctl")
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
        as_server(
            [str(found / "initdb"), "-D", data, "-U", "postgres", "-A", "trust", "-N", "-E", "UTF8", "--locale=C"]
        )
        for name in ("fullchain.pem", "key.pem"):
            copied = shutil.copy(folder / "certificate" / name, folder / "data" / name)
            Path(copied).chmod(0o600)
            if os.geteuid() == 0:
                shutil.chown(copied, "postgres", "postgres")
        (folder / "data" / "pg_hba.conf").write_text(
            "local all all trust\nhostssl floor studio all scram-sha-256\n", encoding="ascii"
        )
        settings = " ".join(
            f"-c {setting}"
            for setting in (
                f"listen_addresses={SERVED}", f"port={made.port}", f"unix_socket_directories={folder}", "ssl=on",
                "ssl_cert_file=fullchain.pem", "ssl_key_file=key.pem", "shared_buffers=32MB",
            )
        )  # fmt: skip
        as_server([control, "-D", data, "-s", "-w", "-o", settings, "-l", str(folder / "log"), "start"])
        made.say("CREATE ROLE studio LOGIN PASSWORD 'a-password-of-hosts'")
        made.say("CREATE DATABASE floor OWNER studio TEMPLATE template0 ENCODING 'UTF8'")
        (folder / "pgpass").write_text("*:*:floor:studio:a-password-of-hosts\n", encoding="ascii")
        (folder / "pgpass").chmod(0o600)
        yield made
        as_server([control, "-D", data, "-s", "-m", "immediate", "stop"])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.long
def test_the_record_is_kept_and_read_over_encrypted_lines_alone(server: EncryptedPostgres) -> None:
    address = server.address(f"sslmode=verify-full&sslrootcert={server.authority}")
    with Store.open(address, host="a") as store, store.reader() as reader:
        Writer(store).commit(Unit(entries=(Entry("Said", 7, b"{}"),)))
        assert [row.kind for row in reader.events()] == ["Said"]
        lines = server.say(
            "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'studio'"
        )
        assert len(lines) > 1
        assert set(lines) == {(True,)}
    assert check(address) is None
    found = {one.topic: one.sentence for one in examine_server(address, "", lambda: 0.0)}
    assert found["server line"] == "The line to the database is encrypted."


def test_a_server_that_another_vouches_for_is_not_spoken_to(server: EncryptedPostgres, tmp_path: Path) -> None:
    other = certified(tmp_path / "other")
    with pytest.raises(BadInputError, match=r"The database cannot be reached .*certificate verify failed"):
        Store.open(server.address(f"sslmode=verify-full&sslrootcert={other}"), host="a")


def test_nobody_comes_in_in_the_clear(server: EncryptedPostgres) -> None:
    with pytest.raises(BadInputError, match="does not let this user in"):
        Store.open(server.address("sslmode=disable"), host="a")


class EncryptedNats(NatsServer):
    """It speaks TLS, and nothing else."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.authority = certified(folder / "certificate")
        self.address = f"tls://{SERVED}:{self.port}"
        config, key = folder / "nats-server.conf", self.authority.with_name("key.pem")
        served = f'\ntls {{\n  cert_file: "{self.authority}"\n  key_file: "{key}"\n}}\n'
        config.write_text(config.read_text(encoding="utf-8") + served, encoding="utf-8")

    def wire(self, role: str, authority: Path) -> NatsWire:
        told = {
            "nats": (self.address,), "host": role, "desk": "table", "role": role, "ca_file": str(authority),
            "secret_file": str(self.secret_of(role)),
        }  # fmt: skip
        return NatsWire(WireTerms.of(ClusterSection.model_validate(told)))


@needs_nats
def test_processes_speak_over_an_encrypted_wire_and_to_no_server_that_another_vouches_for(tmp_path: Path) -> None:
    with EncryptedNats(tmp_path) as nats:
        host, web = nats.wire("table", nats.authority), nats.wire("web", nats.authority)
        stranger = nats.wire("web", certified(tmp_path / "other"))
        host.serve(asked_of("table"), lambda message: message[::-1], threads=2, busy=b"busy")
        for wire in (stranger, host, web):
            wire.start()

        def answered() -> bool:
            try:
                return web.ask(asked_of("table"), b"abc", PATIENCE_S) == b"cba"
            except NobodyThereError:
                return False

        try:
            wait_until(answered)
            assert not stranger.up
            with pytest.raises(NobodyThereError):
                stranger.ask(asked_of("table"), b"abc", 1.0)
        finally:
            for wire in (stranger, host, web):
                wire.stop()
