"""`studio export` and `studio verify-export`: a span of the record, for another machine."""

from __future__ import annotations

import json
from pathlib import Path

import click

from studio.care.export import write_export
from studio.care.export_check import Export, check_export, describe
from studio.care.signing import read_public_keys, signer_in
from studio.cli.place import PLACE
from studio.errors import BadInputError, StorageError
from studio.journal.place import Place, is_address


@click.command("export")
@click.argument("db", type=PLACE, metavar="DB")
@click.option("--from", "begin", default="", metavar="ROW|TIME", help="First row, or a day or time in UTC.")
@click.option("--to", "end", default="", metavar="ROW|TIME", help="Last row, or a day or time in UTC.")
@click.option("--out", required=True, type=click.Path(path_type=Path), metavar="FILE", help="A new file.")
@click.option("--host", default="", metavar="HOST", help="Of a record that hosts share: whose book.")
@click.option(
    "--signed-beside", type=click.Path(path_type=Path), metavar="FILE",
    help="Of a record at an address: the host's own studio.database, beside which its signing key lies.",
)  # fmt: skip
@click.option("--with-credentials", is_flag=True, help="The hashes of PINs, too: every byte of every row.")
def command(  # noqa: PLR0913 - one parameter an option
    db: Place, begin: str, end: str, out: Path, host: str, signed_beside: Path | None, with_credentials: bool
) -> None:
    """Write rows of the journal, with the ledger's they bind, into FILE: signed, and checked again after writing.

    Cards that were never revealed stay sealed in it, and hashes of PINs stay out. A studio may be at work on DB.
    """
    try:
        signer = signer_in(_key_beside(db, signed_beside))
        write_export(db, begin, end, out, signer, with_credentials=with_credentials, host=host)
        for sentence in describe(check_export(out, frozenset({signer.public_key}))):
            click.echo(sentence)
    except (BadInputError, StorageError) as error:
        raise click.ClickException(str(error)) from None


def _key_beside(db: Place, named: Path | None) -> Path:
    if named is not None:
        return named
    if is_address(db):
        sentence = "Beside an address lies no signing key: name the host's own studio.database by --signed-beside."
        raise BadInputError(sentence)
    return Path(db)


@click.command("verify-export")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--public-key", required=True, metavar="KEY", help="The studio's key, or a file of keys.")
@click.option("--after", type=click.Path(path_type=Path), metavar="FILE", help="The export this one must go on from.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def verify_command(ctx: click.Context, file: Path, public_key: str, after: Path | None, as_json: bool) -> None:
    """Check an export, without a database: its signature, both chains, and that it follows the one before."""
    try:
        keys = read_public_keys(public_key)
        found = check_export(file, keys, check_export(after, keys) if after else None)
    except BadInputError as error:
        if not as_json:
            raise click.ClickException(str(error)) from None
        click.echo(json.dumps({"file": str(file), "ok": False, "error": str(error)}, ensure_ascii=False))
        ctx.exit(1)
    if as_json:
        click.echo(json.dumps({"file": str(file), "ok": True, **_plain(found)}, ensure_ascii=False))
        return
    for sentence in describe(found):
        click.echo(sentence)


def _plain(found: Export) -> dict[str, object]:
    return {
        "rows": found.rows,
        "withheld": found.withheld,
        "opened": found.opened,
        "uncommitted": found.uncommitted,
        "first": found.journal_before.seq + 1,
        "last": found.journal_after.seq,
        "journal_hash": found.journal_after.hash,
        "ledger_hash": found.ledger_after.hash,
    }
