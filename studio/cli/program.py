"""`studio program`: which program is installed here, whether it is the one it should be, and who answers for it."""

from __future__ import annotations

import getpass
import json
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from studio.care.event import ProgramAccepted, entry_of
from studio.care.program import KINDS, Program, ProgramKnown, changed, files, known, library_files, look
from studio.cli.place import RECORD_FILE
from studio.errors import BadInputError, StorageError
from studio.journal import Reader, Store, Unit, Writer
from studio.text_file import read_text


@click.group("program")
def command() -> None:
    """Say which program is installed, hold it against a list or a record, and answer for it."""


@command.command()
@click.option("--parts", is_flag=True, help="Also every part with its digest.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def show(parts: bool, as_json: bool) -> None:
    """Print the version and the digest of the program as it lies on this disk, its libraries and Python included."""
    found = look()
    if as_json:
        plain = {"version": found.version, "digest": found.digest}
        click.echo(json.dumps({**plain, "parts": dict(found.parts)} if parts else plain))
        return
    click.echo(f"Version {found.version}, {len(found.parts)} parts, digest {found.digest}")
    for name, digest in sorted(found.parts.items()) if parts else ():
        click.echo(f"{digest}  {name}")


@command.command("list")
def list_files() -> None:
    """Print every file of ours with its SHA-256, as `sha256sum` does: `sha256sum -c` checks it without this program."""
    for name, digest in files():
        click.echo(f"{digest}  {name}")


@command.command()
@click.option(
    "--against", type=click.Path(path_type=Path), metavar="FILE", help="A list as `studio program list` prints."
)
@click.option("--db", type=RECORD_FILE, metavar="FILE", help="What this record last found, and accepted.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def check(ctx: click.Context, against: Path | None, db: Path | None, as_json: bool) -> None:
    """Look at every file of the libraries, and hold the program against a list or a record; a studio may be at work.

    The exit code is 1 when something is not as it should be; each difference is named.
    """
    try:
        told = dict(_lines(against)) if against else None
        record = _record_of(db) if db else None
    except BadInputError as error:
        raise click.ClickException(str(error)) from None
    found = look()
    wrong = [f"{name} is not as it was installed." for name, good in library_files() if not good]
    wrong += _differences(told, dict(files()), "the list") if told is not None else ()
    wrong += _against_record(record, found, db) if record and db else ()
    if as_json:
        click.echo(json.dumps({"version": found.version, "digest": found.digest, "ok": not wrong, "wrong": wrong}))
    else:
        for sentence in wrong:
            click.echo(sentence)
        click.echo(f"Version {found.version}, digest {found.digest}: {'NOT ' if wrong else ''}as it should be.")
    ctx.exit(1 if wrong else 0)


@command.command()
@click.option("--db", required=True, type=RECORD_FILE, metavar="FILE", help="The studio's database.")
@click.option("--by", required=True, metavar="NAME", help="Who answers for it.")
@click.option("--reason", required=True, metavar="WORDS", help="Why it is here, as in the number of its approval.")
def accept(db: Path, by: str, reason: str) -> None:
    """Answer for the program as it lies here now, while the studio is stopped; it stands in the record for good.

    From then on another program, however good, is an alarm in the pit until somebody answers for it.
    """
    if not by.strip() or not reason.strip():
        raise click.ClickException("Say who answers for it, and why: neither may be empty.")
    found = look()
    told = ProgramAccepted(
        at_ms=time.time_ns() // 1_000_000, version=found.version, digest=found.digest,
        by=f"{by.strip()} ({_account()})", reason=reason.strip(),
    )  # fmt: skip
    try:
        with Store.open(db, create=False) as store:
            writer = Writer(store)
            writer.commit(Unit(entries=(entry_of(told),)))
            writer.close()
    except (BadInputError, StorageError) as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{told.by} answers for version {told.version}, digest {told.digest}.")


def _account() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # no name for this account
        return str(os.getuid())


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    """Names and digests of a list that `sha256sum` could check."""
    for number, line in enumerate(read_text(path).splitlines(), 1):
        digest, _, name = line.partition("  ")
        if len(digest) != 64 or not name:
            raise BadInputError(
                f"Line {number} is no digest and name, as `studio program list` prints.", where=str(path)
            )
        yield name, digest


def _record_of(db: Path) -> ProgramKnown:
    with Reader.open(db) as reader:
        return known(reader.events(kinds=KINDS))


def _against_record(record: ProgramKnown, now: Program, db: Path) -> Iterator[str]:
    if record.found is None:
        yield f"{db} does not know of any program yet: start the studio once."
        return
    yield from _differences(record.parts, now.parts, "the record")
    if record.accepted is None:
        yield "Nobody answers for any program in this record: studio program accept."
    elif record.accepted.digest != now.digest:
        other = f"version {record.accepted.version}, {record.accepted.digest}"
        yield f"{record.accepted.by} answers for another program: {other}."


def _differences(before: Mapping[str, str], now: Mapping[str, str], where: str) -> Iterator[str]:
    for one in changed(before, now):
        if not one.digest:
            yield f"{one.part} is in {where} and not here."
        elif one.part not in before:
            yield f"{one.part} is here and not in {where}."
        else:
            yield f"{one.part} is another than in {where}."
