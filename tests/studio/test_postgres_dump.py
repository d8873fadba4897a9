"""What the server's own programs are told: no password stands where a list of processes shows it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from studio.errors import BadInputError
from studio.journal.postgres import dump as dump_module
from studio.journal.postgres.dump import dump

ADDRESS = "postgresql://studio:pw-of-user@10.0.0.9/floor?sslkey=/keys/studio.key&sslpassword=pw-of-key"
TELLS = """#!{python}
import json, os, sys
service = open(os.environ["PGSERVICEFILE"]).read() if "PGSERVICEFILE" in os.environ else ""
told = {{"line": open("/proc/self/cmdline").read(), "password": os.environ.get("PGPASSWORD"), "service": service}}
open({told!r}, "w").write(json.dumps(told))
"""


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a program that stands in for `pg_dump` writes what it was told."""
    program, told = tmp_path / "pg_dump", tmp_path / "told"
    program.write_text(TELLS.format(python=sys.executable, told=str(told)))
    program.chmod(0o700)
    monkeypatch.setattr(dump_module, "program", lambda name: str(program))
    return told


def test_no_password_stands_in_the_command_line(told: Path, tmp_path: Path) -> None:
    dump(ADDRESS, tmp_path / "dumped", "studio")
    heard = json.loads(told.read_text())
    assert "pw-of" not in heard["line"]
    assert "sslkey=/keys/studio.key" in heard["line"]
    assert heard["password"] == "pw-of-user"
    assert heard["service"] == "[studio]\nsslpassword=pw-of-key\n"


def test_without_a_key_there_is_no_service_file(told: Path, tmp_path: Path) -> None:
    dump("postgresql://studio:pw-of-user@10.0.0.9/floor", tmp_path / "dumped", "studio")
    heard = json.loads(told.read_text())
    assert (heard["service"], "service=" in heard["line"]) == ("", False)


def test_a_service_of_its_own_has_its_password_itself(told: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="service's own file"):
        dump("postgresql:///floor?service=floor&sslpassword=pw-of-key", tmp_path / "dumped", "studio")


def test_the_programs_themselves_take_it_so(postgres_address: str, tmp_path: Path) -> None:
    target = tmp_path / "dumped"
    dump(f"{postgres_address}&sslpassword=pw-of-key", target, "studio")
    assert target.read_bytes().startswith(b"PGDMP")
