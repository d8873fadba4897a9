"""The only place for `studio care`: what is done about keys and pictures beside a running studio."""

from __future__ import annotations

from pathlib import Path

import click

from studio.care.signing import Signer, signing_path
from studio.errors import BadInputError


@click.group("care")
def command() -> None:
    """Look after what is remembered: the signing key, and the pictures that may expire."""


@command.command("public-key")
@click.argument("db", type=click.Path(path_type=Path), metavar="DB")
def public_key(db: Path) -> None:
    """Print the public key checkpoints and exports of DB are signed with; give it away before it is needed."""
    path = signing_path(db)
    try:
        click.echo(Signer.of(path.read_bytes()).public_key)
    except OSError as error:
        raise click.ClickException(f"{path}: The signing key cannot be read: {error.strerror}.") from error
    except (ValueError, BadInputError):
        raise click.ClickException(f"{path}: The signing key is damaged: restore this file from a backup.") from None
