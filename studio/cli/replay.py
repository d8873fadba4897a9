"""The only place for `studio replay`: one recorded round, step by step, as text."""

from __future__ import annotations

from pathlib import Path

import click

from studio.errors import BadInputError
from studio.journal import Reader
from studio.proof.replay import find_round, tell_round


@click.command("replay")
@click.argument("db", type=click.Path(path_type=Path), metavar="DB")
@click.argument("round_asked", metavar="ROUND")
@click.option("--table", metavar="KEY", help="The table, where ROUND is a number and there are several tables.")
@click.option("--json", "as_json", is_flag=True, help="Print the journal's rows of the round, one a line.")
def command(db: Path, round_asked: str, table: str | None, as_json: bool) -> None:
    """Tell one round step by step: what was seen, what happened, who did it, what was paid.

    ROUND is its id or its number. Times are UTC. A card that was never revealed stays sealed: no keys are used but
    those that were published with the cards.
    """
    try:
        with Reader.open(db) as reader:
            found = find_round(reader, round_asked, table)
            if as_json:
                for row in reader.events(round=found.id):
                    click.echo(row.body.decode())
                return
            for line in tell_round(reader, found):
                click.echo(line)
    except BadInputError as error:
        raise click.ClickException(str(error)) from None
