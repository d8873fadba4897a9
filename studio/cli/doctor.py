"""`studio doctor`: what is missing or risky on this machine, in sentences."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import click

from studio.cli.place import PLACE
from studio.errors import BadInputError
from studio.journal.place import Place, is_address
from studio.proof.machine.host import HostFinding, examine, examine_programs
from studio.proof.machine.served_certificate import certificate_findings
from studio.proof.machine.server import examine_server
from studio.proof.machine.upkeep import ask, examine_upkeep, offset, witness_file_why
from studio.proof.machine.upkeep import witness as witnessing

_SIGN = {"ok": "ok     ", "note": "note   ", "missing": "MISSING"}


@click.command("doctor")
@click.option(
    "--db", type=PLACE, default=Path("studio.db"), show_default=True, metavar="DB",
    help="The database the studio uses or will use here: a file, or an address.",
)  # fmt: skip
@click.option("--keys", default="", metavar="ADDRESS", help="Of a record at an address: the database of keys.")
@click.option(
    "--evidence", type=click.Path(path_type=Path), metavar="FOLDER", help="The pictures; evidence beside the database."
)
@click.option("--witness", type=click.Path(path_type=Path), metavar="FILE", help="Can the witness' file be written?")
@click.option(
    "--certificate", type=(click.Path(path_type=Path), click.Path(path_type=Path)), metavar="FILE KEY",
    help="The certificate the studio is served with and its key: are they good, and how long?",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line, each at once.")
@click.pass_context
def command(  # noqa: PLR0913 - one parameter an option
    ctx: click.Context, db: Place, keys: str, evidence: Path | None, witness: Path | None,
    certificate: tuple[Path, Path] | None, as_json: bool,
) -> None:  # fmt: skip
    """Look at this machine: what the studio needs, what is missing, what is worth knowing.

    The exit code is 0 when nothing is missing.
    """
    missing = False
    try:
        found = (*_looked(db, keys, evidence, witness), *_served(certificate))
    except BadInputError as error:
        raise click.ClickException(str(error)) from None
    for finding in found:
        missing = missing or finding.verdict == "missing"
        click.echo(json.dumps(finding.plain()) if as_json else f"{_SIGN[finding.verdict]}  {finding.sentence}")
    ctx.exit(1 if missing else 0)


def _served(certificate: tuple[Path, Path] | None) -> Iterator[HostFinding]:
    if certificate is not None:
        yield from certificate_findings(*certificate, datetime.fromtimestamp(time.time_ns() / 1e9, UTC))


def _looked(place: Place, keys: str, evidence: Path | None, witness: Path | None) -> Iterator[HostFinding]:
    if is_address(place):
        yield from examine_programs()
        yield from examine_server(str(place), keys, lambda: time.time_ns() / 1e9)
        yield offset(ask)
        return
    db = Path(place).absolute()
    if db.is_dir():
        raise BadInputError("This is a folder: name the database's file in it.", where=str(db))
    began_ns = time.time_ns(), time.monotonic_ns()
    yield from examine(db)
    jump_s = ((time.time_ns() - began_ns[0]) - (time.monotonic_ns() - began_ns[1])) / 1e9
    yield from examine_upkeep(db, evidence or db.with_name("evidence"), time.time_ns() // 1_000_000, ask, jump_s)
    if witness is not None:
        yield witnessing(str(witness), witness_file_why(witness))
