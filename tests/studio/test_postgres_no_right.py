"""Commands that read a server's record as somebody who may not, or where none is: a sentence that says what to do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner
from private_postgres import PostgresServer

from dealer_ui.cli import main
from studio.errors import BadInputError
from studio.journal.postgres import connection

READING = (("verify",), ("replay", "r1"), ("report", "closing", "--db"), ("backup", "FOLDER"), ("prepare",))


@pytest.fixture
def stranger(postgres: PostgresServer) -> Iterator[str]:
    """A user whom nobody has given a right to the studio's tables."""
    name = postgres.new_database()
    postgres.say("CREATE ROLE stranger LOGIN")
    yield postgres.address(name, "stranger")
    postgres.say(f"DROP DATABASE {name} WITH (FORCE)")
    postgres.say("DROP ROLE stranger")


@pytest.fixture
def alien(postgres: PostgresServer) -> Iterator[str]:
    """A database in which something else is called studio."""
    postgres.say("CREATE DATABASE alien TEMPLATE template0 ENCODING 'UTF8'")
    postgres.say("CREATE SCHEMA studio", "alien")
    postgres.say("CREATE TABLE studio.migration (number integer)", "alien")
    yield postgres.address("alien")
    postgres.say("DROP DATABASE alien WITH (FORCE)")


def said(words: tuple[str, ...], address: str, folder: Path) -> str:
    verb, *rest = words
    named = (
        [*rest, address]
        if rest[-1:] == ["--db"]
        else [address, *(str(folder) if one == "FOLDER" else one for one in rest)]
    )
    done = CliRunner().invoke(main, [verb, *named])
    assert done.exit_code == 1
    assert isinstance(done.exception, SystemExit), done.exception
    return done.output


@pytest.mark.parametrize("words", READING, ids=lambda words: words[0])
def test_who_has_no_right_is_told_who_gives_it(words: tuple[str, ...], stranger: str, tmp_path: Path) -> None:
    assert "let their owner give it by studio prepare" in said(words, stranger, tmp_path)


@pytest.mark.parametrize("words", READING, ids=lambda words: words[0])
def test_what_is_no_record_is_told_as_that(words: tuple[str, ...], alien: str, tmp_path: Path) -> None:
    assert "none of ours: name another database" in said(words, alien, tmp_path)


def test_nothing_is_backed_up_where_no_studio_was_begun(postgres: PostgresServer, tmp_path: Path) -> None:
    assert "holds no studio yet" in said(("backup", "FOLDER"), postgres.address("postgres"), tmp_path / "to")
    assert not (tmp_path / "to").exists() or not list((tmp_path / "to").iterdir())


def test_a_server_that_goes_down_as_it_is_reached_is_told(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(raw: connection.RawConnection) -> None:
        raise psycopg.OperationalError("terminating connection due to administrator command")

    monkeypatch.setattr(connection, "adapt_to_read", gone)
    with pytest.raises(BadInputError, match="cannot be reached"):
        connection.connect(postgres.address("postgres"), reads_only=True)
