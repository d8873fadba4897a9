"""The only place for `studio doctor`: what is missing or risky on this machine, in sentences."""

from __future__ import annotations

import json
from pathlib import Path

import click

from studio.proof.machine import examine

_SIGN = {"ok": "ok     ", "note": "note   ", "missing": "MISSING"}


@click.command("doctor")
@click.option(
    "--db", type=click.Path(path_type=Path), default=Path("studio.db"), show_default=True, metavar="FILE",
    help="The database the studio uses or will use here.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line, each at once.")
@click.pass_context
def command(ctx: click.Context, db: Path, as_json: bool) -> None:
    """Look at this machine: what the studio needs, what is missing, what is worth knowing.

    The exit code is 0 when nothing is missing.
    """
    missing = False
    for finding in examine(db.absolute()):
        missing = missing or finding.verdict == "missing"
        click.echo(json.dumps(finding.plain()) if as_json else f"{_SIGN[finding.verdict]}  {finding.sentence}")
    ctx.exit(1 if missing else 0)
