"""The verbs of `studio wallet`: an operator's wallet tried, and one simulated."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import Final

import click
import msgspec

from dealer_ui.rehearsal.operator.fault import FAULTS, Faults
from dealer_ui.rehearsal.operator.server import OperatorServer
from dealer_ui.rehearsal.operator.setting_up import DIALECTS, OPERATOR, WALLET_FILE, open_operator
from dealer_ui.verbs.wallet_check import check_command


@click.command("operator")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER")
@click.option("--dialect", required=True, type=click.Choice(DIALECTS), help="How he is spoken to.")
@click.option("--port", default=0, type=click.IntRange(0, 65535), help="Where he answers; 0: wherever there is room.")
@click.option("--fault", "on", multiple=True, type=click.Choice(list(FAULTS)), help="On from the start; repeatable.")
@click.option("--slow", "slow_s", default=2.9, type=click.FloatRange(min=0.0), help="Seconds the fault 'slow' takes.")
@click.option(
    "--welcome", "welcome_minor", default=0, type=click.IntRange(min=0),
    help="Whoever is new has an account with so much, in minor units; 0: nobody is taken in.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
def operator_command(  # noqa: PLR0913 - one parameter an option
    folder: Path, dialect: str, port: int, on: tuple[str, ...], slow_s: float, welcome_minor: int, as_json: bool
) -> None:
    """Simulate an operator's wallet over HTTP, with balances of its own in FOLDER, for this machine alone.

    FOLDER/wallet.toml is then what `studio wallet check --operator north` takes. Faults are switched while it runs:
    curl -d '{"on": ["half"]}' ADDRESS/control
    """
    faults = Faults(slow_s)
    faults.switch(on)
    server = _opened(folder, dialect, faults, port)
    server.till.welcome_minor = welcome_minor
    told = {"address": server.address, "operator": OPERATOR, "config": str(folder / WALLET_FILE)}
    click.echo(msgspec.json.encode(told) if as_json else f"{OPERATOR} answers at {told['address']}: {told['config']}")
    sys.stdout.flush()
    with contextlib.closing(server.till), contextlib.closing(faults), server:
        server.serve_forever()


def _opened(folder: Path, dialect: str, faults: Faults, port: int) -> OperatorServer:
    try:
        return open_operator(folder, dialect, faults, port)
    except OSError as error:
        raise click.ClickException(
            f"No operator can be set up in {folder} on port {port}: {error.strerror}. Choose another folder or port."
        ) from None


wallet: Final = click.Group(
    "wallet", {"check": check_command, "operator": operator_command}, help="Try operators' own wallets."
)
