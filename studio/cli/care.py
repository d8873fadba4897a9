"""`studio care`: what is done about keys and pictures beside a running studio."""

from __future__ import annotations

from pathlib import Path

import click

from studio.care.signing import signer_in
from studio.cli.place import RECORD_FILE
from studio.errors import BadInputError


@click.group("care")
def command() -> None:
    """Look after what is remembered: the signing key, and the pictures that may expire."""


@command.command("public-key")
@click.argument("db", type=RECORD_FILE, metavar="DB")
def public_key(db: Path) -> None:
    """Print the public key checkpoints and exports of DB are signed with; give it away before it is needed."""
    try:
        click.echo(signer_in(db).public_key)
    except BadInputError as error:
        raise click.ClickException(str(error)) from None
