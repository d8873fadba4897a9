"""`studio verify`: whether a database is as it was written and pays what its facts make it pay."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress

from studio.care.pictures import ask_pictures
from studio.care.signing import read_public_keys
from studio.care.witness import Testimony, ask_itself, ask_witness
from studio.cli.archive import carried
from studio.cli.older import of_this_version
from studio.cli.place import PLACE
from studio.errors import BadInputError
from studio.journal import Reader
from studio.journal.chain import WrongRow
from studio.journal.extract.walk import measure
from studio.journal.place import Place, snapshot
from studio.journal.reader import origin
from studio.proof.audit.card import Seals
from studio.proof.audit.database import AuditVerdict, verify
from studio.proof.audit.following import goes_on_from


@click.command("verify")
@click.argument("db", type=PLACE, metavar="DB")
@click.option("--witness", type=click.Path(path_type=Path), metavar="FILE", help="Hold it against a witness' file.")
@click.option("--archive", "archived", type=click.Path(path_type=Path), metavar="FILE", help="The archive it follows.")
@click.option("--evidence", type=click.Path(path_type=Path), metavar="PICTURES", help="Look at the pictures, too.")
@click.option("--public-key", metavar="KEY", help="The key that signs here, or a file of such keys, one a line.")
@click.option("--progress", is_flag=True, help="With --json: also a line with the percentage as it changes.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(  # noqa: PLR0913 - one parameter an option
    ctx: click.Context,
    db: Place,
    witness: Path | None,
    archived: Path | None,
    evidence: Path | None,
    public_key: str | None,
    progress: bool,
    as_json: bool,
) -> None:
    """Check a database: the chains, the ledger, and every settlement again from the facts.

    No keys are needed and nothing is written; of an older version's database a copy is looked at. The exit code is 1,
    and the first wrong row is shown, when something is not as it was written; a round still open is no error. A witness
    also knows what was cut off the end; name the public key you were given, for a key that comes with the witness
    proves less.
    """
    try:
        keys = read_public_keys(public_key) if public_key is not None else frozenset()
        with of_this_version(db) as record, Reader.open(record) as reader:
            verdict = _told(record) if progress and as_json else _watched(record)
            testimony = ask_witness(reader, witness, keys) if witness else None
            wrong = testimony.first_wrong if testimony else None
            if verdict.ok:
                verdict = replace(verdict, first_wrong=wrong or (ask_itself(reader, keys) if keys else None))
            if verdict.ok and archived is not None:
                verdict = replace(verdict, first_wrong=_across(record, archived))
            pictures = ask_pictures(reader, evidence) if verdict.ok and evidence else None
            if pictures is not None:
                verdict = replace(verdict, first_wrong=pictures.first_wrong)
            follows = origin(reader, "journal").seq
    except BadInputError as error:
        if as_json:
            click.echo(json.dumps({"error": str(error)}, ensure_ascii=False))
            ctx.exit(1)
        raise click.ClickException(str(error)) from None
    click.echo(json.dumps(verdict.plain(), ensure_ascii=False) if as_json else _words(verdict))
    if verdict.ok and not as_json:
        if testimony is not None:
            click.echo(_witnessed(testimony, trusted=bool(keys)))
        if pictures is not None:
            click.echo(f"Its pictures are as they were kept: {pictures.there} there, {pictures.expired} expired.")
        if follows:
            click.echo(_following(follows, archived))
    ctx.exit(0 if verdict.ok else 1)


def _across(db: Place, archived: Path) -> WrongRow | None:
    """The first wrong row of the archive, or why the two are not one history."""
    with of_this_version(archived) as archive:
        before = verify(archive)
        if before.first_wrong is not None:
            return replace(before.first_wrong, sentence=f"In the archive: {before.first_wrong.sentence}")
        why = goes_on_from(db, archive, carried)
    return WrongRow("archive", 0, why) if why else None


def _following(seq: int, archived: Path | None) -> str:
    if archived is not None:
        return f"It goes on from {archived}, which is sound as well: one history."
    return f"It goes on from an archive that ends at row {seq}: name that with --archive to check across both."


def _last(db: Place) -> int:
    with snapshot(db) as seen:
        return measure(seen).last


def _told(db: Place) -> AuditVerdict:
    """Verify, for a program that watches it."""
    total, said = max(1, _last(db)), -1

    def moved(seq: int) -> None:
        nonlocal said
        if (percent := min(99, seq * 100 // total)) != said:
            said = percent
            click.echo(json.dumps({"percent": percent}))

    return verify(db, moved)


def _watched(db: Place) -> AuditVerdict:
    """Verify, with a bar on the error stream where a person watches it."""
    people = Console(stderr=True)
    total = _last(db)
    with Progress(console=people, disable=not people.is_terminal, transient=True) as progress:
        task = progress.add_task("Checking", total=total)

        return verify(db, lambda seq: progress.update(task, completed=seq))


def _witnessed(testimony: Testimony, *, trusted: bool) -> str:
    assert testimony.last is not None
    last = testimony.last
    said = (
        f"The witness agrees: {testimony.checkpoints} checkpoints, the last up to row {last.journal_seq} of the journal"
        f" and row {last.ledger_seq} of the ledger."
    )
    if trusted:
        return said
    return f"{said} They were signed with {', '.join(sorted(testimony.keys))}: compare it with the key you were given."


def _uncommitted(seals: Seals) -> str:
    total = seals.committed + seals.uncommitted
    return (
        f"{seals.uncommitted} of {total} sealed cards are uncommitted: they were sealed before a card was bound to one"
        " face."
    )


def _words(verdict: AuditVerdict) -> str:
    counts = f"{verdict.rounds} rounds, {verdict.events} rows of the journal, {verdict.entries} rows of the ledger"
    if verdict.first_wrong is None:
        sound = f"All is as it was written, and every settlement comes out the same: {counts}."
        return f"{sound}\n{_uncommitted(verdict.seals)}" if verdict.seals.uncommitted else sound
    wrong = verdict.first_wrong
    if wrong.table in ("witness", "checkpoint", "archive", "pictures"):
        return f"{wrong.sentence}\nLooked through: {counts}."
    where = f"Row {wrong.seq} of the {wrong.table}" if wrong.seq else f"The {wrong.table}"
    return f"{where} is wrong. {wrong.sentence}\nLooked through: {counts}."
