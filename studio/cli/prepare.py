"""`studio prepare`: the tables of a studio in PostgreSQL, made or brought up to date, and who may do what with them."""

from __future__ import annotations

from contextlib import closing

import click

from studio.errors import BadInputError, StorageError
from studio.journal.place import driver_there, is_address


@click.command("prepare")
@click.argument("address", metavar="ADDRESS")
@click.option("--hosts", default="", help="The table hosts' role: it adds to the record, and changes none of it.")
@click.option("--web", default="", help="The web nodes' role: it reads the record, and keeps sessions.")
def command(address: str, hosts: str, web: str) -> None:
    """Make the studio's tables at ADDRESS, or bring them up to date, and give roles exactly the rights they need.

    ADDRESS names the user who owns the database; the roles are there already. Say it again after an upgrade and after
    a restore.
    """
    if not is_address(address):
        raise click.ClickException("ADDRESS is that of a database: write postgresql://USER@HOST:PORT/DATABASE.")
    if hosts and hosts == web:
        raise click.ClickException("A web node has less right than a host: create a role of its own for the web nodes.")
    try:
        with driver_there():
            from studio.journal.postgres.connection import connect, told, without_password
            from studio.journal.postgres.right import grant, grant_web
            from studio.journal.postgres.schema import migrate
        with closing(connect(address, reads_only=False)) as raw, told():
            migrate(raw, without_password(address))
            if hosts:
                grant(raw, hosts)
            if web:
                grant_web(raw, web)
    except (BadInputError, StorageError) as error:
        raise click.ClickException(str(error)) from None
    click.echo("The tables are there and up to date.")
    if hosts:
        click.echo(f"{hosts} adds to the record, as a table host.")
    if web:
        click.echo(f"{web} reads the record and keeps sessions and tickets, as a web node; it writes nothing else.")
