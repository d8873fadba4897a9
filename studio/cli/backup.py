"""`studio backup` and `studio restore`."""

from __future__ import annotations

import json
import time
from pathlib import Path

import click

from studio.care.backup import back_up, note_backup
from studio.care.restore import restore
from studio.care.server_backup import SecretPlace, ServerBackup, back_up_server, note_server_backup, restore_server
from studio.cli.place import PLACE
from studio.errors import BadInputError, StorageError
from studio.journal.place import Place, is_address
from studio.proof.audit.database import AuditVerdict, verify

_FOLDER = click.Path(file_okay=False, path_type=Path)
_KEYS_AT = click.option(
    "--keys-at", default="", metavar="ADDRESS", help="Of a record at an address: the database of keys."
)
_SHARED = click.option(
    "--shared", type=_FOLDER, metavar="FOLDER", help="Of a record at an address: the folder every process reads."
)


@click.command("backup")
@click.argument("db", type=PLACE, metavar="DB")
@click.argument("folder", type=_FOLDER, metavar="FOLDER")
@click.option("--keys-to", type=_FOLDER, metavar="OTHER", help="Copy the keys too, apart from the database.")
@_KEYS_AT
@_SHARED
@click.option("--evidence", type=_FOLDER, metavar="PICTURES", help="Copy new pictures of this folder too.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(  # noqa: PLR0913 - one parameter an option
    db: Place, folder: Path, keys_to: Path | None, keys_at: str, shared: Path | None, evidence: Path | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Copy DB into FOLDER while a studio is at work on it, and verify the copy: chains, ledger, every settlement.

    DB may be the address of a database: then it is dumped by pg_dump, and the record itself is verified. Without
    --keys-to the keys of sealed cards, the secret of the PINs and the signing key are not in it.
    """
    at_ms = time.time_ns() // 1_000_000
    if is_address(db):
        secrets = SecretPlace(keys_at, shared)
        return _say(_backed_up(str(db), folder, keys_to, secrets, evidence, at_ms), as_json=as_json)
    verdicts: list[AuditVerdict] = []

    def wrong_in(copy: Path) -> str | None:
        verdicts.append(verdict := verify(copy))
        return None if verdict.first_wrong is None else verdict.first_wrong.sentence

    try:
        db = Path(db)
        made = back_up(db, folder, keys_to, evidence, at_ms, wrong_in)
    except (BadInputError, StorageError) as error:
        raise click.ClickException(str(error)) from None
    try:
        note_backup(db, made, at_ms)
    except OSError as error:
        why = f"beside {db} nothing can be written ({error.strerror})"
        click.echo(f"The backup is whole, but doctor will not know of it: {why}.", err=True)
    if as_json:
        plain = {"folder": str(made.folder), "keys": str(made.keys or ""), "absent": made.absent}
        click.echo(json.dumps({**plain, "journal": made.heads.journal, "pictures": made.pictures}))
        return
    click.echo(f"{made.folder} holds {verdicts[0].events} rows of the journal and was verified.")
    if evidence is not None:
        click.echo(f"New pictures beside it: {made.pictures}.")
    click.echo(
        f"Its keys are in {made.keys}." if made.keys else "Its keys are not in it: back them up apart, --keys-to."
    )


def _backed_up(
    address: str, folder: Path, keys_to: Path | None, secrets: SecretPlace, evidence: Path | None, at_ms: int
) -> ServerBackup:
    try:
        made = back_up_server(address, folder, keys_to, secrets, evidence, at_ms)
        verdict = verify(address)
    except (BadInputError, StorageError) as error:
        raise click.ClickException(str(error)) from None
    if verdict.first_wrong is not None:
        raise click.ClickException(f"It was copied, but it is not sound: {verdict.first_wrong.sentence}")
    try:
        note_server_backup(address, made, at_ms)
    except (BadInputError, StorageError) as error:
        click.echo(f"The backup is whole, but doctor will not know of it: {error}", err=True)
    return made


def _say(made: ServerBackup, *, as_json: bool) -> None:
    if as_json:
        plain = {"folder": str(made.folder), "keys": str(made.keys or ""), "absent": made.absent}
        click.echo(json.dumps({**plain, "books": made.hosts, "pictures": made.pictures}))
        return
    click.echo(f"{made.folder} holds the books of {', '.join(made.hosts)}; the record it was dumped from was verified.")
    click.echo(f"New pictures beside it: {made.pictures}.")
    if made.keys is None:
        click.echo("Its keys are not in it: back them up apart, --keys-to with --keys-at and --shared.")
    else:
        click.echo(f"Its keys are in {made.keys}." + (f" Not there: {', '.join(made.absent)}." if made.absent else ""))


@click.command("restore")
@click.argument("backup", type=_FOLDER, metavar="BACKUP")
@click.argument("db", type=PLACE, metavar="DB")
@click.option("--keys", type=_FOLDER, metavar="FOLDER", help="The folder of that backup's keys.")
@_KEYS_AT
@_SHARED
def restore_command(backup: Path, db: Place, keys: Path | None, keys_at: str, shared: Path | None) -> None:
    """Put BACKUP back as DB, where nothing may lie yet, verify it, and say what is missing.

    DB may be the address of an empty database, for what was copied from one.
    """
    try:
        if is_address(db):
            missing = restore_server(backup, str(db), keys, SecretPlace(keys_at, shared))
        else:
            missing = restore(backup, Path(db), keys)
        verdict = verify(db)
    except (BadInputError, StorageError) as error:
        raise click.ClickException(str(error)) from None
    name = "The record" if is_address(db) else str(db)
    if verdict.first_wrong is not None:
        raise click.ClickException(f"{name} was put back, but it is not sound: {verdict.first_wrong.sentence}")
    click.echo(f"{name} is back and verified: {verdict.rounds} rounds, {verdict.events} rows of the journal.")
    for sentence in missing:
        click.echo(sentence)
    click.echo("What happened after the backup is not in it: hold it against the witness, studio verify --witness.")
